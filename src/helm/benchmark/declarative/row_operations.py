"""Operations on rows that any entry can use by name, as `hook: {name: draw_test, args: {...}}`.

Rows are drawn with the same random numbers as in pandas.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from helm.benchmark.declarative.hooks import row_hook
from helm.common.errors import ScenarioError
from helm.common.general import flatten_list
from helm.common.random_draws import pandas_sample

Row = dict[str, Any]

SPLIT = "_split"
"""The key of a row's split."""

_WHITE_SPACE = re.compile(r"\s+")


def stratified_positions(labels: Sequence[Any], size: int, seed: int) -> list[int]:
    """Draw about `size` positions, stratified by label; labels are in ascending order, each with a new generator.

    The quota of each label is rounded to a whole number (half to even), so the total may differ from `size` by a few.
    If there are fewer rows than `size`, all are returned, in the order drawn.
    """
    groups: dict[Any, list[int]] = {}
    for i, label in enumerate(labels):
        groups.setdefault(label, []).append(i)
    fraction = min(1.0, size / len(labels)) if labels else 0.0
    return [
        groups[label][i]
        for label in sorted(groups)
        for i in pandas_sample(len(groups[label]), round(fraction * len(groups[label])), seed)
    ]


@row_hook("draw_test")
def draw_test(
    rows: Sequence[Row],
    size: int,
    seed: int,
    by: str | None = None,
    rest: str | None = "train",
    split: str = "test",
    one_more: Any = None,
) -> list[Row]:
    """Make a sample of the rows the test split; the others come first, in their order, as the split `rest`.

    Args:
        size: number of rows to draw; all if there are fewer.
        by: a column; the sample is stratified by its values (see `stratified_positions`).
        rest: the split of the other rows. None drops them.
        split: the split of the drawn rows.
        one_more: a value of `by`; the first row with it that was not drawn is added at the end.
    """
    if by is None:
        drawn = pandas_sample(len(rows), min(size, len(rows)), seed)
    else:
        drawn = stratified_positions([row[by] for row in rows], size, seed)
    chosen = set(drawn)
    if by is not None and one_more is not None:
        more = next((i for i, row in enumerate(rows) if i not in chosen and row[by] == one_more), None)
        drawn += [] if more is None else [more]
        chosen.update(drawn)
    others = [{**row, SPLIT: rest} for i, row in enumerate(rows) if i not in chosen] if rest is not None else []
    return others + [{**rows[i], SPLIT: split} for i in drawn]


@row_hook("shorter_than_quantile")
def shorter_than_quantile(rows: Sequence[Row], column: str, quantile: float) -> list[Row]:
    """Return rows whose text in `column` is shorter, in characters, than a quantile of all lengths (interpolated linearly)."""
    if not rows:
        return []
    lengths = [len(str(row[column])) for row in rows]
    limit = _quantile(sorted(lengths), quantile)
    return [row for row, length in zip(rows, lengths, strict=True) if length < limit]


def _quantile(ordered: Sequence[int], quantile: float) -> float:
    position = quantile * (len(ordered) - 1)
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


@row_hook("sampled_train_rows")
def sampled_train_rows(rows: list[Row], fraction: float, seed: int, shuffle_rest: bool = True) -> list[Row]:
    """Return train rows drawn like pandas' `sample(frac=fraction, random_state=seed)`, then the others as test rows.

    Test rows are in the order of `sample(frac=1, random_state=seed)`, or in their own.
    """
    drawn = pandas_sample(len(rows), round(fraction * len(rows)), seed)
    rest = sorted(set(range(len(rows))) - set(drawn))
    if shuffle_rest:
        rest = [rest[i] for i in pandas_sample(len(rest), len(rest), seed)]
    return [{**rows[i], SPLIT: "train"} for i in drawn] + [{**rows[i], SPLIT: "test"} for i in rest]


@row_hook("last_of_duplicates")
def last_of_duplicates(rows: list[Row], columns: Sequence[str]) -> list[Row]:
    """Return the last of the rows that agree in these columns, in the place of the first."""
    result: dict[Any, Row] = {}
    for row in rows:
        result[tuple(str(row[column]) for column in columns)] = row
    return list(result.values())


def count_words(text: str) -> int:
    """Count the parts separated by whitespace, but at least one."""
    return len(_WHITE_SPACE.split(text.strip()))


