"""Two subjects on the same instances: which one is better, by how much, and how sure that is."""

import math
from dataclasses import dataclass
from typing import List, Optional, Sequence, Union

import numpy as np

from helm.common.optional_dependencies import OptionalDependencyNotInstalled, handle_module_not_found_error
from helm.results.statistics.distributions import binomial_mid_p, binomial_two_sided, normal_quantile
from helm.results.statistics.intervals import BOOTSTRAP, CONFIDENCE, Estimate
from helm.results.statistics.resampling import (
    RESAMPLES,
    SEED,
    bootstrap_means,
    bootstrap_p_value,
    cluster_totals,
    one_sided_p_values,
    percentile_interval,
)

Numbers = Union[Sequence[float], np.ndarray]

POWER = 0.8
"""With which the minimum detectable effect would be found."""

MCNEMAR = "McNemar, mid-p"
PAIRED_BOOTSTRAP = "paired bootstrap"
IDENTICAL = "identical values"
ONE_PAIR = "none: a single instance"


@dataclass(frozen=True)
class PairedComparison:
    """The first subject against the second, instance by instance. Differences are first minus second."""

    difference: Estimate
    """Of the means, with a bootstrap interval over clusters. On ratio scales the mean log ratio: see `is_ratio`."""

    wins: int
    """Instances on which the first has the better value; equal values are ties."""

    ties: int

    losses: int

    p_value: float
    """Two-sided, by `test`."""

    test: str
    """What `p_value` comes from: McNemar's test (mid-p) for values 0 and 1 of single instances, else the paired bootstrap;
    `identical values` when there is nothing to test, and a text that says so for a single instance."""

    bootstrap_p: Optional[float]

    mcnemar_p: Optional[float] = None
    """McNemar's exact test, which rejects too rarely. None unless all values are 0 and 1 and no instances share a source."""

    wilcoxon_p: Optional[float] = None
    """Wilcoxon's signed rank test over clusters; None without scipy or with no difference."""

    effect_size: Optional[float] = None
    """Cohen's d for pairs: mean over standard deviation of the differences of clusters. None without variation."""

    minimum_detectable: Optional[float] = None
    """The true difference that would be found, at this confidence, with a probability of 80 %."""

    is_ratio: bool = False
    """`difference` and `minimum_detectable` are of logarithms: exp of them are ratios."""

    is_worse_than_margin_p: Optional[float] = None
    """One-sided p-value against "the first is worse by no more than the margin": small when it is shown to be worse."""

    is_within_margin_p: Optional[float] = None
    """One-sided p-value against "the first is worse by more than the margin": small when it is shown not to be."""


