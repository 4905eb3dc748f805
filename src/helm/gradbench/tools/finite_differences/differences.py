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


def gradient_function(function: Callable[[list[float]], float]) -> Callable[[list[float]], list[float]]:
    """The gradient of a function of a few plain numbers, itself such a function."""

    def gradient_at(x: list[float]) -> list[float]:
        return [derivative(lambda number: function([*x[:i], number, *x[i + 1 :]]), x[i]) for i in range(len(x))]  # noqa: B023

    return gradient_at


def second_derivatives(function: Callable[[], float], parameters: Array) -> Array:
    """Second derivative of a function by each of ``parameters``, in their shape; see ``gradient`` for the rules."""
    result = np.empty_like(parameters)
    if not parameters.flags.c_contiguous:
        raise ValueError("The parameters must be one contiguous array.")
    flat, flat_result = parameters.reshape(-1), result.reshape(-1)
    here = function()
    for i in range(flat.size):
        x = float(flat[i])
        h = 2 * step(x)
        flat[i] = x + h
        above = function()
        flat[i] = x - h
        below = function()
        flat[i] = x
        flat_result[i] = (above - 2 * here + below) / h**2
    return result
