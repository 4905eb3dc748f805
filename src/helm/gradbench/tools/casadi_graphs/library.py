"""Which graphs belong to which eval, and the tool made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helm.common.optional_dependencies import needs_extra
from helm.gradbench.tools.casadi_graphs.descents import Particle, Saddle
from helm.gradbench.tools.casadi_graphs.geometry import BundleAdjustment, Clustering, HandTracking
from helm.gradbench.tools.casadi_graphs.problem import Problem
from helm.gradbench.tools.casadi_graphs.scalars import (
    Chain,
    Determinant,
    Hello,
    LeastSquares,
    LogSumExp,
    Mixture,
    Prediction,
)
from helm.gradbench.tools.server import ToolFunction, ToolModule

_PROBLEMS: Mapping[str, type[Problem]] = {
    "ba": BundleAdjustment,
    "det": Determinant,
    "gmm": Mixture,
    "hello": Hello,
    "ht": HandTracking,
    "kmeans": Clustering,
    "llsq": LeastSquares,
    "lse": LogSumExp,
    "lstm": Prediction,
    "ode": Chain,
    "particle": Particle,
    "saddle": Saddle,
}


class CasadiLibrary:
    """The functions of the evals as CasADi graphs."""

    def __init__(self) -> None:
        with needs_extra("casadi"):
            import casadi
        self._ca = casadi

    def functions(self, module: str) -> ToolModule | None:
        """The functions of an eval; None when there are none."""
        problem_class = _PROBLEMS.get(module)
        if problem_class is None:
            return None
        return {name: self._function(problem_class, name) for name in problem_class.names()}

    def _function(self, problem_class: type[Problem], name: str) -> ToolFunction:
        def compile(problem: Problem) -> Any:
            run = problem.build(self._ca, name)
            return lambda problem: (problem, run())

        def finish(result: tuple[Problem, Any]) -> Any:
            problem, value = result
            return problem.finish(name, value)

        return ToolFunction(
            lambda problem: compile(problem)(problem),
            prepare=problem_class,
            finish=finish,
            is_repeated=problem_class.is_repeated,
            compile=compile,
        )
