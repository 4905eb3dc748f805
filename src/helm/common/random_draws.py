"""Bounded integers from the generators that scenarios are seeded with, at a cost of tens of nanoseconds per draw.

Scenarios must repeat the draws of `numpy.random.RandomState` and `random.Random`. A call of either takes microseconds,
nearly all of it for argument handling. A draw itself takes a few bits from the Mersenne Twister, repeatedly while the value
is too large (rejection sampling). The functions here do just that.
"""

from collections.abc import Callable, Sequence
from itertools import chain
from random import Random
from typing import Any, TypeVar

T = TypeVar("T")

Below = Callable[[int], int]
"""`below(n)` with n >= 1 is a uniform integer from 0 to n - 1."""


def numpy_below(seed: int) -> Below:
    """Return a function that gives the draws of `RandomState(seed).randint(n)`, in order.

    `randint(low, high)` is `low + below(high - low)`, `choice(items, size=k)` is k times `items[below(len(items))]`,
    `shuffle` is `shuffle_with(below, items)`. n is at most 2**32. With n = 1, nothing is taken from the stream.
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


def pandas_sample(count: int, size: int, seed: int) -> list[int]:
    """Return the positions that pandas' `sample(n=size, random_state=seed)` draws from `count` rows, in order.

    With `frac`, pandas draws `size = round(frac * count)`.
    """
    import numpy as np

    return np.random.RandomState(seed).choice(count, size=size, replace=False).tolist()


def hub_shuffle(rows: Sequence[T], seed: int) -> list[T]:
    """Return the rows in the order of `datasets.Dataset.shuffle(seed)`."""
    import numpy as np

    return [rows[i] for i in np.random.default_rng(seed).permutation(len(rows)).tolist()]
