"""Lists of JSON values that take little memory while nobody reads them."""

import json
import zlib
from collections.abc import Iterator, Sequence
from typing import Any, overload

from helm.common import codec

_FASTEST = 1


class PackedList(Sequence[Any]):
    """A list of JSON values, kept compressed: a tenth of the memory. Each look at it unpacks all of it.

    Args:
        items: the values; they are not kept.
    """

    __slots__ = ("_data", "_size")

    def __init__(self, items: Sequence[Any]):
        self._size = len(items)
        self._data = zlib.compress(json.dumps(list(items), separators=(",", ":")).encode(), _FASTEST)

    def _unpack(self) -> list[Any]:
        found: list[Any] = json.loads(zlib.decompress(self._data))
        return found

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
