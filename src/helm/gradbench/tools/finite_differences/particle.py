"""Steering a charged particle: gradient descent on where it lands, by differences of the landing point."""

from __future__ import annotations

from helm.gradbench.tools.finite_differences.differences import derivative
from helm.gradbench.tools.numpy_derivatives.descent import minimize
from helm.gradbench.tools.numpy_derivatives.particle import landing, prepare
from helm.gradbench.tools.server import ToolFunction


def steer(w: float) -> float:
    return minimize(lambda p: landing(p[0]), lambda p: [derivative(landing, p[0])], [w])[0]


FUNCTIONS = {mode: ToolFunction(steer, prepare=prepare) for mode in ("rr", "ff", "fr", "rf")}
