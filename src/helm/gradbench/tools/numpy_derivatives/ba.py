"""Bundle adjustment: errors of points seen by cameras, and their sparse Jacobian.

With R the rotation of a camera, Y = X - C the point relative to its centre and Z = R Y, everything follows from the
derivative D of the two errors by Z: by X it is D R, by C minus that. A rotation vector r turns Y by
dZ/dr = -R [Y]x J, where J is the right Jacobian of the rotation, so by r it is -(D R) [Y]x J: the cross product of a
row of D R with Y, times J. R and J are worked out once per camera, all else for each observation, with the
observations along the last axis of all arrays.
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
_BLOCK = 4096


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
    """The matrices of v x, shape (n, 3, 3), of vectors of shape (n, 3)."""
    result = np.zeros((*v.shape, 3))
    result[:, 0, 1], result[:, 0, 2], result[:, 1, 2] = -v[:, 2], v[:, 1], -v[:, 0]
    return result - result.transpose(0, 2, 1)


def _camera_table(cameras: Array) -> Array:
    """The rows for each camera are R (9), J (9), centre (3), focal length, principal point (2), radial parameters (2); (26, n).

    With K the cross matrix of r and t its length, R = I + sin(t)/t K + (1 - cos(t))/t^2 K^2 and
    J = I - (1 - cos(t))/t^2 K + (t - sin(t))/t^3 K^2; both are I where r is zero.
    """
    n = len(cameras)
    r = cameras[:, :3]
    angle = np.sqrt(np.einsum("ni,ni->n", r, r))
    safe = np.where(angle == 0, 1.0, angle)
    first, second, third = np.sin(safe) / safe, 2 * (np.sin(safe / 2) / safe) ** 2, (safe - np.sin(safe)) / safe**3
    k = _cross_matrices(r)
    squared = k @ k
    rotations = np.eye(3) + first[:, None, None] * k + second[:, None, None] * squared
    jacobians = np.eye(3) - second[:, None, None] * k + third[:, None, None] * squared
    table = np.concatenate([rotations.reshape(n, 9), jacobians.reshape(n, 9), cameras[:, 3:]], axis=1)
    return np.ascontiguousarray(table.T)


@dataclass(frozen=True)
class _Views:
    """Intermediate values of a block of B observations that errors and derivatives share."""

    camera: Array
    """Shape (26, B), columns of the camera table."""

    y: Array
    """Shape (3, B)."""

    depth: Array
    """Shape (B,), Z_2."""

    v: Array
    """Shape (2, B), (Z_0, Z_1) / Z_2."""

    s: Array
    """Shape (B,), |v|^2."""

    factor: Array
    """Shape (B,), of the radial distortion."""


def _view(problem: Problem, block: slice, table: Array, points: Array) -> _Views:
    camera = np.take(table, problem.camera_of[block], axis=1)
    y = np.take(points, problem.point_of[block], axis=1)
    y -= camera[18:21]
    products = camera[:9].reshape(3, 3, -1) * y
    z = products[:, 0] + products[:, 1]
    z += products[:, 2]
    v = z[:2] / z[2]
    s = v[0] * v[0] + v[1] * v[1]
    return _Views(camera, y, z[2], v, s, 1 + s * (camera[24] + s * camera[25]))


def _blocks(problem: Problem) -> list[slice]:
    p = len(problem.weights)
    return [slice(start, min(start + _BLOCK, p)) for start in range(0, p, _BLOCK)]


def objective(problem: Problem) -> tuple[Array, Array]:
    """Reprojection errors, shape (p, 2), and weight errors, shape (p,)."""
    table, points = _camera_table(problem.cameras), np.ascontiguousarray(problem.points.T)
    errors = np.empty_like(problem.features)
    for block in _blocks(problem):
        seen = _view(problem, block, table, points)
        projected = seen.v * (seen.camera[21] * seen.factor)
        projected += seen.camera[22:24]
        projected -= problem.features[block].T
        np.multiply(projected, problem.weights[block], out=errors[block].T)
    return errors, 1 - problem.weights**2


def empty_jacobian(problem: Problem) -> SparseMatrix:
    """The pattern of the Jacobian: two rows of 15 for each observation, then a row of one for each."""
    n, m, p = len(problem.cameras), len(problem.points), len(problem.weights)
    columns = np.empty(31 * p, dtype=np.int32)
    places = columns[: 30 * p].reshape(p, 2, _ROW)
    first_weight = _CAMERA_SIZE * n + 3 * m
    weights = np.arange(first_weight, first_weight + p, dtype=np.int32)
    columns[30 * p :] = weights
    of_camera, of_point = (
        np.arange(_CAMERA_SIZE, dtype=np.int32),
        np.arange(3, dtype=np.int32) + np.int32(_CAMERA_SIZE * n),
    )
    for block in _blocks(problem):
        row = np.empty((block.stop - block.start, _ROW), dtype=np.int32)
        np.add((_CAMERA_SIZE * problem.camera_of[block])[:, None], of_camera, out=row[:, :_CAMERA_SIZE])
        np.add((3 * problem.point_of[block])[:, None], of_point, out=row[:, _CAMERA_SIZE:-1])
        row[:, -1] = weights[block]
        places[block] = row[:, None]
    rows = np.concatenate([np.arange(0, 30 * p + 1, _ROW), np.arange(30 * p + 1, 31 * p + 1)])
    return SparseMatrix(rows, columns, np.empty(31 * p))


def jacobian(problem: Problem) -> SparseMatrix:
    """Return the Jacobian of all errors; its columns are cameras, points and weights, in this order."""
    p = len(problem.weights)
    matrix = empty_jacobian(problem)
    values = matrix.vals[: 30 * p].reshape(p, 2, _ROW)
    table, points = _camera_table(problem.cameras), np.ascontiguousarray(problem.points.T)
    for block in _blocks(problem):
        values[block] = _derivatives(problem, block, _view(problem, block, table, points)).transpose(2, 0, 1)
    np.multiply(problem.weights, -2.0, out=matrix.vals[30 * p :])
    return matrix


def _derivatives(problem: Problem, block: slice, seen: _Views) -> Array:
    """Return the derivatives of each observation's two errors by what they depend on, shape (2, 15, B)."""
    camera, y, v, s, factor = seen.camera, seen.y, seen.v, seen.s, seen.factor
    rotation, turning = camera[:9].reshape(3, 3, -1), camera[9:18].reshape(3, 3, -1)
    w, focal = problem.weights[block], camera[21]
    result = np.empty((2, _ROW, len(w)))
    # By v it is scale * (factor I + growth v v^T); v = (Z_0, Z_1) / Z_2.
    growth = 2 * (camera[24] + 2 * s * camera[25])
    scale = w * focal / seen.depth
    grown = v * (scale * growth)
    scaled = scale * factor
    by_z = np.empty((2, 3, len(w)))
    np.multiply(grown[:, None], v, out=by_z[:, :2])
    by_z[0, 0] += scaled
    by_z[1, 1] += scaled
    by_z[:, 2] = -(by_z[:, 0] * v[0] + by_z[:, 1] * v[1])

    by_x = np.multiply(by_z[:, 0, None], rotation[0], out=result[:, 11:14])
    by_x += by_z[:, 1, None] * rotation[1]
    by_x += by_z[:, 2, None] * rotation[2]
    np.negative(by_x, out=result[:, 3:6])
    crossed = np.empty_like(by_z)  # Y x (row of D R), so the minus of dZ/dr is in the order
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(y[j], by_x[:, k], out=crossed[:, i])
        crossed[:, i] -= y[k] * by_x[:, j]
    by_r = np.multiply(crossed[:, 0, None], turning[0], out=result[:, 0:3])
    by_r += crossed[:, 1, None] * turning[1]
    by_r += crossed[:, 2, None] * turning[2]

    weighted = w * v
    np.multiply(weighted, factor, out=result[:, 6])
    result[0, 7] = result[1, 8] = w
    result[0, 8] = result[1, 7] = 0.0
    np.multiply(weighted, focal * s, out=result[:, 9])
    np.multiply(result[:, 9], s, out=result[:, 10])
    np.multiply(v, focal * factor, out=result[:, 14])
    result[:, 14] += camera[22:24]
    result[:, 14] -= problem.features[block].T
    return result


def finish_objective(errors: tuple[Array, Array]) -> dict[str, Any]:
    """Return the first observation's errors, and the number of errors."""
    reprojection, weight = errors
    return {
        "reproj_error": {"elements": reprojection[0].tolist(), "repeated": len(reprojection)},
        "w_err": {"element": float(weight[0]), "repeated": len(weight)},
    }


def finish_jacobian(matrix: SparseMatrix) -> dict[str, Any]:
    """Return the first 30 entries and the last of each list; the complete lists would be gigabytes of text."""
    lists: dict[str, NDArray[Any]] = {"rows": matrix.rows, "cols": matrix.cols, "vals": matrix.vals}
    return {name: [*array[:_NUM_KEPT].tolist(), array[-1].item()] for name, array in lists.items()}


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare, finish=finish_objective),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=finish_jacobian),
}
