"""Lists of JSON values that take little memory while nobody reads them."""

import json
import os
import tempfile
import threading
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, overload

from helm.common import codec

_FASTEST = 1

Place = bytes | tuple[int, int]
"""Where bytes are: in a file, or on a full disk here."""


class PackedStore:
    """A file without a name for the bytes of packed lists, which ends with the last of them.

    Args:
        folder: where the disk has room for it; the file is made at the first use.
    """

    def __init__(self, folder: str):
        self._folder = folder
        self._lock = threading.Lock()
        self._file: Any = None
        self._end = 0

    def add(self, data: bytes) -> tuple[int, int]:
        """Append bytes, and return where they begin and how many they are. Raises: OSError."""
        with self._lock:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._folder, buffering=0)
            start, written = self._end, 0
            while written < len(data):
                written += os.pwrite(self._file.fileno(), data[written:], start + written)
            self._end = start + written
            return start, written

    def read(self, start: int, length: int) -> bytes:
        """Return bytes that were added."""
        return os.pread(self._file.fileno(), length, start)

    def keep(self, data: bytes) -> Place:
        """Append bytes, and return the arguments of `read`; on a full disk the bytes themselves."""
        try:
            return self.add(data)
        except OSError:
            return data


class PackedList(Sequence[Any]):
    """A list of JSON values, kept compressed: a tenth of the memory. Each look at it unpacks all of it.

    Args:
        items: the values; they are not kept.
        store: where the bytes go; None, and a full disk, keeps them in memory.
    """

    __slots__ = ("_data", "_size", "_store")

    def __init__(self, items: Sequence[Any], store: PackedStore | None = None):
        self._size = len(items)
        self._store = store
        data = zlib.compress(json.dumps(list(items), separators=(",", ":")).encode(), _FASTEST)
        self._data: Place = data if store is None else store.keep(data)

    def _unpack(self) -> list[Any]:
        data = self._data
        if not isinstance(data, bytes):
            assert self._store is not None
            data = self._store.read(*data)
        found: list[Any] = json.loads(zlib.decompress(data))
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return PackedList, (self._unpack(),)  # another process does not have the file

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter(self._unpack())

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...

    def __getitem__(self, index: int | slice) -> Any:
        return self._unpack()[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (PackedList, list)) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PackedList({self._unpack()!r})"


codec.register_renderer(PackedList, lambda value, newline: codec.render_json(list(value), newline))
codec.register_plain(PackedList, list)
