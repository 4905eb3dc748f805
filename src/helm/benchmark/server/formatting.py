"""Formats values for pages: numbers, durations, intervals, and texts with arbitrary content."""

import json
import math
import re
import time
from typing import Any

from helm.common.formats.number_text import (
    SECONDS,
    format_duration,
    format_number,
    format_percent,
    format_ratio,
    format_size,
    format_span,
)

MISSING = "–"
_SEPARATOR = re.compile("([_:,=/+.])")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
"""Control characters, and those that change the direction of text or cannot be encoded."""


def visible(text: str) -> str:
    """Return the text with visible marks in place of characters that have an effect instead of a glyph."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub(_mark, text)


def _mark(match: "re.Match[str]") -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else f"⟨U+{code:04X}⟩"


def number(value: Any) -> str:
    """Format with four significant digits and thousands separators; a dash for None."""
    if value is None:
        return MISSING
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return str(value)
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return format_number(value) if value == int(value) or abs(value) < 1e-3 else f"{value:.3f}"


def score(value: Any, unit: str | None = None) -> str:
    """Format a score in a unit."""
    if unit == SECONDS and isinstance(value, (int, float)) and math.isfinite(value):
        return format_duration(float(value))
    return number(value)


def interval(low: float | None, high: float | None, unit: str | None = None) -> str:
    """Format both ends; empty without an interval."""
    return "" if low is None or high is None else f"{score(low, unit)} – {score(high, unit)}"


def percent(share: float | None) -> str:
    """Format as `45%`; a dash for None."""
    return MISSING if share is None else format_percent(share)


def seconds(value: float | None) -> str:
    """Format a duration with its unit, in minutes and hours if long."""
    return MISSING if value is None else format_duration(value) if value < 100 else format_span(value)


def moment(value: float | None) -> str:
    """Format seconds since 1970 as local time."""
    try:
        return MISSING if value is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(value))
    except (OverflowError, ValueError, OSError):
        return str(value)


def size(num_bytes: int | None) -> str:
    """Format as `1.2 MB`; a dash for None."""
    return MISSING if num_bytes is None else format_size(num_bytes)


def pretty_json(value: Any) -> str:
    """Format any value as indented JSON."""
    try:
        return json.dumps(value, indent=2, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "nested too deeply to be shown; the file holds it"


def breakable(text: str) -> Any:
    """Return a long name as markup that allows line breaks after its separators."""
    from markupsafe import Markup, escape

    return Markup("").join(
        piece if isinstance(piece, Markup) else escape(visible(piece))
        for part in _SEPARATOR.split(text)
        for piece in (part, *([Markup("<wbr>")] if _SEPARATOR.fullmatch(part) else []))
    )


ratio = format_ratio


def ratio_of_log(value: float) -> float:
    """Return the ratio that corresponds to a difference of logarithms."""
    return math.exp(value)
