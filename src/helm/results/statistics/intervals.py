"""Scores with their standard errors and intervals, from the values of single instances.

Instances are a sample: another draw of questions would have given another score. The interval says how far off the score
may be for that reason alone. Values that share a source (the trials and perturbed copies of one instance, questions about
one passage) are no independent draws, so they are gathered into clusters, and clusters are what is counted.
"""

import math
from dataclasses import dataclass, replace
from typing import Dict, Hashable, Iterable, List, Optional, Sequence, Tuple

from helm.results.statistics.distributions import beta_cdf, beta_quantile, normal_quantile, t_quantile

CONFIDENCE = 0.95

WILSON = "wilson"
EXACT = "exact"
STUDENT = "t"
BOOTSTRAP = "bootstrap"
ORDER = "order statistics"
SIMULATION = "simulation"


@dataclass(frozen=True)
class Estimate:
    """A number with how sure it is."""

    value: float

    standard_error: Optional[float] = None
    """None: cannot be told, for example from one instance."""

    low: Optional[float] = None
    """The lower end of the interval; None with `high`: there is no interval."""

    high: Optional[float] = None

    confidence: float = CONFIDENCE
    """How often intervals made in this way cover the true number."""

    method: Optional[str] = None
    """How the interval was made: `wilson`, `exact`, `t`, `bootstrap`, `order statistics` or `simulation`."""

    count: int = 0
    """Values that went in."""

    clusters: int = 0
    """Independent units among them; fewer than `count` where values share a source."""

    @property
    def reach(self) -> Optional[float]:
        """How far the farther end of the interval is from the value; intervals of shares are not symmetric."""
        return None if self.low is None or self.high is None else max(self.value - self.low, self.high - self.value)


@dataclass(frozen=True)
class MeanFacts:
    """What a mean and its error are computed from, so that means can be combined without the values."""

    mean: float

    variance: Optional[float]
    """Of the mean: the square of its standard error; None with a single cluster."""

    count: int

    clusters: int

    is_share: bool
    """All values are in [0, 1] and 0 and 1 where taken one by one, so the mean is a share of successes."""


def gather_mean(values: Sequence[float], clusters: Optional[Sequence[Hashable]] = None) -> Optional[MeanFacts]:
    """The mean of values and the variance of that mean over clusters; None without values.

    Args:
        values: finite numbers.
        clusters: the cluster of each value; None: each value is its own.

    The variance is the one of a ratio of cluster totals to cluster sizes, `G/(G-1) * sum((total - mean*size)^2) / n^2`,
    which for clusters of one value is the usual `s^2/n`.
    """
    count = len(values)
    if not count:
        return None
    mean = math.fsum(values) / count
    is_share = all(value == 0 or value == 1 for value in values)
    totals: Iterable[Tuple[float, int]]
    if clusters is None:
        totals, number = ((value, 1) for value in values), count
    else:
        found: Dict[Hashable, List[float]] = {}
        for value, cluster in zip(values, clusters, strict=True):
            found.setdefault(cluster, []).append(value)
        totals, number = ((math.fsum(members), len(members)) for members in found.values()), len(found)
    if number < 2:
        return MeanFacts(mean, None, count, number, is_share)
    squares = math.fsum((total - mean * size) ** 2 for total, size in totals)
    return MeanFacts(mean, squares * number / (number - 1) / count**2, count, number, is_share)


def estimate_mean(
    values: Sequence[float],
    clusters: Optional[Sequence[Hashable]] = None,
    confidence: float = CONFIDENCE,
    method: Optional[str] = None,
) -> Optional[Estimate]:
    """The mean with its interval; None without values.

    Args:
        values, clusters: see `gather_mean`.
        method: `wilson` or `exact` for shares (values 0 and 1), `t` for any values; None: `wilson` for shares, else `t`.
    Raises: ValueError for a method that does not fit the values.
    """
    facts = gather_mean(values, clusters)
    return None if facts is None else estimate_from_facts(facts, confidence, method)


def estimate_from_facts(facts: MeanFacts, confidence: float = CONFIDENCE, method: Optional[str] = None) -> Estimate:
    """The interval of a mean, from what `gather_mean` or `combine_means` found."""
    method = method or (WILSON if facts.is_share else STUDENT)
    error = None if facts.variance is None else math.sqrt(facts.variance)
    low = high = None
    if method in (WILSON, EXACT):
        if not facts.is_share:
            raise ValueError(f"the interval '{method}' is for values 0 and 1; use '{STUDENT}'")
        if facts.clusters > 1:
            size = effective_size(facts)
            interval = wilson_interval if method == WILSON else exact_interval
            low, high = interval(facts.mean * size, size, confidence)
    elif method == STUDENT:
        if error is not None:
            reach = t_quantile(0.5 + confidence / 2, facts.clusters - 1) * error
            low, high = facts.mean - reach, facts.mean + reach
    else:
        raise ValueError(f"there is no interval '{method}'; there are {WILSON}, {EXACT} and {STUDENT}")
    return Estimate(
        facts.mean, error, low, high, confidence, None if low is None else method, facts.count, facts.clusters
    )


