"""Values that are kept in a file without a name, so that a long list of them takes no memory."""

import dataclasses
import marshal
import threading
from abc import abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from operator import is_
from typing import Any, Generic, TypeVar, overload

from helm.common.codec import JsonList
from helm.common.packed_list import PackedList, PackedStore

T = TypeVar("T")

_SCALARS = frozenset((str, int, float, bool, type(None), bytes))
_KEPT, _TUPLE = -1, -2
"""What a tuple stands for that begins with it; any other begins with the number of a shape."""

_MOST_SHARED = 1000

_Shape = tuple[type, tuple[str, ...], tuple[int, ...]]
"""A class, the names of the attributes of an object, and the positions of those that have to be decoded."""


class ValuePacker:
    """Turns values into bytes, and back into equal values of the same classes.

    Numbers, texts, lists, dicts, tuples and dataclasses of them become bytes. Anything else is kept in memory, and the bytes
    refer to it; so are some objects that are the same in many values. The bytes are only for the packer that made them.

    Args:
        kept: classes whose objects, and those of classes derived from them, are kept in memory, too.
    """

    def __init__(self, kept: tuple[type, ...] = ()) -> None:
        self._classes_kept = kept
        self._shapes: list[_Shape] = []
        self._numbers: dict[_Shape, int] = {}
        self._kept: list[Any] = []
        self._positions: dict[int, int] = {}
        self._last: dict[tuple[type, str], Any] = {}
        """The last value of each attribute that is a dataclass itself."""

    def pack(self, value: Any) -> bytes:
        """Return bytes for a value."""
        try:
            return marshal.dumps(self._encode(value), 2)
        except (RecursionError, ValueError):  # nested too deeply
            return marshal.dumps(self._keep(value), 2)

    def unpack(self, data: bytes) -> Any:
        """Return a value that equals the packed one."""
        return self._decode(marshal.loads(data))  # noqa: S302  # bytes that this object has made

    def _keep(self, value: Any) -> tuple[int, int]:
        position = self._positions.get(id(value))  # safe: what is kept lives as long as this
        if position is None:
            position = self._positions[id(value)] = len(self._kept)
            self._kept.append(value)
        return _KEPT, position

    def _encode(self, value: Any) -> Any:
        """Return what `marshal` takes. It is the value itself if that has only lists and dicts of scalars."""
        cls = value.__class__
        if cls in _SCALARS:
            return value
        encode = self._encode
        if cls is list:
            items = [item if item.__class__ in _SCALARS else encode(item) for item in value]
            return value if all(map(is_, items, value)) else items
        if cls is dict:
            for key in value:
                if key.__class__ not in _SCALARS:
                    return self._keep(value)
            items = [item if item.__class__ in _SCALARS else encode(item) for item in value.values()]
            return value if all(map(is_, items, value.values())) else dict(zip(value, items, strict=True))
        if cls is tuple:
            return (_TUPLE, *[encode(item) for item in value])
        names = _names_of(cls)
        if names is None or issubclass(cls, self._classes_kept):
            return self._keep(value)
        attributes = getattr(value, "__dict__", None)
        if attributes is None:
            values = [getattr(value, name) for name in names]
        else:
            names, values = tuple(attributes), list(attributes.values())
        items = [item if item.__class__ in _SCALARS else encode(item) for item in values]
        nested = []
        for position, item in enumerate(items):
            if item is not values[position]:
                nested.append(position)
                items[position] = self._shared((cls, names[position]), values[position]) or item
        shape = cls, names, tuple(nested)
        number = self._numbers.get(shape)
        if number is None:
            number = self._numbers[shape] = len(self._shapes)
            self._shapes.append(shape)
        return (number, *items)

    def _shared(self, place: tuple[type, str], value: Any) -> tuple[int, int] | None:
        """Return a reference if the object was in the same place of the value before this one, or is kept already."""
        if id(value) in self._positions:
            return self._keep(value)
        if _names_of(value.__class__) is None:
            return None
        is_again = self._last.get(place) is value
        self._last[place] = value
        return self._keep(value) if is_again and len(self._kept) < _MOST_SHARED else None

    def _decode(self, value: Any) -> Any:
        cls = value.__class__
        if cls in _SCALARS:
            return value
        decode = self._decode
        if cls is list:
            return [item if item.__class__ in _SCALARS else decode(item) for item in value]
        if cls is dict:
            return {key: item if item.__class__ in _SCALARS else decode(item) for key, item in value.items()}
        number = value[0]
        if number == _KEPT:
            return self._kept[value[1]]
        if number == _TUPLE:
            return tuple([decode(item) for item in value[1:]])
        made_of, names, nested = self._shapes[number]
        made: Any = object.__new__(made_of)
        attributes = getattr(made, "__dict__", None)
        if attributes is None:
            for name, item in zip(names, value[1:], strict=True):
                object.__setattr__(made, name, decode(item))
        else:
            attributes.update(zip(names, value[1:], strict=True))
            for position in nested:
                attributes[names[position]] = decode(value[position + 1])
        return made


