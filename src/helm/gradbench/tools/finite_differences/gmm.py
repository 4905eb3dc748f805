"""Gaussian mixture model, differentiated by all its parameters, one after the other."""

from __future__ import annotations

from typing import Any

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.gmm import Mixture, objective, prepare
from helm.gradbench.tools.server import ToolFunction

_PARAMETERS = ("alpha", "mu", "q", "l")


def jacobian(mixture: Mixture) -> dict[str, differences.Array]:
    return {name: differences.gradient(lambda: objective(mixture), getattr(mixture, name)) for name in _PARAMETERS}


def _to_lists(gradient: dict[str, differences.Array]) -> dict[str, Any]:
    return {name: array.tolist() for name, array in gradient.items()}


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=_to_lists),
}
