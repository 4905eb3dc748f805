"""The bootstrap: what would have come out with other instances, by drawing the ones there are anew.

Whole clusters are drawn, all subjects together, so that what instances share stays shared. Equal seeds give equal numbers.
"""

import math
from typing import Optional, Sequence, Tuple

import numpy as np

from helm.results.statistics.distributions import normal_cdf, normal_quantile, t_cdf, t_quantile

RESAMPLES = 10_000
SEED = 0
_MAX_CLUSTERS = 2_000
"""To draw from. More are put into so many groups at random first, which leaves the spread of the mean as it is (with 1,999
degrees of freedom) and makes the time independent of the number of instances."""
_CHUNK = 4_000_000
"""Draws in memory at once."""


def bootstrap_means(totals: np.ndarray, sizes: np.ndarray, resamples: int = RESAMPLES, seed: int = SEED) -> np.ndarray:
    """Means over resampled clusters.

    Args:
        totals: shape (clusters, subjects): the sum of the values of each cluster.
        sizes: shape (clusters,): how many values each cluster has.
        resamples: how often to draw.
    Returns: shape (resamples, subjects).
    """
    clusters, subjects = totals.shape
    generator = np.random.default_rng(seed)
    rows = np.column_stack([totals, sizes]).astype(float)
    distinct, multiplicity = np.unique(rows, axis=0, return_counts=True)
    result = np.empty((resamples, subjects))
    # Scores take few values (right and wrong, of each subject), so drawing how often each comes up is much faster.
    draws_counts = len(distinct) * 4 <= clusters
    if not draws_counts and clusters > _MAX_CLUSTERS:
        rows = _gather_at_random(rows, generator)
        clusters = len(rows)
    width = len(distinct) if draws_counts else clusters
    step = max(1, _CHUNK // width)
    for start in range(0, resamples, step):
        number = min(step, resamples - start)
        if draws_counts:
            times = generator.multinomial(clusters, multiplicity / clusters, size=number)
            sums = times @ distinct
        else:
            sums = rows[generator.integers(0, clusters, size=(number, clusters))].sum(axis=1)
        result[start : start + number] = sums[:, :subjects] / sums[:, subjects:]
    return result


def _gather_at_random(rows: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """The sums of `_MAX_CLUSTERS` groups of rows."""
    group = generator.permutation(len(rows)) % _MAX_CLUSTERS
    sums = np.zeros((_MAX_CLUSTERS, rows.shape[1]))
    np.add.at(sums, group, rows)
    return sums


def percentile_interval(replicates: np.ndarray, clusters: int, confidence: float) -> Tuple[float, float]:
    """The expanded percentile interval: percentiles moved outwards so that few clusters are covered as often as many.

    Source: T. C. Hesterberg, What teachers should know about the bootstrap, The American Statistician 69 (2015).
    """
    reach = math.sqrt(clusters / (clusters - 1)) * t_quantile(0.5 + confidence / 2, clusters - 1)
    tail = normal_cdf(-reach)
    low, high = np.quantile(replicates, [tail, 1.0 - tail])
    return float(low), float(high)


def bootstrap_p_value(replicates: np.ndarray, clusters: int, null: float = 0.0) -> float:
    """The two-sided p-value that belongs to `percentile_interval`: below 1 - confidence where that leaves `null` out.

    Never below 2 / (resamples + 1), because more extreme values may just not have been drawn.
    """
    low, high = one_sided_p_values(replicates, clusters, null)
    return min(1.0, 2.0 * min(low, high))


def one_sided_p_values(replicates: np.ndarray, clusters: int, null: float) -> Tuple[float, float]:
    """P-values against "at most `null`" (small when the number is greater) and against "at least `null`"."""
    count = len(replicates)
    below = (np.count_nonzero(replicates < null) + 0.5 * np.count_nonzero(replicates == null)) / count
    place = min(max(below, 1.0 / (count + 1)), count / (count + 1))
    t = normal_quantile(place) / math.sqrt(clusters / (clusters - 1))
    return t_cdf(t, clusters - 1), t_cdf(-t, clusters - 1)


def cluster_totals(values: np.ndarray, clusters: Optional[Sequence[object]]) -> Tuple[np.ndarray, np.ndarray]:
    """Sums (clusters, subjects) and sizes (clusters,) of values (count, subjects), clusters in order of appearance."""
    if clusters is None:
        return values.astype(float), np.ones(len(values))
    numbers: dict = {}
    index = np.fromiter((numbers.setdefault(cluster, len(numbers)) for cluster in clusters), dtype=int)
    totals = np.zeros((len(numbers), values.shape[1]))
    np.add.at(totals, index, values)
    return totals, np.bincount(index, minlength=len(numbers)).astype(float)