@row_hook("limit_words")
def limit_words(rows: list[Row], columns: list[str], max_num_words: int) -> list[Row]:
    """Return the rows whose texts in `columns` (texts or lists of them) have at most `max_num_words` words in total."""
    kept = []
    for number, row in enumerate(rows):
        texts = flatten_list([row.get(column) for column in columns])
        if not all(isinstance(text, str) for text in texts):
            raise ScenarioError(
                f"Row {row.get('_row', number)}: {', '.join(columns)} are not all texts or lists of texts."
            )
        if sum(map(count_words, texts)) <= max_num_words:
            kept.append(row)
    return kept


@row_hook("numbered_rows")
def numbered_rows(
    rows: list[Row],
    tables: Mapping[str, Any],
    keys: Sequence[str],
    numbers: Sequence[str] | None = None,
    item: int | None = None,
) -> list[Row]:
    """Return a copy of a row for each key of a table that maps keys to row numbers, with the key as `_key`.

    Args:
        rows: the rows of one split.
        tables: nested mappings, such as a JSON file.
        keys: the way to the mapping whose keys are used, in its order.
        numbers: the way to the mapping from these keys to numbers; None means the same mapping.
        item: which number of each list, from 1, if the mapping has lists; None if it has numbers.

    Raises: ScenarioError if a key or a row is not there.
    """
    place = " > ".join(keys)
    try:
        chosen: Any = tables
        for key in keys:
            chosen = chosen[key]
        found: Any = chosen if numbers is None else tables
        for key in numbers or ():
            found = found[key]
        result = []
        for key in chosen:
            place = f"key '{key}'"
            value = found[key]
            if item is not None:
                if not 1 <= item <= len(value):
                    raise ScenarioError(f"{place} has the numbers 1 to {len(value)}, not {item}.")
                value = value[item - 1]
            place = f"row {value} of key '{key}'"
            if int(value) < 0:
                raise IndexError
            result.append({**rows[int(value)], "_key": key})
    except (KeyError, IndexError, TypeError, ValueError) as e:
        raise ScenarioError(f"numbered_rows: there is no {place}.") from e
    return result


@row_hook("rows_of_keys")
def rows_of_keys(rows: list[Row]) -> list[Row]:
    """Return a row for each key of a JSON mapping that was read as one row: the mapping below it, with the key as `_key`."""
    own = ("_row", SPLIT)
    result = []
    for row in rows:
        for key, value in row.items():
            if key not in own:
                if not isinstance(value, dict):
                    raise ScenarioError(f"rows_of_keys: '{key}' has no mapping, but {type(value).__name__}.")
                result.append({**value, **{name: row[name] for name in own if name in row}, "_key": key})
    return result


@row_hook("items_with_matches")
def items_with_matches(rows: list[Row], items: str, key: str, others: str, other_key: str, into: str) -> list[Row]:
    """Return a row for each item of a list, with the items of another list of the same split whose key is equal.

    The list of matches is empty for items without any. The columns of the row with the list are kept.

    Args:
        rows: for each split, a row with both lists, or two rows with one each, as files of JSON give them.
        items: the column with the list of items, which are mappings.
        key: the key of an item.
        others: the column with the other list.
        other_key: the key of the others.
        into: the new column with the list of matches, in their order.

    Raises: ScenarioError if there is no second list for a split.
    """
    found: dict[str, dict[Any, list[Any]]] = {}
    for row in rows:
        if others in row:
            matches = found.setdefault(row[SPLIT], {})
            for other in row[others]:
                matches.setdefault(other[other_key], []).append(other)
    result = []
    for row in rows:
        if items not in row:
            continue
        if row[SPLIT] not in found:
            raise ScenarioError(f"items_with_matches: there are no {others} of split {row[SPLIT]}.")
        kept = {name: value for name, value in row.items() if name not in (items, others)}
        for number, item in enumerate(row[items]):
            result.append({**kept, **item, "_row": number, into: found[row[SPLIT]].get(item[key], [])})
    return result


@row_hook("collect")
def collect(rows: list[Row], by: str, column: str, into: str) -> list[Row]:
    """Return the first row of each value of `by`, with the list of the values that `column` has in all of them as `into`."""
    result: dict[Any, Row] = {}
    for row in rows:
        first = result.setdefault(row[by], {**row, into: []})
        first[into].append(row[column])
    return list(result.values())
