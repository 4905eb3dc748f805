"""The bootstrap: what would have come out with other instances, by drawing the ones there are anew.

Whole clusters are drawn, all subjects together, so that what instances share stays shared. Equal seeds give equal numbers.
"""

from collections.abc import Sequence

import numpy as np

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


def cluster_totals(values: np.ndarray, clusters: Sequence[object] | None) -> tuple[np.ndarray, np.ndarray]:
    """Sums (clusters, subjects) and sizes (clusters,) of values (count, subjects), clusters in order of appearance."""
    if clusters is None:
        return values.astype(float), np.ones(len(values))
    numbers: dict = {}
    index = np.fromiter((numbers.setdefault(cluster, len(numbers)) for cluster in clusters), dtype=int)
    totals = np.zeros((len(numbers), values.shape[1]))
    np.add.at(totals, index, values)
    return totals, np.bincount(index, minlength=len(numbers)).astype(float)
