"""The ``gradbench check`` verb, which compares a tool's derivatives with differences of its own functions.

The derivative with respect to each number is compared with a central difference of the eighth order, whose error is close
to rounding error. The function is the tool's, too, so the check shows that the derivative matches it, not that it is the
eval's function; running the eval shows that.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helm.benchmark.executing.execution import ExecutorError
from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.evaluate_request import STATUS_TIMEOUT, STATUS_UNDEFINED, EvaluateRequest, EvaluateResult
from helm.common.processes.line_process import describe_os_error
from helm.gradbench.derivative_check import Check, FieldsCheck, Vector
from helm.gradbench.evals.eval import RepeatedEval
from helm.gradbench.evals.registry import eval_names, find_eval_class, get_eval_class
from helm.gradbench.protocol import Outcome
from helm.gradbench.tool_client import ToolClient

# Far above the error of the differences (about 1e-13 of the function's values), and far below that of a wrong derivative.
TOLERANCE = 1e-6
"""Largest difference that passes, relative to the largest number of the derivative."""


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    module: str

    function: str
    """Name of the derivative."""

    outcome: Outcome

    difference: float | None = None
    """Largest difference divided by the largest number of the derivative; None when something was missing."""

    error: str | None = None


def checked_evals() -> tuple[str, ...]:
    """Return the sorted evals with a function and its derivative; the others return the end point of a descent."""
    return tuple(sorted(name for name in eval_names() if get_eval_class(name).derivative is not None))


def __getattr__(name: str) -> Any:
    if name == "CHECKED_EVALS":  # the old name of checked_evals, from when it was a list
        return checked_evals()
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def eval_check(name: str) -> Check:
    """Return the check of a small workload of an eval. Raises ``ConfigError`` for an eval that has none."""
    from helm.gradbench.evals.driver import parse_eval

    eval_class = find_eval_class(name)
    if eval_class is None or eval_class.derivative is None:
        names = checked_evals()
        raise ConfigError(f"Nothing to check for '{name}'. There are {', '.join(names)}.{suggest(name, names)}")
    runs = ["--min-runs", "1", "--min-seconds", "0"] if issubclass(eval_class, RepeatedEval) else []
    return parse_eval(name, [*eval_class.check_flags, *runs]).derivative_check()


def run_check(tool: ToolClient, check: Check, timeout_s: float | None = None) -> Finding:
    """Ask the tool for the derivative at the input and for the function around it, and compare."""

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


def run_checks(tool: ToolClient, checks: Sequence[Check], timeout_s: float | None = None) -> int:
    """Run all checks and print the results; returns the exit code of the worst outcome: undefined, failure or invalid."""
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
    """Make a check of any function of a tool, at the input in a JSON file.

    Raises: HelmError when the file cannot be read or is not JSON.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise HelmError(f"{path}: {describe_os_error(error)}") from error
    except ValueError as error:
        raise HelmError(f"{path} is not JSON: {error}") from error
    check = FieldsCheck(module, primal, derivative, value, tuple(fields))
    try:
        if not list(check.moves(value)):
            raise ConfigError(f"{path}: there is no number to differentiate by.")
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{path}: only numbers and lists of numbers can be differentiated by: {error}") from error
    return check
