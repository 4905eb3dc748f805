"""Which scores of a column are best, and shown to be: one rule for the terminal, pages, the viewer and papers."""

import math
from dataclasses import dataclass
from typing import List, Optional, Sequence

from helm.results.statistics.intervals import SIMULATION, WILSON, Estimate, MeanFacts, is_told_apart

BEST = "*"
"""Better than every other score that counts, by more than chance explains."""
TIED = "≈"
"""The best number, or one from which no difference is shown."""
UNMARKED = ""

_ENOUGH = 0.9
"""Of what the subject that answered most did: who answered less is not compared, because the easy ones may be left."""


@dataclass(frozen=True)
class BoardScore:
    """A score of a subject in a column."""

    estimate: Estimate

    answered: Optional[float] = None
    """Share of what was asked that has an answer, or was solved; None: not known, taken as all."""

    parts: int = 1
    """Runs that the score is the mean of."""


def mark_best(scores: Sequence[Optional[BoardScore]], lower_is_better: bool) -> List[str]:
    """`BEST`, `TIED` or `UNMARKED` for each score of a column; None: the subject has none.

    A subject that answered nothing, or less than 90% of what another one did (or has fewer of the runs), is never marked.
    Nothing is marked where fewer than two scores are left, where all are equal, and where it is not known how sure they are.
    """
    marks = [UNMARKED] * len(scores)
    present = [score for score in scores if score is not None]
    most = max((_share(score) for score in present), default=0.0)
    most_parts = max((score.parts for score in present), default=0)
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
    return is_told_apart(_facts(first), _facts(second))


def _facts(estimate: Estimate) -> MeanFacts:
    error = estimate.standard_error
    variance = None if error is None else error * error
    return MeanFacts(estimate.value, variance, estimate.count, max(2, estimate.clusters), estimate.method == WILSON)
