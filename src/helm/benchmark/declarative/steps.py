"""Applies `steps:` of an entry: operations on all rows, in order."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from helm.benchmark.declarative.conditions import Values, applies, as_number, compile_filter, compile_row_test
from helm.benchmark.declarative.entry import Entry
from helm.benchmark.declarative.entry_rows import (
    AssignSplit,
    Field,
    Filter,
    Hook,
    Media,
    Sample,
    Shuffle,
    Step,
    Unnest,
    When,
)
from helm.benchmark.declarative.hooks import get_hook
from helm.benchmark.declarative.row_sources import ROW, SPLIT
from helm.benchmark.declarative.templates import (
    MissingColumn,
    Row,
    compile_text,
    get_column,
    get_column_or_none,
    single_column,
    to_text,
)
from helm.benchmark.declarative.value_functions import (
    Context,
    FunctionError,
    ValueProblem,
    class_label_function,
    compile_functions,
)
from helm.common.hierarchical_logger import hlog
from helm.common.random_draws import hub_shuffle, numpy_below, pandas_sample, shuffle_with

RowValue = Callable[[Mapping[str, Any]], Any]


class RowProblem(ValueError):
    """A row lacks something that the entry expects; the message names the row."""


def row_problem(row: Mapping[str, Any], what: str, error: Exception) -> RowProblem:
    """Format a message as `row 5 of split test, input: ...`."""
    split = f" of split {row[SPLIT]}" if row.get(SPLIT) else ""
    return RowProblem(f"row {row.get(ROW, '?')}{split}, {what}: {error}")


def apply_steps(rows: list[Row], steps: Sequence[Step], values: Values, context: Context) -> list[Row]:
    """Apply the steps whose `when` and `unless` match the parameters' `values`, each to the rows of its `splits`."""
    for step in steps:
        if not applies(step.when, step.unless, values):
            continue
        if step.splits is None:
            rows = apply_step(rows, step, values, context)
            continue
        chosen = [row for row in rows if row[SPLIT] in step.splits]
        if not chosen:
            continue
        first = next(i for i, row in enumerate(rows) if row[SPLIT] in step.splits)
        before, after = rows[:first], [row for row in rows[first:] if row[SPLIT] not in step.splits]
        rows = before + apply_step(chosen, step, values, context) + after
    return rows


def apply_step(rows: list[Row], step: Step, values: Values, context: Context) -> list[Row]:
    if step.filter is not None:
        return filter_rows(rows, step.filter, values, context)
    if step.fields is not None:
        return add_fields(rows, step.fields, context)
    if step.media is not None:
        return store_media(rows, step.media, context)
    if step.unnest is not None:
        return [new for row in rows for new in _unnest(row, step.unnest)]
    if step.variants is not None:
        return _variants(rows, step.variants)
    if step.shuffle is not None:
        return shuffled(rows, step.shuffle)
    if step.sample is not None:
        return _sample(rows, step.sample)
    if step.sort is not None:
        return _sorted(rows, [step.sort] if isinstance(step.sort, str) else step.sort)
    if step.limit is not None:
        return rows[: int(step.limit)]
    if step.dedupe is not None:
        return _dedupe(rows, [step.dedupe] if isinstance(step.dedupe, str) else step.dedupe)
    if step.assign_split is not None:
        return assign_splits(rows, step.assign_split)
    if step.order_splits is not None:
        order = step.order_splits
        return [row for split in order for row in rows if row[SPLIT] == split] + [
            row for row in rows if row[SPLIT] not in order
        ]
    hook = step.hook if isinstance(step.hook, Hook) else Hook(name=str(step.hook))
    return _hooked(rows, hook)


def _hooked(rows: list[Row], hook: Hook) -> list[Row]:
    """Return the result of the hook. Raises: RowProblem if the rows are not what the hook expects."""
    function = get_hook(hook.name)
    try:
        return list(function(rows, **hook.args))
    except (LookupError, TypeError, ValueError, AttributeError) as e:
        what = f"there is no column {e}." if isinstance(e, KeyError) else str(e)
        raise RowProblem(f"hook {hook.name.rpartition('.')[2]}: {what}") from e


