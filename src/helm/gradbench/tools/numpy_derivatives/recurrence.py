"""Linear recurrences v_t = a_t v_{t-1} + c_t of many numbers at once, in far fewer calls than there are steps.

The steps are cut into blocks that advance together from zero, each with the product of its a; then the ends of the
blocks, which obey a recurrence of the same kind with as many steps as there are blocks, tell where each block began.
That shorter recurrence is solved the same way. A table of b numbers for each step becomes an array of shape
(n1, b, n2, n3): step t = (i3 n2 + i2) n1 + i1 stands at [i1, :, i2, i3].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]

_BLOCK = 16
"""Steps of a block: more mean more calls, fewer mean more blocks to join."""


@dataclass(frozen=True)
class Blocks:
    """How the steps of a table are cut into blocks."""

    steps: int
    lengths: tuple[int, int, int]
    """n1, n2, n3; their product is at least the number of steps, and what is above is filled up."""

    @classmethod
    def of(cls, steps: int) -> Blocks:
        if steps < 4 * _BLOCK:
            return cls(steps, (steps, 1, 1))
        number = -(-steps // _BLOCK)
        inner = math.isqrt(number - 1) + 1
        return cls(steps, (_BLOCK, inner, -(-number // inner)))

    @property
    def are_many(self) -> bool:
        """Whether there is more than one, so that there is something to win."""
        return self.lengths[1] > 1

    def pack(self, rows: Array) -> Array:
        """The table of shape (steps, b) in blocks, zeros at the end."""
        n1, n2, n3 = self.lengths
        filled = np.zeros((n1 * n2 * n3, rows.shape[1]))
        filled[: self.steps] = rows
        return np.ascontiguousarray(filled.reshape(n3, n2, n1, -1).transpose(2, 3, 1, 0))

    def unpack(self, values: Array) -> Array:
        """The inverse of ``pack``."""
        return values.transpose(3, 2, 0, 1).reshape(-1, values.shape[1])[: self.steps]


def before(values: Array, start: Array, backwards: bool = False, out: Array | None = None) -> Array:
    """The values of the step before each, ``start`` before the first; ``backwards``: of the step after each.

    Args:
        out: where to put them, or None for a new array.
    """
    shifted = np.empty_like(values) if out is None else out
    _shift(values, start, shifted, backwards)
    return shifted


def _shift(values: Array, start: Array, shifted: Array, backwards: bool) -> None:
    if backwards:
        values, shifted = values[::-1], shifted[::-1]
    shifted[1:] = values[:-1]
    if values.ndim == 2:
        shifted[0] = start
    else:
        _shift(values[-1].swapaxes(0, 1), start, shifted[0].swapaxes(0, 1), backwards)


def solve(a: Array, c: Array, start: Array, backwards: bool = False, products: Array | None = None) -> None:
    """Replace ``c`` by the v with v_t = a_t v_{t-1} + c_t, or v_t = a_t v_{t+1} + c_t when going backwards.

    Args:
        a, c: blocks, shape (n1, b, n2, n3).
        start: shape (b,), the value before the first step, or after the last.
        products: room for as many numbers as ``a`` has, or None for new room.
    """
    multiply, add = np.multiply, np.add
    if backwards:
        a, c = a[::-1], c[::-1]
    term = np.empty_like(c[0])
    if a.ndim == 2:
        value = start
        for factor, here in zip(a, c, strict=True):
            multiply(factor, value, term)
            add(here, term, here)
            value = here
        return
    if products is None:
        products = np.empty_like(a)
    products[0] = a[0]
    value, product = c[0], products[0]
    for factor, here, product_here in zip(a[1:], c[1:], products[1:], strict=True):
        multiply(factor, value, term)
        add(here, term, here)
        multiply(factor, product, product_here)
        value, product = here, product_here
    ends = value.swapaxes(0, 1).copy()  # the blocks that begin at different i2 follow each other
    solve(product.swapaxes(0, 1).copy(), ends, start, backwards)
    starts = np.empty_like(value)
    _shift(ends, start, starts.swapaxes(0, 1), backwards)
    multiply(products, starts, products)
    add(c, products, c)
