"""Determinant by expansion along the first row, ell! products, and its gradient by sweeping back over the expansion.

The upper rows are expanded one column at a time. A minor of at most ``_BLOCK_ROWS`` rows is expanded at once: level r
of its tree holds a number for each choice of columns for the rows up to r, and choices that share all but the last
column are neighbours, so that a level is a product and a sum over the level below. Minors that occur several times are
computed several times: reusing them would be a different algorithm from the one this eval asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

# 8! leaves are 320 kB, which fits the second-level cache; more rows at once are slower.
_BLOCK_ROWS = 8


def prepare(value: Any) -> Array:
    """Return the matrix of a message. Raises ``ValueError`` if it is empty or not square."""
    ell = int(value["ell"])
    if ell < 1 or len(value["A"]) != ell * ell:
        raise ValueError(
            f"det needs ell * ell numbers and ell at least 1, got ell={ell} and {len(value['A'])} numbers."
        )
    return np.array(value["A"], dtype=np.float64).reshape(ell, ell)


@lru_cache(maxsize=_BLOCK_ROWS)
def expansion_columns(m: int) -> tuple[Indices, ...]:
    """Return, for each level of the tree of an m x m minor, the column chosen last, for all choices in order."""
    levels = []
    remaining = np.arange(m)[None, :]  # for each node of a level, the columns that are left
    for _ in range(m):
        levels.append(remaining.reshape(-1))
        width = remaining.shape[1]
        others = np.array([[j for j in range(width) if j != i] for i in range(width)], dtype=np.intp)
        remaining = remaining[:, others].reshape(len(remaining) * width, width - 1)
    return tuple(levels)


def _signs(width: int) -> Array:
    signs = np.ones(width)
    signs[1::2] = -1.0
    return signs


def _block_levels(block: Array) -> tuple[list[Array], float]:
    """Return the values of the subtrees below each choice of each level of a small minor, and the minor itself."""
    m = len(block)
    below: list[Array] = [np.ones(1)] * m
    value = np.ones(len(expansion_columns(m)[-1]))
    for row in range(m - 1, -1, -1):
        below[row] = value
        width = m - row
        value = (block[row][expansion_columns(m)[row]] * value).reshape(-1, width) @ _signs(width)
    return below, float(value[0])


def _block_gradient(block: Array) -> tuple[float, Array]:
    """Return a small minor and its gradient."""
    m = len(block)
    below, determinant = _block_levels(block)
    result = np.empty((m, m))
    above = np.ones(1)  # derivative of the determinant by each node of a level
    for row, columns in enumerate(expansion_columns(m)):
        signed = np.multiply.outer(above, _signs(m - row)).reshape(-1)
        result[row] = np.bincount(columns, weights=signed * below[row], minlength=m)
        above = signed * block[row][columns]
    return determinant, result


def _determinant(matrix: Array, columns: Sequence[int]) -> float:
    """Return the minor of ``columns`` and of as many last rows of ``matrix``."""
    row = len(matrix) - len(columns)
    if len(columns) <= _BLOCK_ROWS:
        return _block_levels(matrix[row:, columns])[1]
    total, sign = 0.0, 1.0
    for position, column in enumerate(columns):
        total += sign * matrix[row, column] * _determinant(matrix, [*columns[:position], *columns[position + 1 :]])
        sign = -sign
    return float(total)


def _add_gradient(matrix: Array, columns: Sequence[int], weight: float, result: Array) -> float:
    """Add ``weight`` times the gradient of a minor to ``result``; returns the minor."""
    row = len(matrix) - len(columns)
    if len(columns) <= _BLOCK_ROWS:
        determinant, gradient = _block_gradient(matrix[row:, columns])
        result[row:, columns] += weight * gradient
        return determinant
    total, sign = 0.0, 1.0
    for position, column in enumerate(columns):
        entry = float(matrix[row, column])
        rest = [*columns[:position], *columns[position + 1 :]]
        minor = _add_gradient(matrix, rest, weight * sign * entry, result)
        result[row, column] += weight * sign * minor
        total += sign * entry * minor
        sign = -sign
    return total


def primal(matrix: Array) -> float:
    return _determinant(matrix, list(range(len(matrix))))


def gradient(matrix: Array) -> Array:
    """Derivative of ``primal`` by the entries, shape (ell, ell)."""
    result = np.zeros_like(matrix)
    _add_gradient(matrix, list(range(len(matrix))), 1.0, result)
    return result


def to_list(cofactors: Array) -> list[float]:
    return cofactors.reshape(-1).tolist()


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=to_list),
}
