"""ode: a chain of differential equations, integrated by Runge-Kutta steps."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from helm.gradbench.comparison import Analysis
from helm.gradbench.derivative_check import FieldsCheck
from helm.gradbench.evals.eval import LEGACY_SEED, Evaluation, RepeatedEval, analyze_by_functions, sorted_by_product
from helm.gradbench.evals.registry import ad_eval

_END_TIME = 2.0


@ad_eval
@dataclass(frozen=True)
class OdeEval(RepeatedEval):
    """y_0' = x_0 and y_i' = x_i y_(i-1) from y = 0 to time 2 in s steps; the gradient of the last value by x."""

    n: tuple[int, ...] = (1000, 10000, 100000)
    """Numbers of equations."""

    s: tuple[int, ...] = (1, 10, 100)
    """Numbers of steps."""

    name = "ode"
    primal = "primal"
    derivative = "gradient"
    least = {**RepeatedEval.least, "n": 1, "s": 1}
    run_doc = "Chains of ``n`` differential equations in ``s`` steps. The original goes up to ``n=1000+10000+100000``."
    run_defaults = {"n": "1000+10000", "s": "1+10+100"}
    check_flags = ("-n", "4", "-s", "3")

    def derivative_check(self) -> FieldsCheck:
        """The derivative is that of the last value alone."""
        return replace(super().derivative_check(), is_last_only=True)

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("-n", type=int, nargs="+", default=cls.n, metavar="N", help="numbers of equations")
        parser.add_argument("-s", type=int, nargs="+", default=cls.s, metavar="S", help="numbers of steps")
        super().add_arguments(parser)

    def evaluations(self) -> Iterator[Evaluation]:
        import numpy as np

        generator = np.random.RandomState(LEGACY_SEED)
        for n, s in sorted_by_product(self.n, self.s):
            yield from self.primal_and_derivative({"x": generator.rand(n).tolist(), "s": s}, f"n={n},s={s}")

    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        golden = {"primal": golden_primal, "gradient": gradient_of_primal if strict else golden_gradient}
        return analyze_by_functions(golden, function, value, output, strict)


def golden_primal(value: Any) -> list[float]:
    """Expected output of ``primal``: all n values at the end."""
    import numpy as np

    x, steps = np.array(value["x"], dtype=np.float64), value["s"]
    h = _END_TIME / steps

    def slope(y: Any) -> Any:
        return x * np.concatenate([[1.0], y[:-1]])

    y = np.zeros_like(x)
    for _ in range(steps):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y.tolist()


def golden_gradient(value: Any) -> list[float]:
    """Expected output of ``gradient``, n numbers: of the exact solution y_(n-1) = 2^n / n! prod_i x_i.

    HELM: not of the Runge-Kutta result that ``primal`` returns. The two agree for n up to 4, and within the tolerance
    where steps are many or the gradient is tiny; elsewhere the true gradient of the primal is judged invalid.
    """
    import numpy as np

    x = np.array(value["x"], dtype=np.float64)
    factors = np.concatenate([[1.0], _END_TIME * x / np.arange(1, len(x) + 1)])
    # The product of all factors but one, without dividing: x may hold zeros.
    before = np.multiply.accumulate(factors[:-1])
    after = np.multiply.accumulate(np.concatenate([[1.0], factors[:1:-1]]))[::-1]
    return (before * after * _END_TIME / np.arange(1, len(x) + 1)).tolist()


def gradient_of_primal(value: Any) -> list[float]:
    """The gradient of the Runge-Kutta result that ``primal`` returns: what a strict judge expects of ``gradient``."""
    from helm.gradbench.tools.numpy_derivatives.ode import FUNCTIONS

    gradient = FUNCTIONS["gradient"]
    return gradient.finish(gradient.evaluate(gradient.prepare(value)))
