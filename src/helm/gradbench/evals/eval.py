"""What an eval is: the workloads it asks for and the judgement of the answers.

One definition serves two drivers: ``gradbench eval`` speaks the protocol, and a scenario makes instances of it.
"""

from __future__ import annotations

import argparse
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Optional, TypeVar, Union

from helm.common.errors import ConfigError
from helm.gradbench.comparison import Analysis, analyze, analyze_by_golden

Number = Union[int, float]
T = TypeVar("T")
E = TypeVar("E", bound="Eval")

# Seed of the legacy generator that several evals draw from, workload after workload.
LEGACY_SEED = 31337


@dataclass(frozen=True)
class Evaluation:
    """One call that an eval asks for."""

    function: str

    input: Any = None
    """Any JSON value."""

    description: Optional[str] = None
    """Name of the workload; the primal and the derivative of one workload share it."""

    continues: bool = False
    """The input is not known yet: it is whatever the previous evaluation returned, null if that failed."""


class Eval(ABC):
    """One eval with its settings. Subclasses are frozen dataclasses whose fields are the settings."""

    name: ClassVar[str]
    """Name of the eval, and of its one module."""

    primal: ClassVar[Optional[str]] = None
    """The function that computes a value; None when the eval has no such pair."""

    derivative: ClassVar[Optional[str]] = None
    """The function that differentiates ``primal``."""

    least: ClassVar[Mapping[str, Number]] = {}
    """The smallest value of each setting that has one."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for a number that asks for nothing, such as a mixture in 0 dimensions."""
        for name, least in self.least.items():
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if not least <= number < math.inf:
                    raise ConfigError(f"{self.name}: {name} must be {least} or more, got {number}.")

    @classmethod  # noqa: B027
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        """Declare the eval's flags, none by default. Each destination is a field of the class."""

    @classmethod
    def from_arguments(cls: type[E], arguments: argparse.Namespace) -> E:
        """The eval with the settings of parsed flags."""
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        values = {name: getattr(arguments, name) for name in names}
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})

    def config(self) -> Optional[dict[str, Any]]:
        """The settings as the start message tells them; None when this eval does not."""
        return None

    @abstractmethod
    def evaluations(self) -> Iterator[Evaluation]:
        """All evaluations in order; every call yields the same."""

    @abstractmethod
    def analyze(self, function: str, value: Any, output: Any, strict: bool = False) -> Analysis:
        """Judge the ``output`` of ``function`` for the input ``value``.

        Args:
            strict: as ``compare`` means it, and by the derivative of the function itself where the original takes
                another. By default as the original does.
        """


@dataclass(frozen=True)
class RepeatedEval(Eval):
    """An eval whose functions are run again and again for timing."""

    min_runs: int = 1
    """Fewest runs of each evaluation."""

    min_seconds: Number = 1
    """Least total time of the runs of each evaluation."""

    least: ClassVar[Mapping[str, Number]] = {"min_runs": 0, "min_seconds": 0}

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.min_runs == 0 and self.min_seconds == 0:
            raise ConfigError(f"{self.name}: min_runs and min_seconds are both 0, which asks for no run at all.")

    @classmethod
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        defaults = {field.name: field.default for field in fields(cls)}
        parser.add_argument(
            "--min-runs", type=int, default=defaults["min_runs"], metavar="N", help="fewest runs of each evaluation"
        )
        parser.add_argument(
            "--min-seconds",
            type=float,
            default=defaults["min_seconds"],
            metavar="S",
            help="least total time of the runs of each evaluation, in seconds",
        )

    def with_runs(self, value: dict[str, Any]) -> dict[str, Any]:
        """An input completed by how often to run."""
        return {**value, "min_runs": self.min_runs, "min_seconds": self.min_seconds}

    def primal_and_derivative(self, value: dict[str, Any], description: str) -> Iterator[Evaluation]:
        """The two evaluations of one workload."""
        assert self.primal is not None and self.derivative is not None
        value = self.with_runs(value)
        for function in (self.primal, self.derivative):
            yield Evaluation(function, value, description)


def sorted_by_product(*axes: Sequence[int]) -> list[tuple[int, ...]]:
    """All combinations, smallest product first; equal products keep the order of nested loops, first axis outermost."""

    def product(combination: tuple[int, ...]) -> int:
        result = 1
        for factor in combination:
            result *= factor
        return result

    return sorted(itertools.product(*axes), key=product)


def analyze_by_functions(
    golden: Mapping[str, Callable[[Any], Any]], function: str, value: Any, output: Any, strict: bool = False
) -> Analysis:
    """Judge by the golden implementation of ``function``; an unknown function is invalid and says which exist."""
    if function not in golden:
        return _unknown(function)
    return analyze_by_golden(lambda: golden[function](value), output, strict=strict)


def analyze_by_constant(
    expected: Any, functions: Sequence[str], function: str, output: Any, strict: bool = False
) -> Analysis:
    """Judge by a constant that all ``functions`` share; another function is invalid."""
    return analyze(expected, output, strict=strict) if function in functions else _unknown(function)


def _unknown(function: str) -> Analysis:
    return Analysis(False, f"golden implementation failed with error:\nUnknown function: {function}")


def joined(values: Iterable[Number]) -> str:
    return " ".join(str(value) for value in values)
