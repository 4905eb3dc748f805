"""Reads rows of data files: JSON, JSON lines, CSV, TSV, lines of text, Parquet, Feather, Excel, also compressed.

Nothing in a file is executed.
"""

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from typing import Any

from helm.common.data.archives import open_compressed
from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.optional_dependencies import needs_extra

FORMATS = ["jsonl", "json", "csv", "tsv", "lines", "text", "parquet", "feather", "xlsx"]

_ENDINGS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".txt": "lines",
    ".parquet": "parquet",
    ".feather": "feather",
    ".xlsx": "xlsx",
}
_COMPRESSED = {".gz": "gz", ".zst": "zst"}
# The csv module's default limit of 128 KiB is too small for documents; this is the largest that fits into a C long everywhere.
_LONGEST_FIELD = (1 << 31) - 1
_BATCH_ROWS = 4096
_BATCH_BYTES = 8 << 20


class TableError(HelmError):
    """A data file does not match its format; the message names file and line."""


def format_of(path: str) -> str | None:
    """Return the format by the ending of a name, without `.gz` or `.zst`; None if it is unknown."""
    stem, ending = os.path.splitext(path)
    if ending in _COMPRESSED:
        ending = os.path.splitext(stem)[1]
    return _ENDINGS.get(ending.lower())


def read_table(
    path: str,
    format: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    columns: Sequence[str] | None = None,
    sheet: str | None = None,
    delimiter: str | None = None,
) -> Any:
    """Read a whole file: the document for `json` and `text`, else the list of `iterate_table`."""
    kind = _checked_format(path, format)
    if kind == "text":
        with open_text(path, encoding) as file:
            return file.read()
    if kind == "json":
        with open_text(path, encoding) as file:
            try:
                return json.load(file)
            except ValueError as e:
                raise TableError(f"{path} is not valid JSON: {e}") from e
    return list(iterate_table(path, kind, header, encoding, columns, sheet, delimiter))


def iterate_table(
    path: str,
    format: str | None = None,
    header: bool = True,
    encoding: str = "utf-8",
    columns: Sequence[str] | None = None,
    sheet: str | None = None,
    delimiter: str | None = None,
) -> Iterator[Any]:
    """Yield the rows of a file.

    Values in CSV files stay texts. Lines have no line end; blank lines of JSON lines are skipped.

    Args:
        format: one of `FORMATS`; None follows the ending of the name.
        header: whether the first line of a table names its columns; then rows are dicts, otherwise lists.
        columns: the columns to read of a Parquet or Feather file; None means all.
        sheet: the sheet of an Excel file; None means the first.
        delimiter: the delimiter of a CSV file, if it is not a comma.

    Raises:
        TableError: The file does not match its format; the message names file and line.
    """
    kind = _checked_format(path, format)
    if kind == "parquet":
        yield from _parquet_rows(path, columns)
    elif kind == "feather":
        yield from _feather_rows(path, columns)
    elif kind == "xlsx":
        yield from _excel_rows(path, header, sheet)
    elif kind in ("json", "text"):
        document = read_table(path, kind, encoding=encoding)
        yield from document if isinstance(document, list) else [document]
    else:
        with open_text(path, encoding) as file:
            if kind == "jsonl":
                yield from _json_lines(path, file)
            elif kind == "lines":
                yield from (line.rstrip("\r\n") for line in file)
            else:
                yield from _csv_rows(path, file, header, delimiter or ("\t" if kind == "tsv" else ","))


def _checked_format(path: str, format: str | None) -> str:
    kind = format or format_of(path)
    if kind not in FORMATS:
        raise ConfigError(
            f"{path}: the format must be one of {', '.join(FORMATS)}, not '{format}'.{suggest(str(format), FORMATS)}"
            if format
            else f"{path}: its ending is not that of a known format; give one of {', '.join(FORMATS)}."
        )
    return kind


def open_text(path: str, encoding: str = "utf-8") -> io.TextIOWrapper:
    """Open a file, which may be compressed (`.gz` or `.zst`), as a text stream with unchanged line ends."""
    kind = _COMPRESSED.get(os.path.splitext(path)[1], "")
    return io.TextIOWrapper(open_compressed(path, kind), encoding=encoding, newline="")


def _json_lines(path: str, file: io.TextIOWrapper) -> Iterator[Any]:
    for number, line in enumerate(file, 1):
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError as e:
                raise TableError(f"{path}, line {number}: not valid JSON: {e}") from e


def _csv_rows(path: str, file: io.TextIOWrapper, header: bool, delimiter: str) -> Iterator[Any]:
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.DictReader(file, delimiter=delimiter) if header else csv.reader(file, delimiter=delimiter)
    try:
        yield from reader
    except csv.Error as e:
        raise TableError(f"{path}, line {reader.line_num}: {e}") from e


def parquet_file(path: str) -> Any:
    """Open a Parquet file. Raises TableError if it is not one, and OptionalDependencyNotInstalled without pyarrow."""
    with needs_extra("parquet"):
        import pyarrow
        import pyarrow.parquet
    try:
        # Read as it is decoded: a group of rows with pictures can have gigabytes.
        return pyarrow.parquet.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20)
    except pyarrow.ArrowInvalid as e:
        raise TableError(f"{path} is not a Parquet file: {e}") from e


def parquet_batches(file: Any, columns: Sequence[str] | None, most_rows: int) -> Iterator[Any]:
    """Yield the rows of an open Parquet file in batches of at most so many rows, and of about 8 MiB if rows are large.

    Args:
        file: what `parquet_file` returned.
        columns: the columns to read; None means all.
        most_rows: the rows of a batch.
    """
    groups = (file.metadata.row_group(index) for index in range(file.metadata.num_row_groups))
    row_bytes = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    size = max(1, min(most_rows, int(_BATCH_BYTES / max(row_bytes, 1))))
    return file.iter_batches(batch_size=size, columns=list(columns) if columns else None)


def _parquet_rows(path: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    with parquet_file(path) as file:
        for batch in parquet_batches(file, columns, _BATCH_ROWS):
            yield from batch.to_pylist()


def _feather_rows(path: str, columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    with needs_extra("parquet"):
        import pyarrow
        import pyarrow.feather
    try:
        table = pyarrow.feather.read_table(path, columns=list(columns) if columns else None)
    except (pyarrow.ArrowInvalid, OSError) as e:
        raise TableError(f"{path} is not a Feather file: {e}") from e
    for batch in table.to_batches(max_chunksize=_BATCH_ROWS):
        yield from batch.to_pylist()


def _excel_rows(path: str, header: bool, sheet: str | None) -> Iterator[Any]:
    with needs_extra("data"):
        import openpyxl
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        if sheet is not None and sheet not in book.sheetnames:
            raise TableError(f"{path} has no sheet '{sheet}'.{suggest(sheet, book.sheetnames)}")
        rows = (book[sheet] if sheet is not None else book.worksheets[0]).iter_rows(values_only=True)
        names: list[Any] | None = list(next(rows, ())) if header else None
        for row in rows:
            if any(value is not None for value in row):
                yield list(row) if names is None else dict(zip(names, row, strict=False))
    finally:
        book.close()
