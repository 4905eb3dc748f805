"""Finds the letter of a choice in an answer to a multiple-choice question."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from helm.benchmark.extraction.answer_cues import find_cues
from helm.benchmark.extraction.boxed_extractor import find_boxed
from helm.benchmark.extraction.extractor import Extractor, Question
from helm.benchmark.extraction.plain_text import strip_markup

_OPENERS = "([{\"'“‘「『【《<«„ \t\n:"
_FILLERS = re.compile(
    r"(?i)(?:(?:most likely|therefore|clearly|indeed|thus|definitely|probably|actually|certainly|simply|still|likely|now|"
    r"hence|i think|i believe|option|choice|letter|answer|statement|opción|opción|opção|opzione|la|la opción|the|"
    r"a alternativa|alternativa|a opção|a letra|letra|lettre|la lettre|buchstabe|antwort|réponse|la réponse|"
    r"вариант|auswahl|die|pilihan|選択肢|选项|選項|số|phương án|đáp án|"
    r"both|either|neither|none of)(?![A-Za-z])[\s:]{0,3}|选项|選項)"
)
_CHOOSING = re.compile(
    r"(?<![a-z])(?:choose|pick|select|chose|going with|go with|opt for|answer with|"
    r"would answer|would say|(?:'|’)d say|i say|vote for|settle on|settling on|"
    r"left with|lean(?:ing)? towards?|"
    r"must be|should be|has to be|leaves(?: us with)?|leaving|matches|corresponds to|points to|"
    r"definitely|probably|certainly|surely|i think|i believe|i guess|to say|"
    r"(?:answer|ans\.?|réponse|đáp án|jawaban(?:nya)?(?: adalah)?|cevap|ответ)(?=\s)|答案(?=\s)|"
    r"elijo|escolho|wähle|scelgo|choisis|выбираю|"
    r"actually|rather|it is|it's|it’s|that's|that is|which is|this is|so|therefore|thus|hence|ergo|consequently|conclude|"
    r"=>|∴|→|故选|故選|应选|應選|因此选|所以选|所以|因此|选择|選擇|选|選|よって|したがって|따라서|그러므로)(?:\s{0,3}[,:])?"
)
_VERDICT = re.compile(
    r"(?<![a-z])(?:is|are|seems|appears to be|must be|would be|should be|looks like|represents|gives|provides|remains)\s"
    r"(?:(?:therefore|clearly|thus|indeed|definitely|actually|also|then|hence|most likely|obviously)\s)?"
    r"(?:the|our|my|a)?\s?(?:(?:only|single|one|most|clearly)\s)?"
    r"(?:correct|right|best|accurate|appropriate|valid|likely|suitable|plausible|proper|final)"
    r"(?P<noun>(?:\sand\s\w{1,12})?\s(?:answer|choice|option|response|one|solution|match|description|explanation))?"
    r"|(?<![a-z])(?:is|would be)\s(?:the|my|our)\s(?:final\s)?(?P<noun2>answer|choice|pick|one)(?![a-z])"
    r"|是正确的?|是對的|正确|が正しい|が正解|이 정답|가 정답|が適切|"
    r"es (?:la )?correcta|ist richtig|ist korrekt|est correcte?|верн(?:ый|о)|è corretta"
)
_AFTER_A_WORD = frozenset(
    "because since as for which due based given is was from with and or but by if per although though while that "
    "because, has would seems".split()
)
"""Words that can follow the letter A or I when it is a label; another word makes it the English word."""

_JOINED = re.compile(r"\s{0,2}(?:[,/&+、،]|\b(?:and|or|und|oder|et|ou|y|o|e|и|или|dan|atau)\b|和|或|及|と|またば)")
_NEW_CLAUSE = re.compile(
    r"(?i)\s(?:is|are|was|were|does|do|has|have|can|cannot|would|isn't|describes|refers|says|states)(?![A-Za-z])"
)
_NEGATION = re.compile(
    r"(?i)(?<![A-Za-z])(?:not|isn't|isn’t|neither|nor|never|cannot be|"
    r"can't be|if|whether|unless|suppose|why|assuming|不|不是|既不)(?![A-Za-z])"
)
_WRONG_AFTER = re.compile(
    r"(?i)(?![)\]\"']{0,2}\s?,\s?not\s)[)\]\s\"'.,]{0,4}"
    r"(?:is|are|was|seems|would be|being|can be|could be|might be|may be)?\s{0,2}"
    r"(?:not|n't|incorrect|wrong|false|ruled out|eliminated|excluded|out of the question|不对|错误|不正确)(?![A-Za-z])"
)
_REASON = re.compile(r"(?i),?\s(?:i think|i believe|i guess|i'd say|probably|definitely|because|since)(?![A-Za-z])")
_RIGHT = re.compile(r"(?i)[\s\W]{0,8}(?:correct|right|true)(?![A-Za-z])")
_SPACES = re.compile(r"\s+")
_LONGEST_SENTENCE = 160
_SHORT = 20
_NEXT_QUESTION = re.compile(r"(?<=\S)\s{0,5}\n\s{0,5}(?:Question|Q)(?:\s\d{1,4})?:\s")
"""Where a model asks itself the next question, like the examples in its prompt."""
_SUPPOSED = re.compile(
    r"(?:^|[.!?;]\s{1,3}|\n|, |although |though |while |but )"
    r"(?:had|were) (?:it|he|she|they|we|this|that|these|the)\b[^.!?\n]{0,120}$"
)
_SUPPOSED_AFTER = re.compile(
    r"[^.!?;\n]{0,60}?\bif\s(?:the|this|it|we|they)\s[^.!?;\n]{0,40}?\b(?:asked|were|was|had|wanted|instead)\b"
)
_NOT_BUT = re.compile(r"(?:not|no|nicht|pas)\s\(?\w{1,3}\)?,?\s(?:but(?:\srather)?|sino|sondern|mais)\s")


class LetterExtractor(Extractor):
    """Finds the label of the choice that an answer settles on; a label may be any short text, such as `B` or `3`.

    The last decisive statement counts, so an answer may correct itself. The text of a choice stands for its label. An
    answer that names several labels, or a label that the question does not have, has no letter.
    """

    def find(self, text: str, question: Question) -> str | None:
        labels = tuple(question.choices) or tuple("ABCDEFGHIJ")
        goes_on = _NEXT_QUESTION.search(text)
        if goes_on:
            before = text[: goes_on.start()]
            if len(before.strip()) <= _SHORT or find_cues(before):
                return _Search(before, labels, question.choices).find()
        return _Search(text, labels, question.choices).find()


class _Unclear(Exception):
    """A statement names several labels, or one that the question does not have."""


@lru_cache(maxsize=64)
def _label_pattern(labels: tuple[str, ...]) -> "re.Pattern[str]":
    names = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(
        rf"(?<![A-Za-zÀ-ɏ0-9_.-])(?P<label>{names})(?![A-Za-zÀ-ɏ0-9_+#]|['’][A-Za-z]|"
        rf"-[A-Za-z0-9]|\.[A-Za-z0-9]|[ ]?[=^≤≥][^>]|[ ]?[<>][ \d])"
    )


@lru_cache(maxsize=64)
def _line_pattern(labels: tuple[str, ...]) -> "re.Pattern[str]":
    names = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(
        rf"^[ \t]{{0,8}}(?:[-•] )?[(\[{{\"'“「【<]{{0,3}}(?:(?i:option|"
        rf"choice) )?(?P<label>{names})(?P<close>[)\]}}\"'”」】>]{{0,3}})"
        r"(?P<rest>[ \t]{0,8}$|[.:：、)—–-]+(?=[\s]|$)|[).:：、](?=\S)|[ \t]+[—–-]+[ \t])",
        re.MULTILINE,
    )


@lru_cache(maxsize=64)
def _named_pattern(labels: tuple[str, ...]) -> "re.Pattern[str]":
    names = "|".join(re.escape(label) for label in sorted(labels, key=len, reverse=True))
    return re.compile(
        rf"(?:[^\n]{{1,500}}\n{{1,2}}(?=A:))?\(?(?P<label>{names})(?P<mark>[.:)])\)?\s{{1,3}}(?P<rest>[^\n]{{1,300}})$"
    )


class _Search:
    """The search in one answer."""

    def __init__(self, text: str, labels: tuple[str, ...], choices: Mapping[str, str]):
        self._raw = text
        self._text = strip_markup(text)
        self._labels = labels
        self._label = _label_pattern(labels)
        self._folded = {label: _fold(choice) for label, choice in choices.items()}
        self._named = _named_pattern(labels)
        self._is_upper = all(len(label) == 1 and "A" <= label <= "Z" for label in labels)

    def find(self) -> str | None:
        try:
            return self._find_whole() or self._find_stated() or self._find_marked() or self._find_mentioned()
        except _Unclear:
            return None

    # --- the whole answer is a label, or a choice ---

    def _find_whole(self) -> str | None:
        text = self._text.strip()
        if len(text) > 600:
            return None
        named = self._named.match(text)
        if named and self._choice_of(named["rest"]) not in (None, named["label"]):
            # `A: Berlin` means the answer, not the choice; else a label with the text of another choice is no answer.
            if named["label"] == "A" and named["mark"] == ":":
                return self._choice_of(named["rest"])
            raise _Unclear
        bare = text.strip("_✓✔✅☑️👍 \t\n()[]{}\"'“”‘’「」『』【】<>《》«».,:;!。：").strip()
        exact = self._resolve(bare)
        if exact is None and self._is_upper:
            lower = re.match(r"\(?([a-z])[).:]\s+(.{1,300})$", text)
            if lower and self._folded.get(lower[1].upper()) == _fold(lower[2]):
                exact = lower[1].upper()
        if exact is None:
            leading = self._label.match(text)
            if (
                leading
                and _REASON.match(text, leading.end())
                and not _is_english_word(leading[0], "", text, leading.end())
            ):
                exact = leading[0]
        return exact or self._choice_of(text)

    def _resolve(self, bare: str) -> str | None:
        """Return the label that a text without punctuation is, in either case."""
        if bare in self._labels:
            return bare
        if self._is_upper and len(bare) == 1 and bare.upper() in self._labels:
            return bare.upper()
        return None

    def _choice_of(self, text: str) -> str | None:
        """Return the label of the only choice with this text."""
        folded = _fold(text)
        fitting = [label for label, choice in self._folded.items() if choice and choice == folded]
        return fitting[0] if len(fitting) == 1 else None

    # --- statements ---

    def _find_stated(self) -> str | None:
        """Return the label of the last decisive statement. Raises: _Unclear if it is none or several."""
        text = self._text
        lower = text.replace("İ", "I").lower()  # see `find_cues`
        places: list[tuple[int, str, int]] = []
        for cue in find_cues(text):
            places.append((cue.end, "cue", cue.start))
        for match in _bounded(_CHOOSING.finditer(lower)):
            places.append((match.end(), "weak", match.start()))
        for match in _bounded(_VERDICT.finditer(lower)):
            places.append(
                (match.start(), "strong verdict" if match["noun"] or match["noun2"] else "verdict", match.start())
            )
        for position, content in find_boxed(self._raw)[-50:]:
            label = self._resolve_box(content)
            if label is not None:
                # Positions before and after removing marks differ little; a box is near the end of its sentence.
                at = round(position * len(text) / max(1, len(self._raw)))
                places.append((at, "box " + label, at))
        verdicts: dict[str, None] = {}
        for end, kind, start in sorted(places, reverse=True):
            if kind.startswith("box "):
                return kind[4:]
            if kind == "verdict":
                label = self._before(start)
                if label is not None:
                    verdicts[label] = None
                continue
            if "would" in lower[max(0, start - 20) : end + 20] and self._is_supposed(lower, start, end):
                continue
            if kind == "strong verdict":
                label = self._before(start)
            else:
                label = self._after(end, kind == "cue")
            if label is not None:
                return label
        if len(verdicts) > 1:
            raise _Unclear
        leading = self._find_leading()
        return leading or next(iter(verdicts), None)

    def _is_supposed(self, lower: str, start: int, end: int) -> bool:
        """Return whether a statement is about another question: `Had it been Germany, the answer would be C`."""
        before = lower[max(0, start - _LONGEST_SENTENCE) : start]
        return _SUPPOSED.search(before) is not None or _SUPPOSED_AFTER.match(lower, end) is not None

    def _resolve_box(self, content: str) -> str | None:
        plain = strip_markup(content).strip(" \t\n()[]{}\"'.,:;")
        label = self._resolve(plain) or self._choice_of(plain)
        if label is None:
            match = self._label.match(plain)
            if match and re.match(r"[).:]|\s?[—–-]\s|\s*$", plain[match.end() :]):
                label = match["label"]
        return label

    def _after(self, position: int, is_cue: bool) -> str | None:
        """Return the label that follows the words of a statement. Raises: _Unclear."""
        text = self._text
        position, opener = _skip_fillers(text, position)
        turned = _NOT_BUT.match(text, position)
        if turned:
            position, opener = _skip_fillers(text, turned.end())
        end = min(len(text), position + 400)
        choice, choice_end = self._choice_at(position, end)
        match = self._label.match(text, position)
        if match is None:
            if choice is not None and (is_cue or _ends_statement(text, choice_end)):
                return None if _NEGATION.search(text[max(0, position - 12) : position]) else choice
            lower = re.compile(r"(?P<label>[a-z])(?=[)\]}\"'”.,;!。]*(?:\s*$|[.)\]\n]))", re.MULTILINE).match(
                text, position
            )
            if lower and self._is_upper and lower["label"].upper() in self._labels and is_cue:
                if lower["label"] not in "ai" or opener in "([\"'" or _ends_statement(text, lower.end()):
                    return lower["label"].upper()
            if is_cue:
                self._check_foreign(position, opener)
            return None
        label = match["label"]
        if choice is not None and len(self._folded[choice]) > len(label) and choice_end > match.end():
            return choice
        after = match.end()
        if _is_english_word(label, opener, text, after):
            return None
        if not is_cue and not (_ends_statement(text, after) or opener in "([" or text[after : after + 1] in ").:"):
            return None
        if _WRONG_AFTER.match(text, after):
            return None
        if not is_cue and _WRONG_AFTER.search(text[after : after + 60].partition("\n")[0]):
            return None
        self._check_single(label, after)
        return label

    def _check_foreign(self, position: int, opener: str) -> None:
        """Raise _Unclear for a capital letter that is no label, after words that announce an answer."""
        match = re.compile(r"[A-Z](?=[)\].,:;]|\s*$|\s*\n)").match(self._text, position)
        if match and self._is_upper:
            raise _Unclear

    def _check_single(self, label: str, position: int) -> None:
        """Raise _Unclear if further labels are listed after this one."""
        text = self._text
        for _ in range(30):
            while position < len(text) and text[position] in ")]}\"'”’":
                position += 1
            joined = _JOINED.match(text, position)
            if not joined:
                return
            position, opener = _skip_fillers(text, joined.end())
            other = self._label.match(text, position)
            if not other or _is_english_word(other["label"], opener, text, other.end()):
                return
            if _NEW_CLAUSE.match(text, other.end()) or _WRONG_AFTER.match(text, other.end()):
                return
            if other["label"] != label:
                raise _Unclear
            position = other.end()

    def _before(self, position: int) -> str | None:
        """Return the only label in the words before `is correct` and the like, in the same sentence."""
        begin = max(0, position - _LONGEST_SENTENCE)
        words = re.split(
            r"[\n。;]|[!?](?:\s|$)|\.\s(?=[A-Z(])|,\s(?:but|yet|however,?|so)\s", self._text[begin:position]
        )[-1]
        if words.strip(" )]") == "" or _NEGATION.search(words):
            return None
        found = [
            match
            for match in self._label.finditer(words)
            if not _is_english_word(
                match["label"], words[max(0, match.start() - 1) : match.start()], words, match.end(), True
            )
        ]
        names = {match["label"] for match in found}
        if len(names) > 1:
            # `B, not A, is the best answer` and `A and C are correct` cannot be told apart well enough.
            raise _Unclear
        if names:
            return found[0]["label"]
        lower = re.search(r"(?i)\b(?:option|choice|answer)\s\(?([a-z])\)?\s{0,2}$", words)
        if lower and self._is_upper and lower[1].upper() in self._labels:
            return lower[1].upper()
        folded = _fold(words)
        fitting = [label for label, choice in self._folded.items() if len(choice) > 1 and _contains(folded, choice)]
        return fitting[0] if len(fitting) == 1 else None

    def _choice_at(self, position: int, end: int) -> tuple[str | None, int]:
        """Return the choice whose text begins here, the longest one, and where it ends."""
        if not self._folded:
            return None, position
        words = self._text[position:end]
        folded = _fold(words)
        best: str | None = None
        for label, choice in self._folded.items():
            if choice and folded.startswith(choice) and not folded[len(choice) : len(choice) + 1].isalnum():
                if best is None or len(choice) > len(self._folded[best]):
                    best = label
        if best is None:
            return None, position
        return best, position + _length_of(words, len(self._folded[best]))

    # --- lines that begin with a label ---

    def _find_leading(self) -> str | None:
        """Return the label of the first or last line if it begins with one, and the lines are not a list of choices."""
        text = self._text.strip()
        matches = list(_bounded(_line_pattern(self._labels).finditer(text)))
        matches = [
            m
            for m in matches
            if not (m["label"] in "AI" and m["rest"][:1] in " \t" and m["rest"].strip() == "")
            or text[m.end() : m.end() + 1] in ("\n", "")
        ]
        if not matches:
            return None
        right = {m["label"] for m in matches if _RIGHT.match(text, m.end())}
        if len(right) == 1 and len({m["label"] for m in matches}) > 1:
            return right.pop()
        if any(self._begins_with_label(text[m.end() : m.end() + 20]) for m in matches):
            return None
        bare = [m for m in matches if text[m.end() : m.end() + 400].partition("\n")[0].strip(" .)\t") == ""]
        first_line_end = text.find("\n") if "\n" in text else len(text)
        last_line_start = text.rfind("\n") + 1
        last = matches[-1]
        distinct = {m["label"] for m in matches}
        if bare and (bare[-1].start() >= last_line_start or bare[-1].start() < first_line_end):
            return bare[-1]["label"]
        if len(distinct) == 1:
            is_first, is_last = matches[0].start() < first_line_end, last.start() >= last_line_start
            return last["label"] if is_first or is_last else None
        first = matches[0]
        if first.start() < first_line_end and not _is_list([m["label"] for m in matches], self._labels):
            return first["label"]
        if last.start() >= last_line_start and "\n\n" in text[matches[-2].end() : last.start()]:
            return last["label"]
        return None

    def _begins_with_label(self, words: str) -> bool:
        """Return whether another label with its mark follows in the same line, as in a list of choices."""
        words = words.lstrip(" \t")
        match = self._label.match(words)
        return match is not None and words[match.end() : match.end() + 1] in (".", ")", ":", ",")

    def _repeats_choices(self, text: str) -> bool:
        """Return whether the last lines are the choices, in order."""
        found = [match["label"] for match in _bounded(_line_pattern(self._labels).finditer(text))]
        return len(found) > 1 and found[-len(self._labels) :] == list(self._labels)

    # --- emphasis, and single mentions ---

    def _find_marked(self) -> str | None:
        """Return the label in bold, if only one is."""
        found = []
        for match in _bounded(
            re.finditer(r"\*\*([^*\n]{1,200})\*\*|__([^_\n]{1,200})__|\\textbf\{([^{}\n]{1,200})\}", self._raw)
        ):
            content = strip_markup(next(group for group in match.groups() if group)).strip()
            bare = content.strip(" \t()[]{}\"'“”.,:;")
            label = self._resolve(bare) if bare != "I" or len(content) > 1 else None
            if label is None:
                begin = self._label.match(content.lstrip("([ "))
                if begin and re.match(r"[).:\]]|\s[—–-]\s", content.lstrip("([ ")[begin.end() :]):
                    label = begin["label"]
                else:
                    match_of = re.fullmatch(r"(?i:option|choice|answer) (\S)", bare)
                    label = self._resolve(match_of[1]) if match_of else self._choice_of(content)
            if label is not None:
                found.append((match.start(), label))
        distinct = {label for _, label in found}
        if len(distinct) == 1:
            return found[0][1]
        return None

    def _find_mentioned(self) -> str | None:
        """Return the only label, or the only text of a choice, that the last line has."""
        text = self._text.strip()
        last_line = text.rpartition("\n")[2]
        if self._repeats_choices(text):
            return None
        if len(last_line) > 300:
            return None
        if _NEGATION.search(last_line) or re.search(
            r"(?i)\b(?:wrong|incorrect|except|eliminate|rule out|ruled out|unsure|between)\b", last_line
        ):
            return None
        names = {
            m["label"]
            for m in re.finditer(
                rf"(?:[(\[]|\b(?i:option|choice)\s)(?P<label>{'|'.join(re.escape(x) for x in self._labels)})(?![A-Za-z0-9])",
                last_line,
            )
        }
        if len(names) == 1:
            return names.pop()
        if names:
            return None
        folded = _fold(last_line)
        fitting = [label for label, choice in self._folded.items() if len(choice) > 1 and _contains(folded, choice)]
        longest = max(fitting, key=lambda label: len(self._folded[label]), default=None)
        if longest is None:
            return None
        rest = folded.replace(self._folded[longest], " ")
        others = [label for label in fitting if label != longest and _contains(rest, self._folded[label])]
        is_unique = sum(choice == self._folded[longest] for choice in self._folded.values()) == 1
        return longest if not others and is_unique else None


def _bounded(matches: Iterable["re.Match[str]"]) -> list["re.Match[str]"]:
    """Return the last matches: a hostile text has any number of them."""
    return list(matches)[-1000:]


def _fold(text: str) -> str:
    """Return a text for comparison: without marks, in lower case, with single spaces and no period at the end."""
    plain = _SPACES.sub(" ", strip_markup(text)).strip().casefold()
    return plain.rstrip(" .。!").lstrip("\"'“‘").rstrip("\"'”’")


def _length_of(words: str, folded_length: int) -> int:
    """Return about how many characters of a text have this length when folded."""
    return min(len(words), folded_length + (len(words) - len(words.lstrip())))


def _contains(text: str, words: str) -> bool:
    at = text.find(words)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(words) : at + len(words) + 1]
        if not (before.isalnum() and words[0].isalnum()) and not (after.isalnum() and words[-1].isalnum()):
            return True
        if not before.isascii() or not after.isascii():
            return True
        at = text.find(words, at + 1)
    return False


def _skip_fillers(text: str, position: int) -> tuple[int, str]:
    """Skip brackets, quotes and words such as `option`; return the position after them, and the character before it."""
    limit = min(len(text), position + 80)
    while position < limit:
        if text[position] in _OPENERS:
            position += 1
            continue
        match = _FILLERS.match(text, position)
        if match is None:
            break
        position = match.end()
    return position, text[position - 1 : position] if position else ""


_END_OF_STATEMENT = re.compile(
    r"[)\]}\"'”’」】>]{0,3}\s{0,3}"
    r"(?:$|\n|[.,;:!。，；：—–]|-\s|\(|because|since|as\s|based|it is(?![A-Za-z])|选项|選項|项|項)",
    re.MULTILINE,
)


def _ends_statement(text: str, position: int) -> bool:
    """Return whether a statement ends here: at the end of a line or sentence, or before a reason."""
    return _END_OF_STATEMENT.match(text, position) is not None


def _is_english_word(label: str, opener: str, text: str, after: int, is_subject: bool = False) -> bool:
    """Return whether `A` or `I` is the English word: another word follows it, and no bracket or quotation mark encloses it."""
    if label not in ("A", "I") or opener in "([{\"'“「【" and opener:
        return False
    if text[after : after + 1] != " ":
        return False
    word = re.compile(r" {1,3}([A-Za-z']{1,20})").match(text, after)
    if word is None:
        return False
    if label == "I":
        return True
    return word[1].lower() not in _AFTER_A_WORD


def _is_list(found: list[str], labels: tuple[str, ...]) -> bool:
    """Return whether the lines repeat the choices in order."""
    return found[:2] == list(labels[:2]) or found[: len(labels)] == list(labels)
