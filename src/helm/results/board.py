"""Boards of subjects by columns: the properties of columns and cells, and the only rule for the best of a column.

Tables of `helm-summarize`, the viewer's leaderboards and tables for papers are made of these, so that they show scores alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.formats.number_text import format_score
from helm.results.statistics.intervals import SIMULATION, WILSON, Estimate, MeanFacts, is_told_apart

BEST = "*"
"""Better than every other score considered, by more than chance explains."""
TIED = "≈"
"""The best number, or one that is not shown to differ from it."""
UNMARKED = ""

# A subject must have answered this share of what the most complete one answered: those who answered less may have answered
# only the easy instances, so they are not compared.
_ENOUGH = 0.9


class BoardColumn:
    """The properties of a column's values. It is not a dataclass, so that subclasses have exactly their files' fields."""

    lower_is_better: bool | None = None
    """Which direction is better; None means neither or unknown."""

    unit: str | None = None
    """The unit of the values; see `helm.common.formats.number_text`."""

    @property
    def arrow(self) -> str:
        """An arrow in the direction of better values."""
        return "" if self.lower_is_better is None else "↓" if self.lower_is_better else "↑"


class BoardCell:
    """The properties of a cell's value. It is not a dataclass, for the same reason."""

    value: Any = None
    """A number or text; None shows nothing."""

    estimate: Estimate | None = None
    """The value with its interval."""

    answered: float | None = None
    """The share of requests that have an answer; None if unknown."""

    parts: int = 1
    """The number of runs that the value is the mean of."""

    mark: str = ""
    """`BEST`, `TIED` or `UNMARKED`."""

    note: str = ""
    """A note next to the value, for example `90% answered`."""

    @property
    def is_best(self) -> bool:
        return self.mark == BEST

    @property
    def is_tied(self) -> bool:
        return self.mark == TIED

    @property
    def reach(self) -> float | None:
        """The largest distance of the interval's ends from the value."""
        return None if self.estimate is None else self.estimate.reach

    def text(self, unit: str | None = None) -> str:
        """Return the number with the reach of its interval, in a unit."""
        return format_score(self.value, unit, self.reach)

    def known_estimate(self) -> Estimate:
        """Return the estimate of a number, which may contain only the number."""
        return self.estimate or Estimate(float(self.value))

    def score(self) -> "BoardScore | None":
        """Return the score that is compared to find the best of a column; None without a number."""
        if not isinstance(self.value, (int, float)):
            return None
        return BoardScore(self.known_estimate(), self.answered, self.parts)


@dataclass(frozen=True)
class BoardScore:
    """A score of a subject in a column."""

    estimate: Estimate

    answered: float | None = None
    """The share of requests that have an answer, or were solved; None if unknown, which counts as all."""

    parts: int = 1
    """The number of runs that the score is the mean of."""


def mark_column(
    cells: Sequence[BoardCell | None],
    lower_is_better: bool | None,
    scores: Sequence[BoardScore | None] | None = None,
) -> None:
    """Mark the best cells of a column, if it has a direction.

    Args:
        cells: the cells; None for a subject without one.
        scores: the score of each cell; None takes the cells' own.
    """
    if lower_is_better is None:
        return
    counting = scores if scores is not None else [None if cell is None else cell.score() for cell in cells]
    for cell, mark in zip(cells, mark_best(counting, lower_is_better), strict=True):
        if cell is not None:
            cell.mark = mark


def mark_best(scores: Sequence[BoardScore | None], lower_is_better: bool) -> list[str]:
    """Return `BEST`, `TIED` or `UNMARKED` for each score of a column; a score is None if the subject has none.

    A subject that answered nothing, or less than 90% of what another one answered (or has fewer runs), is never marked.
    Nothing is marked if fewer than two scores remain, if all are equal, or if their uncertainty is unknown.
    """
    marks = [UNMARKED] * len(scores)
    counting = _comparable(scores)
    values = {estimate.value for estimate in counting.values()}
    if len(values) < 2:
        return marks
    best_value = min(values) if lower_is_better else max(values)
    best = next(i for i, estimate in counting.items() if estimate.value == best_value)
    others = {i: estimate for i, estimate in counting.items() if i != best}
    if all(is_shown_to_differ(counting[best], estimate) for estimate in others.values()):
        marks[best] = BEST
        return marks
    if not _is_known(counting[best]):
        return marks
    tied = [i for i, found in others.items() if _is_known(found) and not is_shown_to_differ(counting[best], found)]
    for i in [best, *tied] if tied else []:
        marks[i] = TIED
    return marks


def place_scores(scores: Sequence[BoardScore | None], lower_is_better: bool) -> list[tuple[int, int] | None]:
    """Return the best and the worst place that each score of a column may have, from 1; None if it has none.

    A score is placed behind another one only if they are shown to differ, or if one of their errors is unknown and the numbers
    differ. Scores that are never marked by `mark_best` have no place.
    """
    counting = _comparable(scores)
    sign = -1 if lower_is_better else 1
    places: list[tuple[int, int] | None] = [None] * len(scores)
    for i, estimate in counting.items():
        better = worse = 0
        for j, other in counting.items():
            are_known = _is_known(estimate) and _is_known(other)
            if i != j and (is_shown_to_differ(estimate, other) if are_known else estimate.value != other.value):
                better += sign * other.value > sign * estimate.value
                worse += sign * other.value < sign * estimate.value
        places[i] = (better + 1, len(counting) - worse)
    return places


def _comparable(scores: Sequence[BoardScore | None]) -> dict[int, Estimate]:
    """Return the scores that are compared, by their position: those of subjects that answered enough."""
    present = [score for score in scores if score is not None]
    if not present:
        return {}
    most, most_parts = max(map(_share, present)), max(score.parts for score in present)
    return {
        i: score.estimate
        for i, score in enumerate(scores)
        if score is not None and math.isfinite(score.estimate.value) and _share(score) > 0 and _share(score) >= _ENOUGH * most
        and score.parts >= _ENOUGH * most_parts
    }  # fmt: skip


def _share(score: BoardScore) -> float:
    return 1.0 if score.answered is None else score.answered


def _is_known(estimate: Estimate) -> bool:
    return estimate.standard_error is not None


def is_shown_to_differ(first: Estimate, second: Estimate) -> bool:
    """Return whether two independent scores differ by more than chance; False if an error is unknown.

    Simulated intervals (of win rates) must not overlap, because the distribution behind them is unknown.
    """
    if SIMULATION in (first.method, second.method):
        ends = (first.low, first.high, second.low, second.high)
        if any(end is None for end in ends):
            return False
        return first.high < second.low or second.high < first.low  # type: ignore[operator]
    return is_told_apart(mean_facts(first), mean_facts(second))


def mean_facts(estimate: Estimate) -> MeanFacts:
    """Convert a score to a mean with its variance, as far as that is known."""
    error = estimate.standard_error
    variance = None if error is None else error * error
    return MeanFacts(estimate.value, variance, estimate.count, max(2, estimate.clusters), estimate.method == WILSON)
