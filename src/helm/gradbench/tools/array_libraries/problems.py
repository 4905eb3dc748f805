"""Which function of array operations belongs to which eval."""

from __future__ import annotations

from collections.abc import Mapping

from helm.gradbench.tools.array_libraries.expansion import Determinant
from helm.gradbench.tools.array_libraries.geometry import BundleAdjustment, HandTracking
from helm.gradbench.tools.array_libraries.optimization import Particle, Saddle
from helm.gradbench.tools.array_libraries.primals import (
    Chain,
    Clustering,
    Hello,
    LeastSquares,
    LogSumExp,
    Mixture,
    Problem,
)
from helm.gradbench.tools.array_libraries.sequences import Prediction

PROBLEMS: Mapping[str, type[Problem]] = {
    "ba": BundleAdjustment,
    "det": Determinant,
    "gmm": Mixture,
    "hello": Hello,
    "ht": HandTracking,
    "kmeans": Clustering,
    "llsq": LeastSquares,
    "lse": LogSumExp,
    "lstm": Prediction,
    "ode": Chain,
    "particle": Particle,
    "saddle": Saddle,
}
