"""Conditions on rows: filters, and the cases of derived columns."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET

from helm.benchmark.declarative.entry_rows import Filter, Test, When
from helm.benchmark.declarative.templates import Variables, get_column, get_column_or_none, to_text
from helm.benchmark.declarative.value_functions import Context, ValueProblem, compile_functions

Values = Mapping[str, Any] | Variables
"""Values of parameters by name."""

Check = Callable[[Any], bool]
RowCheck = Callable[[Mapping[str, Any]], bool]


_BOOLS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}


def as_bool(value: Any) -> bool | None:
    """Return a bool, also for a word or number that means one; None for anything else."""
    return value if isinstance(value, bool) else _BOOLS.get(str(value).strip().lower())


def equal(value: Any, expected: Any) -> bool:
    """Whether two values are equal, directly or as texts: `5` in a JSON file equals `5` in a text file."""
    return bool(value == expected) or (
        value is not None and expected is not None and to_text(value) == to_text(expected)
    )


def as_number(value: Any) -> float | None:
    """Return a number, also from text; None for null, other texts and NaN. Raises: ValueProblem for other types."""
    if value is None or isinstance(value, bool):
        return None if value is None else float(value)
    if not isinstance(value, (int, float, str)):
        raise ValueProblem(f"{value!r} cannot be compared with a number.")
    try:
        number = float(value)
    except ValueError:
        return None
    return None if number != number else number


def _at_least(bound: Any, compare: Callable[[float, float], bool]) -> Check:
    limit = as_number(bound)
    if limit is None:
        raise ValueProblem(f"{bound!r} is not a number.")

    def check(value: Any) -> bool:
        number = as_number(value)
        return number is not None and compare(number, limit)

    return check


def is_empty(value: Any) -> bool:
    """Whether a value is null, an empty text, an empty list, or NaN, which tables use for missing values."""
    return value is None or value == "" or value == [] or value == {} or value != value


def compile_test(test: Test, context: Context) -> Check:
    """Compile conditions to a function from the column's value to a bool. Raises: ValueProblem, FunctionError."""
    checks: list[Check] = []
    if test.eq is not UNSET:
        checks.append(lambda value: equal(value, test.eq))
    if test.ne is not UNSET:
        checks.append(lambda value: not equal(value, test.ne))
    for members, wanted in ((test.in_, True), (test.not_in, False)):
        if members is not None:
            items = context.table(members) if isinstance(members, str) else members
            texts = {to_text(item) for item in items}
            checks.append(lambda value, texts=texts, wanted=wanted: (to_text(value) in texts) is wanted)  # type: ignore[misc]
    for bound, compare in (
        (test.gte, lambda a, b: a >= b),
        (test.gt, lambda a, b: a > b),
        (test.lte, lambda a, b: a <= b),
        (test.lt, lambda a, b: a < b),
    ):
        if bound is not None:
            checks.append(_at_least(bound, compare))
    if test.not_null is not None:
        checks.append(lambda value: (value is not None) is test.not_null)
    if test.not_empty is not None:
        checks.append(lambda value: (not is_empty(value)) is test.not_empty)
    if test.not_blank is not None:
        checks.append(lambda value: (isinstance(value, str) and bool(value.strip())) is test.not_blank)
    if test.starts_with is not None:
        checks.append(lambda value: to_text(value).startswith(str(test.starts_with)))
    if test.contains is not UNSET:
        checks.append(lambda value: _contains(value, test.contains))
    if test.not_contains is not None:
        pieces = test.not_contains
        checks.append(lambda value: not any(_contains(value, piece) for piece in pieces))
    if test.matches is not None:
        pattern = re.compile(test.matches)
        checks.append(lambda value: pattern.search(to_text(value)) is not None)
    prepare = compile_functions(test.do, context, test.field) if test.do else None
    if prepare is None and len(checks) == 1:
        return checks[0]

    def check(value: Any) -> bool:
        value = prepare(value) if prepare else value
        return all(check(value) for check in checks)

    return check


def _contains(value: Any, piece: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(equal(item, piece) for item in value)
    return to_text(piece) in to_text(value)


def compile_row_test(test: Test | Filter | When, context: Context) -> RowCheck:
    """Compile `test` to a function from a row to whether the conditions on `test.field` hold.

    An absent column is null for `not_null`, `not_empty` and `not_blank`, and an error for the others.
    """
    check, field = compile_test(test, context), test.field
    if field is None:
        raise ValueProblem("a condition needs `field`: the column that it checks.")
    may_be_absent = test.not_null is not None or test.not_empty is not None or test.not_blank is not None
    get = get_column_or_none if may_be_absent else get_column
    return lambda row: check(get(row, field))


def compile_filter(rule: Filter, context: Context) -> RowCheck:
    """Compile a filter to a function from a row to whether it is kept. `when` and `unless` are evaluated earlier."""
    if rule.any is not None:
        tests = [compile_row_test(test, context) for test in rule.any]
        return lambda row: any(test(row) for test in tests)
    return compile_row_test(rule, context)


def applies(when: Mapping[str, Any] | None, unless: Mapping[str, Any] | None, values: Values) -> bool:
    """Whether something with `when` and `unless` is active, given the values of the parameters.

    Both have the form `{name: value}`, `{name: [values]}` or `{param: name, eq: value}`.
    """
    if when is not None and not matches_parameters(when, values):
        return False
    return unless is None or not matches_parameters(unless, values)


def matches_parameters(wanted: Mapping[str, Any], values: Values) -> bool:
    """Whether the parameters have these values, or one of a list of values."""
    if "param" in wanted and "eq" in wanted:
        wanted = {str(wanted["param"]): wanted["eq"]}
    return all(
        any(_same(values[name], item) for item in (want if isinstance(want, list) else [want]))
        for name, want in wanted.items()
    )


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, bool) and type(value) is int:
        return value == wanted
    if isinstance(value, bool) or isinstance(wanted, bool):
        return str(value).lower() == str(wanted).lower()
    return equal(value, wanted)
