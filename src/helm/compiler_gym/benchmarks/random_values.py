"""The source of the random choices of `random_functions` and `random_programs`."""

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    """Draws from `random.random` only, because Python guarantees its sequence across versions."""

    def __init__(self, seed: int):
        self._random = random.Random(seed).random

    def below(self, limit: int) -> int:
        return int(self._random() * limit)

    def chance(self, probability: float) -> bool:
        return self._random() < probability

    def pick(self, items: Sequence[T]) -> T:
        return items[self.below(len(items))]

    def integer(self, bits: int) -> int:
        """Draw a signed number of `bits` bits; small numbers and those at the limits are more likely."""
        kind = self.below(4)
        if kind == 0:
            return self.below(8) - 2
        if kind == 1:
            number = (1 << self.below(bits)) + self.below(3) - 1
        else:
            number = sum(self.below(256) << shift for shift in range(0, bits, 8))
        number &= (1 << bits) - 1
        return number - (1 << bits) if number >> (bits - 1) else number
