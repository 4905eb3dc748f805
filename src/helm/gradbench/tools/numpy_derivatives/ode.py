"""A chain of differential equations, integrated by Runge-Kutta steps, and the gradient of its last value.

The gradient is that of the integration as it is computed, found by going back through its steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]

_END_TIME = 2.0


@dataclass(frozen=True)
class Chain:
    """``x``: shape (n,), the rates. ``steps``: at least 1."""

    x: Array
    steps: int

    @property
    def step_size(self) -> float:
        return _END_TIME / self.steps


def prepare(value: Any) -> Chain:
    """The input of a message. Raises ``ValueError`` without rates or steps."""
    x, steps = np.array(value["x"], dtype=np.float64), int(value["s"])
    if x.ndim != 1 or not x.size or steps < 1:
        raise ValueError(f"ode needs at least one rate and one step, got x of shape {x.shape} and s={steps}.")
    return Chain(x, steps)


def _slope(x: Array, y: Array) -> Array:
    """y_0' = x_0 and y_i' = x_i y_(i-1)."""
    result = np.empty_like(x)
    result[0] = x[0]
    np.multiply(x[1:], y[:-1], out=result[1:])
    return result


def _stages(x: Array, y: Array, h: float) -> tuple[Array, Array, Array, Array]:
    """The slopes of one step."""
    k1 = _slope(x, y)
    k2 = _slope(x, y + h / 2 * k1)
    k3 = _slope(x, y + h / 2 * k2)
    return k1, k2, k3, _slope(x, y + h * k3)


def _step(x: Array, y: Array, h: float) -> Array:
    k1, k2, k3, k4 = _stages(x, y, h)
    return y + h / 6 * (k1 + 2 * (k2 + k3) + k4)


def primal(chain: Chain) -> Array:
    """All values at time 2, shape (n,)."""
    y = np.zeros_like(chain.x)
    for _ in range(chain.steps):
        y = _step(chain.x, y, chain.step_size)
    return y


def gradient(chain: Chain) -> Array:
    """Derivative of the last value of ``primal`` by the rates, shape (n,)."""
    x, h = chain.x, chain.step_size
    starts = [np.zeros_like(x)]
    for _ in range(chain.steps - 1):
        starts.append(_step(x, starts[-1], h))
    result = np.zeros_like(x)
    along = np.zeros_like(x)  # derivative of the last value by the values at the end of a step
    along[-1] = 1.0

    def back(k_bar: Array, y: Array) -> Array:
        """Through one slope at y: add its part by x to the result, return its part by y."""
        result[0] += k_bar[0]
        result[1:] += k_bar[1:] * y[:-1]
        y_bar = np.empty_like(k_bar)
        np.multiply(k_bar[1:], x[1:], out=y_bar[:-1])
        y_bar[-1] = 0.0
        return y_bar

    for y in reversed(starts):
        k1, k2, k3, _ = _stages(x, y, h)
        y4_bar = back(h / 6 * along, y + h * k3)
        y3_bar = back(h / 3 * along + h * y4_bar, y + h / 2 * k2)
        y2_bar = back(h / 3 * along + h / 2 * y3_bar, y + h / 2 * k1)
        y1_bar = back(h / 6 * along + h / 2 * y2_bar, y)
        along = along + y1_bar + y2_bar + y3_bar + y4_bar
    return result


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare, finish=np.ndarray.tolist),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
