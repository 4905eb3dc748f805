"""A saddle point by minimising a maximum, both by differences."""

from __future__ import annotations

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.descent import Point, maximize, minimize
from helm.gradbench.tools.numpy_derivatives.saddle import function, prepare
from helm.gradbench.tools.server import ToolFunction


def saddle_point(start: Point) -> list[float]:
    """x, then y of the saddle point, both searched for from ``start``; 4 numbers."""

    def best_y(x: Point) -> Point:
        return maximize(lambda y: function(x, y), differences.gradient_function(lambda y: function(x, y)), start)

    def maximum(x: Point) -> float:
        return function(x, best_y(x))

    x = minimize(maximum, differences.gradient_function(maximum), start)
    return [*x, *best_y(x)]


FUNCTIONS = {mode: ToolFunction(saddle_point, prepare=prepare) for mode in ("rr", "ff", "fr", "rf")}
