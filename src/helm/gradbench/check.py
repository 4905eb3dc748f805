"""The ``gradbench check`` verb: a tool's derivatives against differences of its own functions, for want of a reference.

The derivative by each number is compared with a central difference of the eighth order, whose error is near that of
rounding. The function is the tool's too, so this shows that the derivative belongs to it, not that it is the function an
eval means; that is what running the eval shows.
"""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from helm.benchmark.execution import ExecutorError
from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.evaluate_request import STATUS_TIMEOUT, STATUS_UNDEFINED, EvaluateRequest, EvaluateResult
from helm.gradbench.line_process import describe_os_error
from helm.gradbench.protocol import Outcome
from helm.gradbench.tool_client import ToolClient

Vector = list[float]
Move = Callable[[float], Any]
"""The input with one of its numbers moved by this much."""

TOLERANCE = 1e-6
"""Largest difference over the largest number of the derivative that passes."""

_WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
_STEP = 2e-3  # times the number's magnitude, if that is above 1; truncation and rounding are both near 1e-13
_SECOND_STEP = 1e-4


@dataclass(frozen=True)
class Finding:
    """What one check came to."""

    module: str

    function: str
    """Name of the derivative."""

    outcome: Outcome

    difference: Optional[float] = None
    """Largest difference over the largest number of the derivative; None when something was missing."""

    error: Optional[str] = None


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
        """Of each number to differentiate by, in the order of the derivative: itself, and how to move it."""

    @abstractmethod
    def names(self, value: Any) -> list[str]:
        """What these numbers are called, such as ``mu[1][0]``."""

    def values(self, output: Any) -> Vector:
        """The numbers that the function put out, which are to be differentiated."""
        return _flat(output)

    def columns(self, output: Any) -> list[Vector]:
        """The derivatives of these numbers, by each number to differentiate by."""
        return [[number] for number in _flat(output)]

    def expected(self, ask: Callable[[Any], Vector], value: Any) -> list[Vector]:
        """The same by differences."""
        return [_difference(ask, number, move) for number, move in self.moves(value)]


def _difference(ask: Callable[[Any], Vector], number: float, move: Move) -> Vector:
    h = _STEP * max(1.0, abs(number))
    total: Optional[Vector] = None
    for i, weight in enumerate(_WEIGHTS, start=1):
        above, below = ask(move(i * h)), ask(move(-i * h))
        part = [weight * (a - b) / h for a, b in zip(above, below, strict=True)]
        total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
    assert total is not None
    return total


def _flat(value: Any) -> Vector:
    """The numbers of a value in order, of an object by its keys. Raises ``HelmError`` at anything that is no number."""
    if isinstance(value, list):
        return [number for item in value for number in _flat(item)]
    if isinstance(value, dict):
        return [number for item in value.values() for number in _flat(item)]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise HelmError(f"a number was expected, got {json.dumps(value)[:40]}")
    return [float(value)]


def _moves_of(value: Any, path: Sequence[Any], root: Any) -> Iterator[tuple[float, Move]]:
    """Of all numbers below ``path``."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            yield from _moves_of(item, [*path, i], root)
    else:
        yield float(value), lambda step: _replaced(root, path, float(value) + step)


def _names_of(value: Any, name: str) -> list[str]:
    """What the numbers in ``value`` are called, in the order of ``_moves_of``."""
    if isinstance(value, list):
        return [path for i, item in enumerate(value) for path in _names_of(item, f"{name}[{i}]")]
    return [name]


def _replaced(root: Any, path: Sequence[Any], number: float) -> Any:
    if not path:
        return number
    copy = dict(root) if isinstance(root, dict) else list(root)
    copy[path[0]] = _replaced(root[path[0]], path[1:], number)
    return copy


@dataclass(frozen=True)
class FieldsCheck(Check):
    """Differentiates by all numbers of some fields of the input, in this order.

    A function with several numbers has a derivative with a row for each.
    """

    module: str
    primal: str
    derivative: str
    value: Any
    fields: tuple[str, ...] = ()
    """None for an input that is a number or a list itself."""

    is_last_only: bool = False
    """Whether the derivative is that of the last number alone."""

    def input(self) -> Any:
        return self.value

    def moves(self, value: Any) -> Iterator[tuple[float, Move]]:
        if not self.fields:
            yield from _moves_of(value, [], value)
        for name in self.fields:
            if not isinstance(value, dict) or name not in value:
                raise ConfigError(f"The input has no field '{name}' to differentiate by.")
            yield from _moves_of(value[name], [name], value)

    def names(self, value: Any) -> list[str]:
        if not self.fields:
            return _names_of(value, "input")
        return [path for name in self.fields for path in _names_of(value[name], name)]

    def values(self, output: Any) -> Vector:
        return super().values(output)[-1:] if self.is_last_only else super().values(output)

    def columns(self, output: Any) -> list[Vector]:
        if isinstance(output, dict) and set(output) == set(self.fields):
            return [[number] for name in self.fields for number in _flat(output[name])]
        if isinstance(output, list) and output and isinstance(output[0], list) and not self.is_last_only:
            rows = [_flat(row) for row in output]
            if len({len(row) for row in rows}) == 1 and len(rows[0]) == sum(1 for _ in self.moves(self.value)):
                return [list(column) for column in zip(*rows, strict=True)]
        return super().columns(output)


class _BundleAdjustment(FieldsCheck):
    """The first observation's two errors, and the weight error."""

    def values(self, output: Any) -> Vector:
        return [*_flat(output["reproj_error"]["elements"]), *_flat(output["w_err"]["element"])]

    def columns(self, output: Any) -> list[Vector]:
        values = _flat(output["vals"])
        rows = [values[:15], values[15:30], [0.0] * 14 + values[-1:]]
        return [list(column) for column in zip(*rows, strict=True)]


