"""An LSTM, its loss differentiated parameter by parameter."""

from __future__ import annotations

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.lstm import Network, objective, prepare
from helm.gradbench.tools.server import ToolFunction


def jacobian(network: Network) -> differences.Array:
    parameters = (network.main, network.extra)
    return np.concatenate([differences.gradient(lambda: objective(network), p).reshape(-1) for p in parameters])


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=np.ndarray.tolist),
}
