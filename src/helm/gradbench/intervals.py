"""Intervals for the median of timings, without assumptions about their distribution."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from functools import lru_cache
from typing import Optional

CONFIDENCE = 0.95


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> Optional[tuple[float, float]]:
    """Two of the ``values`` between which the true median lies with at least this confidence.

    The number of values below the median is binomial with probability one half whatever their distribution, so a pair
    of order statistics has a known coverage. The narrowest symmetric pair with enough of it is taken.

    Args:
        values: independent measurements.
        confidence: between 0 and 1.
    Returns: None when even the extremes cover less, which for 95% means fewer than six values.
    Source: any text on order statistics; the interval of the sign test.
    """
    rank = _lower_rank(len(values), confidence)
    if rank is None:
        return None
    ordered = sorted(values)
    return ordered[rank], ordered[-1 - rank]


def repeated_median_interval(groups: Sequence[Sequence[float]]) -> Optional[tuple[float, float]]:
    """Where the median of the medians of processes lies with the usual confidence, from the runs of several of them.

    Processes differ, and runs of one process share its luck. From six processes on, their medians are what is measured,
    and the interval is theirs. With fewer, it is that of all runs together, stretched to hold the median of every
    process.

    Args:
        groups: the runs of each process, none empty.
    Returns: None when there are too few of both.
    """
    medians = [statistics.median(group) for group in groups]
    if len(medians) > 1:
        interval = median_interval(medians)
        if interval is not None:
            return interval
    interval = median_interval([value for group in groups for value in group])
    return None if interval is None else (min(interval[0], *medians), max(interval[1], *medians))


@lru_cache(maxsize=1024)
def _lower_rank(n: int, confidence: float) -> Optional[int]:
    """The largest rank, counted from 0, whose order statistic and its mirror image cover enough; None without one."""
    allowed = (1 - confidence) / 2
    below = 0.0  # probability that at most `rank` values are below the median
    log_half = n * math.log(0.5)
    for rank in range(n // 2 + 1):
        log_choices = math.lgamma(n + 1) - math.lgamma(rank + 1) - math.lgamma(n - rank + 1)
        below += math.exp(log_choices + log_half)
        if below > allowed:
            return rank - 1 if rank else None
    return None