# ---- Filters and derived columns


def filter_rows(rows: list[Row], filters: Filter | Sequence[Filter], values: Values, context: Context) -> list[Row]:
    for rule in [filters] if isinstance(filters, Filter) else filters:
        if not applies(rule.when, rule.unless, values):
            continue
        keep, kept = compile_filter(rule, context), []
        for row in rows:
            try:
                if keep(row):
                    kept.append(row)
            except (MissingColumn, ValueProblem) as e:
                raise row_problem(row, "filter", e) from e
        rows = kept
    return rows


def add_fields(rows: list[Row], fields: Mapping[str, str | int | Field], context: Context) -> list[Row]:
    """Return copies of the rows with the derived columns, computed in order; each may use earlier ones."""
    if not fields:
        return rows
    compiled = [(name, compile_field(field, context)) for name, field in fields.items()]
    result = []
    for row in rows:
        row = dict(row)
        for name, function in compiled:
            try:
                row[name] = function(row)
            except (MissingColumn, ValueProblem, TypeError) as e:
                raise row_problem(row, f"field '{name}'", e) from e
        result.append(row)
    return result


def store_media(rows: list[Row], media: Mapping[str, Media], context: Context) -> list[Row]:
    """Return the rows with their media as files, without those that lack one which `missing` lets drop."""
    if not media:
        return rows
    from helm.benchmark.declarative.media import add_media

    kept = []
    for row in rows:
        try:
            new = add_media(row, media, context)
        except (MissingColumn, ValueProblem) as e:
            raise row_problem(row, "media", e) from e
        if new is not None:
            kept.append(new)
    if len(kept) < len(rows):
        hlog(f"{len(rows) - len(kept)} of {len(rows)} rows were dropped, because they have no usable media")
    return kept


def spooled_columns(entry: Entry) -> set[str]:
    """Return the columns of a source whose contents become media, and need not be in memory before.

    There are none if a hook of the user's is among the steps, since such functions may expect bytes.
    """
    rules = [*entry.media.values(), *(rule for step in entry.steps for rule in (step.media or {}).values())]
    hooks = [step.hook.name if isinstance(step.hook, Hook) else step.hook or "" for step in entry.steps]
    if any("." in hook and not hook.startswith("helm.") for hook in hooks):
        return set()
    return {str(rule.from_).partition(".")[0] for rule in rules if rule.from_ is not None}


def compile_field(field: str | int | Field, context: Context) -> RowValue:
    """Compile to a function from a row to the derived value. A bare text is a text over columns."""
    if not isinstance(field, Field):
        return compile_text(str(field))
    column = field.from_ if isinstance(field.from_, (str, int)) else None
    start = _compile_start(field)
    if field.class_label:
        label, before = class_label_function(context, column), start
        start = lambda row: label(before(row))  # noqa: E731
    if field.do:
        functions, unprepared = compile_functions(field.do, context, column), start
        start = lambda row: functions(unprepared(row))  # noqa: E731
    if field.when:
        return _compile_cases(field.when, start, context)
    return start


def _compile_start(field: Field) -> RowValue:
    start: RowValue
    if field.value is not UNSET:
        return lambda row: field.value
    if field.text is not None:
        start = compile_text(field.text)
    elif field.labelled is not None:
        start = _compile_labelled(field.labelled)
    elif isinstance(field.from_, list):
        columns = field.from_
        start = lambda row: [get_column(row, column) for column in columns]  # noqa: E731
    elif field.from_ is not None:
        column = field.from_
        start = lambda row: get_column(row, column)  # noqa: E731
    elif field.when:  # the cases name their own columns
        return lambda row: None
    else:
        raise FunctionError("a field needs one of `from`, `text`, `value`, `labelled` and `when`.")
    if field.default is UNSET:
        return start

    def with_default(row: Mapping[str, Any]) -> Any:
        try:
            value = start(row)
        except MissingColumn:
            return field.default
        return field.default if value is None else value

    return with_default


