"""Delta debugging: the smallest part of a list that still shows a failure."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")


def reduce_list(items: Sequence[Item], fails: Callable[[list[Item]], bool]) -> list[Item]:
    """Return a part of a failing list that fails, too, and does not when any one of its items is left out.

    Source: Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input (2002), the algorithm ddmin.

    Args:
        items: the list, which fails.
        fails: tests a part of it, in the same order. It is asked once about each part.
    """
    known: dict[tuple[int, ...], bool] = {}

    def test(indices: list[int]) -> bool:
        key = tuple(indices)
        if key not in known:
            known[key] = fails([items[index] for index in indices])
        return known[key]

    left, num_parts = list(range(len(items))), 2
    while len(left) >= 2:
        size = -(-len(left) // num_parts)
        parts = [left[start : start + size] for start in range(0, len(left), size)]
        complements = [[index for index in left if index not in part] for part in parts]
        smaller = next((part for part in parts if len(part) < len(left) and test(part)), None)
        if smaller is not None:
            left, num_parts = smaller, 2
            continue
        smaller = next((rest for rest in complements if rest and len(rest) < len(left) and test(rest)), None)
        if smaller is not None:
            left, num_parts = smaller, max(num_parts - 1, 2)
            continue
        if num_parts >= len(left):
            break
        num_parts = min(num_parts * 2, len(left))
    if len(left) == 1 and test([]):
        left = []
    return [items[index] for index in left]
