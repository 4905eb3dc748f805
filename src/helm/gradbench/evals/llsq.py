"""llsq: least-squares fit of a polynomial to the sign function."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions, sorted_by_product
from helm.gradbench.evals.registry import ad_eval


@ad_eval
@dataclass(frozen=True)
class LlsqEval(RepeatedEval):
    """Half the sum of (sign(t_i) - sum_j x_j t_i^j)^2 over n equally spaced points of [-1, 1], and its gradient."""

    n: tuple[int, ...] = (16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8196, 16392)
    """Numbers of points."""

    m: tuple[int, ...] = (128,)
    """Numbers of coefficients."""

    name = "llsq"
    primal = "primal"
    derivative = "gradient"
    least = {**RepeatedEval.least, "n": 2, "m": 1}
    run_doc = "Least squares with ``n`` points and ``m`` coefficients."
    run_defaults = {"n": "16-4096+8196+16392", "m": 128}
    scenario = "helm.gradbench.scenarios.llsq_scenario.LlsqScenario"
    check_flags = ("-n", "6", "-m", "4")

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-n", type=int, nargs="+", default=cls.n, metavar="N", help="numbers of points")
        parser.add_argument("-m", type=int, nargs="+", default=cls.m, metavar="M", help="numbers of coefficients")
        super().add_arguments(parser)

    def evaluations(self) -> Iterator[Evaluation]:
        import numpy as np

        generator = np.random.RandomState(LEGACY_SEED)
        for n, m in sorted_by_product(self.n, self.m):
            value = {"x": generator.rand(m).tolist(), "n": n}
            yield from self.primal_and_derivative(value, f"n={n},m={m}")

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        return analyze_by_functions(
            {"primal": golden_primal, "gradient": golden_gradient}, function, value, output, strict
        )


def _powers_and_residuals(value: Any) -> tuple[Any, Any]:
    """t_i^j, shape (n, m), and sign minus polynomial at each t_i, shape (n,)."""
    import numpy as np

    x, n = np.array(value["x"], dtype=np.float64), value["n"]
    i = np.arange(n)
    t = -1 + 2 * i / (n - 1)
    powers = np.vander(t, len(x), increasing=True)
    return powers, np.sign(2 * i - (n - 1)) - powers @ x


def golden_primal(value: Any) -> float:
    """Expected output of ``primal``."""
    _, residuals = _powers_and_residuals(value)
    return float((residuals**2).sum() / 2)


def golden_gradient(value: Any) -> list[float]:
    """Expected output of ``gradient``, m numbers."""
    powers, residuals = _powers_and_residuals(value)
    return (-residuals @ powers).tolist()
