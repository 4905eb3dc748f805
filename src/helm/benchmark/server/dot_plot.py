"""Plots of scores on one scale: a row for each subject of a scenario, or for each scenario of a subject among the others."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from helm.benchmark.server.formatting import score
from helm.benchmark.server.pareto_plot import nice_step

_ROW_HEIGHT = 30
_LETTER = 6.4
"""Mean width of a letter of 12 pixels, in pixels."""


@dataclass(frozen=True)
class DotRow:
    """A row of the plot."""

    label: str

    value: float

    low: float | None = None

    high: float | None = None

    others: tuple[float, ...] = ()
    """Scores of other subjects, drawn small."""

    is_marked: bool = False
    """Whether it is the best, or not told apart from it."""


@dataclass
class Dot:
    """A row in pixels."""

    row: DotRow

    y: float

    x: float

    low: float | None

    high: float | None

    others: list[float]

    label: str
    """The label, cut to the room that it has."""

    text: str
    """The score."""


@dataclass
class DotPlot:
    """The plot, in pixels of its view box."""

    width: int

    height: int

    left: int

    right: int

    bottom: int

    title: str

    dots: list[Dot] = field(default_factory=list)

    ticks: list[tuple[float, str]] = field(default_factory=list)


def draw_dots(rows: Sequence[DotRow], title: str, unit: str | None, width: int, left: int) -> DotPlot | None:
    """Draw a plot; None without a row. Its scale has all scores and intervals."""
    shown = [row for row in rows if math.isfinite(row.value)]
    if not shown:
        return None
    plot = DotPlot(width, _ROW_HEIGHT * len(shown) + 44, left, width - 34, _ROW_HEIGHT * len(shown) + 14, title)
    ends = [end for row in shown for end in (row.value, row.low, row.high, *row.others) if end is not None]
    step = nice_step(max(ends) - min(ends))
    low, high = math.floor(min(ends) / step) * step, math.ceil(max(ends) / step) * step
    high = high if high > low else low + step

    def x(value: float) -> float:
        return plot.left + (value - low) / (high - low) * (plot.right - plot.left)

    count = round((high - low) / step)
    every = max(1, math.ceil(count / (4 if width < 600 else 8)))
    plot.ticks = [(x(low + i * step), score(round(low + i * step, 10), unit)) for i in range(0, count + 1, every)]
    room = int((left - 12) / _LETTER)
    for number, row in enumerate(shown):
        start, end = (None if bound is None else x(bound) for bound in (row.low, row.high))
        label = row.label if len(row.label) <= room else row.label[: room - 1].rstrip() + "…"
        others = [x(value) for value in row.others]
        dot = Dot(
            row, _ROW_HEIGHT * (number + 0.5) + 12, x(row.value), start, end, others, label, score(row.value, unit)
        )
        plot.dots.append(dot)
    return plot
