"""Central differences of a tool's function with respect to numbers of its input, for ``gradbench check``."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.errors import ConfigError, HelmError

Vector = list[float]
Move = Callable[[float], Any]
"""The input with one of its numbers moved by this much."""

# Of the values at 1, 2, 3 and 4 steps to either side: the central difference with an error of the order step^8.
_WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
_STEP = (
    2e-3  # times the number's magnitude if above 1; chosen so that truncation and rounding errors are both about 1e-13
)


class Check(ABC):
    """One function and its derivative at one input."""

    module: str
    primal: str
    derivative: str

    @abstractmethod
    def input(self) -> Any:
        """The input."""

    @abstractmethod
    def moves(self, value: Any) -> Iterator[tuple[float, Move]]:
        """Return for each independent number, in the order of the derivative, its value and the function that moves it."""

    @abstractmethod
    def names(self, value: Any) -> list[str]:
        """Return the names of these numbers, such as ``mu[1][0]``."""

    def values(self, output: Any) -> Vector:
        """Return the numbers in the function's output that are differentiated."""
        return flat(output)

    def columns(self, output: Any) -> list[Vector]:
        """Return the derivatives of these numbers with respect to each independent number."""
        return [[number] for number in flat(output)]

    def expected(self, ask: Callable[[Any], Vector], value: Any) -> list[Vector]:
        """Compute the same derivatives by differences."""
        return [_difference(ask, number, move) for number, move in self.moves(value)]


def _difference(ask: Callable[[Any], Vector], number: float, move: Move) -> Vector:
    h = _STEP * max(1.0, abs(number))
    total: Vector | None = None
    for i, weight in enumerate(_WEIGHTS, start=1):
        above, below = ask(move(i * h)), ask(move(-i * h))
        part = [weight * (a - b) / h for a, b in zip(above, below, strict=True)]
        total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
    assert total is not None
    return total


def flat(value: Any) -> Vector:
    """Return the numbers of a value in order, those of an object in the order of its keys. Raises ``HelmError`` at others."""
    if isinstance(value, list):
        return [number for item in value for number in flat(item)]
    if isinstance(value, dict):
        return [number for item in value.values() for number in flat(item)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise HelmError(f"a number was expected, got {json.dumps(value)[:40]}")
    return [float(value)]


def moves_of(value: Any, path: Sequence[Any], root: Any) -> Iterator[tuple[float, Move]]:
    """Return the moves of all numbers below ``path``."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from moves_of(item, [*path, i], root)
    else:
        yield float(value), lambda step: replaced(root, path, float(value) + step)


def names_of(value: Any, name: str) -> list[str]:
    """Return the names of the numbers in ``value``, in the order of ``moves_of``."""
    if isinstance(value, list):
        return [path for i, item in enumerate(value) for path in names_of(item, f"{name}[{i}]")]
    return [name]


def replaced(root: Any, path: Sequence[Any], number: float) -> Any:
    if not path:
        return number
    copy = dict(root) if isinstance(root, dict) else list(root)
    copy[path[0]] = replaced(root[path[0]], path[1:], number)
    return copy


@dataclass(frozen=True)
class FieldsCheck(Check):
    """Differentiates with respect to all numbers of some input fields, in this order.

    A function with several numbers has a derivative with a row for each.
    """

    module: str
    primal: str
    derivative: str
    value: Any
    fields: tuple[str, ...] = ()
    """Names of the fields; None for an input that is itself a number or a list."""

    is_last_only: bool = False
    """Whether the derivative is that of the last number alone."""

    def input(self) -> Any:
        return self.value

    def moves(self, value: Any) -> Iterator[tuple[float, Move]]:
        if not self.fields:
            yield from moves_of(value, [], value)
        for name in self.fields:
            if not isinstance(value, dict) or name not in value:
                raise ConfigError(f"The input has no field '{name}' to differentiate by.")
            yield from moves_of(value[name], [name], value)

    def names(self, value: Any) -> list[str]:
        if not self.fields:
            return names_of(value, "input")
        return [path for name in self.fields for path in names_of(value[name], name)]

    def values(self, output: Any) -> Vector:
        return super().values(output)[-1:] if self.is_last_only else super().values(output)

    def columns(self, output: Any) -> list[Vector]:
        if isinstance(output, dict) and set(output) == set(self.fields):
            return [[number] for name in self.fields for number in flat(output[name])]
        if isinstance(output, list) and output and isinstance(output[0], list) and not self.is_last_only:
            rows = [flat(row) for row in output]
            if len({len(row) for row in rows}) == 1 and len(rows[0]) == sum(1 for _ in self.moves(self.value)):
                return [list(column) for column in zip(*rows, strict=True)]
        return super().columns(output)
