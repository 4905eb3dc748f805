from __future__ import annotations

from helm.gradbench.evals.hello import HelloEval
from helm.gradbench.scenarios.eval_scenario import EvalScenario


class HelloScenario(EvalScenario):
    """Squares and their derivatives in a chain of eight evaluations, each of which continues with the last output."""

    name = "gradbench_hello"
    description = "A chain of squares and their derivatives: the first sign of life of an AD tool."

    def make_eval(self) -> HelloEval:
        return HelloEval()