class _HandTracking(FieldsCheck):
    """All points have shares of their own, so those of all points are moved at once."""

    def moves(self, value: Any) -> Iterator[tuple[float, Move]]:
        for i in range(2):
            yield 0.0, lambda step, i=i: {**value, "us": [_replaced(u, [i], u[i] + step) for u in value["us"]]}  # type: ignore[misc]
        yield from _moves_of(value["theta"], ["theta"], value)

    def names(self, value: Any) -> list[str]:
        return ["us[...][0]", "us[...][1]", *_names_of(value["theta"], "theta")]

    def columns(self, output: Any) -> list[Vector]:
        return [_flat(list(column)) for column in zip(*output, strict=True)]


class _Clustering(FieldsCheck):
    """Gradient over second derivative. The cost is piecewise quadratic, so short differences of it are exact."""

    def expected(self, ask: Callable[[Any], Vector], value: Any) -> list[Vector]:
        (here,) = ask(value)
        result = []
        for _, move in self.moves(value):
            (above,), (below,) = ask(move(_SECOND_STEP)), ask(move(-_SECOND_STEP))
            second = above + below - 2 * here
            result.append([0.5 * (above - below) * _SECOND_STEP / second] if second else [math.nan])
        return result


_FLAGS = {
    "hello": "",
    "gmm": "-d 3 -k 2 -n 5",
    "ba": "--min 1 --max 1",
    "ht": "--min 1 --max 1 --model small",
    "lstm": "-l 2 -c 4",
    "kmeans": "-k 3 -n 20 -d 2",
    "lse": "-n 6",
    "llsq": "-n 6 -m 4",
    "det": "-l 4",
    "ode": "-n 4 -s 3",
}
_BY = {
    "gmm": ("alpha", "mu", "q", "l"),
    "ba": ("cam", "x", "w"),
    "lstm": ("main_params", "extra_params"),
    "kmeans": ("centroids",),
    "det": ("A",),
}
_CLASSES = {"ba": _BundleAdjustment, "ht": _HandTracking, "kmeans": _Clustering}
CHECKED_EVALS = tuple(sorted(_FLAGS))
"""The evals with a function and a derivative of it; the others return where a descent ends."""

_NUM_POINTS = 6


def eval_check(name: str) -> Check:
    """The check of a small workload of an eval. Raises ``ConfigError`` for an eval that has none."""
    from helm.gradbench.evals.driver import parse_eval

    if name not in _FLAGS:
        known = ", ".join(CHECKED_EVALS)
        raise ConfigError(f"Nothing to check for '{name}'. There are {known}.{suggest(name, CHECKED_EVALS)}")
    runs = [] if name == "hello" else ["--min-runs", "1", "--min-seconds", "0"]
    eval_ = parse_eval(name, [*_FLAGS[name].split(), *runs])
    assert eval_.primal is not None and eval_.derivative is not None
    value = next(eval_.evaluations()).input
    if name == "ba":
        value = {**value, "n": 2, "m": 3, "p": 12}
    elif name == "ht":
        data = {**value["data"], **{key: value["data"][key][:_NUM_POINTS] for key in ("correspondences", "points")}}
        value = {**value, "data": data, "us": value["us"][:_NUM_POINTS]}
    fields = _BY.get(name, () if name == "hello" else ("x",))
    check_class = _CLASSES.get(name, FieldsCheck)
    return check_class(name, eval_.primal, eval_.derivative, value, fields, is_last_only=name == "ode")


