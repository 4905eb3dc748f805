"""Determinant by expansion, differentiated entry by entry."""

from __future__ import annotations

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives.det import prepare, primal, to_list
from helm.gradbench.tools.server import ToolFunction


def gradient(matrix: differences.Array) -> differences.Array:
    return differences.gradient(lambda: primal(matrix), matrix)


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=to_list),
}
