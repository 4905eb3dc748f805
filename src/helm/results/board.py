"""Boards: subjects by columns. What a column and a cell tell, and the one rule for what is best of a column.

Tables of `helm-summarize`, the viewer's leaderboards and papers are made of these, so that a score reads alike in all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.formats.number_text import format_score
from helm.results.statistics.intervals import SIMULATION, WILSON, Estimate, MeanFacts, is_told_apart

BEST = "*"
"""Better than every other score that counts, by more than chance explains."""
TIED = "≈"
"""The best number, or one from which no difference is shown."""
UNMARKED = ""

_ENOUGH = 0.9
"""Of what the subject that answered most did: who answered less is not compared, because the easy ones may be left."""


class BoardColumn:
    """What a column says of its values. No dataclass, so that those that inherit it have the fields of their files."""

    lower_is_better: bool | None = None
    """Which way is better; None: neither, or not known."""

    unit: str | None = None
    """Of the values; see `helm.common.formats.number_text`."""

    @property
    def arrow(self) -> str:
        """Points to where better values are."""
        return "" if self.lower_is_better is None else "↓" if self.lower_is_better else "↑"


class BoardCell:
    """What a cell says of its value. No dataclass, as above."""

    value: Any = None
    """Number or text; None: nothing to show."""

    estimate: Estimate | None = None
    """The value with its interval."""

    answered: float | None = None
    """Share of what was asked that has an answer; None: not known."""

    parts: int = 1
    """Runs that the value is the mean of."""

    mark: str = ""
    """`BEST`, `TIED` or `UNMARKED`."""

    note: str = ""
    """What stands beside the value, for example `90% answered`."""

    @property
    def is_best(self) -> bool:
        return self.mark == BEST

    @property
    def is_tied(self) -> bool:
        return self.mark == TIED

    @property
    def reach(self) -> float | None:
        """How far the interval reaches from the value, at most."""
        return None if self.estimate is None else self.estimate.reach

    def text(self, unit: str | None = None) -> str:
        """The number with the reach of its interval, in a unit."""
        return format_score(self.value, unit, self.reach)

    def known_estimate(self) -> Estimate:
        """The estimate of a number, which may say no more than the number."""
        return self.estimate or Estimate(float(self.value))

    def score(self) -> "BoardScore | None":
        """What counts when the best of a column is looked for; None without a number."""
        if not isinstance(self.value, (int, float)):
            return None
        return BoardScore(self.known_estimate(), self.answered, self.parts)


@dataclass(frozen=True)
class BoardScore:
    """A score of a subject in a column."""

    estimate: Estimate

    answered: float | None = None
    """Share of what was asked that has an answer, or was solved; None: not known, taken as all."""

    parts: int = 1
    """Runs that the score is the mean of."""


def mark_column(
    cells: Sequence[BoardCell | None],
    lower_is_better: bool | None,
    scores: Sequence[BoardScore | None] | None = None,
) -> None:
    """Mark the best cells of a column. No mark without a direction.

    Args:
        cells: None: the subject has none.
        scores: what counts of each cell; None: what the cells say.
    """
    if lower_is_better is None:
        return
    counting = scores if scores is not None else [None if cell is None else cell.score() for cell in cells]
    for cell, mark in zip(cells, mark_best(counting, lower_is_better), strict=True):
        if cell is not None:
            cell.mark = mark


def mark_best(scores: Sequence[BoardScore | None], lower_is_better: bool) -> list[str]:
    """`BEST`, `TIED` or `UNMARKED` for each score of a column; None: the subject has none.

    A subject that answered nothing, or less than 90% of what another one did (or has fewer of the runs), is never marked.
    Nothing is marked where fewer than two scores are left, where all are equal, and where it is not known how sure they are.
    """
    marks = [UNMARKED] * len(scores)
    present = [score for score in scores if score is not None]
    if not present:
        return marks
    most, most_parts = max(map(_share, present)), max(score.parts for score in present)
    counting = {
        i: score.estimate
        for i, score in enumerate(scores)
        if score is not None and math.isfinite(score.estimate.value) and _share(score) > 0 and _share(score) >= _ENOUGH * most
        and score.parts >= _ENOUGH * most_parts
    }  # fmt: skip
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


def _share(score: BoardScore) -> float:
    return 1.0 if score.answered is None else score.answered


def _is_known(estimate: Estimate) -> bool:
    return estimate.standard_error is not None


def is_shown_to_differ(first: Estimate, second: Estimate) -> bool:
    """Whether chance does not explain the difference of two independent scores; False where an error is not known.

    Simulated intervals (of win rates) must not overlap, because nothing is known of the distribution behind them.
    """
    if SIMULATION in (first.method, second.method):
        ends = (first.low, first.high, second.low, second.high)
        if any(end is None for end in ends):
            return False
        return first.high < second.low or second.high < first.low  # type: ignore[operator]
    return is_told_apart(mean_facts(first), mean_facts(second))


def mean_facts(estimate: Estimate) -> MeanFacts:
    """A score as a mean with its variance, as far as that is known."""
    error = estimate.standard_error
    variance = None if error is None else error * error
    return MeanFacts(estimate.value, variance, estimate.count, max(2, estimate.clusters), estimate.method == WILSON)
