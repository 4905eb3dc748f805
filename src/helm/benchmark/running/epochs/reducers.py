"""Reducers: the one value that stands for the values of an instance in several epochs."""

import math
import re
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache

from helm.benchmark.metrics.statistic import pass_all
from helm.common.errors import ConfigError, suggest

MEAN, MAX, MAJORITY = "mean", "max", "majority"
PASS_AT, PASS_ALL, AT_LEAST = "pass@", "pass^", "at_least_"

CORRECT = 1.0
"""The smallest value that counts as correct where correct answers are counted."""

_COUNTING = re.compile(r"(pass@|pass\^|at_least_)([1-9][0-9]{0,5})")
_EXAMPLES = (MEAN, MAX, MAJORITY, "pass@1", "pass^1", "at_least_1")


@dataclass(frozen=True)
class Reducer:
    """One reducer, as it is written in run entries."""

    name: str
    """`mean`, `max`, `majority`, or one with a number, such as `pass@3`, `pass^3` or `at_least_3`."""

    kind: str
    """The name without the number."""

    k: int = 1
    """The number of epochs that it needs."""

    @property
    def counts_correct(self) -> bool:
        """Whether it depends only on the number of correct answers: those with a value of at least 1."""
        return self.kind in (PASS_AT, PASS_ALL, AT_LEAST)


@cache
def parse_reducer(name: str) -> Reducer:
    """Parse the name of a reducer. Raises: ConfigError for an unknown one."""
    if name in (MEAN, MAX, MAJORITY):
        return Reducer(name, name)
    match = _COUNTING.fullmatch(name)
    if match is None:
        raise ConfigError(
            f"reducer takes mean, max, majority, pass@K, pass^K or at_least_K with a number K from 1 on, not '{name}'."
            f"{suggest(name, _EXAMPLES)}"
        )
    return Reducer(name, match[1], int(match[2]))


def reduce_values(reducer: Reducer, values: Sequence[float], answers: Sequence[Hashable | None] = ()) -> float | None:
    """Return the value that stands for the values of an instance; None if there are fewer of them than it needs.

    Args:
        values: those of single epochs, in their order.
        answers: the answer of each epoch, None where there is none; empty if there are no answers to vote by. Only
            `majority` looks at them.
    """
    count = len(values)
    if count < reducer.k:
        return None
    if reducer.kind == MEAN:
        return math.fsum(values) / count
    if reducer.kind == MAX:
        return max(values)
    if reducer.kind == MAJORITY:
        return _majority(values, answers)
    correct = sum(value >= CORRECT for value in values)
    if reducer.kind == PASS_AT:
        return 1.0 - pass_all(count, count - correct, reducer.k)
    if reducer.kind == PASS_ALL:
        return pass_all(count, correct, reducer.k)
    return float(correct >= reducer.k)


def count_votes(answers: Sequence[Hashable | None]) -> tuple[Hashable | None, bool]:
    """Return the most frequent answer and whether another one is as frequent; of these, the one given first wins.

    None is no vote, and the result if there are no votes.
    """
    votes = Counter(answer for answer in answers if answer is not None).most_common(2)
    if not votes:
        return None, False
    return votes[0][0], len(votes) > 1 and votes[1][1] == votes[0][1]


def _majority(values: Sequence[float], answers: Sequence[Hashable | None]) -> float:
    winner, _ = count_votes(answers)
    if winner is None:  # the mode of the values; of equally frequent ones, the first
        return Counter(values).most_common(1)[0][0]
    # A judge may score equal answers differently.
    chosen = [value for value, answer in zip(values, answers, strict=True) if answer == winner]
    return math.fsum(chosen) / len(chosen)
