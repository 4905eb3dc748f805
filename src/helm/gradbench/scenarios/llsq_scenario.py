from __future__ import annotations

from collections.abc import Sequence

from helm.gradbench.evals.eval import Number
from helm.gradbench.evals.llsq import LlsqEval
from helm.gradbench.scenarios.eval_scenario import EvalScenario


class LlsqScenario(EvalScenario):
    """Least-squares fit of a polynomial to the sign function: ``primal`` and ``gradient`` of each workload.

    Args:
        n: numbers of points, each at least 2.
        m: numbers of coefficients.
        min_runs, min_seconds: how often the tool repeats each function, both at the least.
    """

    name = "gradbench_llsq"
    description = "Least-squares fit of a polynomial to the sign function, and its gradient."

    def __init__(
        self,
        n: Sequence[int] = LlsqEval.n,
        m: Sequence[int] = LlsqEval.m,
        min_runs: int = LlsqEval.min_runs,
        min_seconds: Number = LlsqEval.min_seconds,
    ):
        super().__init__()
        self._eval = LlsqEval(n=tuple(n), m=tuple(m), min_runs=min_runs, min_seconds=min_seconds)

    def make_eval(self) -> LlsqEval:
        return self._eval
