"""saddle: derivatives within derivatives. A saddle point by minimising a maximum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.eval import Evaluation, RepeatedEval, analyze_by_constant
from helm.gradbench.evals.registry import ad_eval

if TYPE_CHECKING:
    from helm.gradbench.scoring import EquivalentScorer

FUNCTIONS = ("rr", "ff", "fr", "rf")
EXPECTED = [8.246324826140356e-06] * 4


@ad_eval
@dataclass(frozen=True)
class SaddleEval(RepeatedEval):
    """min over x of max over y of |x|^2 - |y|^2, both in the plane and both by gradient descent.

    Letters of a function say how derivatives are taken, f forward and r reverse: by x, then by y. All have the same
    value.
    """

    name = "saddle"
    run_doc = "Derivatives within derivatives: a saddle point by minimising a maximum."

    @classmethod
    def new_scorer(cls) -> EquivalentScorer:
        """The functions compute the same numbers in different ways, so the fastest one counts."""
        from helm.gradbench.scoring import EquivalentScorer

        return EquivalentScorer()

    def evaluations(self) -> Iterator[Evaluation]:
        value = self.with_runs({"start": [1.0, 1.0]})
        for function in FUNCTIONS:
            yield Evaluation(function, value, "w=0")  # HELM: the description is that of another eval

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        """HELM: the expected output is a constant, that of the start (1, 1), whatever the input."""
        return analyze_by_constant(EXPECTED, FUNCTIONS, function, output, strict)
