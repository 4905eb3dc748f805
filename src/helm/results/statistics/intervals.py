"""Scores with their standard errors and intervals, from the values of single instances.

Instances are a sample: another draw of questions would have given another score. The interval states how far off the score
may be for that reason alone. Values that share a source (the trials and perturbed copies of one instance, questions about
one passage) are not independent draws, so they are gathered into clusters, and the clusters are counted.
"""

import math
import operator
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from helm.results.statistics.distributions import beta_cdf, normal_quantile, t_cdf, t_quantile
from helm.results.statistics.shares import CONFIDENCE as CONFIDENCE
from helm.results.statistics.shares import exact_interval, share_interval
from helm.results.statistics.shares import wilson_interval as wilson_interval
from helm.results.statistics.small_samples import is_small, lengthen

WILSON = "wilson"
EXACT = "exact"
STUDENT = "t"
BOOTSTRAP = "bootstrap"
MATCHED = "matched shares"
ORDER = "order statistics"
SIMULATION = "simulation"


@dataclass(frozen=True)
class Estimate:
    """A number with its uncertainty."""

    value: float

    standard_error: float | None = None
    """None if unknown, for example from one instance."""

    low: float | None = None
    """The lower end of the interval; None, like `high`, if there is no interval."""

    high: float | None = None

    confidence: float = CONFIDENCE
    """The share of intervals computed in this way that cover the true number."""

    method: str | None = None
    """How the interval was computed: `wilson`, `exact`, `t`, `matched shares` (the difference of two shares of the same
    instances), `bootstrap`, `order statistics` or `simulation`."""

    count: int = 0
    """The number of values."""

    clusters: int = 0
    """The number of independent units; fewer than `count` if values share a source."""

    @property
    def reach(self) -> float | None:
        """The distance of the farther end of the interval from the value; intervals of shares are not symmetric."""
        return None if self.low is None or self.high is None else max(self.value - self.low, self.high - self.value)


@dataclass(frozen=True)
class MeanFacts:
    """The quantities from which a mean and its error are computed, so that means can be combined without the values."""

    mean: float

    variance: float | None
    """The variance of the mean, which is the square of its standard error; None with a single cluster."""

    count: int

    clusters: int

    is_share: bool
    """Whether all single values are 0 or 1, so that the mean is a share of successes."""

    skewness: float | None = None
    """The observed skewness of the mean: its third central moment divided by the cube of its standard error. None if unknown,
    for example for medians."""

    equal_clusters: float | None = None
    """The number of clusters of equal size with the same information; None if the clusters are of equal size."""

    correlation: float | None = None
    """The correlation of two successes or failures of the same cluster, in [0, 1]; 1 if all values within each cluster are
    equal. None if unknown, for example for values other than 0 and 1, or if all values are equal."""

    @property
    def effective_clusters(self) -> float:
        """The number of clusters of equal size with the same information, at least 2."""
        return max(2.0, float(self.clusters) if self.equal_clusters is None else self.equal_clusters)

    @property
    def corrected_variance(self) -> float | None:
        """The variance corrected for the bias from clusters of unequal size; None with a single cluster."""
        if self.variance is None or self.equal_clusters is None:
            return self.variance
        equal = self.effective_clusters
        return self.variance * (equal / (equal - 1)) * ((self.clusters - 1) / self.clusters)


