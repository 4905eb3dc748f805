"""Cost of a clustering: gradient and diagonal of the Hessian by the centroids, number by number."""

from __future__ import annotations

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.kmeans import Clustering, cost, prepare, to_lists
from helm.gradbench.tools.server import ToolFunction


def direction(clustering: Clustering) -> differences.Array:
    """Gradient over the diagonal of the Hessian, shape (k, d); NaN where both are zero."""
    gradient = differences.gradient(lambda: cost(clustering), clustering.centroids)
    hessian = differences.second_derivatives(lambda: cost(clustering), clustering.centroids)
    with np.errstate(invalid="ignore", divide="ignore"):
        return gradient / hessian


FUNCTIONS = {
    "cost": ToolFunction(cost, prepare=prepare),
    "dir": ToolFunction(direction, prepare=prepare, finish=to_lists),
}
