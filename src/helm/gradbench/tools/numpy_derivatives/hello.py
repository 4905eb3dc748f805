"""The square of a number and its derivative."""

from __future__ import annotations

from helm.gradbench.tools.server import ToolFunction


def square(x: float) -> float:
    return x * x


def double(x: float) -> float:
    """Derivative of ``square``."""
    return 2.0 * x


FUNCTIONS = {
    "square": ToolFunction(square, prepare=float, is_repeated=False),
    "double": ToolFunction(double, prepare=float, is_repeated=False),
}