def gather_mean(values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> MeanFacts | None:
    """Return the mean of values and its variance over clusters; None without values.

    The variance is that of a ratio of cluster totals to cluster sizes, `G/(G-1) * sum((total - mean*size)^2) / n^2`, which is
    the usual `s^2/n` for clusters of one value.

    Args:
        values: finite numbers.
        clusters: the cluster of each value; None makes each value its own cluster.
    """
    count = len(values)
    if not count:
        return None
    mean = math.fsum(values) / count
    is_share = {0.0, 1.0}.issuperset(values)
    equal = None
    totals: list[tuple[float, int]]
    if clusters is None:
        totals, number = [(value, 1) for value in values], count
    else:
        found: dict[Hashable, list[float]] = {}
        for value, cluster in zip(values, clusters, strict=True):
            found.setdefault(cluster, []).append(value)
        sizes = [len(members) for members in found.values()]
        if len(set(sizes)) > 1:
            equal = count**2 / sum(size * size for size in sizes)  # Kish's effective sample size, of clusters
        totals, number = [(math.fsum(members), len(members)) for members in found.values()], len(found)
    if number < 2:
        return MeanFacts(mean, None, count, number, is_share)
    errors = [total - mean * size for total, size in totals]
    squares = math.fsum(map(operator.mul, errors, errors))
    # Cubes are computed relative to the scale, because the cubes of very small errors would underflow.
    scale = math.sqrt(squares)
    cubes = math.fsum([(error / scale) ** 3 for error in errors]) if scale > 0 else 0.0
    correlation = _correlation(mean, totals) if is_share and number < count else None
    variance = squares * number / (number - 1) / count**2
    return MeanFacts(mean, variance, count, number, is_share, cubes, equal, correlation)


def _correlation(mean: float, totals: Sequence[tuple[float, int]]) -> float | None:
    """Return the correlation of successes and failures that share a cluster, from the total and size of each cluster.

    Source: J. L. Fleiss and J. Cuzick, The reliability of dichotomous judgments: unequal numbers of judges per subject,
    Applied Psychological Measurement 3 (1979).
    """
    spread = mean * (1.0 - mean)
    if spread <= 0:
        return None
    within = math.fsum(total * (size - total) / size for total, size in totals)
    return min(1.0, max(0.0, 1.0 - within / (sum(size - 1 for _, size in totals) * spread)))


def estimate_mean(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    confidence: float = CONFIDENCE,
    method: str | None = None,
) -> Estimate | None:
    """Return the mean with its interval; None without values.

    Args:
        values, clusters: see `gather_mean`.
        method: `wilson` or `exact` for shares (values 0 and 1), `t` for any values; None means `wilson` for shares, else `t`.

    Raises:
        ValueError: The method does not fit the values.
    """
    facts = gather_mean(values, clusters)
    return None if facts is None else estimate_from_facts(facts, confidence, method)


def estimate_from_facts(facts: MeanFacts, confidence: float = CONFIDENCE, method: str | None = None) -> Estimate:
    """Return the interval of a mean, from the result of `gather_mean` or `combine_means`."""
    method = method or (WILSON if facts.is_share else STUDENT)
    error = None if facts.variance is None else math.sqrt(facts.variance)
    low = high = None
    if method in (WILSON, EXACT):
        if not facts.is_share:
            raise ValueError(f"the interval '{method}' is for values 0 and 1; use '{STUDENT}'")
        if facts.clusters > 1:
            size = effective_size(facts)
            interval = share_interval if method == WILSON else exact_interval
            low, high = interval(facts.mean * size, size, confidence)
    elif method == STUDENT:
        if error is not None:
            low, high = _student_interval(facts, confidence)
    else:
        raise ValueError(f"there is no interval '{method}'; there are {WILSON}, {EXACT} and {STUDENT}")
    return Estimate(
        facts.mean, error, low, high, confidence, None if low is None else method, facts.count, facts.clusters
    )


def _student_interval(facts: MeanFacts, confidence: float) -> tuple[float, float]:
    """Return Student's interval, lengthened for skewed values: few values by factors, others by Hall's transformation.

    Source: P. Hall, On the removal of skewness by transformation, Journal of the Royal Statistical Society B 54 (1992).
    """
    t = t_quantile(0.5 + confidence / 2, facts.effective_clusters - 1)
    error = math.sqrt(facts.corrected_variance or 0.0)
    if facts.skewness is not None and is_small(facts.effective_clusters):
        below, above = lengthen(facts.skewness, facts.effective_clusters)
        return facts.mean - below * t * error, facts.mean + above * t * error
    skewness = _expected_skewness(facts)
    # Hall's transformation would also shorten the interval towards the short tail, which the true mean seldom allows.
    lowest, highest = min(-t, _hall_inverse(-t, skewness)), max(t, _hall_inverse(t, skewness))
    return facts.mean - highest * error, facts.mean - lowest * error


def one_sided_p_values(facts: MeanFacts, null: float = 0.0) -> tuple[float, float]:
    """Return the p-values against "the mean is at most `null`" (small if it is greater) and against "at least `null`".

    They correspond to the interval `t`: the one with level 1 - 2p ends at `null`. Both are 1 with a single cluster.
    """
    if facts.variance is None:
        return 1.0, 1.0
    error, freedom = math.sqrt(facts.corrected_variance or 0.0), facts.effective_clusters - 1
    distance = facts.mean - null
    if abs(distance) >= _FARTHEST * error:  # also where there is no spread at all
        t = math.copysign(_FARTHEST, distance) if distance else 0.0
    else:
        t = distance / error
    if facts.skewness is not None and is_small(facts.effective_clusters):
        below, above = lengthen(facts.skewness, facts.effective_clusters)
        t /= below if t > 0 else above
        return t_cdf(-t, freedom), t_cdf(t, freedom)
    transformed = _hall(t, _expected_skewness(facts))
    # The larger p-value of the plain and the transformed statistic corresponds to an interval that is never shortened.
    return (
        max(t_cdf(-t, freedom), t_cdf(-transformed, freedom)),
        max(t_cdf(t, freedom), t_cdf(transformed, freedom)),
    )


# Beyond this many standard errors, every p-value is 0 or 1; this also avoids dividing by a standard error of zero.
_FARTHEST = 1e9


def _expected_skewness(facts: MeanFacts) -> float:
    """Return the expected skewness of the mean, which is larger than observed: few values rarely show a long tail.

    The factor was found by simulation (`benchmarks/interval_coverage.py`): it is the smallest with which intervals of means of
    exponential and lognormal values reach their nominal coverage, without those of normal values becoming much too long.
    """
    return (facts.skewness or 0.0) * min(2.0, 1.0 + 6.0 / facts.effective_clusters)


def _hall(t: float, skewness: float) -> float:
    """Return Hall's cubic transformation of a Student statistic, which removes the effect of skewness and grows with t."""
    return t + skewness / 6 + skewness * t * t / 3 + skewness * skewness * t * t * t / 27


def _hall_inverse(x: float, skewness: float) -> float:
    # Without skewness the transformation is the identity, and dividing by nearly zero would lose all digits.
    if abs(skewness) < 1e-6:
        return x
    cube = 1 + skewness * (x - skewness / 6)
    return 3 / skewness * (math.copysign(abs(cube) ** (1 / 3), cube) - 1)


def effective_size(facts: MeanFacts) -> float:
    """Return the number of independent successes and failures with the same information as these values.

    Without shared sources this is their number, or less if means of different weights were combined. Values that share sources
    have less information by the design effect, which is between 1 and that of clusters of equal values. It is the larger one of
    two estimates, from the variance between clusters and from the correlation within. The estimate is weighted by the rarer
    outcome, counted in clusters, against half a cluster of the worst case.
    """
    spread = facts.mean * (1.0 - facts.mean)
    if facts.clusters >= facts.count:
        # The variance of a share of n values is spread / (n - 1); a larger one comes from combining different weights.
        if not facts.variance or spread <= 0:
            return float(facts.clusters)
        return min(float(facts.count), spread / facts.variance * facts.clusters / (facts.clusters - 1))
    equal = facts.effective_clusters
    largest = max(1.0, facts.count / equal)
    if spread <= 0 or facts.correlation == 1.0:
        return facts.count / largest  # all values within each cluster are equal, so there is nothing to estimate
    seen = min(facts.mean, 1.0 - facts.mean) * equal
    observed = (facts.corrected_variance or 0.0) * facts.count / spread * (equal - 1) / equal
    # With one rare wrong answer in a large cluster, or none, the variance between clusters is far off; the correlation is not.
    observed = max(observed, 1.0 + (facts.correlation or 0.0) * (largest - 1.0))
    design_effect = min(largest, (observed * seen + largest * 0.5) / (seen + 0.5))
    # The design effect itself is estimated. Wilson's interval uses the normal quantile, so the size is reduced by what
    # Student's quantile would add, similar to Korn and Graubard's correction.
    few = normal_quantile(0.975) / t_quantile(0.975, equal - 1)
    return facts.count / design_effect * few**2


def combine_means(parts: Sequence[tuple[float, MeanFacts]]) -> MeanFacts | None:
    """Return the weighted mean of independent means (weights are normalized); None without parts.

    The number of clusters is the one whose t distribution fits the combined variance (Welch and Satterthwaite).
    """
    total = math.fsum(weight for weight, _ in parts)
    if not parts or total <= 0:
        return None
    if len(parts) == 1:
        return parts[0][1]
    mean = math.fsum(weight * facts.mean for weight, facts in parts) / total
    count = sum(facts.count for _, facts in parts)
    if all(facts.clusters == 1 for _, facts in parts) and len({weight for weight, _ in parts}) == 1:
        found = gather_mean([facts.mean for _, facts in parts])  # with one instance each, the means are the sample
        return found if found is None else replace(found, is_share=all(facts.is_share for _, facts in parts))
    if any(facts.variance is None for _, facts in parts):
        return MeanFacts(mean, None, count, 1, False)
    shares = [(weight / total) ** 2 * (facts.corrected_variance or 0.0) for weight, facts in parts]
    variance = math.fsum(shares)
    clusters = sum(facts.clusters for _, facts in parts)
    is_share = all(facts.is_share for _, facts in parts)
    if variance <= 0:
        return MeanFacts(mean, variance, count, clusters, is_share)
    # Third central moments of independent parts add up; relative to the standard error, each counts by its share ** 1.5.
    known = [facts.skewness for _, facts in parts if facts.skewness is not None]
    skewness = None
    if len(known) == len(parts):
        skewness = math.fsum(each * (share / variance) ** 1.5 for share, each in zip(shares, known, strict=True))
    if is_share:
        are_equal = all(facts.equal_clusters is None for _, facts in parts)
        equal = None if are_equal else math.fsum(facts.effective_clusters for _, facts in parts)
        return MeanFacts(mean, variance, count, clusters, True, skewness, equal)
    freedoms = [facts.effective_clusters - 1 for _, facts in parts]
    degrees = variance**2 / math.fsum(share**2 / freedom for share, freedom in zip(shares, freedoms, strict=True))
    clusters = min(clusters, 1 + max(1, math.floor(degrees + 1e-9)))  # rounding must not lose a whole degree of freedom
    return MeanFacts(mean, variance, count, clusters, False, skewness)


def is_told_apart(first: MeanFacts, second: MeanFacts, confidence: float = CONFIDENCE) -> bool:
    """Return whether two scores differ by more than chance, as far as that can be determined without the instances.

    The test treats them as independent, so a paired test finds more differences. The result is False if an error is unknown
    or the values are equal.
    """
    if first.variance is None or second.variance is None:
        return False
    errors = [drawing_error(facts) for facts in (first, second)]
    variance = errors[0] * errors[0] + errors[1] * errors[1]
    if not math.isfinite(variance * variance):
        return False
    freedom = math.inf  # the variance of a share follows from the share
    if not (first.is_share and second.is_share) and variance > 0:
        parts = zip(errors, (first, second), strict=True)
        freedom = variance * variance / math.fsum(error**4 / (facts.effective_clusters - 1) for error, facts in parts)
    return abs(first.mean - second.mean) > t_quantile(0.5 + confidence / 2, freedom) * math.sqrt(variance)


def drawing_error(facts: MeanFacts) -> float:
    """Return the standard error for simulations; if all instances agree, that of a share with two added to each outcome."""
    if facts.variance is None:
        return 0.0
    if facts.variance > 0 or not facts.is_share:
        return math.sqrt(facts.variance)
    # Agresti and Coull's adjustment: an observed error of zero does not mean certainty.
    share = (facts.mean * facts.clusters + 2) / (facts.clusters + 4)
    return math.sqrt(share * (1 - share) / (facts.clusters + 4))


def estimate_median(values: Sequence[float], confidence: float = CONFIDENCE) -> Estimate | None:
    """Return the median with an interval between order statistics, interpolated to the stated coverage.

    It makes no assumption about the distribution, which timings would violate. There is no interval for too few values (fewer
    than six for 95%). Return None without values.

    Source: T. P. Hettmansperger and S. J. Sheather, Confidence intervals based on interpolated order statistics,
    Statistics & Probability Letters 4 (1986).
    """
    ordered = sorted(values)
    count = len(ordered)
    if not count:
        return None
    middle = count // 2
    median = ordered[middle] if count % 2 else (ordered[middle - 1] + ordered[middle]) / 2

    def coverage(depth: int) -> float:
        """Return P(the interval from the `depth`-th smallest to the `depth`-th largest value covers the true median)."""
        return 1.0 - 2.0 * _fair_coin_cdf(depth - 1, count)

    if count < 2 or coverage(1) < confidence:
        return Estimate(median, None, None, None, confidence, None, count, count)
    depth = 1
    while depth + 1 <= middle and coverage(depth + 1) >= confidence:
        depth += 1
    wide, narrow = coverage(depth), coverage(depth + 1)
    part = (wide - confidence) / (wide - narrow)
    weight = (count - depth) * part / (depth + (count - 2 * depth) * part)
    inner = min(depth, count - 1 - depth)
    low = (1 - weight) * ordered[depth - 1] + weight * ordered[inner]
    high = (1 - weight) * ordered[count - depth] + weight * ordered[count - 1 - inner]
    error = (high - low) / (2 * normal_quantile(0.5 + confidence / 2))
    return Estimate(median, error, low, high, confidence, ORDER, count, count)


def _fair_coin_cdf(successes: int, trials: int) -> float:
    """Return the probability of at most `successes` heads."""
    if successes < 0:
        return 0.0
    return beta_cdf(0.5, trials - successes, successes + 1.0)


def estimate_geometric_mean(
    values: Sequence[float], clusters: Sequence[Hashable] | None = None, confidence: float = CONFIDENCE
) -> Estimate | None:
    """Return the geometric mean of positive values, with an interval computed on their logarithms; None without values.

    The standard error is that of the mean logarithm times the value. Raises ValueError for a value that is not positive.
    """
    if any(value <= 0 for value in values):
        raise ValueError(f"a geometric mean needs positive values, not {min(values)}")
    found = estimate_mean([math.log(value) for value in values], clusters, confidence, STUDENT)
    return None if found is None else exp_estimate(found)


def exp_estimate(found: Estimate) -> Estimate:
    """Convert an estimate from the scale of logarithms back to the scale of the values."""
    value = math.exp(found.value)
    return Estimate(
        value,
        None if found.standard_error is None else found.standard_error * value,
        None if found.low is None else math.exp(found.low),
        None if found.high is None else math.exp(found.high),
        found.confidence,
        found.method,
        found.count,
        found.clusters,
    )
