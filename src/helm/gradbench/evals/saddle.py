"""saddle: derivatives within derivatives. A saddle point by minimising a maximum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.eval import Evaluation, RepeatedEval, analyze_by_constant

FUNCTIONS = ("rr", "ff", "fr", "rf")
EXPECTED = [8.246324826140356e-06] * 4


@dataclass(frozen=True)
class SaddleEval(RepeatedEval):
    """min over x of max over y of |x|^2 - |y|^2, both in the plane and both by gradient descent.

    Letters of a function say how derivatives are taken, f forward and r reverse: by x, then by y. All have the same
    value.
    """

    name = "saddle"

    def evaluations(self) -> Iterator[Evaluation]:
        value = self.with_runs({"start": [1.0, 1.0]})
        for function in FUNCTIONS:
            yield Evaluation(function, value, "w=0")  # HELM: the description is that of another eval

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        """HELM: the expected output is a constant, that of the start (1, 1), whatever the input."""
        return analyze_by_constant(EXPECTED, FUNCTIONS, function, output, strict)
