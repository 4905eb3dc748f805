"""Tells a number that is an answer from the beginning of a range, a list, a date, a time or an expression."""

import re
from fractions import Fraction

from helm.benchmark.extraction.number_text import FoundNumber, find_numbers

_NUMBER_FOLLOWS = r"[\s{}~]{0,4}[$€£¥]?(?=[.]?\d)"
_ALTERNATIVE = re.compile(
    rf"(?i)[\s%€}}]{{0,4}}(?:[-–~]|(?:\b|(?<=[\s}}]))(?:to|or|bis|oder|ou|hasta|até|до|или)[\s{{}}]|或|到|至){_NUMBER_FOLLOWS}"
)
_OPERATION = re.compile(r"[\s}]{0,3}(?:[*×·÷+/^]|x(?=\s?\d)|\\times|\\cdot|\\div|-(?=\s?\d))[\s{]{0,3}\(?[\d.]")
_SYMBOL = re.compile(r"[\s}*]{0,3}(?:π|√|\\pi\b|\\sqrt)")
_CLOCK = re.compile(r"\s?:\s?\d")
_LIST = re.compile(r"(?:,\s(?:and\s)?\$?-?\d[\d.]{0,20}){1,50}[)\]}\s.]{0,5}$")
_BRACKETED_LIST = re.compile(r"[\s]{0,3}[(\[]\s{0,3}-?[\d.]{1,20}\s{0,3},")
_SECOND_QUANTITY = re.compile(
    r"(?i)\s?(?!(?:of|in|on|for|per|at|by|from|to|after|within|over|every|each|with|than|about|under|during|because|since|or|"
    r"out|and|as|is|was)\b)[a-z]{1,20},?(?:\sand)?\s(?=\d)[\d.,]{1,20}\s?[a-z]{1,20}[\s.*]{0,5}$"
)
_HOURS = re.compile(r"\s?(?:个?小时|時間|시간)\s?\d")
_BETWEEN = re.compile(
    r"(?i)\s{0,3}(?:between|from|entre|zwischen|от)\s[$€£]?\d[^\n]{0,40}?\s(?:and|to|y|et|und|до)\s[$€£]?\d"
)
_VARIABLE = re.compile(r"\s{0,3}(?:\d{1,9}\s?)?[A-Za-z]\s?[-+*/^]\s?(?:\d|[A-Za-z]\b)")
_DATE = re.compile(
    r"(?i)\s{0,3}(?:\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?)?"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\s\d{1,4}(?!\d)"
)
_ASSIGNMENT = re.compile(r"(?<![A-Za-z\\])([A-Za-z])\s?=\s?-?[$]?\d")


def is_part(text: str, found: FoundNumber) -> bool:
    """Return whether a number in a tidy text is only a part of what is stated there, such as `10` in `10 to 20`."""
    rest = text[found.end : found.end + 200].partition("\n")[0]
    alternative = _ALTERNATIVE.match(rest)
    if alternative:
        others = find_numbers(rest[alternative.end() :])
        # `18 – 9 eggs` is an answer with its reason.
        is_aside = "–" in alternative[0] and others and Fraction(others[0].text) < Fraction(found.text)
        return not is_aside and (not others or others[0].text != found.text)
    if (
        _SYMBOL.match(rest)
        or _CLOCK.match(rest)
        or _LIST.match(rest)
        or _SECOND_QUANTITY.match(rest)
        or _HOURS.match(rest)
    ):
        return True
    return "=" not in rest and _OPERATION.match(rest) is not None


def begins_other(phrase: str) -> bool:
    """Return whether a tidy phrase begins with a range, a list in brackets, a date or an expression with a variable."""
    if any(pattern.match(phrase) for pattern in (_BETWEEN, _BRACKETED_LIST, _DATE)):
        return True
    return "=" not in phrase and _VARIABLE.match(phrase) is not None


def names_several(phrase: str) -> bool:
    """Return whether a tidy phrase gives values to several variables: `x = 3, y = 4`."""
    return len(set(_ASSIGNMENT.findall(phrase))) > 1


def is_operation(text: str) -> bool:
    """Return whether a tidy text begins with a calculation: `4 * 5`."""
    numbers = find_numbers(text[:60])
    return (
        bool(numbers) and not text[: numbers[0].start].strip() and _OPERATION.match(text[numbers[0].end :]) is not None
    )
