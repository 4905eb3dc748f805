"""Compares two subjects on the same instances: which one is better, by how much, and how certain that is."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from helm.common.optional_dependencies import OptionalDependencyNotInstalled, needs_extra
from helm.results.statistics.distributions import binomial_mid_p, binomial_two_sided, t_quantile
from helm.results.statistics.intervals import (
    CONFIDENCE,
    MATCHED,
    STUDENT,
    Estimate,
    MeanFacts,
    estimate_from_facts,
    gather_mean,
    one_sided_p_values,
)
from helm.results.statistics.resampling import cluster_totals

Numbers = Sequence[float] | np.ndarray

POWER = 0.8
"""The probability with which the minimum detectable effect would be found; 0.8 is the usual convention."""

MCNEMAR = "McNemar, mid-p"
PAIRED_T = "paired t, for skewed values too"
IDENTICAL = "identical values"
ONE_PAIR = "none: a single instance"


@dataclass(frozen=True)
class PairedComparison:
    """The first subject against the second, instance by instance. Differences are first minus second."""

    difference: Estimate
    """The difference of the means, with an interval over clusters. On ratio scales, the mean log ratio: see `is_ratio`."""

    wins: int
    """The number of instances on which the first has the better value; equal values are ties."""

    ties: int

    losses: int

    p_value: float
    """The two-sided p-value of `test`."""

    test: str
    """The test that gives `p_value`: McNemar's test (mid-p) for values 0 and 1 of single instances, else the paired t test
    with Hall's correction for skewed values; `identical values` if there is nothing to test, and a text that says so for a
    single instance."""

    t_p: float | None
    """The p-value of the paired t test, which counts unless McNemar's does; None for a single instance."""

    mcnemar_p: float | None = None
    """The p-value of McNemar's exact test, which rejects too rarely. None unless all values are 0 and 1 and no instances
    share a source."""

    wilcoxon_p: float | None = None
    """The p-value of Wilcoxon's signed rank test over clusters; None without scipy or without any difference."""

    effect_size: float | None = None
    """Cohen's d for pairs: the mean divided by the standard deviation of the clusters' differences; None without variation."""

    minimum_detectable: float | None = None
    """The true difference that would be found, at this confidence, with a probability of 80%."""

    is_ratio: bool = False
    """Whether `difference` and `minimum_detectable` are logarithms of ratios."""

    is_worse_than_margin_p: float | None = None
    """The one-sided p-value against "the first is worse by at most the margin": small if it is shown to be worse."""

    is_within_margin_p: float | None = None
    """The one-sided p-value against "the first is worse by more than the margin": small if it is shown not to be."""


def smallest_p_value(pairs: int) -> float:
    """Return the smallest two-sided p-value that a number of pairs can support without assuming a distribution.

    If all differences have the same sign, it is the share of sign patterns that are as extreme: 2 of 2^pairs.
    """
    return 2.0 ** (1 - pairs) if pairs > 0 else 1.0


def is_too_few(pairs: int, alpha: float) -> bool:
    """Return whether no difference could be shown at the level `alpha`, however clear: below 6 pairs for 5%."""
    return smallest_p_value(pairs) >= alpha


def fewest_pairs(alpha: float) -> int:
    """Return how many pairs are needed to show a difference at the level `alpha`."""
    return next(pairs for pairs in range(1, 2000) if not is_too_few(pairs, alpha))


