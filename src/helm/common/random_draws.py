"""Bounded integers from the generators that scenarios are seeded with, at a cost of tens of nanoseconds per draw.

Scenarios must repeat the draws of `numpy.random.RandomState` and `random.Random`. A call of either takes microseconds,
nearly all of it for argument handling. A draw itself takes a few bits from the Mersenne Twister, repeatedly while the value
are too large. The functions here do just that. Python's generator is the same Mersenne Twister, so the draws of
`RandomState` need no numpy, whose import takes longer than all the rest of a short run.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

_NUM_MASKS = 256
_MASKS = [0, 0, *((1 << (n - 1).bit_length()) - 1 for n in range(2, _NUM_MASKS))]
"""For each small n the bits that a draw below n takes: most draws choose among few."""

Below = Callable[[int], int]
"""`below(n)` with n >= 1 is a uniform integer from 0 to n - 1."""


def numpy_below(seed: int) -> Below:
    """Return a function that gives the draws of `RandomState(seed).randint(n)`, in order.

    `randint(low, high)` is `low + below(high - low)`, `choice(items, size=k)` is k times `items[below(len(items))]`,
    `shuffle` is `shuffle_with(below, items)`. n is at most 2**32. One value alone (n = 1) takes nothing from the
    stream. Raises: ValueError for a seed that `RandomState` does not take.
    """
    next_word = partial(_random_state(seed).getrandbits, 32)

    def below(n: int) -> int:
        if n == 1:
            return 0
        mask = _MASKS[n] if n < _NUM_MASKS else (1 << (n - 1).bit_length()) - 1
        value = next_word() & mask
        while value >= n:
            value = next_word() & mask
        return value

    return below


def _random_state(seed: int) -> Random:
    """Python's generator in the state that `RandomState(seed)` begins with (`init_genrand` of the Mersenne Twister)."""
    if not 0 <= seed < 2**32:
        raise ValueError("Seed must be between 0 and 2**32 - 1")
    word = int(seed)
    words = [word]
    for position in range(1, 624):
        word = (1812433253 * (word ^ (word >> 30)) + position) & 0xFFFFFFFF
        words.append(word)
    generator = Random()
    generator.setstate((3, (*words, 624), None))  # the version of this form; 624: all words are used up
    return generator


def python_below(generator: Random) -> Below:
    """Return a function that gives the draws of `generator.randrange(n)`, in order, from its stream.

    `randint(low, high)` is `low + below(high - low + 1)`, `choice(items)` is `items[below(len(items))]`, `shuffle` is
    `shuffle_with(below, items)`. Even with n = 1, bits are taken from the stream.
    """
    getrandbits = generator.getrandbits

    def below(n: int) -> int:
        bits = n.bit_length()
        value = getrandbits(bits)
        while value >= n:
            value = getrandbits(bits)
        return value

    return below


def shuffle_with(below: Below, items: list[Any]) -> None:
    """Shuffle in place like `RandomState.shuffle` and `Random.shuffle`: from the end, swapping with an earlier item."""
    for i in range(len(items) - 1, 0, -1):
        j = below(i + 1)
        items[i], items[j] = items[j], items[i]


def numpy_permutation(count: int, seed: int) -> list[int]:
    """`RandomState(seed).permutation(count)`."""
    positions = list(range(count))
    shuffle_with(numpy_below(seed), positions)
    return positions


def numpy_choice(count: int, size: int, seed: int) -> list[int]:
    """`RandomState(seed).choice(count, size=size, replace=False)`. Raises: ValueError when `size` is more than `count`."""
    if size > count:
        raise ValueError(f"Cannot take {size} of {count} without taking one twice.")
    return numpy_permutation(count, seed)[:size]


def pandas_sample(count: int, size: int, seed: int) -> list[int]:
    """Return the positions that pandas' `sample(n=size, random_state=seed)` draws from `count` rows, in order.

    With `frac`, pandas draws `size = round(frac * count)`.
    """
    return numpy_choice(count, size, seed)


def hub_shuffle(rows: Sequence[T], seed: int) -> list[T]:
    """Return the rows in the order of `datasets.Dataset.shuffle(seed)`."""
    import numpy as np

    return [rows[i] for i in np.random.default_rng(seed).permutation(len(rows)).tolist()]
