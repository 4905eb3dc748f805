"""Finds the number that an answer ends with or names."""

import re

from helm.benchmark.extraction.answer_cues import find_cues
from helm.benchmark.extraction.boxed_extractor import find_boxed
from helm.benchmark.extraction.extractor import Extractor, Question
from helm.benchmark.extraction.number_context import begins_other, is_operation, is_part, names_several
from helm.benchmark.extraction.number_text import (
    FoundNumber,
    find_numbers,
    match_number,
    match_number_word,
    tidy,
)
from helm.benchmark.extraction.plain_text import is_closing

_BOLD = re.compile(r"\*\*([^*\n]{1,200})\*\*|\\textbf\{([^{}\n]{1,200})\}|<b>([^<\n]{1,200})</b>")
_LEAD = re.compile(
    r"(?i)(?:[\s:=*_(\[{\"'“]|\\\(|\\\[|\$(?![\d.-])|approximately|about|"
    r"around|roughly|exactly|just|only|therefore|simply|a total of|total of|"
    r"≈|~|\\approx|\\boxed\{|約|约|大约|共|unos|environ|etwa|circa|er|is|was|would be|[a-z][ ]?=)"
)
_SHORT = 30
_BARE = re.compile(r"[\s$€£]{0,4}-?[$€£]?\d[\d.,]{0,20}[\s%.]{0,4}")
_REASON = re.compile(r"(?i)\b(?:because|since|as|which|where|so|and|if|when|because of|given)\b|;")


_ABOUT = re.compile(r"[^=\n]{0,40}(?:≈|\\approx)")


class _Unclear(Exception):
    """What is stated as the answer is no single number."""


class NumberExtractor(Extractor):
    """Finds the final number: in a box, after `####`, after words such as `The answer is`, in bold, or the last one.

    The number is given in plain decimal notation: `-1234.5`, without separators, currency, unit, percent sign or zeros at
    the end; a fraction that is not a whole number stays one, as `3/4`. See `number_text.read_digits` for separators.
    A range, a list, a date, a time of day or an expression that is stated as the answer is no number.
    """

    def find(self, text: str, question: Question) -> str | None:
        try:
            stated = self._find_stated(text)
            return stated if stated is not None else self._find_last(text)
        except _Unclear:
            return None

    def _find_stated(self, text: str) -> str | None:
        places: list[tuple[int, int, str]] = [(position, position, content) for position, content in find_boxed(text)]
        places += [(cue.end, cue.start, "") for cue in find_cues(text)]
        for end, _, content in sorted(places, reverse=True):
            found = _in_box(content) if content else _after(text, end)
            if found is not None:
                return found
        return None

    def _find_last(self, text: str) -> str | None:
        """Return the number in bold in the last paragraph with a number, else the last number of the last line with one."""
        first_line = tidy(text.strip().partition("\n")[0])
        if _BARE.fullmatch(first_line) and "\n" in text.strip() and "**" not in text.strip().rpartition("\n\n")[2]:
            return _in_phrase(first_line)
        if len(text) <= _SHORT and "\n" not in text:
            _check_single(first_line)
        for paragraph in reversed(re.split(r"\n\s{0,10}\n", text)[-50:]):
            if is_closing(paragraph):
                continue
            bold = [next(group for group in match.groups() if group) for match in _BOLD.finditer(paragraph)]
            for part in reversed(bold):
                _check_single(tidy(part))
                found = _in_phrase(tidy(part))
                if found is not None and not re.match(r"(?i)\s*(?:step|schritt|étape|paso|part|case)\b", part):
                    return found
            for line in reversed(paragraph.split("\n")[-200:]):
                found = _in_phrase(tidy(_without_bullet(line)))
                if found is not None:
                    return found
        return None


def states_number(text: str) -> bool:
    """Return whether a text says which number is its answer, or is hardly more than a number."""
    if find_boxed(text) or len(text.strip()) <= _SHORT and find_numbers(tidy(text)):
        return True
    try:
        return any(_after(text, cue.end) is not None for cue in find_cues(text)[-20:])
    except _Unclear:
        return True


def _check_single(phrase: str) -> None:
    """Raise _Unclear if a tidy phrase states anything but one number."""
    found = match_number(phrase, len(phrase) - len(phrase.lstrip(" $€£¥{*~≈>")))
    if begins_other(phrase) or names_several(phrase) or found is not None and is_part(phrase, found):
        raise _Unclear


def _without_bullet(line: str) -> str:
    return re.sub(r"^\s{0,20}(?:[-*•]\s|\(?\d{1,3}[.)](?=\s))", "", line)


def _in_box(content: str) -> str | None:
    content = tidy(content)
    sides = content.rpartition("=")
    _check_single(sides[2] if sides[1] and not names_several(content) else content)
    return _in_phrase(sides[2] if sides[1] and find_numbers(sides[2]) else content)


def _in_phrase(phrase: str) -> str | None:
    """Return the number after the last equals sign of a phrase, else its last number."""
    before, sign, after = phrase.rpartition("=")
    if sign:
        numbers = find_numbers(after)
        if numbers:
            return numbers[0].text
        phrase = before
    numbers = find_numbers(phrase)
    return numbers[-1].text if numbers else None


def _after(text: str, position: int) -> str | None:
    """Return the number that follows the words that announce the answer, in the same sentence."""
    rest = text[position : position + 1000].lstrip(" \t:*_\n")
    rest = rest.partition("\n")[0]
    phrase = tidy(rest)
    start = 0
    for _ in range(12):
        lead = _LEAD.match(phrase, start)
        if lead is None:
            break
        start = lead.end()
    found: FoundNumber | None = match_number(phrase, start) or match_number_word(phrase, start)
    sentence = re.split(r"[.!?。](?=\s|$)", phrase)[0]
    if names_several(sentence):
        raise _Unclear
    before_equals = sentence[found.end if found else 0 :].rpartition("=")
    is_explained = found is not None and (before_equals[0].strip() == "(" or is_operation(before_equals[2]))
    if before_equals[1] and not is_explained and not _REASON.search(before_equals[0]):
        result = find_numbers(before_equals[2])
        if result:
            return result[0].text
    if found is not None:
        if not is_part(phrase, found):
            return found.text
        about = _ABOUT.match(sentence, found.end)
        rounded = match_number(sentence, about.end() + (sentence[about.end() :][:1] == " ")) if about else None
        if rounded is None:
            raise _Unclear
        return rounded.text
    if begins_other(phrase) or begins_other(phrase[start:]):
        raise _Unclear
    bold = [next(group for group in match.groups() if group) for match in _BOLD.finditer(rest)]
    for part in reversed(bold):
        in_bold = _in_phrase(tidy(part))
        if in_bold is not None:
            return in_bold
    return _in_phrase(sentence)
