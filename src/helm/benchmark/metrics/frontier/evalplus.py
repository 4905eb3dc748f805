"""How EvalPlus compares the values of a function with expected ones."""

import ast
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from helm.common.sandbox.harness import run_harness

_PACKAGE = "helm.benchmark.metrics"
_MOST_OUTPUT = 64 << 20
_FLOAT_TOLERANCE, _RELATIVE_TOLERANCE = 1e-6, 1e-7

_SETS = frozenset(
    "similar_elements find_char_long common_in_nested_lists extract_singly larg_nnum intersection_array find_dissimilar "
    "Diff".split()
)
"""Functions of MBPP whose values are compared as sets."""

_NOT_NONE = frozenset("check_str text_match_three text_starta_endb".split())
"""Functions of MBPP that may return anything but None in place of True."""

_ZERO = "find_zero"
"""The function of HumanEval that finds a zero of a polynomial, of which there are several."""


@dataclass(frozen=True)
class Outcome:
    """What the calls of a program gave."""

    passed: bool

    details: list[bool]
    """Whether each value is right, up to the first wrong one if calls end there."""


def run_calls(
    dataset: str,
    entry_point: str,
    code: str,
    inputs: Sequence[Sequence[Any]],
    expected: Sequence[Any],
    atol: float = 0.0,
    timeout_s: float = 1.0,
    stop_at_failure: bool = False,
) -> Outcome:
    """Call a function with each input in the sandbox, and compare its values with the expected ones.

    Args:
        dataset: `humaneval` or `mbpp`, which has functions with rules of their own.
        atol: the absolute tolerance of numbers; 0 means 1e-6 from the first expected value with floats on.
        timeout_s: the limit for each call.

    Raises: SandboxError if there is no sandbox.
    """
    details: list[bool] = []
    records = _call(code, entry_point, inputs, timeout_s)
    for record, arguments, wanted in zip(records, inputs, expected, strict=False):
        if "no_program" in record:
            break
        if atol == 0 and _has_floats(wanted):
            atol = _FLOAT_TOLERANCE
        details.append(_is_right(dataset, entry_point, record, arguments, wanted, atol))
        if stop_at_failure and not details[-1]:
            break
    return Outcome(len(details) == len(inputs) and all(details), details)


def run_reference(code: str, entry_point: str, inputs: Sequence[Sequence[Any]], timeout_s: float) -> list[Any] | None:
    """Return the values of a reference solution for all inputs, run in the sandbox; None if one of them cannot be had."""
    records = _call(code, entry_point, inputs, timeout_s)
    if len(records) != len(inputs) or not all("output" in record for record in records):
        return None
    return [_read(str(record["output"])) for record in records]


def _call(code: str, entry_point: str, inputs: Sequence[Sequence[Any]], timeout_s: float) -> list[dict[str, Any]]:
    """Return the lines of the harness; those before its end if it was ended. A program may try to forge them."""
    task = {"source": code, "entry_point": entry_point, "inputs": list(inputs), "timeout_s": timeout_s}
    wall_s = timeout_s * len(inputs) + 5
    outcome = run_harness(_PACKAGE, "code_harness_evalplus.py", task, wall_s, output_bytes=_MOST_OUTPUT)
    records = []
    for line in outcome.stdout.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            break
        if not isinstance(record, dict):
            break
        records.append(record)
    return records


def _is_right(
    dataset: str, entry_point: str, record: dict[str, Any], arguments: Sequence[Any], wanted: Any, atol: float
) -> bool:
    if "error" in record:
        return False
    if "output" not in record:  # a value without notation, which equals nothing but may be anything but None
        return entry_point == "are_equivalent" or (entry_point in _NOT_NONE and wanted is True)
    try:
        value = _read(str(record["output"]))
        return is_right_value(dataset, entry_point, value, arguments, wanted, atol)
    except (ValueError, TypeError, SyntaxError, ArithmeticError, RecursionError, MemoryError):
        return False


def _read(text: str) -> Any:
    return float(text) if text in ("nan", "inf", "-inf") else ast.literal_eval(text)


def is_right_value(
    dataset: str, entry_point: str, value: Any, arguments: Sequence[Any], wanted: Any, atol: float
) -> bool:
    """Return whether a value is the expected one. Raises: TypeError or ValueError for values that cannot be compared."""
    is_equal = value == wanted
    if dataset == "humaneval" and entry_point == _ZERO:
        return abs(_polynomial(arguments[0], value)) <= (atol or _FLOAT_TOLERANCE)
    if dataset == "mbpp":
        if entry_point in _SETS:
            is_equal = set(value) == set(wanted)
        elif entry_point in _NOT_NONE:
            is_equal = value == wanted if isinstance(value, bool) else wanted == (value is not None)
        elif entry_point == "are_equivalent":
            return True
        elif entry_point == "sum_div":
            is_equal = is_equal or value == 0
        elif entry_point == "surface_Area":
            is_equal = is_equal or abs(value - _pyramid_surface(*arguments)) <= (atol or _FLOAT_TOLERANCE)
        elif entry_point == "digit_distance_nums":
            is_equal = is_equal or value == _digit_distance(*arguments)
    if is_equal or not atol:
        return bool(is_equal)
    return type(value) is type(wanted) and _are_close(value, wanted, atol)


def _are_close(value: Any, wanted: Any, atol: float) -> bool:
    if isinstance(wanted, list | tuple):
        return len(value) == len(wanted) and all(_are_close(a, b, atol) for a, b in zip(value, wanted, strict=True))
    if not isinstance(value, int | float) or not isinstance(wanted, int | float):
        return bool(value == wanted)
    return bool(value == wanted) or abs(value - wanted) <= atol + _RELATIVE_TOLERANCE * abs(wanted)


def _has_floats(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return bool(value) and all(isinstance(item, float) for item in value)
    return isinstance(value, float)


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    return sum(coefficient * x**i for i, coefficient in enumerate(coefficients))


def _pyramid_surface(base: float, height: float) -> float:
    slant = math.sqrt((base / 2) ** 2 + height**2)
    return round(base**2 + 2 * base * slant)


def _digit_distance(one: int, other: int) -> int:
    width = max(len(str(one)), len(str(other)))
    pairs = zip(str(one).zfill(width), str(other).zfill(width), strict=True)
    return sum(abs(int(a) - int(b)) for a, b in pairs)
