"""Intervals of shares, which are means of values 0 and 1."""

import math
from collections.abc import Callable
from functools import lru_cache

from helm.results.statistics.distributions import beta_cdf, beta_quantile, normal_quantile

# The conventional level; tables and captions state it.
CONFIDENCE = 0.95


def wilson_interval(successes: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's score interval for a share; numbers need not be integers, since effective sizes are not.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    z = normal_quantile(0.5 + confidence / 2)
    share, z2 = successes / trials, z * z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = z / (1 + z2 / trials) * math.sqrt(max(0.0, share * (1 - share)) / trials + z2 / (4 * trials * trials))
    low = 0.0 if successes <= 0 else max(0.0, centre - reach)
    return low, 1.0 if successes >= trials else min(1.0, centre + reach)


# Wilson's interval is extended to an exact one whose error may be this many times the stated one: 6.5% for 5%.
_EXCESS = 1.3
# With more successes and failures, Wilson's interval is the longer one.
_MANY = 100
_OUTWARDS = 1e-12


def share_interval(successes: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Wilson's interval, extended to Blaker's exact one of 93.5% where that is longer (for a confidence of 95%).

    Wilson's interval alone covers shares near 0 and 1 in 84% of cases instead of 95%, and a half of four values in 87%. The
    extended one covers every share of any number of values in at least 93.5%.
    """
    low, high = wilson_interval(successes, trials, confidence)
    if min(successes, trials - successes) > _MANY:
        return low, high
    error = min(1.0, _EXCESS * (1 - confidence))
    lower = 1.0 - _raise_to_blaker(trials - successes, trials, error, 1.0 - low)
    return min(low, lower), _raise_to_blaker(successes, trials, error, high)


@lru_cache(maxsize=4096)
def _raise_to_blaker(successes: float, trials: float, error: float, end: float) -> float:
    """Return the upper end of Blaker's interval, or `end` if that is larger.

    A share is in the interval if a result at least as unlikely as the observed one has a probability above `error`: the observed
    tail, and the largest tail on the other side that is not more probable. For shares above the upper end of Clopper and
    Pearson's interval, the two tails together have less. Below, the other tail begins at `other` down to the share where it is as
    probable as the observed one; there, both have more.

    Source: H. Blaker, Confidence curves and improved exact confidence intervals for discrete distributions, Canadian Journal of
    Statistics 28 (2000).
    """
    failures = trials - successes
    if end >= 1.0 or failures <= 0:
        return end
    limit = beta_quantile(1 - error / 2, successes + 1, failures)
    if end >= limit:
        return end

    def observed(share: float) -> float:
        return 1.0 - beta_cdf(share, successes + 1, failures)

    def at_least(number: float, share: float) -> float:
        return beta_cdf(share, number, trials - number + 1) if number < trials + 1 else 0.0

    few, many = 1, math.floor(failures) + 2  # the other tail begins so many successes later: more than `few`
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (middle, many) if at_least(successes + middle, limit) > error / 2 else (few, middle)
    other = successes + many
    if at_least(other - 1, end) <= observed(end):
        # The other tail begins earlier than that until here.
        lowest = _root(lambda share: observed(share) - at_least(other - 1, share), end, limit)
    elif observed(end) + at_least(other, end) <= error:
        return end
    else:
        lowest = end
    if observed(lowest) + at_least(other, lowest) <= error:
        return min(1.0, lowest + _OUTWARDS)  # the end itself is in the interval, also after rounding
    return _root(lambda share: observed(share) + at_least(other, share) - error, lowest, limit)


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function that is positive at `low` and not at `high` crosses zero, by the Illinois method (secants)."""
    at_low, at_high = function(low), function(high)
    was_positive: bool | None = None
    for _ in range(100):
        if high - low <= 1e-13 or at_high == 0:
            break
        middle = high - at_high * (high - low) / (at_high - at_low)
        value = function(middle)
        is_positive = value > 0
        # An end that stays twice counts half; else it would stay for ever where the function is curved.
        weight = 0.5 if is_positive == was_positive else 1.0
        if is_positive:
            low, at_low, at_high = middle, value, at_high * weight
        else:
            high, at_high, at_low = middle, value, at_low * weight
        was_positive = is_positive
    return high


def exact_interval(successes: float, trials: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return Clopper and Pearson's interval for a share, which never covers too rarely and is therefore wide."""
    tail = (1 - confidence) / 2
    low = 0.0 if successes <= 0 else beta_quantile(tail, successes, trials - successes + 1)
    return low, 1.0 if successes >= trials else beta_quantile(1 - tail, successes + 1, trials - successes)
