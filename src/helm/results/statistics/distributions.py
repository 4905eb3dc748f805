"""The distributions behind intervals: normal, Student's t and beta, to twelve digits, without scipy.

A summary computes an interval for every cell, and should not need a package of 100 MB for three quantiles.
"""

import math
from functools import lru_cache
from statistics import NormalDist

_NORMAL = NormalDist()
# The continued fraction converges in a number of steps that grows with sqrt(max(a, b)); this is the limit for small a and b.
_MAX_STEPS = 400
# Lentz's method replaces zero denominators by this.
_TINY = 1e-300
# From here on, the expansion of Student's t around the normal distribution is accurate to twelve digits.
_MANY_DEGREES = 1000


def normal_cdf(z: float) -> float:
    """Return P(Z <= z), which is accurate even far out in the tails."""
    return 0.5 * math.erfc(-z / math.sqrt(2.0))


def normal_quantile(p: float) -> float:
    """Return the z with P(Z <= z) = p; minus or plus infinity for 0 and 1."""
    if p <= 0.0 or p >= 1.0:
        return math.copysign(math.inf, p - 0.5)
    return _NORMAL.inv_cdf(p)


def beta_cdf(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), in [0, 1]; a and b > 0.

    Source: the continued fraction 26.5.8 of Abramowitz and Stegun, evaluated by Lentz's method.
    """
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x > (a + 1.0) / (a + b + 2.0):  # the fraction converges faster on the other side
        return 1.0 - beta_cdf(1.0 - x, b, a)
    return min(1.0, math.exp(log_front) * _beta_fraction(x, a, b) / a)


def _beta_fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, _MAX_STEPS + int(math.sqrt(max(a, b))) * 10):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        d = 1.0 / _away_from_zero(1.0 + even * d)
        c = _away_from_zero(1.0 + even / c)
        value *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        d = 1.0 / _away_from_zero(1.0 + odd * d)
        c = _away_from_zero(1.0 + odd / c)
        value *= d * c
        if abs(d * c - 1.0) < 1e-15:
            break
    return value


def _away_from_zero(x: float) -> float:
    return x if abs(x) > _TINY else _TINY


def beta_quantile(p: float, a: float, b: float) -> float:
    """Return the x in [0, 1] with I_x(a, b) = p, by Newton's method within a bracket, which is bisected if a step leaves it."""
    if p <= 0.0 or p >= 1.0:
        return 0.0 if p <= 0.0 else 1.0
    log_norm = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(200):
        error = beta_cdf(x, a, b) - p
        low, high = (x, high) if error < 0 else (low, x)
        density = math.exp(log_norm + (a - 1) * math.log(x) + (b - 1) * math.log1p(-x)) if 0 < x < 1 else 0.0
        following = x - error / density if density > 0 else low
        if not low < following < high:
            following = 0.5 * (low + high)
        if abs(following - x) <= 1e-15 * x or following in (low, high):
            return following
        x = following
    return x


def t_cdf(t: float, degrees: float) -> float:
    """Return P(T <= t) for Student's t; degrees of freedom > 0, where infinity means the normal distribution."""
    if math.isinf(degrees):
        return normal_cdf(t)
    if math.isinf(t):
        return 0.0 if t < 0 else 1.0
    if degrees > 1e6:  # 26.7.8 of Abramowitz and Stegun; the gamma functions would lose digits
        return normal_cdf(t * (1.0 - 0.25 / degrees) / math.sqrt(1.0 + t * t / (2.0 * degrees)))
    tail = 0.5 * beta_cdf(degrees / (degrees + t * t), degrees / 2.0, 0.5)
    return tail if t < 0 else 1.0 - tail


@lru_cache(maxsize=4096)
def t_quantile(p: float, degrees: float) -> float:
    """Return the t with P(T <= t) = p."""
    if p == 0.5:
        return 0.0
    if degrees >= _MANY_DEGREES:
        return _t_quantile_from_normal(normal_quantile(p), degrees)
    x = beta_quantile(2.0 * min(p, 1.0 - p), degrees / 2.0, 0.5)
    return math.copysign(math.sqrt(degrees * (1.0 - x) / x) if x > 0.0 else math.inf, p - 0.5)


def _t_quantile_from_normal(z: float, degrees: float) -> float:
    """Return the t quantile by the expansion in 1/degrees, 26.7.5 of Abramowitz and Stegun."""
    if math.isinf(degrees) or math.isinf(z):
        return z
    z2 = z * z
    terms = (
        (z2 + 1) / 4,
        ((5 * z2 + 16) * z2 + 3) / 96,
        (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
        ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160,
    )
    return z + z * math.fsum(term / degrees ** (i + 1) for i, term in enumerate(terms))


def binomial_two_sided(successes: int, trials: int) -> float:
    """Return the probability of a result at least as uneven as `successes` in `trials` tosses of a fair coin (two-sided).

    1.0 without trials. This is the exact test of McNemar, on the instances where two subjects differ.
    """
    if trials <= 0:
        return 1.0
    fewer = min(successes, trials - successes)
    return min(1.0, 2.0 * beta_cdf(0.5, trials - fewer, fewer + 1.0))


def binomial_mid_p(successes: int, trials: int) -> float:
    """Return the same, but count the observed result half (mid-p): the exact test rejects more rarely than it states.

    Source: M. W. Fagerland, S. Lydersen and P. Laake, The McNemar test for binary matched-pairs data: mid-p and asymptotic
    are better than exact conditional, BMC Medical Research Methodology 13 (2013).
    """
    if trials <= 0:
        return 1.0
    log_chance = math.lgamma(trials + 1) - math.lgamma(successes + 1) - math.lgamma(trials - successes + 1)
    fewer = min(successes, trials - successes)
    both_tails = 2.0 * beta_cdf(0.5, trials - fewer, fewer + 1.0)
    return min(1.0, both_tails - math.exp(log_chance - trials * math.log(2.0)))
