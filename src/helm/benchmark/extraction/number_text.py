"""Reads numbers in the notations of people and of models: separators, currencies, fractions, powers of ten, words."""

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from helm.benchmark.extraction.plain_text import to_ascii_forms

_SPACES = "\u00a0\u202f\u2009"
_SCALES = {
    "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "mn": 6, "bn": 9,
    "millones": 6, "millions": 6, "milliards": 9, "millionen": 6, "milliarden": 9, "tausend": 3, "mil": 3, "mille": 3,
    "万": 4, "億": 8, "亿": 8, "만": 4, "억": 8, "千": 3, "百": 2,
}  # fmt: skip
_SCALE = (
    rf"(?P<scale>[ {_SPACES}]?(?:(?:hundred|thousand|million|billion|trillion|mn|bn|"
    r"millones|millions|milliards|millionen|milliarden|tausend)(?![A-Za-z])|[万億亿만억千百]))"
)
_NUMBER = re.compile(
    r"(?P<sign>(?<![\dA-Za-z)\]}])[-+](?=[$€£¥₹₩\d.\\])|\((?=-?\$?\d[\d,.]{0,20}\)))?"
    r"(?:(?:[$€£¥₹₩]|USD|EUR|GBP|Rs\.?)[ ]?(?P<inner>-(?=[\d.]))?)?"
    r"(?:\\[dt]?frac\{(?P<top>[-\d.,]{1,40})\}\{(?P<bottom>[-\d.,]{1,40})\}|\\[dt]?frac(?P<top1>\d)(?P<bottom1>\d)"
    rf"|(?P<digits>\d(?:[.,'’{_SPACES}]?\d){{0,60}}+|(?<!\d)\.\d{{1,40}}+))"
    r"(?:[ ]?\\[dt]?frac\{(?P<mixed_top>\d{1,20})\}\{(?P<mixed_bottom>\d{1,20})\}"
    r"|[ ](?P<part_top>\d{1,10})/(?P<part_bottom>\d{1,10})(?![\d/])"
    r"|[ ]?/[ ]?(?P<denominator>\d{1,40})(?![\d/])"
    r"|[ ]?(?:\\times|\\cdot|×|x|\*|·)[ ]?10[ ]?\^?(?:\{(?P<power>-?\d{1,4})\}|"
    r"\((?P<power2>-?\d{1,4})\)|(?P<power3>-?\d{1,4}))(?![\d.])"
    r"|[ ]?\^(?:\{(?P<raised>-?\d{1,3})\}|(?P<raised2>-?\d{1,3}))(?![\d.])"
    r"|[eE](?P<exponent>[-+]?\d{1,4})(?![\dA-Za-z]))?"
    rf"{_SCALE}?",
)
_GROUPS = re.compile(
    r"^-?\d{1,4}(?:[.,]\d{2,4}){0,30}[.,]\d{3,4}(?:[.,]\d{1,20})?$"
)  # of thousands, lakhs or ten thousands
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_VULGAR = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6",
    "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_VULGAR_SIGN = re.compile("(?P<whole>\\d)?(?P<sign>[" + "".join(_VULGAR) + "])")
_TEN_TO = re.compile(r"(?<=10)(?P<power>[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,4})")
_MARKUP = re.compile(
    r"\*\*|__|`+|\\[()\[\]]|(?<![0-9])\$(?![0-9.-])|(?<=[0-9}%])\$|\\[!,;:](?=\d)|\\(?:text|mathrm|mathbf|textbf)\{"
)
_SPACED = re.compile(
    r"(?<![\d.,])(?<!\d )\d{1,3}(?: \d{3}){1,6}(?:,\d{1,2}(?!\d)|(?=[ ]?[€£$%]|[ ]?(?:EUR|euros?|zł|kr|Kč)\b))"
)
_GROUPED_BY_SPACES = re.compile(r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![\d])")
_WORDS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen twenty".split()
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_WORD = re.compile(
    rf"(?i)(?<![A-Za-z-])(?P<first>{'|'.join(sorted(_WORDS, key=len, reverse=True))})(?:-(?P<second>one|"
    rf"two|three|four|five|six|seven|eight|nine))?(?![A-Za-z-])"
)
_WORD_GOES_ON = re.compile(rf"(?i)\s(?:and|hundred|thousand|million|billion|half|point|{'|'.join(_WORDS)})(?![A-Za-z])")


@dataclass(frozen=True)
class FoundNumber:
    """A number in a text."""

    start: int

    end: int

    text: str
    """The number in its plain form: `-1234.5` or `3/4`."""


def tidy(text: str) -> str:
    """Return a text with the characters of numbers in their ASCII form and without marks around them."""
    text = _TEN_TO.sub(lambda match: "^" + match["power"].translate(_SUPERSCRIPTS), text)
    text = to_ascii_forms(text).replace("\\$", "$").replace("\\%", "%").replace("{,}", ",").replace("−", "-")
    if any(sign in text for sign in _VULGAR):
        text = _VULGAR_SIGN.sub(lambda m: (m["whole"] + " " if m["whole"] else "") + _VULGAR[m["sign"]], text)
    text = _MARKUP.sub("", text)
    return _SPACED.sub(lambda match: match[0].replace(" ", ""), text)


