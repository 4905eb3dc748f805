"""Charts as SVG shapes for templates to draw. They have no styles: the style sheet colours the classes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from helm.benchmark.server.formatting import number, seconds

NUM_COLOURS = 8


@dataclass
class Point:
    x: float
    y: float
    low: float | None = None
    """Ends of the interval, in pixels."""

    high: float | None = None
    label: str = ""


@dataclass
class Series:
    """A line of a chart."""

    name: str

    colour: int
    """Index of its class in the style sheet, from 0."""

    points: list[Point] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The line through the points."""
        return " ".join(f"{'L' if i else 'M'}{point.x:.1f} {point.y:.1f}" for i, point in enumerate(self.points))


@dataclass
class Chart:
    """A log-log chart, in the coordinates of its view box."""

    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    x_label: str
    y_label: str
    x_ticks: list[tuple[float, str]] = field(default_factory=list)
    y_ticks: list[tuple[float, str]] = field(default_factory=list)
    series: list[Series] = field(default_factory=list)


def log_log_chart(
    data: Mapping[str, Sequence[tuple[float, float, float | None, float | None]]],
    x_label: str,
    y_label: str,
    colours: dict[str, int] | None = None,
    y_is_time: bool = True,
) -> Chart | None:
    """Draw a line for each name through its points (x, y, low, high), all positive; None without a point."""
    points = [point for values in data.values() for point in values]
    if not points:
        return None
    chart = Chart(640, 360, 86, 620, 16, 312, x_label, y_label)
    x_range = _log_range([point[0] for point in points])
    y_range = _log_range([value for point in points for value in point[1:] if value is not None and value > 0])

    def x(value: float) -> float:
        return chart.left + (math.log10(value) - x_range[0]) / (x_range[1] - x_range[0]) * (chart.right - chart.left)

    def y(value: float) -> float:
        return chart.bottom - (math.log10(value) - y_range[0]) / (y_range[1] - y_range[0]) * (chart.bottom - chart.top)

    write = seconds if y_is_time else number
    chart.x_ticks = [(x(value), _power(value)) for value in _ticks(x_range)]
    chart.y_ticks = [(y(value), write(value)) for value in _ticks(y_range)]
    for order, (name, values) in enumerate(data.items()):
        series = Series(name, (colours or {}).get(name, order) % NUM_COLOURS)
        for size, value, low, high in sorted(values, key=lambda point: point[:2]):
            point = Point(x(size), y(value), label=f"{name}: {write(value)} at size {number(size)}")
            if low and high and low > 0:
                point.low, point.high = y(low), y(high)
            series.points.append(point)
        chart.series.append(series)
    return chart


def _log_range(values: Sequence[float]) -> tuple[float, float]:
    low, high = math.log10(min(values)), math.log10(max(values))
    margin = max(0.06 * (high - low), 0.15)
    return low - margin, high + margin


def _ticks(ends: tuple[float, float]) -> list[float]:
    """Return powers of ten, with more ticks between them if there are few; at least three."""
    for steps in ("1", "1 3", "1 2 5", "1 1.5 2 3 5 7", "1 1.2 1.5 2 2.5 3 4 5 6 7 8 9"):
        found = [
            step * 10.0**power
            for power in range(math.floor(ends[0]), math.ceil(ends[1]) + 1)
            for step in map(float, steps.split())
            if ends[0] <= math.log10(step * 10.0**power) <= ends[1]
        ]
        if len(found) >= 3:
            break
    return found[:: max(1, math.ceil(len(found) / 8))]


def _power(value: float) -> str:
    return number(value) if 1e-3 <= value < 1e5 else f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")


@dataclass
class Bar:
    """A bar of a chart of reductions; lengths are fractions of the width."""

    label: str
    value: float | None
    length: float
    colour: int
    link: str = ""
    note: str = ""


def bars(values: Sequence[tuple[str, float | None, str, str]], colours: dict[str, int] | None = None) -> list[Bar]:
    """Return bars for (label, value, link, note), starting at zero; the longest one fills the width."""
    longest = max((abs(value) for _, value, _, _ in values if value is not None), default=0.0)
    return [
        Bar(
            label,
            value,
            0.0 if not value or not longest else max(0.0, value / longest),
            (colours or {}).get(label, order) % NUM_COLOURS,
            link,
            note,
        )
        for order, (label, value, link, note) in enumerate(values)
    ]
