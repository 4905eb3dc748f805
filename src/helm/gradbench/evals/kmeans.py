"""kmeans: cost of a clustering, and the step of Newton's method on the centroids."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.derivative_check import FieldsCheck, Vector
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions, sorted_by_product
from helm.gradbench.evals.registry import ad_eval

_CHECK_STEP = 1e-4


class ClusteringCheck(FieldsCheck):
    """Gradient over second derivative. The cost is piecewise quadratic, so short differences of it are exact."""

    def expected(self, ask: Callable[[Any], Vector], value: Any) -> list[Vector]:
        (here,) = ask(value)
        result = []
        for _, move in self.moves(value):
            (above,), (below,) = ask(move(_CHECK_STEP)), ask(move(-_CHECK_STEP))
            second = above + below - 2 * here
            result.append([0.5 * (above - below) * _CHECK_STEP / second] if second else [math.nan])
        return result


@ad_eval
@dataclass(frozen=True)
class KmeansEval(RepeatedEval):
    """Sum of squared distances of n points in d dimensions to the nearest of k centroids; its gradient over the
    diagonal of its Hessian, both by the centroids.
    """  # noqa: D205 - the description in run files is this paragraph

    k: tuple[int, ...] = (10, 100, 1000)
    """Numbers of centroids."""

    n: tuple[int, ...] = (1000, 10000)
    """Numbers of points."""

    d: tuple[int, ...] = (8, 16)
    """Dimensions."""

    name = "kmeans"
    primal = "cost"
    derivative = "dir"
    least = {**RepeatedEval.least, "k": 1, "n": 1, "d": 1}
    run_doc = """Clusters of ``n`` points in ``d`` dimensions around ``k`` centroids.

    The original goes up to ``k=10+100+1000,n=1000+10000``.
    """
    run_defaults = {"k": "10+100", "n": 1000, "d": "8+16"}
    check_flags = ("-k", "3", "-n", "20", "-d", "2")
    differentiated = ("centroids",)

    def derivative_check(self) -> FieldsCheck:
        check = super().derivative_check()
        return ClusteringCheck(check.module, check.primal, check.derivative, check.value, check.fields)

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-k", type=int, nargs="+", default=cls.k, metavar="K", help="numbers of centroids")
        parser.add_argument("-n", type=int, nargs="+", default=cls.n, metavar="N", help="numbers of points")
        parser.add_argument("-d", type=int, nargs="+", default=cls.d, metavar="D", help="dimensions")
        super().add_arguments(parser)

    def evaluations(self) -> Iterator[Evaluation]:
        import numpy as np

        generator = np.random.RandomState(LEGACY_SEED)
        for k, n, d in sorted_by_product(self.k, self.n, self.d):
            points = generator.rand(n, d).tolist()
            yield from self.primal_and_derivative({"points": points, "centroids": points[-k:]}, f"k={k},n={n},d={d}")

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        return analyze_by_functions({"cost": golden_cost, "dir": golden_dir}, function, value, output, strict)


def _assignment(value: Any) -> tuple[Any, Any, Any, Any]:
    """Points, centroids, and for each point the first nearest centroid and the squared distance to it."""
    import numpy as np

    points = np.array(value["points"], dtype=np.float64)
    centroids = np.array(value["centroids"], dtype=np.float64)
    nearest = np.zeros(len(points), dtype=np.intp)
    smallest = np.full(len(points), np.inf)
    for j, centroid in enumerate(centroids):
        difference = points - centroid
        distances = np.einsum("ij,ij->i", difference, difference)
        is_nearer = distances < smallest
        nearest[is_nearer] = j
        np.minimum(smallest, distances, out=smallest)
    return points, centroids, nearest, smallest


def golden_cost(value: Any) -> float:
    """Expected output of ``cost``."""
    return float(_assignment(value)[3].sum())


def golden_dir(value: Any) -> list[list[Any]]:
    """Expected output of ``dir``, k lists of d: centroid minus the mean of its points; None for one without points."""
    import numpy as np

    points, centroids, nearest, _ = _assignment(value)
    rows: list[list[Any]] = []
    order = np.argsort(nearest, kind="stable")
    ends = np.searchsorted(nearest[order], np.arange(len(centroids) + 1))
    for j, centroid in enumerate(centroids):
        cluster = points[order[ends[j] : ends[j + 1]]]
        rows.append((centroid - cluster.mean(axis=0)).tolist() if len(cluster) else [None] * len(centroid))
    return rows
