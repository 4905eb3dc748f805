"""det: determinant by expansion along the first row, and its gradient, the matrix of cofactors."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions
from helm.gradbench.evals.registry import ad_eval


@ad_eval
@dataclass(frozen=True)
class DetEval(RepeatedEval):
    """Determinant of an ell x ell matrix. Tools compute it by expansion, ell! products, and differentiate that."""

    l: tuple[int, ...] = (5, 6, 7, 8, 9, 10, 11)  # noqa: E741  (the flag's name)
    """Numbers of rows and columns."""

    name = "det"
    primal = "primal"
    derivative = "gradient"
    least = {**RepeatedEval.least, "l": 1}
    run_doc = "Determinants of ``l`` x ``l`` matrices by expansion. The original goes up to ``l=5+6+7+8+9+10+11``."
    run_defaults = {"l": "5+6+7+8+9"}
    check_flags = ("-l", "4")
    differentiated = ("A",)

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-l", type=int, nargs="+", default=cls.l, metavar="L", help="numbers of rows and columns")
        super().add_arguments(parser)

    def evaluations(self) -> Iterator[Evaluation]:
        import numpy as np

        generator = np.random.RandomState(LEGACY_SEED)
        for ell in self.l:
            yield from self.primal_and_derivative({"A": generator.rand(ell * ell).tolist(), "ell": ell}, f"{ell}")

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        return analyze_by_functions(
            {"primal": golden_primal, "gradient": golden_gradient}, function, value, output, strict
        )


def _matrix(value: Any) -> Any:
    import numpy as np

    return np.array(value["A"], dtype=np.float64).reshape(value["ell"], value["ell"])


def golden_primal(value: Any) -> float:
    """Expected output of ``primal``."""
    import numpy as np

    return float(np.linalg.det(_matrix(value)))


def golden_gradient(value: Any) -> list[float]:
    """Expected output of ``gradient``: the cofactors row by row, ell * ell numbers. Singular matrices have them too.

    Raises: ValueError for a single number.
    """
    import numpy as np

    matrix = _matrix(value)
    ell = len(matrix)
    if ell == 1:  # HELM: the original's golden program aborts here, so no answer of a tool is confirmed
        raise ValueError("det: the gradient needs at least 2 rows and columns, got 1.")
    others = np.array([[j for j in range(ell) if j != i] for i in range(ell)])
    minors = matrix[others[:, None, :, None], others[None, :, None, :]]
    signs = (-1.0) ** np.add.outer(np.arange(ell), np.arange(ell))
    return (signs * np.linalg.det(minors)).reshape(-1).tolist()
