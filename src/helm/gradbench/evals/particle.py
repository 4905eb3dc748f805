"""particle: derivatives within derivatives. Where does a particle land among charges, and how is it steered?"""

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
EXPECTED = 0.2071918746486116


@ad_eval
@dataclass(frozen=True)
class ParticleEval(RepeatedEval):
    """Gradient descent on the landing point of a particle whose acceleration is itself a gradient.

    Letters of a function say how derivatives are taken, f forward and r reverse: of the landing point by the control,
    then of the potential by the position. All have the same value.
    """

    name = "particle"
    run_doc = "Derivatives within derivatives: steer a particle among charges."

    @classmethod
    def new_scorer(cls) -> EquivalentScorer:
        """The functions compute the same number in different ways, so the fastest one counts."""
        from helm.gradbench.scoring import EquivalentScorer

        return EquivalentScorer()

    def evaluations(self) -> Iterator[Evaluation]:
        value = self.with_runs({"w": 0.0})
        for function in FUNCTIONS:
            yield Evaluation(function, value, "w=0")

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        """HELM: the expected output is a constant, that of w = 0, whatever the input."""
        return analyze_by_constant(EXPECTED, FUNCTIONS, function, output, strict)
