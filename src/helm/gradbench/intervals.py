"""Intervals for the median of timings, without assumptions about their distribution."""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Sequence
from functools import lru_cache

CONFIDENCE = 0.95


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float] | None:
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


# Of Student's distribution with 1 to 4 degrees of freedom: between minus and plus these lie 95%.
_STUDENT = (12.706, 4.303, 3.182, 2.776)
# Two processes that differ a lot know next to nothing; their upper end is still a number.
_LARGEST_LOG = math.log(sys.float_info.max) - 1


def repeated_median_interval(groups: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Where the median of the medians of processes lies with 95% confidence, from the runs of several of them.

    Processes differ, and runs of one process share its luck, so the medians of processes are what is measured. From six
    on, the interval is theirs, without assumptions. Two to five say too little for that: theirs is Student's interval of
    the logarithms, which assumes that processes differ by factors that are normal in the logarithm, and is wide. Of one
    process it is the interval of its runs, and says nothing about other processes.

    Args:
        groups: the runs of each process, none empty.
    Returns: None for one process with fewer than six runs, and for few processes of which one took no time.
    """
    if len(groups) == 1:
        return median_interval(groups[0])
    medians = [statistics.median(group) for group in groups]
    if len(medians) > len(_STUDENT) + 1:
        return median_interval(medians)
    if min(medians) <= 0:
        return None
    logs = [math.log(median) for median in medians]
    reach = _STUDENT[len(logs) - 2] * statistics.stdev(logs) / math.sqrt(len(logs))
    centre = statistics.fmean(logs)
    return math.exp(centre - reach), math.exp(min(centre + reach, _LARGEST_LOG))


@lru_cache(maxsize=1024)
def _lower_rank(n: int, confidence: float) -> int | None:
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
