"""Linear least squares, differentiated by the coefficients."""

from __future__ import annotations

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.llsq import Problem, prepare, primal
from helm.gradbench.tools.server import ToolFunction


def gradient(problem: Problem) -> differences.Array:
    return differences.gradient(lambda: primal(problem), problem.x)


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
