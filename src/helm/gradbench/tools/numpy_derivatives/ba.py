"""Bundle adjustment: errors of points seen by cameras, and their sparse Jacobian.

Rotations and their derivatives are worked out once per camera, all else for each observation. With R(r) the matrix of
a rotation vector r, Y = X - C the point relative to the camera and Z = R Y, everything follows from the derivative of
the two errors by Z: by X it is times R, by C minus that, by r_j times (dR/dr_j) Y.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]

_CAMERA_SIZE = 11
_ROW = _CAMERA_SIZE + 4
_NUM_KEPT = 30
# Observations handled at once: their intermediate arrays then stay in the processor's cache.
_BLOCK = 2048


@dataclass(frozen=True)
class Problem:
    """n cameras, m points and p observations, of which number i is of point i mod m by camera i mod n."""

    cameras: Array
    """Shape (n, 11): rotation vector, centre, focal length, principal point, radial parameters."""

    points: Array
    """Shape (m, 3)."""

    weights: Array
    """Shape (p,)."""

    features: Array
    """Shape (p, 2)."""

    camera_of: NDArray[np.int32]
    """Shape (p,)."""

    point_of: NDArray[np.int32]
    """Shape (p,)."""


@dataclass(frozen=True)
class SparseMatrix:
    """Compressed rows: row i holds the entries ``rows[i]`` to ``rows[i + 1]`` of ``cols`` and ``vals``."""

    rows: NDArray[np.int64]
    cols: NDArray[np.int32]
    vals: Array


def prepare(value: Any) -> Problem:
    """The input of a message, its one camera, point, weight and feature repeated.

    Raises: ValueError when one of them has another length, or nothing is observed.
    """
    n, m, p = int(value["n"]), int(value["m"]), int(value["p"])
    lengths = tuple(len(value[name]) for name in ("cam", "x", "feat"))
    if lengths != (_CAMERA_SIZE, 3, 2) or min(n, m, p) < 1:
        raise ValueError(
            f"ba needs cam, x and feat of 11, 3 and 2 numbers and positive n, m and p, got {lengths} and {(n, m, p)}."
        )
    return Problem(
        cameras=np.tile(np.array(value["cam"], dtype=np.float64), (n, 1)),
        points=np.tile(np.array(value["x"], dtype=np.float64), (m, 1)),
        weights=np.full(p, float(value["w"])),
        features=np.tile(np.array(value["feat"], dtype=np.float64), (p, 1)),
        camera_of=np.arange(p, dtype=np.int32) % np.int32(n),
        point_of=np.arange(p, dtype=np.int32) % np.int32(m),
    )


def _cross_matrices(v: Array) -> Array:
    """The matrices of v x, shape (..., 3, 3), of vectors of shape (..., 3)."""
    result = np.zeros((*v.shape, 3))
    result[..., 0, 1], result[..., 0, 2], result[..., 1, 2] = -v[..., 2], v[..., 1], -v[..., 0]
    return result - np.swapaxes(result, -1, -2)


def _rotations(r: Array) -> Array:
    """R of each rotation vector, shape (n, 3, 3): I + sin(t) K + (1 - cos(t)) K^2, with K of the unit axis."""
    angle = np.sqrt(np.einsum("ni,ni->n", r, r))
    axis = np.divide(r, angle[:, None], out=np.zeros_like(r), where=angle[:, None] > 0)
    k = _cross_matrices(axis)
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.eye(3) + sine * k + (1 - cosine) * (k @ k)


def _rotation_derivatives(r: Array) -> Array:
    """dR/dr_j of each rotation vector, shape (n, 3, 3, 3) with j second; those of I + K(r) where r is zero."""
    angle = np.sqrt(np.einsum("ni,ni->n", r, r))
    is_zero = angle == 0
    safe = np.where(is_zero, 1.0, angle)[:, None, None, None]
    axis = r / safe[:, :, 0, 0]
    k = _cross_matrices(axis)[:, None]
    sine, cosine = np.sin(angle)[:, None, None, None], np.cos(angle)[:, None, None, None]
    # The axis turns with r_j by (e_j - a_j a) / t, the angle by a_j.
    turned = _cross_matrices(np.eye(3) - axis[:, :, None] * axis[:, None, :]) / safe
    along = axis[:, :, None, None]
    result = along * (cosine * k + sine * (k @ k)) + sine * turned + (1 - cosine) * (turned @ k + k @ turned)
    result[is_zero] = _cross_matrices(np.eye(3))
    return result


def _blocks(problem: Problem) -> list[slice]:
    p = len(problem.weights)
    return [slice(start, min(start + _BLOCK, p)) for start in range(0, p, _BLOCK)]


def objective(problem: Problem) -> tuple[Array, Array]:
    """Reprojection errors, shape (p, 2), and weight errors, shape (p,)."""
    rotations = _rotations(problem.cameras[:, :3])
    errors = np.empty_like(problem.features)
    for block in _blocks(problem):
        camera_of = problem.camera_of[block]
        cameras = problem.cameras[camera_of]
        y = problem.points[problem.point_of[block]] - cameras[:, 3:6]
        z = np.matmul(rotations[camera_of], y[:, :, None])[:, :, 0]
        v = z[:, :2] / z[:, 2:]
        s = v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1]
        factor = 1 + s * (cameras[:, 9] + s * cameras[:, 10])
        out = np.multiply(v, (cameras[:, 6] * factor)[:, None], out=errors[block])
        out += cameras[:, 7:9]
        out -= problem.features[block]
        out *= problem.weights[block][:, None]
    return errors, 1 - problem.weights**2


def empty_jacobian(problem: Problem) -> SparseMatrix:
    """The pattern of the Jacobian: two rows of 15 for each observation, then a row of one for each."""
    n, m, p = len(problem.cameras), len(problem.points), len(problem.weights)
    columns = np.empty(31 * p, dtype=np.int32)
    places = columns[: 30 * p].reshape(p, 2, _ROW)
    places[:, :, :_CAMERA_SIZE] = (_CAMERA_SIZE * problem.camera_of)[:, None, None]
    places[:, :, :_CAMERA_SIZE] += np.arange(_CAMERA_SIZE, dtype=np.int32)
    places[:, :, _CAMERA_SIZE:-1] = (_CAMERA_SIZE * n + 3 * problem.point_of)[:, None, None]
    places[:, :, _CAMERA_SIZE:-1] += np.arange(3, dtype=np.int32)
    first_weight = _CAMERA_SIZE * n + 3 * m
    columns[30 * p :] = np.arange(first_weight, first_weight + p, dtype=np.int32)
    places[:, :, -1] = columns[30 * p :, None]
    rows = np.concatenate([np.arange(0, 30 * p + 1, _ROW), np.arange(30 * p + 1, 31 * p + 1)])
    return SparseMatrix(rows, columns, np.empty(31 * p))


def jacobian(problem: Problem) -> SparseMatrix:
    """Of all errors by cameras, points and weights, in this order of columns."""
    n, p = len(problem.cameras), len(problem.weights)
    matrix = empty_jacobian(problem)
    values = matrix.vals[: 30 * p].reshape(p, 2, _ROW)
    r = problem.cameras[:, :3]
    # Of each camera: R and the three dR/dr_j, one below the other, so that one product gives all of Z and dZ/dr_j.
    stacked = np.concatenate([_rotations(r)[:, None], _rotation_derivatives(r)], axis=1).reshape(n, 12, 3)
    for block in _blocks(problem):
        _fill(problem, block, stacked, values[block])
    np.multiply(problem.weights, -2.0, out=matrix.vals[30 * p :])
    return matrix


def _fill(problem: Problem, block: slice, stacked: Array, out: Array) -> None:
    """Derivatives of the errors of a block of observations, shape (observations, 2, 15)."""
    camera_of, w = problem.camera_of[block], problem.weights[block]
    cameras, matrices = problem.cameras[camera_of], stacked[camera_of]
    focal = cameras[:, 6]
    y = problem.points[problem.point_of[block]] - cameras[:, 3:6]
    turned = np.matmul(matrices, y[:, :, None]).reshape(-1, 4, 3)  # Z and dZ/dr_j
    z = turned[:, 0]
    v = z[:, :2] / z[:, 2:]
    s = v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1]
    factor = 1 + s * (cameras[:, 9] + s * cameras[:, 10])
    growth = 2 * (cameras[:, 9] + 2 * s * cameras[:, 10])  # of the factor along v: d factor = growth * v.dv
    # Weighted derivative by v, a symmetric 2 x 2 matrix, then by Z: v = (Z0, Z1) / Z2.
    scale = w * focal / z[:, 2]
    by_z = np.empty((len(w), 2, 3))
    by_z[:, 0, 0] = scale * (factor + growth * v[:, 0] * v[:, 0])
    by_z[:, 1, 1] = scale * (factor + growth * v[:, 1] * v[:, 1])
    by_z[:, 0, 1] = by_z[:, 1, 0] = scale * (growth * v[:, 0] * v[:, 1])
    by_z[:, :, 2] = -(by_z[:, :, 0] * v[:, :1] + by_z[:, :, 1] * v[:, 1:])
    np.matmul(by_z, turned[:, 1:].transpose(0, 2, 1), out=out[:, :, 0:3])
    np.matmul(by_z, matrices[:, :3], out=out[:, :, 11:14])
    np.negative(out[:, :, 11:14], out=out[:, :, 3:6])
    weighted = w[:, None] * v
    out[:, :, 6] = factor[:, None] * weighted
    out[:, 0, 7] = out[:, 1, 8] = w
    out[:, 0, 8] = out[:, 1, 7] = 0.0
    radial = (focal * s)[:, None] * weighted
    out[:, :, 9] = radial
    out[:, :, 10] = s[:, None] * radial
    out[:, :, 14] = (focal * factor)[:, None] * v + cameras[:, 7:9] - problem.features[block]


def finish_objective(errors: tuple[Array, Array]) -> dict[str, Any]:
    """The first observation's errors, and how many there are."""
    reprojection, weight = errors
    return {
        "reproj_error": {"elements": reprojection[0].tolist(), "repeated": len(reprojection)},
        "w_err": {"element": float(weight[0]), "repeated": len(weight)},
    }


def finish_jacobian(matrix: SparseMatrix) -> dict[str, Any]:
    """The first 30 entries and the last of each list; the whole would be gigabytes of text."""
    lists: dict[str, NDArray[Any]] = {"rows": matrix.rows, "cols": matrix.cols, "vals": matrix.vals}
    return {name: [*array[:_NUM_KEPT].tolist(), array[-1].item()] for name, array in lists.items()}


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare, finish=finish_objective),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=finish_jacobian),
}