def find_numbers(text: str, most: int = 1000) -> list[FoundNumber]:
    """Return the last numbers of a tidy text, in order. Takes linear time."""
    found = []
    for match in list(_NUMBER.finditer(text))[-most:]:
        value = _read(match, text)
        if value is not None:
            found.append(FoundNumber(match.start(), match.end(), value))
    return found


def match_number(text: str, position: int) -> FoundNumber | None:
    """Return the number that begins at this place of a tidy text; groups of three digits may be separated by spaces."""
    grouped = _GROUPED_BY_SPACES.match(text, position)
    if grouped:
        joined = grouped[0].replace(" ", "")
        rest = re.compile(r"[.,]\d{1,10}(?!\d)").match(text, grouped.end())
        plain = joined + ("." + rest[0][1:] if rest else "")
        return FoundNumber(position, (rest or grouped).end(), _plain(Decimal(plain)))
    match = _NUMBER.match(text, position)
    value = _read(match, text) if match else None
    if match is None or value is None:
        return None
    return FoundNumber(match.start(), match.end(), value)


def match_number_word(text: str, position: int) -> FoundNumber | None:
    """Return the number that a word such as `twelve` or `twenty-one` means at this place."""
    match = _WORD.match(text, position)
    if match is None or _WORD_GOES_ON.match(text, match.end()):
        return None
    value = _WORDS[match["first"].lower()] + (_WORDS[match["second"].lower()] if match["second"] else 0)
    return FoundNumber(match.start(), match.end(), str(value))


def _read(match: "re.Match[str]", text: str) -> str | None:
    before = text[match.start() - 1 : match.start()] if match.start() else ""
    if before and (before.isalpha() and before.isascii() or before == "_"):
        return None  # a name such as x2
    try:
        return _value(match)
    except (InvalidOperation, ValueError, ZeroDivisionError, OverflowError):
        return None


def _value(match: "re.Match[str]") -> str:
    is_negative = (match["sign"] == "-") != bool(match["inner"])
    sign = "-" if is_negative else ""
    top, bottom = match["top"] or match["top1"], match["bottom"] or match["bottom1"]
    if top is not None:
        return _fraction(sign, read_digits(top), read_digits(bottom))
    number = read_digits(match["digits"])
    for part_top, part_bottom in (
        (match["mixed_top"], match["mixed_bottom"]),
        (match["part_top"], match["part_bottom"]),
    ):
        if part_top:
            whole = Decimal(number) * Decimal(part_bottom) + Decimal(part_top)
            return _fraction(sign, str(whole), part_bottom)
    if match["denominator"]:
        return _fraction(sign, number, match["denominator"])
    raised = match["raised"] or match["raised2"]
    if raised:
        if abs(int(raised)) > 64 or len(number) > 12:
            raise ValueError(raised)
        return _plain(Decimal(sign + "1") * Decimal(number) ** int(raised))
    power = match["power"] or match["power2"] or match["power3"] or match["exponent"]
    value = Decimal(sign + number)
    if power:
        if abs(int(power)) > 400:
            raise ValueError(power)
        value = value.scaleb(int(power))
    if match["scale"]:
        value = value.scaleb(_SCALES[match["scale"].strip(" " + _SPACES).lower()])
    return _plain(value)


def _fraction(sign: str, top: str, bottom: str) -> str:
    """Return the whole number that a fraction is, else the fraction as it was written."""
    numerator, denominator = Decimal(top), Decimal(bottom)
    if denominator and numerator % denominator == 0:
        return _plain(Decimal(sign + "1") * (numerator / denominator))
    if denominator == 0:
        raise ZeroDivisionError
    return f"{sign}{_plain(numerator)}/{_plain(denominator)}"


def _plain(value: Decimal) -> str:
    """Return a number without exponent, and without zeros at the end of its fraction."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def read_digits(text: str) -> str:
    """Return digits with their separators as a plain decimal number.

    If there are a period and a comma, the last one is the decimal mark. One comma with three digits after it separates
    thousands (`1,234`), with another number of digits it is the decimal mark (`1,5`); one period is the decimal mark.
    A mark that occurs more than once separates thousands. Apostrophes and thin spaces always do.

    Raises: ValueError for groups that no notation of numbers has, as in `1,2,3` and `1.2.3`.
    """
    text = re.sub(rf"['’{_SPACES}]", "", text)
    periods, commas = text.count("."), text.count(",")
    if (commas > 1 and not _GROUPS.search(text.replace(".", ","))) or (periods > 1 and not _GROUPS.search(text)):
        raise ValueError(text)
    if periods and commas:
        decimal = "." if text.rfind(".") > text.rfind(",") else ","
        if text.count(decimal) > 1:
            return text.replace(".", "").replace(",", "")
        return text.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    if commas == 1:
        whole, _, rest = text.partition(",")
        is_group = len(rest) == 3 and 0 < len(whole.lstrip("-")) <= 3 and whole.lstrip("-") != "0"
        return whole + rest if is_group else f"{whole}.{rest}"
    if commas or periods > 1:
        return text.replace(",", "").replace(".", "")
    return text
