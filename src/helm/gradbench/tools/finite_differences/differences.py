"""Derivatives of a black box by central differences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Balances the truncation error (h^2) against rounding (eps / h).
RELATIVE_STEP = float(np.finfo(np.float64).eps) ** (1 / 3)


def step(x: float) -> float:
    """The step around ``x``: cbrt(eps) * max(1, |x|)."""
    return RELATIVE_STEP * max(1.0, abs(x))


def derivative(function: Callable[[float], float], x: float) -> float:
    """Derivative of a function of one number."""
    h = step(x)
    return (function(x + h) - function(x - h)) / (2 * h)


def gradient(function: Callable[[], float], parameters: Array) -> Array:
    """Derivative of a function by ``parameters``, in their shape.

    Args:
        function: reads ``parameters``, which are moved in place and restored.
    """
    result = np.empty_like(parameters)
    if not parameters.flags.c_contiguous:  # flattening would move a copy
        raise ValueError("The parameters must be one contiguous array.")
    flat, flat_result = parameters.reshape(-1), result.reshape(-1)
    for i in range(flat.size):
        x = float(flat[i])
        h = step(x)
        flat[i] = x + h
        above = function()
        flat[i] = x - h
        below = function()
        flat[i] = x
        flat_result[i] = (above - below) / (2 * h)
    return result
