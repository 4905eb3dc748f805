"""Hand tracking: errors of points on a posed hand, and their Jacobian.

A vertex is a weighted sum over bones of T_b p, where T_b is the bone's transformation: all vertices at once are one
product of the weights with the transformations. An angle of the hand turns one bone and those attached to it, so the
derivative of all vertices by it is the same product with the derivatives of those few transformations.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

_NUM_PARAMETERS = 26
_NUM_FINGERS = 5
_FIRST_ANGLE = 6
NO_ROTATION_BELOW = 1e-4
# For each angle of a finger, the joint, counted from the rigid bone at its root, and the axis it turns about.
_JOINTS = ((1, "x"), (1, "z"), (2, "x"), (3, "x"))


@dataclass(frozen=True)
class Hand:
    """A model of B bones and V vertices, its pose, and P points measured on it."""

    theta: Array
    """Shape (26,): global rotation vector, translation, then four angles for each of five fingers."""

    parents: list[int]
    """The parent of each bone, which comes before it; -1 for the root."""

    relatives: Array
    """Shape (B, 4, 4)."""

    inverses: Array
    """Shape (B, 4, 4), inverses of the absolute transformations at rest."""

    positions: Array
    """Shape (V, 4), the vertices at rest, homogeneous."""

    weights: Array
    """Shape (V, B)."""

    corners: Indices
    """Shape (P,): the vertex of each point; or (P, 3): the vertices of its triangle."""

    shares: Array | None
    """Shape (P, 2), the shares of the first two corners; None when points belong to vertices."""

    points: Array
    """Shape (P, 3)."""

    is_mirrored: bool


def prepare(value: Any) -> Hand:
    """The input of a message. Raises ``ValueError`` when it is not a hand of five fingers posed by 26 parameters."""
    data = value["data"]
    model = data["model"]
    theta = np.array(value["theta"], dtype=np.float64)
    parents = [int(parent) for parent in model["parents"]]
    needed = 1 + 4 * _NUM_FINGERS
    if theta.shape != (_NUM_PARAMETERS,) or len(parents) < needed:
        raise ValueError(
            f"ht needs {_NUM_PARAMETERS} parameters and at least {needed} bones, got {theta.shape} and {len(parents)}."
        )
    if any(not -1 <= parent < bone for bone, parent in enumerate(parents)):
        raise ValueError("ht: a bone comes before its parent.")
    correspondences = np.array(data["correspondences"], dtype=np.intp)
    is_complicated = bool(value["us"])
    corners = np.array(model["triangles"], dtype=np.intp)[correspondences] if is_complicated else correspondences
    return Hand(
        theta=theta,
        parents=parents,
        relatives=np.array(model["base_relatives"], dtype=np.float64),
        inverses=np.array(model["inverse_base_absolutes"], dtype=np.float64),
        positions=np.array(model["base_positions"], dtype=np.float64),
        weights=np.array(model["weights"], dtype=np.float64),
        corners=corners,
        shares=np.array(value["us"], dtype=np.float64) if is_complicated else None,
        points=np.array(data["points"], dtype=np.float64).reshape(-1, 3),
        is_mirrored=bool(model["is_mirrored"]),
    )


def _turn(axis: str, angle: float) -> tuple[Array, Array]:
    """A rotation about x or z as a 4 x 4 matrix, and its derivative by the angle."""
    s, c = math.sin(angle), math.cos(angle)
    matrix, derivative = np.eye(4), np.zeros((4, 4))
    i, j = (1, 2) if axis == "x" else (0, 1)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = -s, s
    derivative[i, i] = derivative[j, j] = -s
    derivative[i, j], derivative[j, i] = -c, c
    return matrix, derivative


def _joint_turns(theta: Array) -> tuple[dict[int, Array], list[tuple[int, Array]]]:
    """Return the rotations of the bones that bend, by bone, and for each of the 20 angles its bone and the derivative.

    A bone with two angles turns about x first, then about z.
    """
    turns: dict[int, Array] = {}
    derivatives: list[tuple[int, Array]] = []
    for finger in range(_NUM_FINGERS):
        angles = theta[_FIRST_ANGLE + 4 * finger :][:4]
        parts = [_turn(axis, float(angle)) for (_, axis), angle in zip(_JOINTS, angles, strict=True)]
        (x, dx), (z, dz) = parts[:2]
        bones = [1 + 4 * finger + joint for joint, _ in _JOINTS]
        turns[bones[0]] = z @ x
        turns[bones[2]], turns[bones[3]] = parts[2][0], parts[3][0]
        derivatives += zip(bones, (z @ dx, dz @ x, parts[2][1], parts[3][1]), strict=True)
    return turns, derivatives


def _absolutes(hand: Hand, turns: dict[int, Array]) -> Array:
    """Return the transformations of the bones in the pose, shape (B, 4, 4)."""
    result = np.empty_like(hand.relatives)
    for bone, parent in enumerate(hand.parents):
        relative = hand.relatives[bone] @ turns[bone] if bone in turns else hand.relatives[bone]
        result[bone] = relative if parent < 0 else result[parent] @ relative
    return result


def _skin(hand: Hand, transformations: Array, bones: Any = slice(None)) -> Array:
    """Weighted sums of the transformed vertices, shape (V, 3).

    Args:
        transformations: shape (bones, 4, 4).
    """
    blended = hand.weights[:, bones] @ transformations[:, :3].reshape(-1, 12)
    return np.matmul(blended.reshape(-1, 3, 4), hand.positions[:, :, None])[:, :, 0]


def _cross_matrix(v: Array) -> Array:
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _global_rotation(r: Array) -> Array:
    angle = float(np.linalg.norm(r))
    if angle < NO_ROTATION_BELOW:
        return np.eye(3)
    k = _cross_matrix(r / angle)
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * (k @ k)


def _global_rotation_derivatives(r: Array) -> Array:
    """Return the derivatives by the numbers of the rotation vector, shape (3, 3, 3); zero where the rotation is left out."""
    angle = float(np.linalg.norm(r))
    result = np.zeros((3, 3, 3))
    if angle < NO_ROTATION_BELOW:
        return result
    axis = r / angle
    k = _cross_matrix(axis)
    s, c = math.sin(angle), math.cos(angle)
    for j in range(3):
        turned = _cross_matrix(np.eye(3)[j] - axis[j] * axis) / angle
        result[j] = axis[j] * (c * k + s * (k @ k)) + s * turned + (1 - c) * (turned @ k + k @ turned)
    return result


def _orientation(hand: Hand) -> Array:
    """The global rotation, after mirroring where the model asks for it."""
    rotation = _global_rotation(hand.theta[:3])
    if hand.is_mirrored:
        rotation[:, 0] *= -1
    return rotation


def _at_points(hand: Hand, vertices: Array) -> Array:
    """Return values for each point from values for each vertex, shape (P, ...)."""
    if hand.shares is None:
        return vertices[hand.corners]
    u0, u1 = (hand.shares[:, i].reshape(-1, *[1] * (vertices.ndim - 1)) for i in (0, 1))
    a, b, c = (vertices[hand.corners[:, i]] for i in range(3))
    return u0 * a + u1 * b + (1 - u0 - u1) * c


def objective(hand: Hand) -> Array:
    """Measured points minus those on the hand, shape (3 P,)."""
    turns, _ = _joint_turns(hand.theta)
    rest = _skin(hand, np.matmul(_absolutes(hand, turns), hand.inverses))
    vertices = rest @ _orientation(hand).T + hand.theta[3:6]
    return (hand.points - _at_points(hand, vertices)).reshape(-1)


def jacobian(hand: Hand) -> Array:
    """Return the derivatives of all errors by their point's shares, if any, then by theta; shape (3 P, 28) or (3 P, 26)."""
    turns, angle_turns = _joint_turns(hand.theta)
    absolutes = _absolutes(hand, turns)
    rest = _skin(hand, np.matmul(absolutes, hand.inverses))
    orientation = _orientation(hand)
    by_theta = np.zeros((len(rest), 3, _NUM_PARAMETERS))
    rotations = _global_rotation_derivatives(hand.theta[:3])
    if hand.is_mirrored:
        rotations[:, :, 0] *= -1
    by_theta[:, :, :3] = np.einsum("jab,vb->vaj", rotations, rest)
    by_theta[:, (0, 1, 2), (3, 4, 5)] = 1.0
    for i, (bone, turn) in enumerate(angle_turns):
        bones, moved = _moved_bones(hand, absolutes, bone, turn, turns)
        moved[:, :3] = orientation @ moved[:, :3]
        by_theta[:, :, _FIRST_ANGLE + i] = _skin(hand, moved, bones)

    num_shares = 0 if hand.shares is None else 2
    result = np.empty((len(hand.points), 3, num_shares + _NUM_PARAMETERS))
    np.negative(_at_points(hand, by_theta), out=result[:, :, num_shares:])
    if num_shares:
        corners = (rest @ orientation.T)[hand.corners]
        result[:, :, :2] = (corners[:, 2:] - corners[:, :2]).transpose(0, 2, 1)
    return result.reshape(3 * len(hand.points), -1)


def _moved_bones(
    hand: Hand, absolutes: Array, bone: int, turn: Array, turns: dict[int, Array]
) -> tuple[list[int], Array]:
    """Return the bones attached to ``bone``, and the derivatives of their transformations, shape (bones, 4, 4).

    Args:
        turn: derivative of the rotation of ``bone``.
    """
    parent = hand.parents[bone]
    moved = hand.relatives[bone] @ turn
    chain = {bone: moved if parent < 0 else absolutes[parent] @ moved}
    for other in range(bone + 1, len(hand.parents)):
        if hand.parents[other] in chain:
            relative = hand.relatives[other] @ turns[other] if other in turns else hand.relatives[other]
            chain[other] = chain[hand.parents[other]] @ relative
    bones = list(chain)
    return bones, np.matmul(np.array(list(chain.values())), hand.inverses[bones])


FUNCTIONS = {
    "objective": ToolFunction(objective, prepare=prepare, finish=np.ndarray.tolist),
    "jacobian": ToolFunction(jacobian, prepare=prepare, finish=np.ndarray.tolist),
}
