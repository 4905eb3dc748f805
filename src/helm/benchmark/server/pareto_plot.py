"""The plot of scores against cost or time: which subjects are not beaten in both."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from helm.benchmark.server.formatting import number
from helm.common.formats.number_text import format_duration, format_usd

_LETTER = 6.6
"""Mean width of a letter of 12 pixels, in pixels."""


@dataclass(frozen=True)
class ParetoItem:
    """A subject."""

    name: str

    cost: float
    """Positive; less is better."""

    score: float
    """More is better."""

    low: float | None = None

    high: float | None = None

    link: str = ""


@dataclass
class PlotPoint:
    """A subject in the plot, in pixels."""

    item: ParetoItem

    x: float

    y: float

    low: float | None

    high: float | None

    is_best: bool
    """Whether no subject is both cheaper and better."""

    text_x: float = 0.0

    text_y: float = 0.0

    anchor: str = "start"

    label: str = ""


@dataclass
class ParetoPlot:
    """The plot, in pixels of its view box."""

    width: int

    height: int

    left: int

    right: int

    top: int

    bottom: int

    x_title: str

    y_title: str

    points: list[PlotPoint] = field(default_factory=list)

    x_ticks: list[tuple[float, str]] = field(default_factory=list)

    y_ticks: list[tuple[float, str]] = field(default_factory=list)

    @property
    def frontier(self) -> str:
        """The line through the points that nothing beats: level until the next one, as nothing is known between them."""
        best = sorted((point for point in self.points if point.is_best), key=lambda point: point.x)
        if not best:
            return ""
        steps = [f"M{best[0].x:.1f} {best[0].y:.1f}"]
        steps += [f"H{point.x:.1f}V{point.y:.1f}" for point in best[1:]]
        return "".join(steps)


def find_frontier(items: Sequence[ParetoItem]) -> list[bool]:
    """Return for each subject whether no other one is at least as good in both cost and score, and better in one."""
    return [
        not any(
            other.cost <= item.cost
            and other.score >= item.score
            and (other.cost < item.cost or other.score > item.score)
            for other in items
        )
        for item in items
    ]


def draw_pareto(
    items: Sequence[ParetoItem], x_title: str, y_title: str, x_is_time: bool, width: int = 900, height: int = 380
) -> ParetoPlot | None:
    """Draw a plot with a logarithmic axis of costs; None with fewer than two subjects."""
    shown = [item for item in items if item.cost > 0 and math.isfinite(item.score)]
    if len(shown) < 2:
        return None
    plot = ParetoPlot(width, height, 48, width - 24, 30, height - 50, x_title, y_title)
    logs = [math.log10(item.cost) for item in shown]
    margin = max(0.08 * (max(logs) - min(logs)), 0.12)
    x_low, x_high = min(logs) - margin, max(logs) + margin
    ends = [end for item in shown for end in (item.score, item.low, item.high) if end is not None]
    step = nice_step(max(ends) - min(ends))
    y_low, y_high = math.floor(min(ends) / step) * step, math.ceil(max(ends) / step) * step
    y_high = y_high if y_high > y_low else y_low + step

    def x(value: float) -> float:
        return plot.left + (math.log10(value) - x_low) / (x_high - x_low) * (plot.right - plot.left)

    def y(value: float) -> float:
        return plot.bottom - (value - y_low) / (y_high - y_low) * (plot.bottom - plot.top)

    for item, is_best in zip(shown, find_frontier(shown), strict=True):
        low, high = (None if end is None else y(end) for end in (item.low, item.high))
        plot.points.append(PlotPoint(item, x(item.cost), y(item.score), low, high, is_best))
    plot.y_ticks = [(y(value), number(round(value, 10))) for value in _steps(y_low, y_high, step)]
    write = format_duration if x_is_time else format_usd
    plot.x_ticks = [(x(value), write(value)) for value in _log_ticks(x_low, x_high)]
    _place_labels(plot)
    return plot


def nice_step(span: float) -> float:
    """Return a round distance between ticks, so that there are about five."""
    if span <= 0:
        return 0.1
    power = 10.0 ** math.floor(math.log10(span / 4))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= span / 5)


def _steps(low: float, high: float, step: float) -> list[float]:
    return [low + i * step for i in range(round((high - low) / step) + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    for factors in ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)):
        found = [
            factor * 10.0**power
            for power in range(math.floor(low), math.ceil(high) + 1)
            for factor in factors
            if low <= math.log10(factor * 10.0**power) <= high
        ]
        if len(found) >= 3:
            break
    return found[:: max(1, math.ceil(len(found) / 7))]


def _place_labels(plot: ParetoPlot) -> None:
    """Put each name beside its point where it hides no other name; names without a place are left to the table."""
    taken: list[tuple[float, float, float, float]] = [
        (point.x - 5, point.y - 5, point.x + 5, point.y + 5) for point in plot.points
    ]
    taken += [(p.x - 1, p.high, p.x + 1, p.low) for p in plot.points if p.low is not None and p.high is not None]
    best = sorted((point for point in plot.points if point.is_best), key=lambda point: point.x)
    for left, right in itertools.pairwise(best):
        taken += [(left.x, left.y - 1, right.x, left.y + 1), (right.x - 1, right.y, right.x + 1, left.y)]
    for point in sorted(plot.points, key=lambda point: not point.is_best):
        text = point.item.name
        width = _LETTER * len(text)
        places = [
            (8, 4, "start"),
            (-8, 4, "end"),
            (0, -10, "middle"),
            (0, 19, "middle"),
            (8, -8, "start"),
            (-8, -8, "end"),
        ]
        places += [(8, 17, "start"), (-8, 17, "end")]
        for dx, dy, anchor in places:
            start = point.x + dx - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
            box = (start, point.y + dy - 10, start + width, point.y + dy + 3)
            inside = 2 <= box[0] and box[2] <= plot.width - 2 and box[1] >= 2 and box[3] <= plot.bottom + 2
            if inside and not any(_overlap(box, other) for other in taken):
                point.text_x, point.text_y, point.anchor, point.label = point.x + dx, point.y + dy, anchor, text
                taken.append(box)
                break


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
