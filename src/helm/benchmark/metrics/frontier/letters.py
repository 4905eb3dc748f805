"""Five published rules that find the letter of a choice in a model's text.

A benchmark names its rule, because the rules disagree about many texts. None of them guesses: no letter, no answer.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from helm.common.errors import ConfigError, suggest

Rule = Callable[[str, Sequence[str]], str | None]
"""Returns the letter that a text names, for the texts of the choices."""


def find_letter(rule: str, text: str, choices: Sequence[str] = ()) -> str | None:
    """Return the letter that a text names by a rule of `RULES`, as it stands there; None without one.

    Args:
        choices: the texts of the choices, which only `super_gpqa` looks at.

    Raises: ConfigError for an unknown rule.
    """
    if rule not in RULES:
        raise ConfigError(f"There is no rule '{rule}' for letters, only {', '.join(RULES)}.{suggest(rule, RULES)}")
    return RULES[rule](text, choices)


_ANSWER_LETTER = re.compile(r"(?i)answer[ \t]*:[ \t]*\$?([A-D])\$?")


def _simple_evals(text: str, choices: Sequence[str]) -> str | None:
    match = _ANSWER_LETTER.search(text)
    return match.group(1) if match else None


_ANSWER_WORDS = (
    r"Answer\s*:", r"উত্তর\s*:", r"उत्तर\s*:", r"উত্তরঃ", r"Antwort\s*:", r"답변\s*:", r"정답\s*:", r"답\s*:",
    r"答案\s*[:：]", r"答\s*[:：]", r"答复\s*[:：]", r"答曰\s*[:：]", r"الإجابة:", r"الجواب:", r"إجابة:",
    r"الإجابة النهائية:", r"الإجابة الصحيحة:", r"الإجابة الصحيحة هي:", r"الإجابة هي:", r"الجواب النهائي:",
    r"Respuesta\s*:", r"Risposta\s*:", r"答え\s*[:：]", r"回答\s*[:：]", r"解答\s*:", r"Jawaban\s*:", r"Réponse\s*:",
    r"Resposta\s*:", r"Jibu\s*:", r"Idahun\s*:", r"Ìdáhùn\s*:", r"Idáhùn\s*:", r"Àmọ̀nà\s*:", r"Àdáhùn\s*:",
    r"Ànúgọ\s*:", r"Àṣàyàn\s*:",
)  # fmt: skip
"""What announces an answer in the languages of MMMLU, in the order in which they are tried."""

_FOREIGN_LETTERS = {letter: "ABCD"[i] for letters in ("أبجد", "অবডঢ", "ＡＢＣＤ") for i, letter in enumerate(letters)}
_MULTILINGUAL = tuple(
    re.compile(rf"(?i){word}[ \t]*([A-D]|[أ-د]|[অবডঢ]|[Ａ-Ｄ])") for word in _ANSWER_WORDS
)  # fmt: skip
_MARKUP = (
    "**",
    "$\\boxed{",
    "}$",
    "\\$",
    "$\\text{",
    "$",
    "\\mathrm{",
    "\\{",
    "\\text",
    "\\(",
    "\\mathbf{",
    "{",
    "\\boxed",
)
"""What is removed before a letter is looked for; the order matters."""


def _simple_evals_multilingual(text: str, choices: Sequence[str]) -> str | None:
    for markup in _MARKUP:
        text = text.replace(markup, "")
    for pattern in _MULTILINGUAL:
        match = pattern.search(text)
        if match:
            return _FOREIGN_LETTERS.get(match.group(1), match.group(1))
    return None


_MMLU_PRO_ANSWER_IS = re.compile(r"answer is \(?([A-J])\)?")
_MMLU_PRO_ANSWER = re.compile(r"[aA]nswer:\s*([A-J])")
_LONE_LETTER = re.compile(r"\b[A-J]\b")


def _mmlu_pro(text: str, choices: Sequence[str]) -> str | None:
    match = _MMLU_PRO_ANSWER_IS.search(text) or _last_on_first_line(_MMLU_PRO_ANSWER, text)
    if match:
        return match.group(1)
    lone = _LONE_LETTER.findall(text)
    return lone[-1] if lone else None


def _last_on_first_line(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the last match of those that begin on the first line with any."""
    last, end = None, len(text)
    for match in pattern.finditer(text):
        if last is None:
            newline = text.find("\n", match.start())
            end = newline if newline >= 0 else end
        elif match.start() > end:
            break
        last = match
    return last


_LONGBENCH = (
    re.compile(r"The correct answer is \(([A-D])\)"),
    re.compile(r"The correct answer is ([A-D])"),
)


def _longbench_v2(text: str, choices: Sequence[str]) -> str | None:
    text = text.replace("*", "")
    match = _LONGBENCH[0].search(text) or _LONGBENCH[1].search(text)
    return match.group(1) if match else None


_OPEN = r"[*$\\{(\[]{0,8}(?:\\?(?:boxed|mathbf|mathrm|text)\{){0,3}\s*"
_CLOSE = r"(?:\\?\}){0,3}\$?\)?\]?\}?(?:[\s:.*)]|$)"


def _super_gpqa_patterns(target: str) -> tuple[re.Pattern[str], ...]:
    """Return the three statements of an answer, in the order in which they are tried."""
    return tuple(
        re.compile(f"{lead}{_OPEN}({target}){_CLOSE}", re.IGNORECASE)
        for lead in (
            r"the\s+(?:\w+\s+)?(?:answer|option)(?:\w+\s+)?\s+is?:?\s*",
            r"answer[*\s]*:\s*",
            r"^[^\w\r\n]*",
        )
    )


_SUPER_GPQA_LETTERS = _super_gpqa_patterns("[A-J]")


def _super_gpqa(text: str, choices: Sequence[str]) -> str | None:
    text = text.rstrip()
    places = (text.rsplit("\n", 1)[-1], text)
    letters = _super_gpqa_patterns(f"[A-{chr(64 + len(choices))}]") if 0 < len(choices) < 26 else _SUPER_GPQA_LETTERS
    found = _first_match(letters, places)
    if found is not None or not choices:
        return found
    # The longest first, so that a choice that begins another one is not taken for it.
    by_length = sorted((choice for choice in choices if choice), key=len, reverse=True)
    content = _first_match(_super_gpqa_patterns("|".join(map(re.escape, by_length))), places)
    folded = [choice.casefold() for choice in choices]
    if content is None or content.casefold() not in folded:
        return None
    return chr(ord("A") + folded.index(content.casefold()))


def _first_match(patterns: Sequence[re.Pattern[str]], places: Sequence[str]) -> str | None:
    for place in places:
        for pattern in patterns:
            match = pattern.search(place)
            if match:
                return match.group(1)
    return None


RULES: Mapping[str, Rule] = {
    "simple_evals": _simple_evals,
    "simple_evals_multilingual": _simple_evals_multilingual,
    "mmlu_pro": _mmlu_pro,
    "longbench_v2": _longbench_v2,
    "super_gpqa": _super_gpqa,
}
"""The rules by the name of the benchmark that published them.

`simple_evals`: the first `Answer: X`, X from A to D. `simple_evals_multilingual`: the same in the languages of MMMLU, after
Markdown and LaTeX are removed. `mmlu_pro`: `answer is (X)`, else `Answer: X`, else the last lone capital from A to J.
`longbench_v2`: `The correct answer is (X)`, with or without brackets. `super_gpqa`: three statements, the last line first, then
the text of a choice. Letters of the other case are kept as they are, and so are wrong.
"""
