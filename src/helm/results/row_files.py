"""Writes rows to files: CSV, JSON lines, Parquet."""

import csv
import json
import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any

from helm.common.files import open_atomically
from helm.common.optional_dependencies import needs_extra
from helm.results.rows import NUMBER, TEXT, TRUTH, WHOLE, Row, RowKind

# Parquet stores columns block by block: large enough for compression, small enough for the memory.
_ROWS_PER_BLOCK = 10_000
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def _whole_file(path: str | None, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a file that appears under its name when it is complete; None means standard output."""
    if path is None:
        yield sys.stdout.buffer if binary else sys.stdout
        return
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open_atomically(path, binary) as file:
        yield file


def write_csv(rows: Iterable[Row], columns: Sequence[str], path: str | None) -> int:
    """Write rows after a line of names; return their number. A missing value is an empty field.

    Texts that a spreadsheet would interpret as a formula are prefixed by an apostrophe, unless they are numbers.
    """
    count = 0
    with _whole_file(path) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([_csv_value(row[name]) for name in columns])
            count += 1
    return count


def _csv_value(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS) and not _is_number(value):
        return "'" + value
    return "" if value is None else str(value).lower() if isinstance(value, bool) else value


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def write_json_lines(rows: Iterable[Row], columns: Sequence[str], path: str | None) -> int:
    """Write each row as an object on one line; return their number. Numbers that are not finite become null."""
    count = 0
    with _whole_file(path) as file:
        for row in rows:
            plain = {name: _finite(row[name]) for name in columns}
            file.write(json.dumps(plain, ensure_ascii=False, allow_nan=False) + "\n")
            count += 1
    return count


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def arrow_schema(types: Mapping[str, str]) -> Any:
    """Return the schema of PyArrow of columns with these types. Raises OptionalDependencyNotInstalled without pyarrow."""
    with needs_extra("export"):
        import pyarrow
    arrow_types = {
        TEXT: pyarrow.string(), WHOLE: pyarrow.int64(), NUMBER: pyarrow.float64(), TRUTH: pyarrow.bool_(),
    }  # fmt: skip
    return pyarrow.schema([(name, arrow_types[kind]) for name, kind in types.items()])


def write_parquet(rows: Iterable[Row], columns: Sequence[str], path: str | None, types: Mapping[str, str]) -> int:
    """Write rows in blocks; return their number. Raises OptionalDependencyNotInstalled without pyarrow."""
    with needs_extra("export"):
        import pyarrow
        from pyarrow import parquet
    schema = arrow_schema({name: types[name] for name in columns})
    count = 0
    with _whole_file(path, binary=True) as file, parquet.ParquetWriter(file, schema) as writer:
        for block in _blocks(rows):
            arrays: dict[str, list[Any]] = {name: [row[name] for row in block] for name in columns}
            writer.write_table(pyarrow.table(arrays, schema=schema))
            count += len(block)
    return count


def _blocks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    block: list[Row] = []
    for row in rows:
        block.append(row)
        if len(block) == _ROWS_PER_BLOCK:
            yield block
            block = []
    if block:
        yield block


def write_rows(rows: Iterable[Row], kind: RowKind, columns: Sequence[str], file_format: str, path: str | None) -> int:
    """Write rows as `csv`, `jsonl` or `parquet`; return their number."""
    writers: Mapping[str, Callable[[], int]] = {
        "csv": lambda: write_csv(rows, columns, path),
        "jsonl": lambda: write_json_lines(rows, columns, path),
        "parquet": lambda: write_parquet(rows, columns, path, kind.columns),
    }
    return writers[file_format]()