def _compile_labelled(rule: str | list[Any]) -> RowValue:
    """Compile to a line `label: value` for each column, or pair of label and column."""
    if isinstance(rule, str):
        raise FunctionError(f"`labelled` is a list of columns, or of pairs of label and column, not '{rule}'.")
    pairs = [(item[0], item[1]) if isinstance(item, list) and len(item) == 2 else (item, item) for item in rule]
    return lambda row: "\n".join(f"{label}: {to_text(get_column(row, column))}" for label, column in pairs)


def _compile_cases(cases: Sequence[When], start: RowValue, context: Context) -> RowValue:
    from helm.benchmark.declarative.conditions import compile_test

    compiled = []
    for case in cases:
        if case.else_ is not UNSET:
            compiled.append((lambda value, row: True, _outcome(case.else_)))
        elif case.field is None:
            test = compile_test(case, context)
            compiled.append((lambda value, row, test=test: test(value), _outcome(case.then)))  # type: ignore[misc]
        else:
            row_test = compile_row_test(case, context)
            compiled.append((lambda value, row, test=row_test: test(row), _outcome(case.then)))  # type: ignore[misc]

    def choose(row: Mapping[str, Any]) -> Any:
        value = start(row)
        for test, outcome in compiled:
            if test(value, row):
                return outcome(row)
        raise ValueProblem(f"no case fits {value!r}, and there is no `else`.")

    return choose


def _outcome(then: Any) -> RowValue:
    """Compile a result: texts are over columns (a single `{column}` keeps the type of the value); other values are constants."""
    if not isinstance(then, str):
        return lambda row: None if then is UNSET else then
    column = single_column(then)
    return (lambda row: get_column(row, column)) if column is not None else compile_text(then)


# ---- More rows


def _unnest(row: Row, rule: Unnest) -> list[Row]:
    column = rule.list if rule.list is not None else str(rule.dict)
    try:
        value = get_column(row, column)
    except MissingColumn as e:
        raise row_problem(row, "unnest", e) from e
    wanted: Any = list if rule.list is not None else dict
    if value is None:
        return []
    if not isinstance(value, wanted):
        raise row_problem(row, "unnest", ValueProblem(f"'{column}' is no {'list' if wanted is list else 'mapping'}."))
    pairs = enumerate(value) if wanted is list else value.items()
    result = []
    for i, (key, item) in enumerate(pairs):
        new = dict(row)
        if rule.as_ is not None:
            new[rule.as_] = item
        elif isinstance(item, Mapping):
            new.update(item)
        else:
            raise row_problem(row, "unnest", ValueProblem(f"the items of '{column}' are not mappings: give `as`."))
        if rule.key is not None:
            new[rule.key] = key
        if rule.index is not None:
            new[rule.index] = i
        result.append(new)
    return result


def _variants(rows: list[Row], variants: Sequence[Mapping[str, Any]]) -> list[Row]:
    compiled = [{name: _outcome(value) for name, value in variant.items()} for variant in variants]
    result = []
    for row in rows:
        for variant in compiled:
            new = dict(row)
            for name, outcome in variant.items():
                try:
                    new[name] = outcome(row)
                except MissingColumn as e:
                    raise row_problem(row, f"variant '{name}'", e) from e
            result.append(new)
    return result


# ---- Order and choice


def shuffled(items: Sequence[Any], rule: Shuffle) -> list[Any]:
    """Return the items in the order that the generator yields."""
    result = list(items)
    if rule.generator == "python":
        random.Random(int(rule.seed)).shuffle(result)
    elif rule.generator == "hub":
        result = hub_shuffle(result, int(rule.seed))
    else:
        shuffle_with(numpy_below(int(rule.seed)), result)
    return result


