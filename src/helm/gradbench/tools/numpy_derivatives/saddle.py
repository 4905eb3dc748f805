"""A saddle point of F(x, y) = |x|^2 - |y|^2 by minimising over x the maximum over y.

The maximum is found anew for every x. Its gradient by x is dF/dx + dF/dy dy/dx at the y that was found. Each step of
the inner descent moves y by a multiple of dF/dy = -2 y, which does not depend on x, and so neither does the result:
dy/dx = 0 whether it is carried along or found by going back. By hand, all modes are one.
"""

from __future__ import annotations

from typing import Any

from helm.gradbench.tools.numpy_derivatives.descent import Point, maximize, minimize
from helm.gradbench.tools.server import ToolFunction


def function(x: Point, y: Point) -> float:
    return x[0] * x[0] + x[1] * x[1] - (y[0] * y[0] + y[1] * y[1])


def gradient_x(x: Point, y: Point) -> Point:
    return [2 * x[0], 2 * x[1]]


def gradient_y(x: Point, y: Point) -> Point:
    return [-2 * y[0], -2 * y[1]]


def prepare(value: Any) -> Point:
    """The start of a message. Raises ``ValueError`` unless it is a point of the plane."""
    start = [float(number) for number in value["start"]]
    if len(start) != 2:
        raise ValueError(f"saddle needs a start of 2 numbers, got {len(start)}.")
    return start


def saddle_point(start: Point) -> list[float]:
    """x, then y of the saddle point, both searched for from ``start``; 4 numbers."""

    def best_y(x: Point) -> Point:
        return maximize(lambda y: function(x, y), lambda y: gradient_y(x, y), start)

    x = minimize(lambda x: function(x, best_y(x)), lambda x: gradient_x(x, best_y(x)), start)
    return [*x, *best_y(x)]


FUNCTIONS = {mode: ToolFunction(saddle_point, prepare=prepare) for mode in ("rr", "ff", "fr", "rf")}
