"""Compares a tool's output with the expected one, number by number, and describes the differences.

The rules and texts are those of the original evals, so that logs and reports of both can be compared. The rules are
lenient in three ways. The tolerance is absolute for numbers whose magnitudes add up to less than one, so zeros
pass wherever all expected numbers are below it. NaN equals everything, and so does an infinity next to a finite number;
neither can occur in a protocol line, only in the result of a golden function. Strict judgement differs in all of this: the
tolerance for small numbers is relative to the largest expected number around them, and NaN and infinities equal nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

DEFAULT_TOLERANCE = 1e-4
MAX_SHOWN_MISMATCHES = 10

# If only zeros are expected, strict judgement still allows for rounding: differences up to this, times the tolerance.
_ZERO_FLOOR = 1e-8

# Below this length, a loop is faster than the conversion to arrays.
_VECTORIZE_FROM = 64


@dataclass(frozen=True)
class Analysis:
    """The verdict on one output."""

    valid: bool
    error: str | None = None
    """The reason when it is invalid; None when valid."""

    num_mismatches: int = 0
    """Number of places that differ; 0 when valid, and when the verdict does not result from a comparison."""

    relative_error: float | None = None
    """Largest difference of two numbers, relative to the largest expected number around them.

    None when the verdict was not strict, the shapes differ, or all expected numbers are 0 and an actual one is not.
    """


@dataclass(frozen=True)
class _Rule:
    """Decides whether two numbers agree."""

    tolerance: float
    is_strict: bool = False
    floor: float = 1.0
    """Smallest denominator of relative differences, for numbers whose magnitudes add up to less."""

    def within(self, expected: Any) -> _Rule:
        """Return the rule for the numbers in ``expected``, which is a whole output or the value of one of its keys."""
        if not self.is_strict:
            return self
        largest = max(filter(math.isfinite, map(abs, _numbers(expected))), default=0.0)
        return replace(self, floor=min(1.0, largest) if largest else _ZERO_FLOOR)


@dataclass
class Mismatches:
    """The differences found so far. All are counted; the first ``limit`` (None: all) are described."""

    limit: int | None = None
    count: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, line: Callable[[], str]) -> None:
        self.count += 1
        if not self.is_full():
            self.lines.append(line())

    def is_full(self) -> bool:
        return self.limit is not None and len(self.lines) >= self.limit


def compare(
    expected: Any,
    actual: Any,
    tolerance: float = DEFAULT_TOLERANCE,
    limit: int | None = None,
    strict: bool = False,
) -> Mismatches:
    """Find all differences between two JSON values, in the order of ``expected`` (keys that it lacks come last).

    Numbers agree when ``|actual - expected| / max(1, |actual| + |expected|) <= tolerance``; two integers must be equal.
    An integer next to a float counts as a float. Everything else must have the same type and be equal.

    Args:
        expected, actual: None, bool, int, float, str, and lists and dicts of them.
        tolerance: >= 0, dimensionless.
        limit: number of differences to describe; all are counted.
        strict: instead of 1, use the largest expected magnitude if it is below 1, of the whole output or of the value
            of each key; NaN and infinities agree with nothing.
    """
    mismatches = Mismatches(limit)
    _compare(expected, actual, "", _Rule(tolerance, strict).within(expected), mismatches)
    return mismatches


def _compare(expected: Any, actual: Any, path: str, rule: _Rule, mismatches: Mismatches) -> None:
    if type(expected) is int and type(actual) is float:
        expected = _as_float(expected)
    elif type(expected) is float and type(actual) is int:
        actual = _as_float(actual)
    if type(expected) is not type(actual):
        mismatches.add(lambda: f"{path}: expected value of type {type(expected)}, got value of type {type(actual)}")
    elif isinstance(expected, dict):
        _compare_dicts(expected, actual, path, rule, mismatches)
    elif isinstance(expected, list):
        _compare_lists(expected, actual, path, rule, mismatches)
    elif _differ(expected, actual, rule):
        mismatches.add(lambda: f"{path}: {expected} != {actual}")


def _as_float(number: int) -> int | float:
    try:
        return float(number)
    except OverflowError:  # too large for a double; stays an integer, so the types differ
        return number


def _differ(expected: Any, actual: Any, rule: _Rule) -> bool:
    if type(expected) is float:
        if rule.is_strict and not (math.isfinite(expected) and math.isfinite(actual)):
            return True
        return abs(actual - expected) / max(rule.floor, abs(actual) + abs(expected)) > rule.tolerance
    return expected != actual


def _compare_dicts(expected: dict, actual: dict, path: str, rule: _Rule, mismatches: Mismatches) -> None:
    for key in [*expected, *(key for key in actual if key not in expected)]:
        key_path = f"{path}.{key}" if path else str(key)
        if key not in actual:
            mismatches.add(lambda path=key_path: f"Key '{path}' is missing.")  # type: ignore[misc]
        elif key not in expected:
            mismatches.add(lambda path=key_path: f"Unexpected key '{path}'.")  # type: ignore[misc]
        else:
            _compare(expected[key], actual[key], key_path, rule.within(expected[key]), mismatches)


def _compare_lists(expected: list, actual: list, path: str, rule: _Rule, mismatches: Mismatches) -> None:
    if len(expected) != len(actual):
        mismatches.add(lambda: f"{path}: Expected array of length {len(expected)}, got array of length {len(actual)}.")
        return
    if _are_equal_tables(expected, actual, rule):
        return
    indices = _differing_numbers(expected, actual, rule) if len(expected) >= _VECTORIZE_FROM else None
    if indices is None:
        indices = list(range(len(expected)))
    elif mismatches.is_full():  # a million wrong numbers are counted, but not all described
        mismatches.count += len(indices)
        return
    for i in indices:
        _compare(expected[i], actual[i], f"{path}[{i}]", rule, mismatches)


def _are_equal_tables(expected: list, actual: list, rule: _Rule) -> bool:
    """Return whether two equally long lists of rows of numbers certainly agree; walking many short rows is slow.

    False does not mean that they differ.
    """
    if set(map(type, expected)) != {list} or set(map(type, actual)) != {list}:
        return False
    if list(map(len, expected)) != list(map(len, actual)):
        return False
    flat = list(chain.from_iterable(expected)), list(chain.from_iterable(actual))
    return _differing_numbers(*flat, rule) == []


def _differing_numbers(expected: list, actual: list, rule: _Rule) -> list[int] | None:
    """Return the indices where two long lists of numbers differ; None when they contain anything but floats and integers."""
    if set(map(type, expected)) != {float} or not set(map(type, actual)) <= {float, int}:
        return None
    import numpy as np

    try:
        e, a = np.array(expected, dtype=np.float64), np.array(actual, dtype=np.float64)
    except OverflowError:  # an integer that is too large for a double
        return None
    with np.errstate(all="ignore"):
        differ = np.abs(a - e) / np.maximum(rule.floor, np.abs(a) + np.abs(e)) > rule.tolerance
        if rule.is_strict:
            differ |= ~(np.isfinite(a) & np.isfinite(e))
        return np.flatnonzero(differ).tolist()


def analyze(
    expected: Any,
    actual: Any,
    tolerance: float = DEFAULT_TOLERANCE,
    max_shown: int = MAX_SHOWN_MISMATCHES,
    strict: bool = False,
) -> Analysis:
    """Judge ``actual``: valid when nothing differs, else the number of differences and the first of them.

    Args:
        expected: as for ``compare``.
        actual: as for ``compare``.
        tolerance: as for ``compare``.
        max_shown: number of differences to describe.
        strict: as for ``compare``.
    """
    mismatches = compare(expected, actual, tolerance, max_shown, strict)
    error = relative_error(expected, actual) if strict else None
    if not mismatches.count:
        return Analysis(valid=True, relative_error=error)
    title = f"Found {mismatches.count} mismatches, showing {len(mismatches.lines)}:"
    return Analysis(False, "\n".join([title, *mismatches.lines]), mismatches.count, error)


def relative_error(expected: Any, actual: Any) -> float | None:
    """Compute the largest difference of two numbers, relative to the largest expected magnitude; of several keys, the maximum.

    Returns None if it is not defined: for different shapes or types, without numbers, with NaN or infinities, or for a
    difference where only zeros are expected.
    """
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or set(expected) != set(actual):
            return None
        errors = [relative_error(value, actual[key]) for key, value in expected.items()]
        return None if not errors or None in errors else max(error for error in errors if error is not None)
    flat = _numbers(expected), _numbers(actual)
    if not flat[0] or len(flat[0]) != len(flat[1]):
        return None
    import numpy as np

    e, a = (np.array(numbers, dtype=np.float64) for numbers in flat)
    if not (np.isfinite(e).all() and np.isfinite(a).all()):
        return None
    largest, difference = float(np.abs(e).max()), float(np.abs(a - e).max())
    return difference / largest if largest else 0.0 if not difference else None


def _numbers(value: Any) -> list[float]:
    """Return all numbers of a value in order, without those of keys; integers too large for a double become infinite."""
    if type(value) is list:
        if set(map(type, value)) == {float}:  # nearly all long values are lists of floats
            return value
        return list(chain.from_iterable(map(_numbers, value)))
    if type(value) is float:
        return [value]
    if type(value) is int:
        number = _as_float(value)
        return [number if type(number) is float else math.inf]
    return []


def analyze_by_golden(
    golden: Callable[[], Any], actual: Any, tolerance: float = DEFAULT_TOLERANCE, strict: bool = False
) -> Analysis:
    """Judge ``actual`` by a golden function that computes the expected value when called.

    A golden function that raises cannot confirm the output, so the verdict is invalid and contains the error.
    """
    try:
        expected = golden()
    except Exception as error:  # any exception of the golden function belongs in the verdict
        return Analysis(valid=False, error=f"golden implementation failed with error:\n{error}")
    return analyze(expected, actual, tolerance, strict=strict)
