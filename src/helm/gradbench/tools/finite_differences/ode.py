"""A chain of differential equations, its last value differentiated rate by rate."""

from __future__ import annotations

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.ode import Chain, prepare, primal
from helm.gradbench.tools.server import ToolFunction


def gradient(chain: Chain) -> differences.Array:
    return differences.gradient(lambda: float(primal(chain)[-1]), chain.x)


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare, finish=np.ndarray.tolist),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
