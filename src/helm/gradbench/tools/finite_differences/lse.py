"""Log of a sum of exponentials, differentiated number by number."""

from __future__ import annotations

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.lse import prepare, primal
from helm.gradbench.tools.server import ToolFunction


def gradient(x: differences.Array) -> differences.Array:
    return differences.gradient(lambda: primal(x), x)


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