def effective_size(facts: MeanFacts) -> float:
    """How many independent successes and failures tell as much as these values.

    Where all values are equal the variance says nothing, and each cluster counts once.
    """
    spread = facts.mean * (1.0 - facts.mean)
    if not facts.variance or spread <= 0:
        return float(facts.clusters)
    size = min(float(facts.count), spread / facts.variance * facts.clusters / (facts.clusters - 1))
    if facts.clusters < facts.count:  # the variance itself is estimated, from few clusters badly
        size *= (normal_quantile(0.975) / t_quantile(0.975, facts.clusters - 1)) ** 2
    return size


def combine_means(parts: Sequence[Tuple[float, MeanFacts]]) -> Optional[MeanFacts]:
    """The weighted mean of independent means (weights are made to add up to 1); None without parts.

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
        found = gather_mean([facts.mean for _, facts in parts])  # one instance each: they are the sample
        return found if found is None else replace(found, is_share=all(facts.is_share for _, facts in parts))
    if any(facts.variance is None for _, facts in parts):
        return MeanFacts(mean, None, count, 1, False)
    shares = [((weight / total) ** 2 * (facts.variance or 0.0), facts.clusters - 1) for weight, facts in parts]
    variance = math.fsum(share for share, _ in shares)
    clusters = sum(facts.clusters for _, facts in parts)
    is_share = all(facts.is_share for _, facts in parts)
    if variance > 0 and not is_share:
        degrees = variance**2 / math.fsum(share**2 / freedom for share, freedom in shares)
        clusters = min(clusters, 1 + max(1, math.floor(degrees + 1e-9)))
    return MeanFacts(mean, variance, count, clusters, is_share)


def wilson_interval(successes: float, trials: float, confidence: float = CONFIDENCE) -> Tuple[float, float]:
    """Wilson's score interval for a share; numbers need not be whole, which effective sizes are not.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22 (1927).
    """
    z = normal_quantile(0.5 + confidence / 2)
    share, z2 = successes / trials, z * z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    reach = z / (1 + z2 / trials) * math.sqrt(max(0.0, share * (1 - share)) / trials + z2 / (4 * trials * trials))
    low = 0.0 if successes <= 0 else max(0.0, centre - reach)
    return low, 1.0 if successes >= trials else min(1.0, centre + reach)


def exact_interval(successes: float, trials: float, confidence: float = CONFIDENCE) -> Tuple[float, float]:
    """Clopper and Pearson's interval for a share: never covers too rarely, and is therefore wide."""
    tail = (1 - confidence) / 2
    low = 0.0 if successes <= 0 else beta_quantile(tail, successes, trials - successes + 1)
    return low, 1.0 if successes >= trials else beta_quantile(1 - tail, successes + 1, trials - successes)


def estimate_median(values: Sequence[float], confidence: float = CONFIDENCE) -> Optional[Estimate]:
    """The median with an interval between order statistics, interpolated so that it covers as often as it says.

    No assumption on the distribution, which timings do not keep to. Too few values for the confidence (fewer than six for
    95 %) give no interval. None without values.

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
        """P(the interval from the `depth`-th smallest to the `depth`-th largest value holds the true median)."""
        return 1.0 - 2.0 * _fair_coin_cdf(depth - 1, count)

    if count < 2 or coverage(1) < confidence:
        return Estimate(median, None, None, None, confidence, None, count, count)
    depth = 1
    while depth + 1 <= middle and coverage(depth + 1) >= confidence:
        depth += 1
    wide, narrow = coverage(depth), coverage(depth + 1)
    part = (wide - confidence) / (wide - narrow) if wide > narrow else 0.0
    weight = (count - depth) * part / (depth + (count - 2 * depth) * part)
    inner = min(depth, count - 1 - depth)
    low = (1 - weight) * ordered[depth - 1] + weight * ordered[inner]
    high = (1 - weight) * ordered[count - depth] + weight * ordered[count - 1 - inner]
    error = (high - low) / (2 * normal_quantile(0.5 + confidence / 2))
    return Estimate(median, error, low, high, confidence, ORDER, count, count)


def _fair_coin_cdf(successes: int, trials: int) -> float:
    """P(at most so many heads)."""
    if successes < 0:
        return 0.0
    return beta_cdf(0.5, trials - successes, successes + 1.0)


def estimate_geometric_mean(
    values: Sequence[float], clusters: Optional[Sequence[Hashable]] = None, confidence: float = CONFIDENCE
) -> Optional[Estimate]:
    """The geometric mean of positive values, with an interval made on their logarithms.

    The standard error is the one of the mean logarithm times the value. None without values.
    Raises: ValueError for a value that is not positive.
    """
    if any(value <= 0 for value in values):
        raise ValueError(f"a geometric mean needs positive values, not {min(values)}")
    found = estimate_mean([math.log(value) for value in values], clusters, confidence, STUDENT)
    return None if found is None else exp_estimate(found)


def exp_estimate(found: Estimate) -> Estimate:
    """An estimate on the scale of logarithms, back on the scale of the values."""
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