def compare_paired(
    first: Numbers,
    second: Numbers,
    clusters: Sequence[Hashable] | None = None,
    lower_is_better: bool = False,
    confidence: float = CONFIDENCE,
    is_ratio: bool = False,
    margin: float | None = None,
) -> PairedComparison:
    """Compare arrays of equal length, with one pair per instance.

    Args:
        clusters: the source of each pair; None makes each pair its own cluster.
        lower_is_better: affects `wins`, `losses` and the margin, but not the sign of `difference`.
        is_ratio: whether to compare logarithms; the values must be positive.
        margin: how much worse the first may be, >= 0 (a difference; with `is_ratio` a share, where 0.02 means 2%).

    Raises:
        ValueError: The arrays have different lengths, are empty, or have values that are not positive where they must be.
    """
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if a.shape != b.shape or a.ndim != 1 or not len(a):
        raise ValueError(f"paired values need the same length and at least one pair, not {a.shape} and {b.shape}")
    if is_ratio and (a.min() <= 0 or b.min() <= 0):
        raise ValueError("ratios need positive values")
    sign = -1.0 if lower_is_better else 1.0
    wins, losses = int(np.count_nonzero(sign * a > sign * b)), int(np.count_nonzero(sign * a < sign * b))
    ties = len(a) - wins - losses
    differences = np.log(a) - np.log(b) if is_ratio else a - b
    facts = gather_difference(differences, clusters)
    number = facts.clusters
    is_binary = bool(np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all())
    mcnemar = binomial_two_sided(wins, wins + losses) if is_binary and number == len(a) else None
    if number < 2:
        alone = Estimate(facts.mean, confidence=confidence, count=len(a), clusters=number)
        return PairedComparison(alone, wins, ties, losses, 1.0, IDENTICAL if ties == len(a) else ONE_PAIR, None,
                                is_ratio=is_ratio)  # fmt: skip
    if ties == len(a):
        nothing = Estimate(facts.mean, 0.0, facts.mean, facts.mean, confidence, STUDENT, len(a), number)
        worse, within = (None, None) if margin is None else (1.0, 0.0 if margin > 0 else 1.0)
        return PairedComparison(nothing, 0, ties, 0, 1.0, IDENTICAL, 1.0, mcnemar, None, None, None, is_ratio,
                                worse, within)  # fmt: skip
    worse = within = None
    if margin is not None:
        limit = -math.log1p(margin) if is_ratio else -margin
        above, below = one_sided_p_values(facts, sign * limit)
        within, worse = (below, above) if lower_is_better else (above, below)
        differing = number if mcnemar is None else wins + losses
        within, worse = max(within, smallest_p_value(number) / 2), max(worse, smallest_p_value(differing) / 2)
    t_p = two_sided_p_value(facts)
    totals, sizes = cluster_totals(differences[:, None], clusters)
    of_clusters = totals[:, 0] / sizes
    deviation = float(of_clusters.std(ddof=1))
    error, freedom = math.sqrt(facts.corrected_variance or 0.0), facts.effective_clusters - 1
    # The minimum detectable effect is the usual formula of power analysis: (t for confidence + t for power) * error.
    return PairedComparison(
        difference=estimate_from_facts(facts, confidence, STUDENT)
        if mcnemar is None
        else _difference_of_shares(facts, wins + losses, confidence),
        wins=wins,
        ties=ties,
        losses=losses,
        p_value=t_p if mcnemar is None else max(binomial_mid_p(wins, wins + losses), smallest_p_value(wins + losses)),
        test=PAIRED_T if mcnemar is None else MCNEMAR,
        t_p=t_p,
        mcnemar_p=mcnemar,
        wilcoxon_p=_wilcoxon_if_there(of_clusters),
        effect_size=float(of_clusters.mean()) / deviation if deviation > 0 else None,
        minimum_detectable=(t_quantile(0.5 + confidence / 2, freedom) + t_quantile(POWER, freedom)) * error or None,
        is_ratio=is_ratio,
        is_worse_than_margin_p=worse,
        is_within_margin_p=within,
    )


def gather_difference(differences: np.ndarray, clusters: Sequence[Hashable] | None = None) -> MeanFacts:
    """Return `gather_mean` of differences, which are not shares even if they happen to be 0 and 1."""
    found = gather_mean(differences.tolist(), clusters)
    assert found is not None
    return replace(found, is_share=False)


def two_sided_p_value(facts: MeanFacts, pairs: int | None = None) -> float:
    """Return the p-value of a mean difference, never smaller than the number of pairs (default: clusters) supports."""
    least = smallest_p_value(facts.clusters if pairs is None else pairs)
    return min(1.0, max(least, 2.0 * min(one_sided_p_values(facts))))


def _difference_of_shares(facts: MeanFacts, discordant: int, confidence: float) -> Estimate:
    """Return the interval of Agresti and Min for the difference of two shares of the same instances.

    Source: A. Agresti and Y. Min, Simple improved confidence intervals for comparing matched proportions, Statistics in
    Medicine 24 (2005): Wald's, after half an instance was added to each of the four outcomes. Student's quantile.
    """
    count = facts.count
    difference, enlarged = facts.mean * count, count + 2
    error = math.sqrt(discordant + 1 - difference**2 / enlarged) / enlarged
    centre, reach = difference / enlarged, t_quantile(0.5 + confidence / 2, count - 1) * error
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    # The centre is shrunk towards zero, so the interval of a clear difference could otherwise miss the difference itself.
    low, high = min(low, facts.mean), max(high, facts.mean)
    observed = math.sqrt(facts.variance or 0.0)
    return Estimate(facts.mean, observed, low, high, confidence, MATCHED, count, count)


def wilcoxon_p_value(differences: Numbers) -> float:
    """Return the two-sided p-value of Wilcoxon's signed rank test; 1.0 if all differences are zero.

    It is exact for up to 50 differences without ties, and otherwise a normal approximation with the correction for ties;
    differences of zero are omitted. Raises OptionalDependencyNotInstalled without scipy.
    """
    found = np.asarray(differences, dtype=float)
    found = found[found != 0]
    if not len(found):
        return 1.0
    with needs_extra("statistics"):
        from scipy.stats import wilcoxon
    sizes = np.abs(found)
    is_exact = len(found) <= 50 and len(np.unique(sizes)) == len(found)
    return float(wilcoxon(found, method="exact" if is_exact else "approx").pvalue)


def _wilcoxon_if_there(differences: np.ndarray) -> float | None:
    """Return the p-value, or None without scipy: the other tests do not need it, and reports mention the gap."""
    try:
        return wilcoxon_p_value(differences)
    except OptionalDependencyNotInstalled:
        return None


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Apply Holm's correction for multiple tests, which keeps the probability of any false alarm below the level.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
    """
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * count, 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (count - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def friedman_p_value(values: np.ndarray) -> float | None:
    """Return the p-value of Friedman's test whether any of three or more subjects differs.

    `values` has the shape (instances, subjects). The result is None for fewer than three subjects, or if all values of every
    instance are equal. Raises OptionalDependencyNotInstalled without scipy.
    """
    if values.shape[1] < 3 or (values == values[:, :1]).all():
        return None
    with needs_extra("statistics"):
        from scipy.stats import friedmanchisquare
    return float(friedmanchisquare(*values.T).pvalue)
