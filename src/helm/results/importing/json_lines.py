"""Reads foreign JSON and JSON lines, one value at a time and within limits."""

import json
import os
from array import array
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

import msgspec

from helm.common.formats.json_reading import JSONLimitError, check_depth, read_json
from helm.results.importing.imported_run import LogError

MAX_VALUE_BYTES = 1 << 28
"""The size of the largest single JSON value that is read: a sample, or the part of a log without its samples."""


def decode(data: bytes, where: str, cls: Any = Any) -> Any:
    """Decode a JSON value as a `cls` of msgspec, which skips unknown keys.

    Raises LogError for other content, for excessive nesting, and for a value larger than `MAX_VALUE_BYTES`.
    """
    if len(data) > MAX_VALUE_BYTES:
        raise LogError(f"{where}: {len(data):,} bytes in one value; at most {MAX_VALUE_BYTES:,} are read.")
    try:
        value = msgspec.json.decode(data, type=cls)
        check_depth(None if isinstance(value, msgspec.Struct) else value, data)
        return value
    except msgspec.ValidationError as e:
        raise LogError(f"{where}: {e}.") from e
    except JSONLimitError as e:
        raise LogError(f"{where}: {e}.") from e
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _decode_slowly(data, where, cls)


def _decode_slowly(data: bytes, where: str, cls: Any) -> Any:
    """Decode values with NaN or Infinity, which msgspec refuses, and find the place of an error in others."""
    try:
        return msgspec.convert(read_json(data), cls)
    except json.JSONDecodeError as e:
        what = "it is empty" if not data.strip() else f"{e.msg} at line {e.lineno}, column {e.colno}"
        raise LogError(f"{where}: not valid JSON: {what}.") from e
    except UnicodeDecodeError as e:
        raise LogError(f"{where}: not UTF-8 at byte {e.start}.") from e
    except (msgspec.ValidationError, ValueError) as e:
        raise LogError(f"{where}: {e}.") from e


def read_file(path: str) -> dict[str, Any]:
    """Read a file that contains one JSON object. Raises LogError for other content, OSError."""
    size = os.path.getsize(path)
    if size > MAX_VALUE_BYTES:
        raise LogError(f"{path}: {size:,} bytes in one value; at most {MAX_VALUE_BYTES:,} are read.")
    with open(path, "rb") as file:
        value = decode(file.read(), path)
    if not isinstance(value, dict):
        raise LogError(f"{path}: expected a JSON object.")
    return value


def _read_line(file: BinaryIO, where: str) -> bytes:
    line = file.readline(MAX_VALUE_BYTES + 1)
    if len(line) > MAX_VALUE_BYTES:
        raise LogError(f"{where}: the line is longer than {MAX_VALUE_BYTES:,} bytes.")
    return line


def iterate_lines(path: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield number (from 1), position and object of each line that is not blank. Raises LogError, OSError."""
    with open(path, "rb") as file:
        number = position = 0
        while True:
            number += 1
            where = f"{path}:{number}"
            line = _read_line(file, where)
            if not line:
                return
            if line.strip():
                value = decode(line, where)
                if not isinstance(value, dict):
                    raise LogError(f"{where}: expected a JSON object on each line.")
                yield number, position, value
            position += len(line)


class GroupedLines:
    """The lines of a file by key, in the order in which the keys first appear, whatever lies between them.

    One pass notes where the lines are; the groups are then read one at a time.

    Args:
        path: the file.
        key_of: returns the key of a line; None leaves the line out.
    """

    def __init__(self, path: str, key_of: Callable[[dict[str, Any]], Any]):
        self._path = path
        self._positions: dict[Any, array] = {}
        for _, position, value in iterate_lines(path):
            key = key_of(value)
            if key is not None:
                self._positions.setdefault(key, array("q")).append(position)

    def __len__(self) -> int:
        return len(self._positions)

    def __iter__(self) -> Iterator[tuple[Any, list[dict[str, Any]]]]:
        """Yield each key with its lines. Raises LogError, OSError."""
        with open(self._path, "rb") as file:
            for key, positions in self._positions.items():
                lines = []
                for position in positions:
                    file.seek(position)
                    where = f"{self._path}: byte {position}"
                    lines.append(decode(_read_line(file, where), where))
                yield key, lines
