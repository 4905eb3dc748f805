"""ba: bundle adjustment, the errors of points seen by cameras and their sparse Jacobian."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helm.common.errors import HelmError
from helm.gradbench.comparison import Analysis
from helm.gradbench.derivative_check import FieldsCheck, Vector, flat
from helm.gradbench.evals.data_files import find_data_file, local_data, parse_number, read_data_file
from helm.gradbench.evals.eval import Evaluation, RepeatedEval, analyze_by_functions
from helm.gradbench.evals.registry import ad_eval

CAMERA_SIZE = 11
_NUM_KEPT = 30

# ADBench's problems differ in the numbers of cameras, points and observations; all repeat the same of each.
_CAMERA = [
    *(-0.758453, -1.109613, -0.845551, 34.556073, 39.676747, 53.881673),
    *(419.194514, 5.864426, -8.518870, 0.087812, 0.002739),
]
_POINT = [7.203245, 0.001144, 3.023326]
_WEIGHT = 0.417022
_FEATURE = [271.760969, 834.209256]
_SIZES = {
    1: (49, 7776, 31843),
    2: (21, 11315, 36455),
    3: (161, 48126, 182072),
    4: (372, 47423, 204472),
    5: (257, 65132, 225911),
    6: (539, 65220, 277273),
    7: (93, 61203, 287451),
    8: (88, 64298, 383937),
    9: (810, 88814, 393775),
    10: (1197, 126327, 563734),
    11: (1723, 156502, 678718),
    12: (253, 163691, 899155),
    13: (245, 198739, 1091386),
    14: (356, 226730, 1255268),
    15: (1102, 780462, 4052340),
    16: (1544, 942409, 4750193),
    17: (1778, 993923, 5001946),
    18: (1936, 649673, 5213733),
    19: (4585, 1324582, 9125125),
    20: (13682, 4456117, 28987644),
}
# HELM: the name of the last file has a digit less than its content, and descriptions are file names.
_NAMED_OBSERVATIONS = {20: 2987644}


class BundleAdjustmentCheck(FieldsCheck):
    """The first observation's two errors, and the weight error."""

    def values(self, output: Any) -> Vector:
        return [*flat(output["reproj_error"]["elements"]), *flat(output["w_err"]["element"])]

    def columns(self, output: Any) -> list[Vector]:
        values = flat(output["vals"])
        rows = [values[:15], values[15:30], [0.0] * 14 + values[-1:]]
        return [list(column) for column in zip(*rows, strict=True)]


@ad_eval
@dataclass(frozen=True)
class BaEval(RepeatedEval):
    """Reprojection and weight errors of p observations of m points by n cameras, and the Jacobian of both."""

    min: int = 1
    """Index of the first problem."""

    max: int = 14
    """Index of the last problem; indices without a problem are left out."""

    data: str | None = None
    """Folder with ``ba1_*.txt`` and so on; None: the problems that come with the package."""

    no_validation: bool = False
    """Approve every output."""

    name = "ba"
    primal = "objective"
    derivative = "jacobian"
    run_doc = """Bundle adjustment, problems ``min`` to ``max`` of the folder ``data`` or those of the package.

    The original goes up to ``max=14``.
    """
    run_defaults = {"min": 1, "max": 6, "data": None}
    check_flags = ("--min", "1", "--max", "1")
    differentiated = ("cam", "x", "w")

    def derivative_check(self) -> FieldsCheck:
        """With few observations: the smallest problem has thousands, all alike."""
        check = super().derivative_check()
        value = {**check.value, "n": 2, "m": 3, "p": 12}
        return BundleAdjustmentCheck(check.module, check.primal, check.derivative, value, check.fields)

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--min", type=int, default=cls.min, metavar="I", help="index of the first problem")
        parser.add_argument("--max", type=int, default=cls.max, metavar="I", help="index of the last problem")
        parser.add_argument(
            "--data",
            metavar="DIR",
            help="folder with files ba1_*.txt and so on of ADBench's format, or URL#sha256=... of an archive",
        )
        super().add_arguments(parser)
        parser.add_argument("--no-validation", action="store_true", help="approve every output")

    def evaluations(self) -> Iterator[Evaluation]:
        is_empty = True
        for index in range(self.min, self.max + 1):
            problem = self._problem(index)
            if problem is not None:
                is_empty = False
                description, value = problem
                yield from self.primal_and_derivative(value, description)
        if is_empty:
            raise HelmError(f"ba: there is no problem with an index from {self.min} to {self.max}.")

    def _problem(self, index: int) -> tuple[str, dict[str, Any]] | None:
        """Description and input of a problem; None when there is none with this index."""
        if self.data is None:
            if index not in _SIZES:
                return None
            n, m, p = _SIZES[index]
            named = _NAMED_OBSERVATIONS.get(index, p)
            value = {"n": n, "m": m, "p": p, "cam": _CAMERA, "x": _POINT, "w": _WEIGHT, "feat": _FEATURE}
            return f"ba{index}_n{n}_m{m}_p{named}", value
        path = find_data_file(local_data(self.data), f"ba{index}_*.txt")
        return None if path is None else (path.stem, read_problem(path))

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        if self.no_validation:
            return Analysis(True)
        golden = {"objective": golden_objective, "jacobian": golden_jacobian}
        return analyze_by_functions(golden, function, value, output, strict)


