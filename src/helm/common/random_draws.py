"""Bounded integers from the generators that scenarios are seeded with, at the cost of a few tens of nanoseconds a draw.

Scenarios must repeat the draws of `numpy.random.RandomState` and `random.Random`. A call of either costs microseconds,
nearly all of it argument handling; the draws themselves are a few bits of the Mersenne Twister, taken again while they
are too large. The functions here do just that.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

Below = Callable[[int], int]
"""`below(n)`, n >= 1: a uniform integer of 0, ..., n - 1."""


def numpy_below(seed: int) -> Below:
    """The draws of `RandomState(seed).randint(n)`, in order.

    `randint(low, high)` is `low + below(high - low)`, `choice(items, size=k)` is k times `items[below(len(items))]`,
    `shuffle` is `shuffle_with(below, items)`. n is at most 2**32. One value alone (n = 1) takes nothing from the
    stream.
    """
    import numpy as np

    state = np.random.RandomState(seed)
    blocks = iter(lambda: state.randint(0, 2**32, size=4096, dtype=np.uint32).tolist(), None)
    next_word = chain.from_iterable(blocks).__next__

    def below(n: int) -> int:
        if n == 1:
            return 0
        mask = (1 << (n - 1).bit_length()) - 1
        value = next_word() & mask
        while value >= n:
            value = next_word() & mask
        return value

    return below


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


def pandas_sample(count: int, size: int, seed: int) -> list[int]:
    """The positions, in the order drawn, that pandas' `sample(n=size, random_state=seed)` takes from `count` rows.

    With `frac` pandas takes `size = round(frac * count)`.
    """
    import numpy as np

    return np.random.RandomState(seed).choice(count, size=size, replace=False).tolist()


def hub_shuffle(rows: Sequence[T], seed: int) -> list[T]:
    """The rows in the order of `datasets.Dataset.shuffle(seed)`."""
    import numpy as np

    return [rows[i] for i in np.random.default_rng(seed).permutation(len(rows)).tolist()]
