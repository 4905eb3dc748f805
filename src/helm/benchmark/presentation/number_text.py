"""Numbers for people."""

from typing import Any, Tuple

_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def format_number(value: Any) -> str:
    """Four significant digits for people; whole numbers as they are."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.4g}"


def duration_unit(seconds: float) -> Tuple[float, str]:
    """In seconds, and its name."""
    return next(((s, u) for s, u in _UNITS if abs(seconds) >= 0.9995 * s), _UNITS[-1])


def format_duration(seconds: float) -> str:
    """Three significant digits and a unit: `53.4 µs`."""
    scale, unit = duration_unit(seconds)
    value = seconds / scale
    digits = 0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2
    return f"{value:.{digits}f} {unit}" if seconds else "0 s"
