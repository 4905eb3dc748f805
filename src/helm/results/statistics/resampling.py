"""The bootstrap, which estimates the results with other instances by resampling the present ones.

Whole clusters are drawn, for all subjects together, so that dependencies are preserved. Equal seeds give equal numbers.
"""

from collections.abc import Sequence

import numpy as np

# A share of resamples then has a standard error of at most 0.005, and one of 0.025 has 0.0016.
RESAMPLES = 10_000
SEED = 0
# If there are more clusters, they are first combined at random to this many groups. That preserves the spread of the mean
# (with 1,999 degrees of freedom) and makes the time independent of the number of instances.
_MAX_CLUSTERS = 2_000
# Draws in memory at the same time: 32 MB of eight-byte numbers.
_CHUNK = 4_000_000


def bootstrap_means(totals: np.ndarray, sizes: np.ndarray, resamples: int = RESAMPLES, seed: int = SEED) -> np.ndarray:
    """Compute means over resampled clusters.

    Args:
        totals: the sum of the values of each cluster, with the shape (clusters, subjects).
        sizes: the number of values of each cluster, with the shape (clusters,).
        resamples: the number of resamples.

    Returns:
        The means, with the shape (resamples, subjects).
    """
    clusters, subjects = totals.shape
    generator = np.random.default_rng(seed)
    rows = np.column_stack([totals, sizes]).astype(float)
    distinct, multiplicity = np.unique(rows, axis=0, return_counts=True)
    result = np.empty((resamples, subjects))
    # Scores have few distinct rows (right or wrong for each subject), so drawing how often each occurs is much faster.
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
    """Return the sums of `_MAX_CLUSTERS` random groups of rows."""
    group = generator.permutation(len(rows)) % _MAX_CLUSTERS
    sums = np.zeros((_MAX_CLUSTERS, rows.shape[1]))
    np.add.at(sums, group, rows)
    return sums


def cluster_totals(values: np.ndarray, clusters: Sequence[object] | None) -> tuple[np.ndarray, np.ndarray]:
    """Return sums (clusters, subjects) and sizes (clusters,) of values (count, subjects), in order of appearance."""
    if clusters is None:
        return values.astype(float), np.ones(len(values))
    numbers: dict = {}
    index = np.fromiter((numbers.setdefault(cluster, len(numbers)) for cluster in clusters), dtype=int)
    totals = np.zeros((len(numbers), values.shape[1]))
    np.add.at(totals, index, values)
    return totals, np.bincount(index, minlength=len(numbers)).astype(float)
