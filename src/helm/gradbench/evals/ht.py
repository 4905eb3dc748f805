"""ht: hand tracking, the distances of measured points from a posed hand and their Jacobian."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from helm.common.errors import ConfigError, HelmError
from helm.gradbench.comparison import Analysis
from helm.gradbench.derivative_check import FieldsCheck, Move, Vector, flat, moves_of, names_of, replaced
from helm.gradbench.evals.data_files import local_data
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions
from helm.gradbench.evals.ht_data import NUM_PARAMETERS, SIZES, find_hand, make_hand, make_model, read_hand, read_model
from helm.gradbench.evals.registry import ad_eval

MODELS = ("small", "big")
VARIANTS = ("simple", "complicated")


_NUM_CHECKED = 6


class HandTrackingCheck(FieldsCheck):
    """All points have shares of their own, so those of all points are moved at once."""

    def moves(self, value: Any) -> Iterator[tuple[float, Move]]:
        for i in range(2):
            yield 0.0, lambda step, i=i: {**value, "us": [replaced(u, [i], u[i] + step) for u in value["us"]]}  # type: ignore[misc]
        yield from moves_of(value["theta"], ["theta"], value)

    def names(self, value: Any) -> list[str]:
        return ["us[...][0]", "us[...][1]", *names_of(value["theta"], "theta")]

    def columns(self, output: Any) -> list[Vector]:
        return [flat(list(column)) for column in zip(*output, strict=True)]


@ad_eval
@dataclass(frozen=True)
class HtEval(RepeatedEval):
    """Errors of points on a hand of 22 bones, posed by 26 parameters, and the Jacobian.

    In the simple variant points belong to vertices; in the complicated one to places on triangles, which are
    parameters as well.
    """

    min: int = 1
    """Index of the first hand."""

    max: int = 12
    """Index of the last hand; indices without one are left out."""

    model: str = "big"
    """``small`` (544 vertices) or ``big`` (10000)."""

    variant: str = "complicated"
    """``simple`` or ``complicated``."""

    data: str | None = None
    """Folder with folders such as ``complicated_big``, as ADBench has them; None: hands are made up."""

    seed: int = LEGACY_SEED
    """Seed of the made-up hands; each index has a stream of its own."""

    no_validation: bool = False
    """Approve every output."""

    name = "ht"
    primal = "objective"
    derivative = "jacobian"
    least = {**RepeatedEval.least, "seed": 0}
    run_doc = """Hand tracking, hands ``min`` to ``max`` of the folder ``data`` or made up. ``hand`` is ``small`` or ``big``.

    The original goes up to ``max=12`` with ``hand=big``.
    """
    run_defaults = {"min": 1, "max": 5, "model": "small", "variant": "complicated", "data": None}
    run_names = {"model": "hand"}
    check_flags = ("--min", "1", "--max", "1", "--model", "small")

    def derivative_check(self) -> FieldsCheck:
        """With few of the points."""
        check = super().derivative_check()
        value = check.value
        few = {key: value["data"][key][:_NUM_CHECKED] for key in ("correspondences", "points")}
        value = {**value, "data": {**value["data"], **few}, "us": value["us"][:_NUM_CHECKED]}
        return HandTrackingCheck(check.module, check.primal, check.derivative, value, ())

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, allowed in (("model", MODELS), ("variant", VARIANTS)):
            if getattr(self, name) not in allowed:
                raise ConfigError(f"ht: {name} takes {' or '.join(allowed)}, not '{getattr(self, name)}'.")

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--min", type=int, default=cls.min, metavar="I", help="index of the first hand")
        parser.add_argument("--max", type=int, default=cls.max, metavar="I", help="index of the last hand")
        parser.add_argument("--model", choices=MODELS, default=cls.model, help="how many vertices")
        parser.add_argument("--variant", choices=VARIANTS, default=cls.variant, help="points on vertices or triangles")
        parser.add_argument(
            "--data",
            metavar="DIR",
            help="folder with complicated_big and so on, of ADBench's format, or URL#sha256=... of an archive",
        )
        parser.add_argument("--seed", type=int, default=cls.seed, help="seed of the made-up hands")
        super().add_arguments(parser)
        parser.add_argument("--no-validation", action="store_true", help="approve every output")

    @property
    def is_complicated(self) -> bool:
        return self.variant == "complicated"

    def evaluations(self) -> Iterator[Evaluation]:
        is_empty = True
        for index in range(self.min, self.max + 1):
            hand = self._made_up(index) if self.data is None else self._from_files(local_data(self.data), index)
            if hand is not None:
                is_empty = False
                description, value = hand
                yield from self.primal_and_derivative(value, description)
        if is_empty:
            raise HelmError(f"ht: there is no hand with an index from {self.min} to {self.max}.")

    @cached_property
    def _model(self) -> dict[str, Any]:
        import numpy as np

        if self.data is not None:
            return read_model(local_data(self.data) / f"{self.variant}_{self.model}" / "model")
        return make_model(np.random.RandomState(self.seed), self.model == "big")

    def _from_files(self, folder: Path, index: int) -> tuple[str, dict[str, Any]] | None:
        """Description and input; None where there is no file: the original would end with an error there."""
        path = find_hand(folder / f"{self.variant}_{self.model}", index)
        return None if path is None else (path.stem, read_hand(path, self._model, self.is_complicated))

    def _made_up(self, index: int) -> tuple[str, dict[str, Any]] | None:
        import numpy as np

        if not 1 <= index <= len(SIZES) - self.is_complicated:
            return None
        size = SIZES[index - 1]
        generator = np.random.RandomState([self.seed, index])
        return f"hand{index}_t{NUM_PARAMETERS}_c{size}", make_hand(generator, self._model, size, self.is_complicated)

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        if self.no_validation:
            return Analysis(True)
        golden = {"objective": golden_objective, "jacobian": golden_jacobian}
        return analyze_by_functions(golden, function, value, output, strict)


def golden_objective(value: Any) -> list[float]:
    """Expected output of ``objective``, three numbers for each point.

    Of this function and the next the tool's code is the golden one as well: the vectors of other programs and
    differences hold it to account, and a second one by hand would be slower than what it judges.
    """
    from helm.gradbench.tools.numpy_derivatives import ht

    return ht.objective(ht.prepare(value)).tolist()


def golden_jacobian(value: Any) -> list[list[float]]:
    """Expected output of ``jacobian``, three rows for each point. The original's forgets to mirror; this one does not."""
    from helm.gradbench.tools.numpy_derivatives import ht

    return ht.jacobian(ht.prepare(value)).tolist()