def run_check(tool: ToolClient, check: Check, timeout_s: Optional[float] = None) -> Finding:
    """Ask the tool for the derivative and for the function around the input, and compare."""

    class Unanswered(Exception):
        def __init__(self, result: EvaluateResult):
            super().__init__(result.error)
            self.result = result

    def evaluate(function: str, value: Any) -> Any:
        result = tool.evaluate(EvaluateRequest(module=check.module, function=function, input=value), timeout_s)
        if not result.success:
            raise Unanswered(result)
        return result.output

    try:
        definition = tool.define(check.module, timeout_s)
        if not definition.success:
            raise Unanswered(definition)
        value = check.input()
        actual = check.columns(evaluate(check.derivative, value))
        expected = check.expected(lambda moved: check.values(evaluate(check.primal, moved)), value)
    except Unanswered as unanswered:
        special = {STATUS_UNDEFINED: Outcome.UNDEFINED, STATUS_TIMEOUT: Outcome.TIMEOUT}
        outcome = special.get(unanswered.result.status, Outcome.FAILURE)
        return Finding(check.module, check.derivative, outcome, error=str(unanswered))
    except (HelmError, KeyError, TypeError, ValueError) as error:  # an output of another shape
        if isinstance(error, (ConfigError, ExecutorError)):
            raise
        text = f"the output has another form: {error}"
        return Finding(check.module, check.derivative, Outcome.INVALID, error=text)
    shapes = [len(column) for column in actual], [len(column) for column in expected]
    if shapes[0] != shapes[1]:
        text = f"the derivative has {sum(shapes[0])} numbers, differences of {check.primal} give {sum(shapes[1])}"
        return Finding(check.module, check.derivative, Outcome.INVALID, error=text)
    return _compared(check, actual, expected)


def _compared(check: Check, actual: list[Vector], expected: list[Vector]) -> Finding:
    names = check.names(check.input())
    has_rows = any(len(column) > 1 for column in expected)

    def described(entry: tuple[int, int, float, float]) -> str:
        i, row, a, e = entry
        number = f"value {row} " if has_rows else ""
        return f"{number}by {names[i]}: the tool says {a:.6g}, differences of {check.primal} say {e:.6g}"

    entries = [
        (i, row, a, e)
        for i, column in enumerate(zip(actual, expected, strict=True))
        for row, (a, e) in enumerate(zip(*column, strict=True))
    ]
    for entry in entries:
        if not all(math.isfinite(number) for number in entry[2:]):
            error = f"NaN or an infinity: {described(entry)}"
            return Finding(check.module, check.derivative, Outcome.INVALID, error=error)
    scale = max((abs(e) for *_, e in entries), default=0.0) or 1.0
    wrong = [entry for entry in entries if abs(entry[2] - entry[3]) > TOLERANCE * scale]
    difference = max((abs(a - e) for *_, a, e in entries), default=0.0) / scale
    if not wrong:
        return Finding(check.module, check.derivative, Outcome.SUCCESS, difference)
    worst = max(wrong, key=lambda entry: abs(entry[2] - entry[3]))
    error = f"{len(wrong)} of {len(entries)} numbers differ, most of all {described(worst)}"
    return Finding(check.module, check.derivative, Outcome.INVALID, difference, error)


def run_checks(tool: ToolClient, checks: Sequence[Check], timeout_s: Optional[float] = None) -> int:
    """Run and print all; the exit code is that of the worst outcome, in the order undefined, failure, invalid."""
    findings = []
    for check in checks:
        finding = run_check(tool, check, timeout_s)
        findings.append(finding)
        size = "" if finding.difference is None else f" largest difference {finding.difference:.1e}"
        mark = "✓" if finding.outcome is Outcome.SUCCESS else "✗"
        print(f"{finding.module + '::' + finding.function:20} {mark} {finding.outcome.value}{size}", flush=True)
        if finding.error is not None:
            print(f"    {finding.error.strip().splitlines()[-1]}", flush=True)
    order = (Outcome.TIMEOUT, Outcome.UNDEFINED, Outcome.FAILURE, Outcome.INVALID)
    outcomes = {finding.outcome for finding in findings}
    return next((bad.exit_code for bad in order if bad in outcomes), 0)


def read_check(module: str, primal: str, derivative: str, path: Path, fields: Sequence[str]) -> Check:
    """A check of any function of a tool, at the input in a JSON file.

    Raises: HelmError when the file cannot be read or is no JSON.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HelmError(f"{path}: {describe_os_error(error)}") from error
    except ValueError as error:
        raise HelmError(f"{path} is no JSON: {error}") from error
    check = FieldsCheck(module, primal, derivative, value, tuple(fields))
    try:
        if not list(check.moves(value)):
            raise ConfigError(f"{path}: there is no number to differentiate by.")
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{path}: only numbers and lists of them can be differentiated by: {error}") from error
    return check
