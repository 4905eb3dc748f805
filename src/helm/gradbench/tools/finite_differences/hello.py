"""The square of a number and its derivative."""

from __future__ import annotations

from helm.gradbench.tools.finite_differences.differences import derivative
from helm.gradbench.tools.numpy_derivatives.hello import square
from helm.gradbench.tools.server import ToolFunction


def double(x: float) -> float:
    return derivative(square, x)


FUNCTIONS = {
    "square": ToolFunction(square, prepare=float, is_repeated=False),
    "double": ToolFunction(double, prepare=float, is_repeated=False),
}
