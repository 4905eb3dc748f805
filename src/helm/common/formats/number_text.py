"""Formats numbers, durations and sizes for people; the only place that does so for tables, pages and reports."""

from typing import Any

SECONDS = "s"
"""The unit of durations, which are shown in a suitable multiple of it."""

BYTES = "bytes"

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def format_number(value: Any) -> str:
    """Format a number with four significant digits; integers are unchanged."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.4g}"


def duration_unit(seconds: float, is_rounded: bool = True) -> tuple[float, str]:
    """Return a suitable unit in seconds, and its name. With `is_rounded`, what rounds to 1 ms is shown in ms."""
    least = 0.9995 if is_rounded else 1.0
    return next(((s, u) for s, u in _UNITS if abs(seconds) >= least * s), _UNITS[-1])


def format_duration(seconds: float) -> str:
    """Format a duration with three significant digits and a unit: `53.4 µs`."""
    scale, unit = duration_unit(seconds)
    value = seconds / scale
    digits = 0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2
    return f"{value:.{digits}f} {unit}" if seconds else "0 s"


def format_span(seconds: float) -> str:
    """Format a time span in whole seconds: `8 s`, `4 min 10 s`, `2 h 5 min`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes < 10 and rest else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"


def format_reach(reach: float | None) -> str:
    """Format the half-width of an interval as ` ±0.04`; empty if there is none."""
    return "" if not reach else f" ±{reach:.2g}" if reach < 100 else f" ±{reach:.0f}"


def format_score(value: float, unit: str | None = None, reach: float | None = None) -> str:
    """Format a score with the half-width of its interval; durations have a unit: `0.5 ±0.04`, `53.4 ±0.2 µs`."""
    if unit != SECONDS:
        return format_number(value) + format_reach(reach)
    number, space, shown_unit = format_duration(value).partition(" ")
    return number + format_reach(reach and reach / duration_unit(value)[0]) + space + shown_unit


def format_count(value: float) -> str:
    """Format a count like `950`, `12.3k` or `4.56M`."""
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e4)):
        if value >= size:
            return f"{value / (size if unit != 'k' else 1e3):.3g}{unit}"
    return f"{value:,.0f}"


def format_size(size_bytes: int) -> str:
    """Format a size like `1.2 MB`."""
    for unit, divisor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size_bytes >= divisor:
            return f"{size_bytes / divisor:.1f} {unit}"
    return f"{size_bytes} bytes"


def format_usd(cost: float | None) -> str:
    """`$1.23`, with more digits for small sums; `price unknown` for None."""
    if cost is None:
        return "price unknown"
    return f"${cost:,.2f}" if cost >= 1 or cost == 0 else f"${cost:.2g}"


def format_ratio(value: float) -> str:
    """Format a ratio like `×0.0026` or `×463`, with three significant digits, or all digits from 1000."""
    return f"×{value:.3g}" if value < 1000 else f"×{value:.0f}"


def format_percent(share: float) -> str:
    """Format a share like `45%`: never 100% for less than all, and never 0% for more than nothing."""
    digits = 0 if share in (0, 1) or 0.01 <= share <= 0.99 else 1
    text = f"{100 * share:.{digits}f}%"
    return ">99.9%" if share < 1 and text == "100.0%" else "<0.1%" if share > 0 and text == "0.0%" else text
