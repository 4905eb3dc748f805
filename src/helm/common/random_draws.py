"""Bounded integers from the generators that scenarios are seeded with, at the cost of a few tens of nanoseconds a draw.

Scenarios must repeat the draws of `numpy.random.RandomState` and `random.Random`. A call of either costs microseconds,
nearly all of it argument handling; the draws themselves are a few bits of the Mersenne Twister, taken again while they
are too large. The functions here do just that. Python's generator is the same Mersenne Twister, so the draws of
`RandomState` need no numpy, whose import takes longer than all the rest of a short run.
"""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

Below = Callable[[int], int]
"""`below(n)`, n >= 1: a uniform integer of 0, ..., n - 1."""


def numpy_below(seed: int) -> Below:
    """The draws of `RandomState(seed).randint(n)`, in order.

    `randint(low, high)` is `low + below(high - low)`, `choice(items, size=k)` is k times `items[below(len(items))]`,
    `shuffle` is `shuffle_with(below, items)`. n is at most 2**32. One value alone (n = 1) takes nothing from the
    stream. Raises: ValueError for a seed that `RandomState` does not take.
    """
    next_word = partial(_random_state(seed).getrandbits, 32)

    def below(n: int) -> int:
        if n == 1:
            return 0
        mask = (1 << (n - 1).bit_length()) - 1
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
    """The draws of `generator.randrange(n)`, in order, from its own stream.

    `randint(low, high)` is `low + below(high - low + 1)`, `choice(items)` is `items[below(len(items))]`, `shuffle` is
    `shuffle_with(below, items)`. One value alone (n = 1) does take bits from the stream.
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
    """Shuffle in place as `RandomState.shuffle` and `Random.shuffle` both do: from the end, each with one before it."""
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
    """The positions, in the order drawn, that pandas' `sample(n=size, random_state=seed)` takes from `count` rows.

    With `frac` pandas takes `size = round(frac * count)`.
    """
    return numpy_choice(count, size, seed)


def hub_shuffle(rows: Sequence[T], seed: int) -> list[T]:
    """The rows in the order of `datasets.Dataset.shuffle(seed)`."""
    import numpy as np

    return [rows[i] for i in np.random.default_rng(seed).permutation(len(rows)).tolist()]
