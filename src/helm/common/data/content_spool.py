"""Keeps large contents of rows in a file of their own while the rows are worked on, so that they take no memory."""

import os
import tempfile
from collections.abc import Collection, Mapping
from typing import IO, Any


class SpooledContent:
    """Bytes that are in the file of a `ContentSpool`, and can be read until that is closed."""

    __slots__ = ("_file", "_size", "_start")

    def __init__(self, file: IO[bytes], start: int, size: int):
        self._file, self._start, self._size = file, start, size

    def read(self) -> bytes:
        """Return the bytes. Raises: ValueError if the spool is closed; OSError."""
        return os.pread(self._file.fileno(), self._size, self._start)

    def __len__(self) -> int:
        return self._size


class ContentSpool:
    """Moves encoded images, sounds and videos of rows into a file without a name, which ends with this object or its process.

    Args:
        folder: where the file is; it is made.
        columns: the columns with contents: bytes, or a mapping with `bytes`. Others are left as they are.
    """

    def __init__(self, folder: str, columns: Collection[str]):
        self.columns = frozenset(columns)
        self._size = 0
        os.makedirs(folder, exist_ok=True)
        self._file = tempfile.TemporaryFile(dir=folder)

    def without_contents(self, row: dict[str, Any]) -> dict[str, Any]:
        """Return the row itself, with a `SpooledContent` in the place of each content. Raises: OSError."""
        for column in self.columns & row.keys():
            row[column] = self._replaced(row[column])
        return row

    def _replaced(self, value: Any) -> Any:
        if isinstance(value, (bytes, bytearray)):
            start, self._size = self._size, self._size + len(value)
            self._file.write(value)
            self._file.flush()
            return SpooledContent(self._file, start, len(value))
        if isinstance(value, Mapping):
            return {key: self._replaced(item) if key == "bytes" else item for key, item in value.items()}
        if isinstance(value, list):
            return [self._replaced(item) for item in value]
        return value

    def __enter__(self) -> "ContentSpool":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()
