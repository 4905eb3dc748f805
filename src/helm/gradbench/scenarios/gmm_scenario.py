from __future__ import annotations

from collections.abc import Sequence

from helm.gradbench.evals.eval import Number
from helm.gradbench.evals.gmm import GmmEval
from helm.gradbench.scenarios.eval_scenario import EvalScenario


class GmmScenario(EvalScenario):
    """Gaussian mixtures with a Wishart prior: ``objective`` and ``jacobian`` of each workload.

    Args:
        d: dimensions.
        k: numbers of components.
        n: number of points.
        m: extra degrees of freedom of the prior, >= 0.
        gamma: precision of the prior, > 0.
        seed: of the random numbers, the same for each workload.
        min_runs, min_seconds: how often the tool repeats each function, both at the least.
    """

    name = "gradbench_gmm"
    description = "Log-likelihood of a Gaussian mixture with a Wishart prior, and its gradient."

    def __init__(
        self,
        d: Sequence[int] = GmmEval.d,
        k: Sequence[int] = GmmEval.k,
        n: int = GmmEval.n,
        m: int = GmmEval.m,
        gamma: float = GmmEval.gamma,
        seed: int = GmmEval.seed,
        min_runs: int = GmmEval.min_runs,
        min_seconds: Number = GmmEval.min_seconds,
    ):
        super().__init__()
        self._eval = GmmEval(
            d=tuple(d), k=tuple(k), n=n, m=m, gamma=gamma, seed=seed, min_runs=min_runs, min_seconds=min_seconds
        )

    def make_eval(self) -> GmmEval:
        return self._eval
