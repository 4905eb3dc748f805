"""Linear least squares: fit a polynomial to the sign function at equally spaced points."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

# Points handled at once: a block of powers then stays in the processor's cache.
_BLOCK_POINTS = 1024


@dataclass(frozen=True)
class Problem:
    """``x``: shape (m,), coefficients by rising power. ``n``: number of points, at least 2."""

    x: NDArray[np.float64]
    n: int


def prepare(value: Any) -> Problem:
    """The input of a message. Raises ``ValueError`` when ``n`` is below 2, where the points are undefined."""
    n = int(value["n"])
    if n < 2:
        raise ValueError(f"llsq needs at least 2 points, got n={n}.")
    return Problem(np.array(value["x"], dtype=np.float64), n)


def _points(problem: Problem, start: int) -> NDArray[np.float64]:
    """Points ``start`` and following of the grid on [-1, 1], at most a block of them."""
    i = np.arange(start, min(start + _BLOCK_POINTS, problem.n))
    return (2 * i - (problem.n - 1)) / (problem.n - 1)  # exact zero in the middle, where the sign jumps


def _powers(t: NDArray[np.float64], m: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Powers of the points in two tables whose products are all powers below ``m``.

    Returns: fine, shape (w, points), with t^0 .. t^(w-1), and coarse, shape (ceil(m / w), points), with t^0, t^w, t^2w
    and so on. With w near the square root of m, both take a few array operations instead of m.
    """
    width = math.isqrt(max(m, 1) - 1) + 1
    fine = _geometric(t, width)
    return fine, _geometric(fine[-1] * t, -(-m // width))


def _geometric(ratio: NDArray[np.float64], rows: int) -> NDArray[np.float64]:
    """1, ratio, ratio^2 and so on as rows; each array operation doubles the rows that are there."""
    table = np.empty((rows, len(ratio)))
    table[:1] = 1.0
    filled = 1
    while filled < rows:
        end = min(2 * filled, rows)
        np.multiply(table[: end - filled], ratio, out=table[filled:end])
        ratio, filled = ratio * ratio, end
    return table


def _residuals(x: NDArray[np.float64], t: NDArray[np.float64], fine: Any, coarse: Any) -> NDArray[np.float64]:
    """Sign minus polynomial at the points ``t``."""
    coefficients = np.zeros((len(coarse), len(fine)))
    coefficients.reshape(-1)[: len(x)] = x
    return np.sign(t) - np.einsum("ai,ai->i", coefficients @ fine, coarse)


def primal(problem: Problem) -> float:
    """Half the sum of the squared residuals."""
    total = 0.0
    for start in range(0, problem.n, _BLOCK_POINTS):
        t = _points(problem, start)
        residuals = _residuals(problem.x, t, *_powers(t, len(problem.x)))
        total += float(residuals @ residuals)
    return total / 2


def gradient(problem: Problem) -> NDArray[np.float64]:
    """Derivative of ``primal`` by the coefficients, shape (m,)."""
    m = len(problem.x)
    result = np.zeros(m)
    for start in range(0, problem.n, _BLOCK_POINTS):
        t = _points(problem, start)
        fine, coarse = _powers(t, m)
        residuals = _residuals(problem.x, t, fine, coarse)
        result -= ((coarse * residuals) @ fine.T).reshape(-1)[:m]
    return result


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
