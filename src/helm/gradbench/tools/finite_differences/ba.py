"""Bundle adjustment, differentiated parameter by parameter: those of all cameras, points and weights at once.

An observation depends on one camera, one point and one weight, so moving the same component of all of them shows each
observation its own derivative.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from helm.gradbench.tools.finite_differences import differences
from helm.gradbench.tools.numpy_derivatives import ba
from helm.gradbench.tools.server import ToolFunction


def jacobian(problem: ba.Problem) -> ba.SparseMatrix:
    matrix = ba.empty_jacobian(problem)
    p = len(problem.weights)
    blocks = matrix.vals[: 30 * p].reshape(p, 2, -1)
    for i in range(11):
        blocks[:, :, i] = _column(problem, "cameras", i, problem.camera_of)
    for i in range(3):
        blocks[:, :, 11 + i] = _column(problem, "points", i, problem.point_of)
    h = _steps(problem.weights)
    (above, above_weight), (below, below_weight) = (
        ba.objective(replace(problem, weights=problem.weights + moved)) for moved in (h, -h)
    )
    blocks[:, :, 14] = (above - below) / (2 * h[:, None])
    matrix.vals[30 * p :] = (above_weight - below_weight) / (2 * h)
    return matrix


def _steps(x: differences.Array) -> differences.Array:
    return differences.RELATIVE_STEP * np.maximum(1.0, np.abs(x))


def _column(problem: ba.Problem, name: str, i: int, owners: np.ndarray) -> differences.Array:
    """Derivatives of each observation's errors by component ``i`` of its camera or point, shape (p, 2)."""
    parameters = getattr(problem, name)
    h = _steps(parameters[:, i])
    errors = []
    for sign in (1, -1):
        moved = parameters.copy()
        moved[:, i] += sign * h
        errors.append(ba.objective(replace(problem, **{name: moved}))[0])
    return (errors[0] - errors[1]) / (2 * h[owners][:, None])


FUNCTIONS = {
    "objective": ToolFunction(ba.objective, prepare=ba.prepare, finish=ba.finish_objective),
    "jacobian": ToolFunction(jacobian, prepare=ba.prepare, finish=ba.finish_jacobian),
}
