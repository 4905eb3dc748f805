"""The functions with one value, and ode."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from helm.gradbench.tools.casadi_graphs.problem import Problem, flat
from helm.gradbench.tools.numpy_derivatives import det, lstm

# Minors with this number of rows are graphs of numbers, and larger ones call them: 6! products at a few nanoseconds each.
_LEAF_ROWS = 6


class Hello(Problem):
    primal_name, derivative_name, is_repeated = "square", "double", False

    def __init__(self, value: Any):
        self.x = np.array([float(value)])

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        return x * x

    def finish(self, name: str, value: Any) -> Any:
        return float(flat(value)[0])


class LogSumExp(Problem):
    def __init__(self, value: Any):
        self.x = np.array(value["x"], dtype=float)
        self.data = np.array([self.x.max()])  # adding it and taking it away again leaves no derivative

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        return ca.log(ca.sum1(ca.exp(x - data))) + data


class LeastSquares(Problem):
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


class Chain(Problem):
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

    def finish(self, name: str, value: Any) -> Any:
        return flat(value).tolist()


class Mixture(Problem):
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

    def finish(self, name: str, value: Any) -> Any:
        if name == self.primal_name:
            return super().finish(name, value)
        alpha, mu, q, triangle = self._split(flat(value))
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


class Determinant(Problem):
    """ell! products: a minor is a function that is called wherever it occurs, as the eval wants."""

    def __init__(self, value: Any):
        matrix = det.prepare(value)
        self._ell = len(matrix)
        self.x = matrix.reshape(-1)

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        minor: Any = None  # the function for the minors of one row less
        for rows in range(1, self._ell + 1):
            number = ca.SX if rows <= _LEAF_ROWS else ca.MX
            matrix = number.sym("matrix", rows * rows)  # row by row
            if rows == 1:
                value = matrix
            else:
                terms = []
                for column in range(rows):
                    rest = [i for i in range(rows, rows * rows) if i % rows != column]
                    terms.append((-1.0) ** column * matrix[column] * minor(matrix[rest]))
                value = sum(terms[1:], terms[0])
            minor = ca.Function("minor", [matrix], [value])
        return minor(x)


class Prediction(Problem):
    """Loss of an elementwise LSTM that predicts the next character: one step is a graph, which is run over the text."""

    primal_name, derivative_name = "objective", "jacobian"

    def __init__(self, value: Any):
        network = lstm.prepare(value)
        self._steps, self._b = len(network.sequence) - 1, network.sequence.shape[1]
        self._layers = len(network.main) // 2
        self.x = np.concatenate([network.main.reshape(-1), network.extra.reshape(-1)])
        self.data = np.concatenate([network.state.reshape(-1), network.sequence.reshape(-1)])

    def graph(self, ca: Any, x: Any, data: Any) -> Any:
        size, b = 2 * self._layers * self._b, self._b
        texts = ca.reshape(data[size:], b, self._steps + 1)
        over_text = self._step(ca).mapaccum("over_text", self._steps)
        _, losses = over_text(data[:size], ca.repmat(x, 1, self._steps), texts[:, :-1], texts[:, 1:])
        return -ca.sum2(losses) / (b * self._steps)

    def _step(self, ca: Any) -> Any:
        """Map a state, parameters, a character and the next one to the new state and the loss."""
        b = self._b
        state, x = ca.SX.sym("state", 2 * self._layers * b), ca.SX.sym("x", len(self.x))
        character, target = ca.SX.sym("character", b), ca.SX.sym("target", b)
        parameters = ca.vertsplit(
            x, b
        )  # four weights and four biases for each layer, then the three of input and output
        in_weight, out_weight, out_bias = parameters[-3:]
        old = ca.vertsplit(state, b)
        new = []
        value = character * in_weight
        for layer in range(self._layers):
            weights, biases = parameters[8 * layer : 8 * layer + 4], parameters[8 * layer + 4 : 8 * layer + 8]
            h, s = old[2 * layer : 2 * layer + 2]
            forget = _sigmoid(ca, value * weights[0] + biases[0])
            in_ = _sigmoid(ca, h * weights[1] + biases[1])
            out = _sigmoid(ca, value * weights[2] + biases[2])
            s = s * forget + in_ * ca.tanh(h * weights[3] + biases[3])
            value = out * ca.tanh(s)
            new += [value, s]
        y = value * out_weight + out_bias
        loss = ca.dot(target, y - ca.log(2.0 + ca.sum1(ca.exp(y))))
        return ca.Function("step", [state, x, character, target], [ca.vertcat(*new), loss])


def _sigmoid(ca: Any, z: Any) -> Any:
    return 1.0 / (1.0 + ca.exp(-z))
