"""CasADi: functions are symbolic graphs, built and differentiated before the first run, which is timed as ``compile``."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Optional

import numpy as np

from helm.common.optional_dependencies import handle_module_not_found_error
from helm.gradbench.tools.server import ToolFunction, ToolModule


class _Problem(ABC):
    """One input of an eval: a symbolic function of a vector, and numbers that the graph takes as its second input."""

    primal_name: ClassVar[str] = "primal"
    derivative_name: ClassVar[str] = "gradient"
    is_repeated: ClassVar[bool] = True

    x: np.ndarray
    data: np.ndarray = np.zeros(0)

    @abstractmethod
    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        """The scalar function to differentiate."""

    def primal_graph(self, ca: Any, x: Any, data: Any) -> Any:
        return self.graph(ca, x, data)

    def finish(self, part: str, value: np.ndarray) -> Any:
        """JSON data of a value of ``primal`` or ``derivative``."""
        return float(value[0]) if part == "primal" else value.tolist()


class _Hello(_Problem):
    primal_name, derivative_name, is_repeated = "square", "double", False

    def __init__(self, value: Any):
        self.x = np.array([float(value)])

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        return x * x

    def finish(self, part: str, value: np.ndarray) -> Any:
        return float(value[0])


class _LogSumExp(_Problem):
    def __init__(self, value: Any):
        self.x = np.array(value["x"], dtype=float)
        self.data = np.array([self.x.max()])  # adding it and taking it away again leaves no derivative

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        return ca.log(ca.sum1(ca.exp(x - data))) + data


class _LeastSquares(_Problem):
    def __init__(self, value: Any):
        n = int(value["n"])
        if n < 2:
            raise ValueError(f"llsq needs at least 2 points, got n={n}.")
        self.x = np.array(value["x"], dtype=float)
        i = np.arange(n)
        self.data = (2 * i - (n - 1)) / (n - 1)  # exact zero in the middle, where the sign jumps

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        value = x[-1]
        for j in range(len(self.x) - 2, -1, -1):
            value = value * data + x[j]
        residuals = ca.sign(data) - value
        return 0.5 * ca.dot(residuals, residuals)


class _Chain(_Problem):
    def __init__(self, value: Any):
        self.x, self._steps = np.array(value["x"], dtype=float), int(value["s"])
        if not self.x.size or self._steps < 1:
            raise ValueError("ode needs at least one rate and one step.")

    def primal_graph(self, ca: Any, x: Any, data: Any) -> Any:
        h, n = 2.0 / self._steps, len(self.x)

        def slope(y: Any) -> Any:
            return ca.vertcat(x[0], x[1:] * y[:-1]) if n > 1 else x

        y = ca.MX.zeros(n)
        for _ in range(self._steps):
            k1 = slope(y)
            k2 = slope(y + h / 2 * k1)
            k3 = slope(y + h / 2 * k2)
            k4 = slope(y + h * k3)
            y = y + h / 6 * (k1 + 2 * (k2 + k3) + k4)
        return y

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        return self.primal_graph(ca, x, data)[-1]

    def finish(self, part: str, value: np.ndarray) -> Any:
        return value.tolist()


class _Mixture(_Problem):
    """Log of a Gaussian mixture's likelihood times a Wishart prior."""

    primal_name, derivative_name = "objective", "jacobian"

    def __init__(self, value: Any):
        self._d, self._k, self._n = (int(value[name]) for name in ("d", "k", "n"))
        d, k = self._d, self._k
        self._half = d * (d - 1) // 2
        points = np.array(value["x"], dtype=float).reshape(self._n, d)
        self._centre = points.mean(axis=0)  # Q x - Q mu would cancel far from the origin
        self.data = (points - self._centre).reshape(-1)  # a point is a column of d numbers
        names = ("alpha", "mu", "q", "l")
        self.x = np.concatenate([np.array(value[name], dtype=float).reshape(-1) for name in names])
        self._gamma, self._m = float(value["gamma"]), int(value["m"])
        degrees = d + self._m + 1
        log_gamma = d * (d - 1) / 4 * math.log(math.pi)
        log_gamma += sum(math.lgamma(0.5 * degrees + (1 - j) / 2) for j in range(1, d + 1))
        prior = k * (degrees * d * (math.log(self._gamma) - 0.5 * math.log(2)) - log_gamma)
        self._constant = prior - 0.5 * self._n * d * math.log(2 * math.pi)

    def _split(self, x: Any) -> tuple[Any, Any, Any, Any]:
        d, k, half = self._d, self._k, self._half
        ends = np.cumsum([k, k * d, k * d, k * half])
        starts = [0, *ends[:-1]]
        alpha, mu, q, triangle = (x[int(a) : int(b)] for a, b in zip(starts, ends, strict=True))
        return alpha, mu, q, triangle

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        d, k, half = self._d, self._k, self._half
        alpha, mu, q, triangle = self._split(x)
        points = ca.reshape(data, d, self._n)
        columns, rows = np.triu_indices(d, 1)
        pattern = ca.Sparsity.triplet(d, d, rows.tolist(), columns.tolist())
        terms = []
        for i in range(k):
            diagonal = ca.diag(ca.exp(q[i * d : (i + 1) * d]))
            lower = ca.MX(pattern, triangle[i * half : (i + 1) * half]) if half else 0
            z = ca.mtimes(diagonal + lower, points - (mu[i * d : (i + 1) * d] - self._centre))
            terms.append(alpha[i] + ca.sum1(q[i * d : (i + 1) * d]) - 0.5 * ca.sum1(z * z))
        squares = ca.sum1(ca.exp(2 * q)) + (ca.dot(triangle, triangle) if half else 0)
        likelihood = ca.sum2(_log_sum_exp(ca, terms)) - self._n * _log_sum_exp(ca, [alpha[i] for i in range(k)])
        return likelihood - 0.5 * self._gamma**2 * squares + self._m * ca.sum1(q) + self._constant

    def finish(self, part: str, value: np.ndarray) -> Any:
        if part == "primal":
            return float(value[0])
        alpha, mu, q, triangle = self._split(value)
        shape = (self._k, self._d)
        return {
            "alpha": alpha.tolist(),
            "mu": mu.reshape(shape).tolist(),
            "q": q.reshape(shape).tolist(),
            "l": triangle.reshape(self._k, self._half).tolist(),
        }


