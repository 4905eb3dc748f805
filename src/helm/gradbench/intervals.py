"""Intervals for the median of timings, without assumptions about their distribution."""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Sequence
from functools import lru_cache

CONFIDENCE = 0.95


def median_interval(values: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """Return two of the ``values`` between which the true median lies with at least this confidence.

    The number of values below the median is binomial with probability one half, whatever their distribution, so the
    coverage of a pair of order statistics is known. The result is the narrowest symmetric pair with enough coverage, as
    for the interval of the sign test. It is None when even the extremes cover less, which for 95% means fewer than six
    values.

    Args:
        values: independent measurements.
        confidence: between 0 and 1.
    """
    rank = _lower_rank(len(values), confidence)
    if rank is None:
        return None
    ordered = sorted(values)
    return ordered[rank], ordered[-1 - rank]


# 97.5% quantiles of Student's distribution with 1 to 4 degrees of freedom: 95% lie between minus and plus these.
_STUDENT = (12.706, 4.303, 3.182, 2.776)
# Two very different processes give a huge interval; this keeps its upper end finite.
_LARGEST_LOG = math.log(sys.float_info.max) - 1


def repeated_median_interval(groups: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Compute the 95% interval for the median over processes of their medians, from the runs of several processes.

    Processes differ, and the runs of one process are not independent, so the medians of processes are the measurements.
    For six or more processes it is their median interval, without assumptions. Two to five are too few for that, so it is
    Student's interval of the logarithms, which is wide and assumes that the factors between processes are log-normal. For
    one process it is the interval of its runs, and says nothing about other processes.

    It is None for one process with fewer than six runs, and for two to five processes if one took no time.

    Args:
        groups: the runs of each process, none empty.
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
    """Return the largest rank, from 0, whose order statistic and its mirror image cover enough; None if there is none."""
    allowed = (1 - confidence) / 2
    below = 0.0  # probability that at most `rank` values are below the median
    log_half = n * math.log(0.5)
    for rank in range(n // 2 + 1):
        log_choices = math.lgamma(n + 1) - math.lgamma(rank + 1) - math.lgamma(n - rank + 1)
        below += math.exp(log_choices + log_half)
        if below > allowed:
            return rank - 1 if rank else None
    return None