@cache
def _names_of(cls: type) -> tuple[str, ...] | None:
    """Return the names of the fields of a dataclass, or of the slots of a packed list; None for any other class."""
    if cls is PackedList:
        return PackedList.__slots__
    return tuple([field.name for field in dataclasses.fields(cls)]) if dataclasses.is_dataclass(cls) else None


class SpooledValues(Generic[T]):
    """Values by number, from 0 on; some may be missing. Each look at one reads it anew from the file.

    Args:
        folder: where the disk has room for the file, which ends with this object. On a full disk the values stay in memory.
        kept: classes whose objects, and those of classes derived from them, are kept in memory wherever they are in a value, and are
            the same ones when it is read.
    """

    def __init__(self, folder: str, kept: tuple[type, ...] = ()):
        self._store = PackedStore(folder)
        self._packer = ValuePacker(kept)
        self._lock = threading.Lock()
        self._starts = array("q")
        """Where the bytes of each value begin; -1 for one that is missing, -2 for one in memory."""
        self._lengths = array("q")
        self._in_memory: dict[int, bytes] = {}
        self._count = 0

    def __len__(self) -> int:
        """Return how many values there are."""
        return self._count

    def __setitem__(self, number: int, value: T) -> None:
        with self._lock:
            data = self._packer.pack(value)
            place = self._store.keep(data)
            if isinstance(place, bytes):
                self._in_memory[number], place = place, (-2, 0)
            missing = number + 1 - len(self._starts)
            if missing > 0:
                self._starts.extend([-1] * missing)
                self._lengths.extend([0] * missing)
            self._count += self._starts[number] == -1
            self._lengths[number], self._starts[number] = place[1], place[0]

    def __contains__(self, number: int) -> bool:
        return 0 <= number < len(self._starts) and self._starts[number] != -1

    def __getitem__(self, number: int) -> T:
        if number not in self:
            raise KeyError(number)
        start = self._starts[number]
        data = self._in_memory[number] if start == -2 else self._store.read(start, self._lengths[number])
        found: T = self._packer.unpack(data)
        return found

    def get(self, number: int) -> T | None:
        """Return a value. None if it is missing."""
        return self[number] if number in self else None


class _Items(JsonList, Sequence[T]):
    """A sequence that looks up its items by number."""

    @abstractmethod
    def _item(self, number: int) -> T:
        """Return the item of a number from 0 on, which is there."""

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self._item(number) for number in range(*index.indices(len(self)))]
        return self._item(range(len(self))[index])


class SpooledList(_Items[T]):
    """A list that can only grow, whose items are kept in a file.

    Args:
        folder: see `SpooledValues`.
        build: makes an item of what was appended; None takes that itself.
    """

    def __init__(self, folder: str, build: Callable[[Any], T] | None = None):
        self._values = SpooledValues[Any](folder)
        self._build = build

    def append(self, value: Any) -> None:
        """Add an item, or what it is built of."""
        self._values[len(self._values)] = value

    def __len__(self) -> int:
        return len(self._values)

    def _item(self, number: int) -> T:
        found = self._values[number]
        return found if self._build is None else self._build(found)

    def __iter__(self) -> Iterator[T]:
        return map(self._item, range(len(self)))


class _Joined(_Items[T]):
    """The items of some sequences, one after the other."""

    def __init__(self, parts: list[Sequence[T]]):
        self.parts = parts

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def _item(self, number: int) -> T:
        for part in self.parts:
            if number < len(part):
                break
            number -= len(part)
        return part[number]

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self.parts)


def joined(first: Sequence[T], second: Sequence[T]) -> Sequence[T]:
    """Return `first + second`, in which nothing is copied out of a file."""
    if not first or not second:
        return first or second
    parts = first.parts if isinstance(first, _Joined) else [first]
    return _Joined([*parts, second])
