"""Log of a sum of exponentials, and its gradient, the softmax."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]

# Numbers handled at once: exponentials of a block then stay in the processor's cache.
_BLOCK = 32768
_ONES = np.ones(_BLOCK)

_SAFE = 500.0
"""Sums of exponentials of numbers of this size neither overflow nor vanish."""


def prepare(value: Any) -> Array:
    """The numbers of a message. Raises ``ValueError`` when there are none."""
    x = np.array(value["x"], dtype=np.float64)
    if x.ndim != 1 or not x.size:
        raise ValueError("lse needs a list of at least one number.")
    return x


def _shift(x: Array) -> float:
    """What is taken off the numbers before their exponentials are: nothing, unless these would overflow or vanish."""
    largest = float(x.max())
    return 0.0 if abs(largest) <= _SAFE else largest


def _sum_of_exponentials(block: Array, shift: float, terms: Array) -> float:
    """The exponentials themselves go to ``terms``."""
    if shift:
        block = np.subtract(block, shift, out=terms)
    return float(np.exp(block, out=terms).dot(_ONES[: len(terms)]))


def primal(x: Array) -> float:
    shift = _shift(x)
    terms = np.empty(min(_BLOCK, len(x)))
    total = 0.0
    for start in range(0, len(x), _BLOCK):
        block = x[start : start + _BLOCK]
        total += _sum_of_exponentials(block, shift, terms[: len(block)])
    return math.log(total) + shift


def gradient(x: Array) -> Array:
    """Derivative of ``primal``, shape (n,)."""
    result = np.empty_like(x)
    shift, total = _shift(x), 0.0
    for start in range(0, len(x), _BLOCK):
        total += _sum_of_exponentials(x[start : start + _BLOCK], shift, result[start : start + _BLOCK])
    result *= 1 / total
    return result


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
