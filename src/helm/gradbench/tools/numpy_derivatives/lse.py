"""Log of a sum of exponentials, and its gradient, the softmax."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from helm.gradbench.tools.server import ToolFunction

Array = NDArray[np.float64]

# Numbers handled at once: differences and exponentials of a block then stay in the processor's cache.
_BLOCK = 16384


def prepare(value: Any) -> Array:
    """The numbers of a message. Raises ``ValueError`` when there are none."""
    x = np.array(value["x"], dtype=np.float64)
    if x.ndim != 1 or not x.size:
        raise ValueError("lse needs a list of at least one number.")
    return x


def primal(x: Array) -> float:
    largest = x.max()
    buffer = np.empty(min(_BLOCK, len(x)))
    total = 0.0
    for start in range(0, len(x), _BLOCK):
        block = x[start : start + _BLOCK]
        terms = np.subtract(block, largest, out=buffer[: len(block)])
        total += float(np.exp(terms, out=terms).sum())
    return math.log(total) + float(largest)


def gradient(x: Array) -> Array:
    """Derivative of ``primal``, shape (n,)."""
    result = np.empty_like(x)
    largest, total = x.max(), 0.0
    for start in range(0, len(x), _BLOCK):
        terms = np.subtract(x[start : start + _BLOCK], largest, out=result[start : start + _BLOCK])
        total += float(np.exp(terms, out=terms).sum())
    result *= 1 / total
    return result


FUNCTIONS = {
    "primal": ToolFunction(primal, prepare=prepare),
    "gradient": ToolFunction(gradient, prepare=prepare, finish=np.ndarray.tolist),
}
