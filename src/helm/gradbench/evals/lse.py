"""lse: log of a sum of exponentials."""

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
class LseEval(RepeatedEval):
    """log(sum_i exp(x_i)) of n numbers, and its gradient."""

    n: tuple[int, ...] = (2500, 5000, 10000, 20000, 40000, 80000, 160000, 320000, 640000, 1280000)
    """How many numbers."""

    name = "lse"
    primal = "primal"
    derivative = "gradient"
    least = {**RepeatedEval.least, "n": 1}
    run_doc = "Log of the sum of the exponentials of ``n`` numbers. The original goes up to ``n=2500-1280000``."
    run_defaults = {"n": "2500-40000"}
    check_flags = ("-n", "6")

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-n", type=int, nargs="+", default=cls.n, metavar="N", help="how many numbers")
        for flag in ("--min", "--max"):  # HELM: the original takes these two and ignores them
            parser.add_argument(flag, type=int, help=argparse.SUPPRESS)
        super().add_arguments(parser)

    def evaluations(self) -> Iterator[Evaluation]:
        import numpy as np

        generator = np.random.RandomState(LEGACY_SEED)
        for n in self.n:
            yield from self.primal_and_derivative({"x": generator.rand(n).tolist()}, f"n={n}")

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        return analyze_by_functions(
            {"primal": golden_primal, "gradient": golden_gradient}, function, value, output, strict
        )


def golden_primal(value: Any) -> float | None:
    """Expected output of ``primal``; None where the original's golden program has no number."""
    import numpy as np

    x = np.array(value["x"], dtype=np.float64)
    largest = max(0.0, float(x.max()))  # HELM: the search starts at 0, so far below it every term underflows
    total = float(np.exp(x - largest).sum())
    return float(np.log(total)) + largest if total > 0 else None


def golden_gradient(value: Any) -> list[float]:
    """Expected output of ``gradient``, n numbers that add up to 1."""
    import numpy as np

    x = np.array(value["x"], dtype=np.float64)
    terms = np.exp(x - x.max())
    return (terms / terms.sum()).tolist()
