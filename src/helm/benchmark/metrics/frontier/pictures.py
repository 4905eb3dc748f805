"""Scores of short answers to questions about pictures: ChartQA, DocVQA, OCRBench, MMMU and MathVista."""

import math
import re
from collections.abc import Sequence

# --- ChartQA ----------------------------------------------------------------------------------------------------------

_TOLERANCE = 0.05


def relaxed_match(prediction: str, target: str) -> bool:
    """Return whether an answer is the target: a number within 5 percent (`%` makes hundredths), else equal but for case."""
    got, wanted = _number(prediction), _number(target)
    if got is not None and wanted:
        return abs(got - wanted) / abs(wanted) <= _TOLERANCE
    if got is not None and wanted == 0:
        return got == 0
    return prediction.lower() == target.lower()


def _number(text: str) -> float | None:
    try:
        return float(text.rstrip("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        return None


def soft_relaxed_match(prediction: str, target: str) -> bool:
    """Return the same with lm-evaluation-harness's rule, without quotation marks, currencies, thousands and percent signs."""
    got, wanted = (_soft_number(text) for text in (prediction, target))
    if got is not None and wanted is not None and not math.isnan(got) and not math.isnan(wanted):
        candidates = {wanted}
        if "%" in prediction + target:
            candidates |= {wanted * 100, wanted / 100}
        return any(abs(got - value) <= _TOLERANCE * abs(value) for value in candidates)
    if got is not None or wanted is not None:
        return False
    return _bare(prediction) == _bare(target)


def _bare(text: str) -> str:
    return text.lower().strip("\"'").rstrip(".")


def _soft_number(text: str) -> float | None:
    try:
        return float(_bare(text.strip()).replace(",", "").strip("$€£%"))
    except ValueError:
        return None


# --- DocVQA -----------------------------------------------------------------------------------------------------------


def anls(prediction: str, answers: Sequence[str], threshold: float = 0.5) -> float:
    """Return the best similarity to one of the answers, whatever the case: 1 - d if d is below the threshold, else 0.

    d is the edit distance by the length of the longer text.
    """
    return max((_similarity(prediction.lower(), answer.lower(), threshold) for answer in answers), default=0.0)


def _similarity(one: str, other: str, threshold: float) -> float:
    longest = max(len(one), len(other))
    if abs(len(one) - len(other)) >= threshold * max(1, longest):
        return 0.0
    distance = _edit_distance(one, other) / longest if longest else 0.0
    return 1 - distance if distance < threshold else 0.0


def _edit_distance(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, wanted in enumerate(other, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (letter != wanted))
    return row[-1]


# --- OCRBench ---------------------------------------------------------------------------------------------------------

_CASE_MATTERS = "HME100k"
"""The data set with handwritten formulas."""


def contains_answer(dataset: str, prediction: str, answers: Sequence[str] | str) -> bool:
    """Return whether a text contains one of the answers, as OCRBench has it: formulas with case, without white space."""
    wanted = [answers] if isinstance(answers, str) else answers
    if dataset == _CASE_MATTERS:
        text = re.sub(r"\s", "", prediction)
        return any(re.sub(r"\s", "", answer) in text for answer in wanted)
    text = _plain_line(prediction)
    return any(_plain_line(answer) in text for answer in wanted)


def _plain_line(text: str) -> str:
    return text.lower().strip().replace("\n", " ")


# --- MMMU -------------------------------------------------------------------------------------------------------------


def find_choice(response: str, options: Sequence[str]) -> str | None:
    """Return the letter of the choice that a response names last: in brackets, alone, or by its text. None without one.

    The published program draws a letter at random where this gives None.
    """
    text = f" {response.strip(',.!?;:' + chr(39))} "
    letters = [chr(ord("A") + i) for i in range(len(options))]
    for form in ("({})", " {} "):
        found = {letter: text.rfind(form.format(letter)) for letter in letters if form.format(letter) in text}
        if found:
            return max(found, key=lambda letter: found[letter])
    if len(text.split()) <= 5:
        return None
    lower = text.lower()
    named = {
        letter: lower.rfind(option.lower())
        for letter, option in zip(letters, options, strict=True)
        if option.lower() in lower
    }
    return max(named, key=lambda letter: named[letter]) if named else None


_KEY_PHRASES = ("could be ", "so ", "is ", "thus ", "therefore ", "final ", "answer ", "result ")
_NUMBERS = (
    re.compile(r"-?\b\d{1,3}(?:,\d{3})+\b"),
    re.compile(r"-?\d+(?:\.\d+)?[eE][+-]?\d+"),
    re.compile(r"-?(?:\d+\.\d+|\.\d+|\d+\b)(?![eE][+-]?\d+)(?![,\d])"),
)


def find_open_answers(response: str) -> list[str | float]:
    """Return the numbers, to two decimals, and the short phrases after key words that a response to an open question has."""
    parts = re.split(r"\.\s(?=[A-Z])|\n", response.strip().strip(".").lower())
    phrases: list[str] = []
    for i, part in enumerate(parts):
        keys = [*_KEY_PHRASES, *(["="] if i == len(parts) - 1 else [])]
        tails = [part.split(key)[-1].strip() for key in keys if key in part]
        if tails:
            shortest = min(tails, key=len)
            if shortest not in ("", ":", ",", ".", "!", "?", ";", "'"):
                phrases.append(shortest)
    phrases = phrases or [response]
    numbers = [number for phrase in phrases for pattern in _NUMBERS for number in pattern.findall(phrase)]
    found: list[str | float] = [answer for text in [*phrases, *numbers] for answer in normalized(text)]
    return list(dict.fromkeys(found))


def normalized(text: str) -> list[str | float]:
    """Return a number to two decimals, or a text in lower case; a single letter also as a word of its own."""
    text = text.strip()
    try:
        return [round(float(text.replace(",", "")), 2)]
    except ValueError:
        lower = text.lower()
        return [f" {lower}", f"{lower} "] if len(lower) == 1 else [lower]


def is_open_match(response: str, gold: str | Sequence[str]) -> bool:
    """Return whether a response to an open question has a gold answer: an equal number, or its text within a phrase."""
    wanted = [answer for text in ([gold] if isinstance(gold, str) else gold) for answer in normalized(str(text))]
    for found in find_open_answers(response):
        if isinstance(found, str) and any(isinstance(answer, str) and answer in found for answer in wanted):
            return True
        if isinstance(found, float) and found in wanted:
            return True
    return False


# --- MathVista --------------------------------------------------------------------------------------------------------

_INTRODUCTION = re.compile(r"(?is).*\b(?:answer(?: is| ?:)|boxed\{)")
_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LIST = re.compile(r"\[[^\[\]]*\]")
_BRACKETED = re.compile(r"\(([A-Z])\)")


def mathvista_answer(response: str, answer_type: str, precision: float | None, choices: Sequence[str]) -> str | None:
    """Return the answer in a response in the form of the data: a choice, or a number or list of the type that is asked for.

    Of a response that is more than that, what is behind the last `answer is`, `Answer:` or `boxed{` counts, and in it the first
    number or list; the published program lets a model shorten it. With choices, the bracketed letter counts, else the choice with
    the smallest edit distance, so that any text names one. None for text without a number or list where one is asked for.
    """
    text = response.strip()
    introduced = _INTRODUCTION.match(text)
    short = text[introduced.end() :] if introduced else text
    if choices:
        return _nearest_choice(short.strip(" .*$}\n:"), choices)
    if answer_type in ("integer", "float"):
        number = _as_number(text) if introduced is None else None
        if number is None:
            found = _NUMBER.search(short)
            number = _as_number(found[0]) if found else None
        if number is None:
            return None
        return str(int(number)) if answer_type == "integer" else str(round(number, int(precision or 0)))
    if answer_type == "list":
        lists = _LIST.findall(short)
        return lists[0] if lists else None
    return short.strip(" .*$}\n:")


def _as_number(text: str) -> float | None:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _nearest_choice(text: str, choices: Sequence[str]) -> str:
    letter = _BRACKETED.search(text) or re.fullmatch("([A-Z])", text)
    if letter and ord(letter[1]) - ord("A") < len(choices):
        return choices[ord(letter[1]) - ord("A")]
    return min(choices, key=lambda choice: _edit_distance(text, choice))