def _sample(rows: list[Row], rule: Sample) -> list[Row]:
    n = round(rule.fraction * len(rows)) if rule.fraction is not None else int(rule.n or 0)
    if n > len(rows):
        raise RowProblem(f"sample: {n} rows are requested, but there are only {len(rows)}.")
    if rule.generator == "python":
        return random.Random(int(rule.seed)).sample(rows, n)
    return [rows[i] for i in pandas_sample(len(rows), n, int(rule.seed))]


def _sorted(rows: list[Row], columns: Sequence[str]) -> list[Row]:
    def key(row: Row) -> Any:
        values = [get_column_or_none(row, column) for column in columns]
        return [(value is not None, _sort_key(value)) for value in values]

    try:
        return sorted(rows, key=key)
    except TypeError as e:
        raise RowProblem(f"sort by {', '.join(columns)}: the values cannot be compared: {e}") from e


def _sort_key(value: Any) -> Any:
    return "" if value is None else value


def _dedupe(rows: list[Row], keys: Sequence[str]) -> list[Row]:
    texts = [compile_text(key) if "{" in key else None for key in keys]
    seen, result = set(), []
    for row in rows:
        try:
            identity = tuple(
                to_text(get_column(row, key)) if text is None else text(row)
                for key, text in zip(keys, texts, strict=True)
            )
        except MissingColumn as e:
            raise row_problem(row, "dedupe", e) from e
        if identity not in seen:
            seen.add(identity)
            result.append(row)
    return result


# ---- Splits by position


def assign_splits(rows: list[Row], rule: AssignSplit) -> list[Row]:
    """Return copies of the rows with splits assigned by the rule; only `train_test_split` changes the order."""
    n = len(rows)
    splits: dict[int, str] = {}
    if rule.train_test_split is not None:
        return _train_test_split(rows, rule)
    if rule.fraction is not None:
        splits = _first_part(rule.fraction, n, lambda share: int(share * n))
    elif rule.first is not None:
        splits = _first_part(rule.first, n, int)
    elif rule.last is not None:
        split, count = next(iter(rule.last.items()))
        splits = {i: split for i in range(max(0, n - int(count)), n)}
    elif rule.rows is not None:
        for split, numbers in rule.rows.items():
            for i in numbers:
                splits[int(i)] = split
    elif rule.sampled is not None:
        (split, count), *_ = [(key, value) for key, value in rule.sampled.items() if key != "seed"]
        size = int(count * n) if 0 < count < 1 else int(count)
        if size > n:
            raise RowProblem(f"assign_split: {size} rows were requested for {split}, but there are {n}.")
        splits = dict.fromkeys(random.Random(rule.sampled.get("seed", 0)).sample(range(n), size), split)
    return [{**row, SPLIT: splits.get(i, rule.rest)} for i, row in enumerate(rows)]


def _first_part(parts: Mapping[str, float], n: int, size: Callable[[float], int]) -> dict[int, str]:
    splits: dict[int, str] = {}
    start = 0
    for split, share in parts.items():
        for i in range(start, min(n, start + size(share))):
            splits[i] = split
        start += size(share)
    return splits


def _train_test_split(rows: list[Row], rule: AssignSplit) -> list[Row]:
    """The Hub library's algorithm: a permutation, whose first ceil(test_size * n) rows are the test split."""
    import math

    import numpy as np

    arguments = rule.train_test_split or {}
    n = len(rows)
    size = as_number(arguments.get("test_size", 0.25))
    assert size is not None
    n_test = math.ceil(size * n) if size < 1 else int(size)
    order = np.random.default_rng(int(arguments.get("seed", 42))).permutation(n)
    test = [{**rows[i], SPLIT: "test"} for i in order[:n_test]]
    return [{**rows[i], SPLIT: "train"} for i in order[n_test:]] + test
