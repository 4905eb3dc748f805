"""What an eval is: the workloads it asks for, the judgement of the answers, the score, and what is said about it.

One class serves everything: ``gradbench eval`` speaks the protocol, a scenario makes instances of it, the run spec
``gradbench_NAME`` has its settings, ``gradbench check`` differentiates its small workload, and pages describe it.
"""

from __future__ import annotations

import argparse
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from helm.common.errors import ConfigError
from helm.gradbench.comparison import Analysis, analyze, analyze_by_golden

if TYPE_CHECKING:
    from helm.gradbench.derivative_check import FieldsCheck
    from helm.gradbench.scoring import Scorer

Number = int | float
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

    description: str | None = None
    """Name of the workload; the primal and the derivative of one workload share it."""

    continues: bool = False
    """The input is not known yet: it is whatever the previous evaluation returned, null if that failed."""


class Eval(ABC):
    """One eval with its settings.

    Subclasses are frozen dataclasses whose fields are the settings, each with a default: a number, a text, or a tuple of
    whole numbers for the sizes of workloads. ``helm.gradbench.evals.registry.ad_eval`` makes them known. The docstring
    says what is asked; its first paragraph is shown in listings.
    """

    name: ClassVar[str]
    """Name of the eval, and of its one module."""

    primal: ClassVar[str | None] = None
    """The function that computes a value; None when the eval has no such pair."""

    derivative: ClassVar[str | None] = None
    """The function that differentiates ``primal``."""

    least: ClassVar[Mapping[str, Number]] = {}
    """The smallest value of each setting that has one."""

    is_chain: ClassVar[bool] = False
    """Each evaluation continues the one before, so a run makes all of them, however few instances are asked for."""

    run_doc: ClassVar[str | None] = None
    """Docstring of the run spec ``gradbench_NAME``; None: that of the class."""

    run_defaults: ClassVar[Mapping[str, Any] | None] = None
    """Settings that run entries offer, with their defaults there, where sizes are text such as ``16-128``; None: all
    fields with their own defaults. Smaller ones than the class has keep the files of a run small."""

    run_names: ClassVar[Mapping[str, str]] = {}
    """What run entries call a setting whose own name they cannot use: ``model`` is the subject of a run."""

    scenario: ClassVar[str | None] = None
    """Class path of the scenario; None: ``GradbenchScenario``, which serves every eval."""

    check_flags: ClassVar[Sequence[str]] = ()
    """Flags of a workload small enough for ``gradbench check``."""

    differentiated: ClassVar[Sequence[str]] = ("x",)
    """Fields of the input that the derivative is by, in its order; empty when the input is a number or a list itself."""

    def __post_init__(self) -> None:
        """Raises ``ConfigError`` for a number that asks for nothing, such as a mixture in 0 dimensions."""
        for name, least in self.least.items():
            value = getattr(self, name)
            for number in value if isinstance(value, tuple) else (value,):
                if not least <= number < math.inf:
                    raise ConfigError(f"{self.name}: {name} must be {least} or more, got {number}.")

    @classmethod  # noqa: B027
    def add_arguments(cls, parser: argparse.ArgumentParser) -> None:
        """Declare flags, each with a field of the class as its destination; fields without one get one by themselves."""

    @classmethod
    def add_remaining_arguments(cls, parser: argparse.ArgumentParser) -> None:
        """Declare a flag for each field that ``add_arguments`` left out: ``-n`` for a letter, ``--seed`` for a word."""
        declared = {action.dest for action in parser._actions}
        for field in fields(cls):  # type: ignore[arg-type]
            if field.name in declared:
                continue
            flag = f"{'-' if len(field.name) == 1 else '--'}{field.name.replace('_', '-')}"
            default: Any = field.default
            kind = str if default is None else type(default)
            if kind is bool:
                parser.add_argument(flag, action="store_true", dest=field.name)
            elif kind is tuple:
                parser.add_argument(
                    flag, type=type(default[0]), nargs="+", default=default, dest=field.name, metavar="X"
                )
            else:
                parser.add_argument(flag, type=kind, default=default, dest=field.name, metavar="X")

    @classmethod
    def from_arguments(cls: type[E], arguments: argparse.Namespace) -> E:
        """The eval with the settings of parsed flags."""
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        values = {name: getattr(arguments, name) for name in names}
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()})

    def config(self) -> dict[str, Any] | None:
        """The settings as the start message tells them; None when this eval does not."""
        return None

    @classmethod
    def new_scorer(cls) -> Scorer:
        """What makes scores of logs: one over the total time of function and derivative; without such a pair, always 1."""
        from helm.gradbench.scoring import ClassicScorer, ConstantScorer

        if cls.primal is None or cls.derivative is None:
            return ConstantScorer()
        return ClassicScorer(cls.primal, cls.derivative)

    def derivative_check(self) -> FieldsCheck:
        """What ``gradbench check`` compares, at the first workload; asked only of an eval with a derivative."""
        from helm.gradbench.derivative_check import FieldsCheck

        assert self.primal is not None and self.derivative is not None
        value = next(iter(self.evaluations())).input
        return FieldsCheck(self.name, self.primal, self.derivative, value, tuple(self.differentiated))

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
            raise ConfigError(f"{self.name}: min_runs and min_seconds are both 0, so no run is requested.")

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