def read_problem(path: Path) -> dict[str, Any]:
    """The input that a file of ADBench's format stands for.

    Five lines: numbers of cameras, points and observations; the camera; the point; the weight; the feature. Lengths
    are not checked and further lines ignored, as in the original.

    Raises: HelmError that names the file when a line is absent or holds something else than numbers.
    """
    lines = read_data_file(path).splitlines()
    if len(lines) < 5:
        raise HelmError(f"{path} has {len(lines)} lines; a problem of ba has 5: sizes, camera, point, weight, feature.")
    try:
        n, m, p = (int(word) for word in lines[0].split())
        camera, point, feature = ([parse_number(word) for word in lines[i].split()] for i in (1, 2, 4))
        weight = parse_number(lines[3].strip())
        if min(n, m, p) < 1:
            raise ValueError(f"it has {n} cameras, {m} points and {p} observations")
    except ValueError as error:
        raise HelmError(f"{path} is not a problem of ba: {error}.") from error
    return {"n": n, "m": m, "p": p, "cam": camera, "x": point, "w": weight, "feat": feature}


def _errors(parameters: Any, feature: Any) -> Any:
    """The two reprojection errors for camera, point and weight in one array of 15, real or complex."""
    import numpy as np

    r, centre, focal, principal = parameters[0:3], parameters[3:6], parameters[6], parameters[7:9]
    radial, point, weight = parameters[9:11], parameters[11:14], parameters[14]
    y = point - centre
    square = r @ r
    if square != 0:
        angle = np.sqrt(square)
        axis = r / angle
        z = y * np.cos(angle) + np.cross(axis, y) * np.sin(angle) + axis * (axis @ y) * (1 - np.cos(angle))
    else:
        z = y + np.cross(r, y)
    v = z[:2] / z[2]
    s = v @ v
    return weight * (focal * v * (1 + radial[0] * s + radial[1] * s**2) + principal - feature)


def _parameters(value: Any) -> tuple[Any, Any]:
    import numpy as np

    return np.array([*value["cam"], *value["x"], value["w"]], dtype=np.float64), np.array(value["feat"], dtype=float)


def golden_objective(value: Any) -> dict[str, Any]:
    """Expected output of ``objective``: the errors of one observation, which all repeat."""
    errors = _errors(*_parameters(value))
    return {
        "reproj_error": {"elements": errors.tolist(), "repeated": value["p"]},
        "w_err": {"element": 1 - value["w"] ** 2, "repeated": value["p"]},
    }


def golden_jacobian(value: Any) -> dict[str, Any]:
    """Expected output of ``jacobian``: the first 30 entries and the last of row pointers, columns and values.

    The derivatives of the one observation that all repeat come from complex steps.
    """
    import numpy as np

    n, m, p = value["n"], value["m"], value["p"]
    parameters, feature = _parameters(value)
    step = 1e-30
    block = np.empty((2, CAMERA_SIZE + 4))
    for i in range(block.shape[1]):
        moved = parameters.astype(complex)
        moved[i] += step * 1j
        block[:, i] = _errors(moved, feature).imag / step
    few = min(p, _NUM_KEPT)  # more observations do not reach the entries that are told
    pointers = [*range(0, 30 * few + 1, 15), *(30 * few + i for i in range(1, few + 1))]
    weights = CAMERA_SIZE * n + 3 * m
    row = [*range(CAMERA_SIZE), *range(CAMERA_SIZE * n, CAMERA_SIZE * n + 3), weights]
    return {
        "rows": [*pointers[:_NUM_KEPT], 31 * p],
        "cols": [*row, *row, weights + p - 1],
        "vals": [*block.reshape(-1).tolist(), -2 * value["w"]],
    }
