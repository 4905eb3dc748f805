"""hello: a chain of squares and their derivatives, for a first sign of life of a tool."""

from __future__ import annotations

import math
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.evals.eval import Eval, Evaluation
from helm.gradbench.evals.registry import ad_eval

if TYPE_CHECKING:
    from helm.gradbench.scoring import ConstantScorer

_ROUNDS = 4
_START = 1.0


@ad_eval
@dataclass(frozen=True)
class HelloEval(Eval):
    """Four times y = square(x), then x = double(y), beginning at 1; every step starts from what the tool returned."""

    name = "hello"
    primal = "square"
    derivative = "double"
    is_chain = True
    run_doc = "Squares and their derivatives in a chain; whether a tool works at all."
    scenario = "helm.gradbench.scenarios.hello_scenario.HelloScenario"
    differentiated = ()

    @classmethod
    def new_scorer(cls) -> ConstantScorer:
        """Everybody has 1: this eval is no matter of speed."""
        from helm.gradbench.scoring import ConstantScorer

        return ConstantScorer()

    def evaluations(self) -> Iterator[Evaluation]:
        yield Evaluation("square", _START)
        yield Evaluation("double", continues=True)
        for _ in range(_ROUNDS - 1):
            yield Evaluation("square", continues=True)
            yield Evaluation("double", continues=True)

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        try:
            check(function, value, output)
        except Exception:  # an output of any type may arrive; whatever it breaks is the verdict
            return Analysis(False, traceback.format_exc())
        return Analysis(True)


def check(function: str, x: Any, output: Any) -> None:
    """Raises unless |output - reference| <= 1e-8 + 1e-5 * |reference|. A function of another name is not judged."""
    if function == "square":
        reference = x * x
    elif function == "double":
        reference = 2 * x
    else:
        return
    if _is_close(output, reference):
        return
    import numpy as np  # only for what is wrong or odd: loading it takes longer than the rest of this eval

    np.isfinite(output)  # raises for what is no number
    assert np.isclose(output, reference)


def _is_close(output: Any, reference: Any) -> bool:
    """Whether both are ordinary floats, and as close as ``numpy.isclose`` asks."""
    if type(output) is not float or type(reference) is not float or not math.isfinite(reference):
        return False
    return abs(output - reference) <= 1e-8 + 1e-5 * abs(reference)