def _log_sum_exp(ca: Any, terms: list[Any]) -> Any:
    """Element by element over a list of equally shaped arrays."""
    largest = terms[0]
    for term in terms[1:]:
        largest = ca.fmax(largest, term)
    total = 0
    for term in terms:
        total = total + ca.exp(term - largest)
    return ca.log(total) + largest


_PROBLEMS: Mapping[str, Callable[[Any], _Problem]] = {
    "gmm": _Mixture,
    "hello": _Hello,
    "llsq": _LeastSquares,
    "lse": _LogSumExp,
    "ode": _Chain,
}


class CasadiLibrary:
    """The functions of the evals as CasADi graphs."""

    def __init__(self) -> None:
        try:
            import casadi
        except ModuleNotFoundError as e:
            handle_module_not_found_error(e, ["casadi"])
        self._ca = casadi

    def functions(self, module: str) -> Optional[ToolModule]:
        """The functions of an eval; None when there are none."""
        problem_class = _PROBLEMS.get(module)
        if problem_class is None:
            return None
        kind: Any = problem_class
        return {
            kind.primal_name: self._function(kind, "primal"),
            kind.derivative_name: self._function(kind, "derivative"),
        }

    def _function(self, kind: Any, part: str) -> ToolFunction:
        ca = self._ca

        def compile(problem: _Problem) -> Callable[[_Problem], tuple[_Problem, Any]]:
            x, data = ca.MX.sym("x", len(problem.x)), ca.MX.sym("data", len(problem.data))
            if part == "primal":
                value = problem.primal_graph(ca, x, data)
            else:
                value = ca.gradient(problem.graph(ca, x, data), x)
            function = ca.Function("f", [x, data], [value])
            arguments = ca.DM(problem.x), ca.DM(problem.data)
            return lambda problem: (problem, function(*arguments))

        def finish(result: tuple[_Problem, Any]) -> Any:
            problem, value = result
            return problem.finish(part, np.array(value.full(), dtype=float).reshape(-1))

        return ToolFunction(
            lambda problem: compile(problem)(problem),
            prepare=kind,
            finish=finish,
            is_repeated=kind.is_repeated,
            compile=compile,
        )
