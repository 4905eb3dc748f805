"""The functions of the evals in array operations that all libraries have; ``xp`` is a library's namespace."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

if TYPE_CHECKING:
    from helm.gradbench.tools.array_libraries.library import ArrayLibrary

Function = Callable[..., Any]


class Problem(ABC):
    """One input of an eval: what to differentiate by (``parameters``), and the function of it."""

    primal_name: ClassVar[str] = "primal"
    derivative_name: ClassVar[str] = "gradient"
    function_names: ClassVar[tuple[str, ...]] = ()
    """The names of an eval's functions that are not such a pair."""

    is_repeated: ClassVar[bool] = True
    needs_second_derivatives: ClassVar[bool] = False
    needs_directions: ClassVar[bool] = False
    nests_derivatives: ClassVar[bool] = False

    parameters: list[Any]

    data: dict[str, Any]
    """Arrays that the function reads in addition to its parameters. They are also input: compilers must not fold them."""

    def __init__(self, library: ArrayLibrary, value: Any):
        self.library, self.xp = library, library.xp
        self.data = {}

    @abstractmethod
    def function(self, *parameters: Any) -> Any:
        """The function of the parameters."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of the eval's functions."""
        return cls.function_names or (cls.primal_name, cls.derivative_name)

    def part(self, name: str) -> Function:
        """The function of the parameters that has this name."""
        return self.primal() if name == self.primal_name else self.derivative()

    def primal(self) -> Function:
        return self.library.value(self.function)

    def derivative(self) -> Function:
        return self.library.gradient(self.function)

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        """Return JSON data of a value of ``primal``, ``derivative`` (``part`` says which) or a function given by name."""
        return float(library.numpy(value)) if part == "primal" else library.numpy(value[0]).tolist()


class Hello(Problem):
    """The square of a number, and its derivative."""

    primal_name, derivative_name, is_repeated = "square", "double", False

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        self.parameters = [library.array(float(value))]

    def function(self, *parameters: Any) -> Any:
        (x,) = parameters
        return x * x


class LogSumExp(Problem):
    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        self.parameters = [library.array(value["x"])]

    def function(self, *parameters: Any) -> Any:
        (x,) = parameters
        largest = self.library.detach(x).max()  # adding it and taking it away again leaves no derivative
        return self.xp.log(self.xp.sum(self.xp.exp(x - largest))) + largest


class LeastSquares(Problem):
    """A polynomial fitted to the sign function on a grid."""

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        n = int(value["n"])
        if n < 2:
            raise ValueError(f"llsq needs at least 2 points, got n={n}.")
        i = np.arange(n)
        self.parameters = [library.array(value["x"])]
        self.data["points"] = library.array(
            (2 * i - (n - 1)) / (n - 1)
        )  # exact zero in the middle, where the sign jumps

    def function(self, *parameters: Any) -> Any:
        (x,), xp, t = parameters, self.xp, self.data["points"]
        m = x.shape[0]
        powers, ratio = xp.ones_like(t)[None, :], t
        while powers.shape[0] < m:  # twice as many rows each time, at last as many as are left
            powers = xp.concatenate([powers, powers[: m - powers.shape[0]] * ratio])
            ratio = ratio * ratio
        residuals = xp.sign(t) - xp.matmul(x, powers)
        return 0.5 * xp.sum(residuals * residuals)


class Chain(Problem):
    """A chain of differential equations by Runge-Kutta steps; the gradient is that of the last value."""

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        self.parameters = [library.array(value["x"])]
        self._steps = int(value["s"])
        self.data["zero"] = library.array(np.zeros(len(value["x"])))

    def function(self, *parameters: Any) -> Any:
        return self._values(parameters[0])[-1]

    def _values(self, x: Any) -> Any:
        h, xp = 2.0 / self._steps, self.xp

        def slope(y: Any) -> Any:
            return xp.concatenate([x[:1], x[1:] * y[:-1]])

        def step(y: Any) -> Any:
            k1 = slope(y)
            k2 = slope(y + h / 2 * k1)
            k3 = slope(y + h / 2 * k2)
            k4 = slope(y + h * k3)
            return y + h / 6 * (k1 + 2.0 * (k2 + k3) + k4)

        return self.library.repeat(step, self.data["zero"], self._steps)

    def primal(self) -> Function:
        return self.library.value(self._values)

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        return library.numpy(value if part == "primal" else value[0]).tolist()