def compare_paired(
    first: Numbers,
    second: Numbers,
    clusters: Optional[Sequence[object]] = None,
    lower_is_better: bool = False,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    is_ratio: bool = False,
    margin: Optional[float] = None,
) -> PairedComparison:
    """Compare values of equal length, one pair for each instance.

    Args:
        clusters: the source of each pair; None: each pair is its own.
        lower_is_better: which way the values count; affects `wins`, `losses` and the margin, not the sign of `difference`.
        is_ratio: compare logarithms; the values must be positive.
        margin: how much worse the first may be, >= 0 (a difference; with `is_ratio` a share: 0.02 means 2 %).
    Raises: ValueError for arrays of different length, without pairs, or not positive where they must be.
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
    totals, sizes = cluster_totals(differences[:, None], clusters)
    number, mean = len(totals), float(differences.mean())
    is_binary = bool(np.isin(a, (0, 1)).all() and np.isin(b, (0, 1)).all())
    mcnemar = binomial_two_sided(wins, wins + losses) if is_binary and number == len(a) else None
    if number < 2:
        alone = Estimate(mean, confidence=confidence, count=len(a), clusters=number)
        return PairedComparison(alone, wins, ties, losses, 1.0, IDENTICAL if ties == len(a) else ONE_PAIR, None,
                                is_ratio=is_ratio)  # fmt: skip
    error = math.sqrt(float(((totals[:, 0] - mean * sizes) ** 2).sum()) * number / (number - 1)) / len(a)
    if ties == len(a):
        nothing = Estimate(mean, 0.0, mean, mean, confidence, BOOTSTRAP, len(a), number)
        worse, within = (None, None) if margin is None else (1.0, 0.0 if margin > 0 else 1.0)
        return PairedComparison(nothing, 0, ties, 0, 1.0, IDENTICAL, 1.0, mcnemar, None, None, None, is_ratio,
                                worse, within)  # fmt: skip
    replicates = bootstrap_means(totals, sizes, resamples, seed)[:, 0]
    low, high = percentile_interval(replicates, number, confidence)
    bootstrap_p = bootstrap_p_value(replicates, number)
    worse = within = None
    if margin is not None:
        limit = -math.log1p(margin) if is_ratio else -margin
        within, worse = one_sided_p_values(sign * replicates, number, limit)
    of_clusters = totals[:, 0] / sizes
    deviation = float(of_clusters.std(ddof=1))
    return PairedComparison(
        difference=Estimate(mean, error, low, high, confidence, BOOTSTRAP, len(a), number),
        wins=wins,
        ties=ties,
        losses=losses,
        p_value=bootstrap_p if mcnemar is None else binomial_mid_p(wins, wins + losses),
        test=PAIRED_BOOTSTRAP if mcnemar is None else MCNEMAR,
        bootstrap_p=bootstrap_p,
        mcnemar_p=mcnemar,
        wilcoxon_p=_wilcoxon_if_there(of_clusters),
        effect_size=float(of_clusters.mean()) / deviation if deviation > 0 else None,
        minimum_detectable=(normal_quantile(0.5 + confidence / 2) + normal_quantile(POWER)) * error or None,
        is_ratio=is_ratio,
        is_worse_than_margin_p=worse,
        is_within_margin_p=within,
    )


def wilcoxon_p_value(differences: Numbers) -> float:
    """Wilcoxon's signed rank test, two-sided; 1.0 when all differences are zero.

    Exact for up to 50 differences without ties, else the normal approximation with the correction for ties; differences
    of zero are left out. Raises: OptionalDependencyNotInstalled without scipy.
    """
    found = np.asarray(differences, dtype=float)
    found = found[found != 0]
    if not len(found):
        return 1.0
    try:
        from scipy.stats import wilcoxon
    except ModuleNotFoundError as e:
        handle_module_not_found_error(e, suggestions=["statistics"])
    sizes = np.abs(found)
    is_exact = len(found) <= 50 and len(np.unique(sizes)) == len(found)
    return float(wilcoxon(found, method="exact" if is_exact else "approx").pvalue)


def _wilcoxon_if_there(differences: np.ndarray) -> Optional[float]:
    """The other tests need no further package, so a missing one leaves a gap; reports say so."""
    try:
        return wilcoxon_p_value(differences)
    except OptionalDependencyNotInstalled:
        return None


def adjust_p_values(p_values: Sequence[float]) -> List[float]:
    """Holm's correction for several tests: the chance of one false alarm among all stays below the level.

    Source: S. Holm, A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6 (1979).
    """
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * count, 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, (count - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def friedman_p_value(values: np.ndarray) -> Optional[float]:
    """Friedman's test: whether any of three or more subjects differs. Values: shape (instances, subjects).

    None for fewer than three subjects, or when all values of every instance are equal.
    Raises: OptionalDependencyNotInstalled without scipy.
    """
    if values.shape[1] < 3 or (values == values[:, :1]).all():
        return None
    try:
        from scipy.stats import friedmanchisquare
    except ModuleNotFoundError as e:
        handle_module_not_found_error(e, suggestions=["statistics"])
    return float(friedmanchisquare(*values.T).pvalue)
