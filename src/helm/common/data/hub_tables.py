"""Reads rows of datasets with the values that the `datasets` library gives: missing keys, number types, class labels.

There is one intentional difference: dates in JSON files stay texts.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from helm.common.data.column_types import infer_column
from helm.common.data.content_spool import ContentSpool
from helm.common.data.tables import TableError, format_of, iterate_table, parquet_batches, parquet_file, read_table

# Large enough that few batches without selected rows are decoded, small enough for the memory.
_SELECTED_BATCH_ROWS = 1 << 16


def class_labels_of(paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the names of class labels by column, from the metadata of the first Parquet file."""
    if not paths or format_of(paths[0]) != "parquet":
        return {}
    with parquet_file(paths[0]) as file:
        metadata = file.schema_arrow.metadata or {}
    try:
        features = json.loads(metadata.get(b"huggingface", b"{}"))["info"]["features"]
    except (ValueError, KeyError, TypeError):
        return {}
    found = {name: _names_of(feature) for name, feature in features.items()}
    return {name: names for name, names in found.items() if names is not None}


def _names_of(feature: Any) -> list[str] | None:
    if isinstance(feature, list) and len(feature) == 1:
        return _names_of(feature[0])
    if not isinstance(feature, dict):
        return None
    if feature.get("_type") == "ClassLabel" and isinstance(feature.get("names"), list):
        return [str(name) for name in feature["names"]]
    if feature.get("_type") in ("Sequence", "List", "LargeList"):
        return _names_of(feature.get("feature"))
    return None


def read_rows(
    paths: Sequence[str],
    class_labels: Mapping[str, Sequence[str]],
    columns: Sequence[str] | None = None,
    spool: ContentSpool | None = None,
) -> list[dict[str, Any]]:
    """Return all rows of files of one format; contents of Parquet files are moved into the spool, if there is one."""
    rows: list[dict[str, Any]] = []
    kinds = set()
    for path in paths:
        kind = format_of(path)
        if kind is None:
            raise TableError(
                f"{path}: files of this kind cannot be read; the known kinds are .parquet, .jsonl, .json, .csv and .tsv."
            )
        kinds.add(kind)
        if kind == "parquet":
            read = iterate_table(path, kind, columns=columns)
            rows.extend(map(spool.without_contents, read) if spool else read)
        elif kind in ("csv", "tsv"):
            rows.extend(_typed(list(iterate_table(path, kind, encoding="utf-8-sig"))))
        elif kind == "lines":
            rows.extend({"text": line} for line in iterate_table(path, kind))
        else:
            rows.extend(_json_rows(path, kind))
    if kinds & {"json", "jsonl"}:
        _fill_missing(rows)
    if kinds != {"parquet"}:
        _number_labels(rows, class_labels)
    return rows


def read_some_rows(
    paths: Sequence[str],
    class_labels: Mapping[str, Sequence[str]],
    select: Callable[[int], Sequence[int]],
    columns: Sequence[str] | None = None,
    spool: ContentSpool | None = None,
) -> tuple[list[dict[str, Any]], int]:
    """Return the rows at the positions given by `select(number of rows)`, in its order, and the number of all rows.

    For Parquet files, only these rows are kept in memory, so that a few can be selected from very many. Their contents are
    moved into the spool, if there is one.
    """
    if not all(format_of(path) == "parquet" for path in paths):
        rows = read_rows(paths, class_labels, columns, spool)
        return [rows[position] for position in select(len(rows))], len(rows)
    number = 0
    for path in paths:
        with parquet_file(path) as file:
            number += file.metadata.num_rows
    positions = [int(position) for position in select(number)]
    found: dict[int, dict[str, Any]] = {}
    wanted = sorted(set(positions))
    start = 0
    for path in paths:
        with parquet_file(path) as file:
            for batch in parquet_batches(file, columns, _SELECTED_BATCH_ROWS):
                here = wanted[bisect_left(wanted, start) : bisect_left(wanted, start + batch.num_rows)]
                if here:
                    taken = batch.take([position - start for position in here]).to_pylist()
                    taken = list(map(spool.without_contents, taken)) if spool else taken
                    found.update(zip(here, taken, strict=True))
                start += batch.num_rows
    return [found[position] for position in positions], number


def _json_rows(path: str, kind: str) -> list[dict[str, Any]]:
    """Read a list of objects, JSON lines whatever the file's ending, or one object of columns."""
    document: Any
    if kind == "json":
        try:
            document = read_table(path, "json", encoding="utf-8-sig")
        except TableError:
            document = list(iterate_table(path, "jsonl", encoding="utf-8-sig"))
    else:
        document = list(iterate_table(path, "jsonl", encoding="utf-8-sig"))
    if isinstance(document, dict):
        lengths = {len(values) for values in document.values() if isinstance(values, list)}
        if len(lengths) == 1 and all(isinstance(values, list) for values in document.values()):
            return [dict(zip(document, values, strict=True)) for values in zip(*document.values(), strict=True)]
        document = [document]
    for number, row in enumerate(document, 1):
        if not isinstance(row, dict):
            raise TableError(f"{path}: row {number} is not an object, but {type(row).__name__}.")
    return document


class _Shape:
    """The keys of all objects at one place of the rows, in the order in which they appear."""

    def __init__(self) -> None:
        self.keys: dict[str, _Shape] = {}
        self.items: _Shape | None = None

    def see(self, value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                shape = self.keys.get(key)
                if shape is None:
                    shape = self.keys[key] = _Shape()
                if isinstance(inner, (dict, list)):
                    shape.see(inner)
        elif isinstance(value, list):
            for inner in value:
                if isinstance(inner, (dict, list)):
                    if self.items is None:
                        self.items = _Shape()
                    self.items.see(inner)

    def fill(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: shape.fill(value.get(key)) for key, shape in self.keys.items()}
        if isinstance(value, list) and self.items is not None:
            return [self.items.fill(inner) for inner in value]
        return value


def _fill_missing(rows: list[dict[str, Any]]) -> None:
    """Give all objects at one place the same keys, like columns of a table; missing values become None."""
    shape = _Shape()
    for row in rows:
        shape.see(row)
    for i, row in enumerate(rows):
        rows[i] = shape.fill(row)


def _typed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Convert columns of a CSV file to numbers or booleans if all their texts are, and missing values to None."""
    for name in list(rows[0]) if rows else []:
        values = infer_column([row.get(name) for row in rows])
        for row, value in zip(rows, values, strict=True):
            row[name] = value
    return rows


def _number_labels(rows: list[dict[str, Any]], class_labels: Mapping[str, Sequence[str]]) -> None:
    """Replace names of class labels by their numbers, as in Parquet files."""
    for column, names in class_labels.items():
        numbers = {name: number for number, name in enumerate(names)}
        for row in rows:
            value = row.get(column)
            if isinstance(value, str) and value in numbers:
                row[column] = numbers[value]
