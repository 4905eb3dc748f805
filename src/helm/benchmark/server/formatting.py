"""How values look on pages: numbers, durations, intervals, and texts that may hold anything."""

import json
import math
import re
import time
from typing import Any, Optional

from helm.benchmark.presentation.number_text import format_duration, format_number

MISSING = "–"
_SEPARATOR = re.compile("([_:,=/+.])")
_SECONDS = re.compile(r"_s$|_time$|runtime$")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters, and those that turn the direction of text around or cannot be written at all."""


def visible(text: str) -> str:
    """The text with marks in place of characters that would do something instead of being seen."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub(_mark, text)


def _mark(match: "re.Match[str]") -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"⟨U+{code:04X}⟩"


def number(value: Any) -> str:
    """Four significant digits, thousands apart; a dash for None."""
    if value is None:
        return MISSING
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return format_number(value) if value == int(value) or abs(value) < 1e-3 else f"{value:.3f}"


def is_duration(name: str) -> bool:
    """Whether the values of a metric of this name are seconds."""
    return bool(_SECONDS.search(name.partition("@")[0]))


def score(value: Any, name: str = "") -> str:
    """A score of a metric; durations have a unit."""
    if isinstance(value, (int, float)) and math.isfinite(value) and is_duration(name):
        return format_duration(float(value))
    return number(value)


def interval(low: Optional[float], high: Optional[float], name: str = "") -> str:
    """Both ends; empty where there is no interval."""
    return "" if low is None or high is None else f"{score(low, name)} – {score(high, name)}"


def percent(share: Optional[float]) -> str:
    """`45%`, never 100% for what is not all and never 0% for what is something."""
    if share is None:
        return MISSING
    digits = 0 if share in (0, 1) or 0.01 <= share <= 0.99 else 1
    text = f"{100 * share:.{digits}f}%"
    return ">99.9%" if share < 1 and text == "100.0%" else "<0.1%" if share > 0 and text == "0.0%" else text


def seconds(value: Optional[float]) -> str:
    """A duration with its unit; minutes and hours for long ones."""
    if value is None:
        return MISSING
    if value < 100:
        return format_duration(value)
    minutes, rest = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s"


def moment(value: Optional[float]) -> str:
    """Seconds since 1970 as local time."""
    try:
        return MISSING if value is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(value))
    except (OverflowError, ValueError, OSError):
        return str(value)


def size(num_bytes: Optional[int]) -> str:
    """`1.2 MB`."""
    if num_bytes is None:
        return MISSING
    amount = float(num_bytes)
    for unit in ("bytes", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            return f"{amount:.0f} {unit}" if unit == "bytes" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    raise AssertionError("unreachable")


def pretty_json(value: Any) -> str:
    """JSON with an indentation, whatever is in it."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "nested too deeply to be shown; the file holds it"


def breakable(text: str) -> Any:
    """A long name, as markup that lets lines break behind its separators."""
    from markupsafe import Markup, escape

    return Markup("").join(
        piece if isinstance(piece, Markup) else escape(visible(piece))
        for part in _SEPARATOR.split(text)
        for piece in (part, *([Markup("<wbr>")] if _SEPARATOR.fullmatch(part) else []))
    )


def ratio(value: float) -> str:
    """`×0.0026`, `×463`: three significant digits."""
    return f"×{value:,.0f}" if value >= 1000 else f"×{value:.3g}"


def ratio_of_log(value: float) -> float:
    """The ratio that a difference of logarithms stands for."""
    return math.exp(value)