class Clustering(Problem):
    """Cost of a clustering; the derivative is the gradient over the diagonal of the Hessian."""

    primal_name, derivative_name, needs_second_derivatives = "cost", "dir", True

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        points, centroids = np.array(value["points"], dtype=float), np.array(value["centroids"], dtype=float)
        centre = points.mean(axis=0)  # far from the origin, squares of distances would cancel
        self.data["points"] = library.array(points - centre)
        self.parameters = [library.array(centroids - centre)]

    def function(self, *parameters: Any) -> Any:
        (centroids,), xp, points = parameters, self.xp, self.data["points"]
        fixed = self.library.detach(centroids)
        halves = 0.5 * xp.sum(fixed * fixed, axis=1)
        nearest = xp.argmax(xp.matmul(points, fixed.T) - halves, axis=1)  # of equally near ones the first
        difference = points - centroids[nearest]
        return xp.sum(difference * difference)

    def derivative(self) -> Function:
        both = self.library.hessian_row_sums(self.function)

        def direction(centroids: Any) -> tuple[Any]:
            gradient, diagonal = both(centroids)
            with np.errstate(invalid="ignore"):  # 0/0 of a centroid without points
                return (gradient / diagonal,)

        return direction

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        if part == "primal":
            return super().finish(library, part, value)
        # 0/0 of a centroid without points becomes null.
        return [[None if x != x else x for x in row] for row in library.numpy(value[0]).tolist()]


class Mixture(Problem):
    """Log of a Gaussian mixture's likelihood times a Wishart prior."""

    primal_name, derivative_name = "objective", "jacobian"
    _names = ("alpha", "mu", "q", "l")

    def __init__(self, library: ArrayLibrary, value: Any):
        super().__init__(library, value)
        d, k, n = (int(value[name]) for name in ("d", "k", "n"))
        half = d * (d - 1) // 2
        x = np.array(value["x"], dtype=float).reshape(n, d)
        shapes = {"alpha": (k,), "mu": (k, d), "q": (k, d), "l": (k, half)}
        self.parameters = [library.array(np.array(value[s], dtype=float).reshape(shapes[s])) for s in self._names]
        self.data["centre"] = library.array(x.mean(axis=0))  # Q x - Q mu would cancel far from the origin
        self.data["x"] = library.array(x - x.mean(axis=0))
        self.data["eye"], self.data["zero"] = library.array(np.eye(d)), library.array(np.zeros((k, 1)))
        self._gamma, self._m = float(value["gamma"]), int(value["m"])
        places = np.full((d, d), half)  # the last column is zero
        columns, rows = np.triu_indices(d, 1)
        places[rows, columns] = np.arange(half)
        self._places = places.reshape(-1)
        degrees = d + self._m + 1
        log_gamma = d * (d - 1) / 4 * math.log(math.pi)
        log_gamma += sum(math.lgamma(0.5 * degrees + (1 - j) / 2) for j in range(1, d + 1))
        prior = k * (degrees * d * (math.log(self._gamma) - 0.5 * math.log(2)) - log_gamma)
        self._constant = prior - 0.5 * n * d * math.log(2 * math.pi)

    def _log_sum_exp(self, values: Any, axis: int) -> Any:
        xp = self.xp
        largest = xp.amax(self.library.detach(values), axis=axis)
        shifted = values - (largest[None] if axis == 0 else largest)
        return xp.log(xp.sum(xp.exp(shifted), axis=axis)) + largest

    def function(self, *parameters: Any) -> Any:
        xp = self.xp
        alpha, mu, q, triangle = parameters
        (k, d), n = mu.shape, self.data["x"].shape[0]
        exponentials = xp.exp(q)
        lower = xp.concatenate([triangle, self.data["zero"]], axis=1)[:, self._places].reshape((k, d, d))
        matrices = lower + exponentials[:, :, None] * self.data["eye"]
        shifts = xp.matmul(matrices, (mu - self.data["centre"])[:, :, None]).reshape((k, 1, d))
        z = xp.matmul(self.data["x"], xp.swapaxes(matrices, 1, 2)) - shifts
        heights = alpha + xp.sum(q, axis=1)
        terms = heights[:, None] - 0.5 * xp.sum(z * z, axis=2)
        likelihood = xp.sum(self._log_sum_exp(terms, 0)) - n * self._log_sum_exp(alpha, 0)
        squares = xp.sum(exponentials * exponentials) + xp.sum(triangle * triangle)
        return likelihood - 0.5 * self._gamma**2 * squares + self._m * xp.sum(q) + self._constant

    @classmethod
    def finish(cls, library: ArrayLibrary, part: str, value: Any) -> Any:
        if part == "primal":
            return super().finish(library, part, value)
        return {name: library.numpy(array).tolist() for name, array in zip(cls._names, value, strict=True)}
