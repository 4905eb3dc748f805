"""Hands to track: read from files of ADBench's format, or made up by a seeded generator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from helm.common.errors import HelmError
from helm.gradbench.evals.data_files import find_data_file, parse_number, read_data_file

NUM_PARAMETERS = 26
_FINGERS = ("thumb", "index", "middle", "ring", "pinky")
_NUM_VERTICES = 544
_NUM_TRIANGLES = 1084
_BIG_NUM_VERTICES = 10000
_BOX = (0.2, 0.5, 0.06)
_NOISE = 0.1
# Numbers of correspondences by index; the last one exists in the simple variant alone.
SIZES = (100, 192, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 51200, 100000)


def _fields(path: Path, separator: str | None) -> list[list[str]]:
    return [line.split(separator) for line in read_data_file(path).splitlines() if line.strip()]


def read_model(folder: Path) -> dict[str, Any]:
    """The hand that ``bones.txt``, ``vertices.txt`` and ``triangles.txt`` of ``folder`` describe.

    Raises: HelmError that names the file and what is wrong with it.
    """

    def matrix(words: list[str]) -> list[list[float]]:
        if len(words) != 16:
            raise ValueError(f"a matrix has 16 numbers, not {len(words)}")
        return [[parse_number(word) for word in words[row : row + 4]] for row in range(0, 16, 4)]

    path = folder / "bones.txt"
    try:
        bones = _fields(path, ":")
        relatives = [matrix(fields[2:18]) for fields in bones]
        inverses = [matrix(fields[18:34]) for fields in bones]
        parents = [int(fields[1]) for fields in bones]
        path = folder / "vertices.txt"
        positions, weights = [], []
        for fields in _fields(path, ":"):
            positions.append([*(parse_number(field) for field in fields[:3]), 1.0])
            row = [0.0] * len(bones)
            for i in range(int(fields[8])):
                row[int(fields[9 + 2 * i])] = parse_number(fields[10 + 2 * i])
            weights.append(row)
        path = folder / "triangles.txt"
        triangles = [[int(field) for field in fields[:3]] for fields in _fields(path, ":")]
    except (ValueError, IndexError) as error:
        raise HelmError(f"ht: {path} is not a part of a hand model: {error}.") from error
    return {
        "bone_count": len(bones),
        "bone_names": [fields[0] for fields in bones],
        "parents": parents,
        "base_relatives": relatives,
        "inverse_base_absolutes": inverses,
        "base_positions": positions,
        "weights": weights,
        "triangles": triangles,
        "is_mirrored": False,
    }


def read_hand(path: Path, model: dict[str, Any], is_complicated: bool) -> dict[str, Any]:
    """The input that an instance file stands for, with the hand ``model``.

    Raises: HelmError that names the file and what is wrong with it.
    """
    lines = _fields(path, None)
    try:
        num_points, num_parameters = (int(word) for word in lines[0])
        rows = lines[1 : 1 + num_points]
        us = lines[1 + num_points : 1 + 2 * num_points] if is_complicated else []
        start = 1 + len(rows) + len(us)
        correspondences = [int(row[0]) for row in rows]
        theta = [parse_number(line[0]) for line in lines[start : start + num_parameters]]
        value = {
            "theta": theta,
            "data": {
                "model": model,
                "correspondences": correspondences,
                "points": [[parse_number(word) for word in row[1:4]] for row in rows],
            },
            "us": [[parse_number(word) for word in row[:2]] for row in us],
        }
    except (ValueError, IndexError) as error:
        raise HelmError(f"ht: {path} is not a hand to track: {error}.") from error
    if len(theta) != num_parameters or len(rows) != num_points:
        raise HelmError(
            f"ht: {path} ends early: it announces {num_points} points and {num_parameters} parameters, and has "
            f"{len(rows)} and {len(theta)}."
        )
    size = len(model["triangles"] if is_complicated else model["base_positions"])
    for index in correspondences:
        if not 0 <= index < size:
            kind = "triangle" if is_complicated else "vertex"
            raise HelmError(f"ht: {path} has a point of {kind} {index}; the hand has 0 to {size - 1}.")
    return value


def find_hand(folder: Path, index: int) -> Path | None:
    """The instance file with this index; None when there is none."""
    return find_data_file(folder, f"hand{index}_*.txt")


def make_model(generator: Any, is_big: bool) -> dict[str, Any]:
    """A made-up hand of 22 bones: a wrist, five fingers of four bones each and a forearm.

    Relatives are rigid, with steps of a few centimetres; absolutes really are inverse to their chain. The big model
    repeats the vertices of the small one.

    Args:
        generator: a ``numpy.random.RandomState``.
    """
    import numpy as np

    names = ["wrist", *(f"{finger}{i}" for finger in _FINGERS for i in range(1, 5)), "forearm"]
    parents = [-1, *(0 if i == 0 else 4 * f + i for f in range(5) for i in range(4)), 0]
    relatives: list[Any] = []
    absolutes: list[Any] = []
    for parent in parents:
        relative = np.eye(4)
        relative[:3, :3] = _random_rotation(generator)
        relative[:3, 3] = generator.uniform(-0.04, 0.04, 3)
        relatives.append(relative)
        absolutes.append(relative if parent < 0 else absolutes[parent] @ relative)
    inverses = [np.linalg.inv(absolute) for absolute in absolutes]
    positions = generator.uniform(-0.5, 0.5, (_NUM_VERTICES, 3)) * _BOX
    weights = np.zeros((_NUM_VERTICES, len(names)))
    counts = generator.choice([1, 2, 3, 4], size=_NUM_VERTICES, p=[0.4, 0.53, 0.05, 0.02])
    for row, count in zip(weights, counts, strict=True):
        bones = generator.choice(len(names), size=count, replace=False)
        row[bones] = generator.dirichlet(np.ones(count))
    triangles = [generator.choice(_NUM_VERTICES, size=3, replace=False).tolist() for _ in range(_NUM_TRIANGLES)]
    repeated = np.arange(_BIG_NUM_VERTICES if is_big else _NUM_VERTICES) % _NUM_VERTICES
    return {
        "bone_count": len(names),
        "bone_names": names,
        "parents": parents,
        "base_relatives": np.round(relatives, 6).tolist(),
        "inverse_base_absolutes": np.round(inverses, 6).tolist(),
        "base_positions": [[*row, 1.0] for row in np.round(positions, 6)[repeated].tolist()],
        "weights": weights[repeated].tolist(),
        "triangles": triangles,
        "is_mirrored": False,
    }


def _random_rotation(generator: Any) -> Any:
    """A rotation by at most a radian about any axis."""
    import numpy as np

    axis = generator.standard_normal(3)
    x, y, z = axis / np.linalg.norm(axis)
    angle = generator.uniform(-1, 1)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def make_hand(generator: Any, model: dict[str, Any], num_points: int, is_complicated: bool) -> dict[str, Any]:
    """A made-up pose of ``model`` and points measured on it, with noise."""
    import numpy as np

    from helm.gradbench.tools.numpy_derivatives import ht

    theta = np.round(generator.standard_normal(NUM_PARAMETERS), 6).tolist()
    targets = len(model["triangles"]) if is_complicated else len(model["base_positions"])
    correspondences = generator.randint(targets, size=num_points).tolist()
    us = np.round(generator.uniform(0, 0.5, (num_points, 2)), 6).tolist() if is_complicated else []
    data = {"model": model, "correspondences": correspondences, "points": [[0.0, 0.0, 0.0]] * num_points}
    value = {"theta": theta, "data": data, "us": us}
    surface = -ht.objective(ht.prepare(value)).reshape(num_points, 3)  # the errors of points at the origin
    points = np.round(surface + _NOISE * generator.standard_normal((num_points, 3)), 6)
    return {**value, "data": {**data, "points": points.tolist()}}
