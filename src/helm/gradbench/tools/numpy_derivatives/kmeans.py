"""Cost of a clustering, and its gradient over the diagonal of its Hessian, both by the centroids.

The cost of a centroid c with N points p is the sum of |p - c|^2. Its gradient is 2 (N c - sum of p), its Hessian 2 N
times the identity, so the quotient is the centroid minus the mean of its points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

# Distances handled at once stay in the processor's cache.
_BLOCK_DISTANCES = 65536


@dataclass(frozen=True)
class Clustering:
    """``points``: shape (n, d). ``centroids``: shape (k, d)."""

    points: Array
    centroids: Array


def prepare(value: Any) -> Clustering:
    """The input of a message. Raises ``ValueError`` unless points and centroids have one number of dimensions."""
    points = np.array(value["points"], dtype=np.float64)
    centroids = np.array(value["centroids"], dtype=np.float64)
    if points.ndim != 2 or centroids.ndim != 2 or points.shape[1] != centroids.shape[1]:
        raise ValueError(
            f"kmeans needs points and centroids of the same dimension, got {points.shape} and {centroids.shape}."
        )
    return Clustering(points, centroids)


def _nearest(clustering: Clustering) -> Iterator[tuple[Array, Indices]]:
    """Blocks of points and, for each point, its nearest centroid; the first of equally near ones.

    |p - c|^2 is smallest where p.c - |c|^2 / 2 is largest, which is one matrix product. Relative to the mean point:
    far from the origin the two terms would cancel.
    """
    points, centroids = clustering.points, clustering.centroids
    centre = points.mean(axis=0)
    shifted = centroids - centre
    halves = 0.5 * np.einsum("kd,kd->k", shifted, shifted)
    transposed = np.ascontiguousarray(shifted.T)
    rows = max(1, _BLOCK_DISTANCES // len(centroids))
    scores = np.empty((min(rows, len(points)), len(centroids)))
    for start in range(0, len(points), rows):
        block = points[start : start + rows]
        nearness = np.matmul(block - centre, transposed, out=scores[: len(block)])
        nearness -= halves
        yield block, nearness.argmax(axis=1)


def cost(clustering: Clustering) -> float:
    """Sum of the squared distances to the nearest centroids."""
    total = 0.0
    for block, nearest in _nearest(clustering):
        difference = (block - clustering.centroids[nearest]).reshape(-1)
        total += float(difference @ difference)
    return total


def direction(clustering: Clustering) -> Array:
    """Gradient of ``cost`` over the diagonal of its Hessian, shape (k, d); NaN for a centroid without points."""
    k, d = clustering.centroids.shape
    counts, sums = np.zeros(k), np.zeros((k, d))
    columns = np.arange(d)
    for block, nearest in _nearest(clustering):
        counts += np.bincount(nearest, minlength=k)
        # Sums of differences, not of points: no cancellation where the clusters are far from the origin.
        difference = clustering.centroids[nearest] - block
        places = (nearest[:, None] * d + columns).reshape(-1)
        sums += np.bincount(places, weights=difference.reshape(-1), minlength=k * d).reshape(k, d)
    with np.errstate(invalid="ignore"):
        return sums / counts[:, None]


def to_lists(directions: Array) -> list[list[float | None]]:
    """0/0 of a centroid without points becomes null, as in the answers of the C++ tools."""
    return [[None if number != number else number for number in row] for row in directions.tolist()]


FUNCTIONS = {
    "cost": ToolFunction(cost, prepare=prepare),
    "dir": ToolFunction(direction, prepare=prepare, finish=to_lists),
}
