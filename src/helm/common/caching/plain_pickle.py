"""Reads pickles of plain values without `pickle`, because a cache file from elsewhere must not run code.

HELM stores responses as pickled dicts. A pickle is a program for a small stack machine. This one implements only the
instructions that build None, booleans, numbers, texts, lists, tuples and dicts, and refuses all others by name, so there is
no sandbox to escape from. Values that JSON cannot represent (bytes, sets, objects, values that contain themselves) are
refused, too, and so are values that would expand to many times the size of their pickle.
"""

import struct
from collections.abc import Callable
from typing import Any

from helm.common.errors import HelmError

MAX_DEPTH = 200
"""The deepest nesting of containers."""

# A pickle may refer to one part many times, and so expand exponentially; real responses hardly repeat themselves.
_MAX_GROWTH = 100

# Small pickles may grow by this much regardless, in bytes.
_SLACK = 1_000_000


class PickleError(HelmError):
    """A pickle contains something other than plain values, or is damaged."""


_REFUSED = {
    b"c": "GLOBAL", b"\x93": "STACK_GLOBAL", b"i": "INST", b"o": "OBJ", b"R": "REDUCE", b"\x81": "NEWOBJ",
    b"\x92": "NEWOBJ_EX", b"b": "BUILD", b"P": "PERSID", b"Q": "BINPERSID", b"\x82": "EXT1", b"\x83": "EXT2",
    b"\x84": "EXT4", b"B": "BINBYTES", b"C": "SHORT_BINBYTES", b"\x8e": "BINBYTES8", b"\x96": "BYTEARRAY8",
    b"\x8f": "EMPTY_SET", b"\x90": "ADDITEMS", b"\x91": "FROZENSET", b"\x97": "NEXT_BUFFER", b"\x98": "READONLY_BUFFER",
    b"T": "BINSTRING", b"U": "SHORT_BINSTRING", b"S": "STRING", b"I": "INT", b"L": "LONG", b"F": "FLOAT", b"V": "UNICODE",
    b"g": "GET", b"p": "PUT", b"2": "DUP", b"0": "POP", b"1": "POP_MARK", b"l": "LIST", b"d": "DICT",
}  # fmt: skip
"""Names of refused instructions. Some are harmless, but only protocols 0 and 1 or other picklers use them."""

_CODE = ("GLOBAL", "STACK_GLOBAL", "INST", "OBJ", "REDUCE", "NEWOBJ", "NEWOBJ_EX", "BUILD", "EXT1", "EXT2", "EXT4")
_BYTES = ("BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "NEXT_BUFFER", "READONLY_BUFFER")


def load_plain(data: bytes) -> Any:
    """Return the value of a pickle (protocols 2 to 5), with tuples as lists, ready for JSON.

    Raises PickleError that names what is refused, and where.
    """
    try:
        value = _Machine(data).run()
    except IndexError as e:
        raise PickleError("damaged pickle: it is cut off, or a value is missing") from e
    except (struct.error, KeyError, UnicodeDecodeError, ValueError, TypeError) as e:
        raise PickleError(f"damaged pickle: {type(e).__name__}: {e}") from e
    return _Unfolder(len(data)).unfold(value, 0)


class _Machine:
    """Runs one pickle."""

    def __init__(self, data: bytes):
        self._data = data
        self._position = 0
        self._stack: list[Any] = []
        self._outer: list[list[Any]] = []
        """The stacks below the marks."""
        self._memo: dict[int, Any] = {}

    def run(self) -> Any:
        data, table, stop = self._data, _TABLE, ord(".")
        while True:
            code = data[self._position]
            self._position += 1
            operation = table[code]
            if operation is not None:
                operation(self)
            elif code == stop:
                if self._outer or len(self._stack) != 1:
                    raise PickleError("damaged pickle: it ends too early")
                return self._stack[0]
            else:
                raise self._refusal(bytes([code]))

    def _refusal(self, code: bytes) -> PickleError:
        place = f"at byte {self._position - 1}"
        name = _REFUSED.get(code)
        if name in _CODE:
            return PickleError(f"holds an object{self._object_name(name)} ({name} {place}); only plain values are read")
        if name in _BYTES:
            return PickleError(f"holds bytes ({name} {place}); only what JSON knows is read")
        if name in ("EMPTY_SET", "ADDITEMS", "FROZENSET"):
            return PickleError(f"holds a set ({name} {place}); only what JSON knows is read")
        if name in ("PERSID", "BINPERSID"):
            return PickleError(f"refers to an object outside ({name} {place})")
        return PickleError(f"holds the instruction {name or code!r} ({place}), which plain values do not need")

    def _object_name(self, name: str) -> str:
        """Return the name of the object, if the pickle contains it."""
        if name == "STACK_GLOBAL":
            texts = [text for text in self._stack[-2:] if isinstance(text, str)]
            return " of " + ".".join(texts)[:100] if len(texts) == 2 else ""
        if name in ("GLOBAL", "INST"):
            rest = self._data[self._position : self._position + 200].split(b"\n")[:2]
            return " of " + b".".join(rest).decode("utf-8", "replace")[:100]
        return ""

    # --- arguments ----------------------------------------------------------------------------------------------------

    def take(self, count: int) -> bytes:
        end = self._position + count
        if count < 0 or end > len(self._data):
            raise PickleError(f"damaged pickle: it ends within a value of {count} bytes")
        taken = self._data[self._position : end]
        self._position = end
        return taken

    def take_number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    # --- instructions -------------------------------------------------------------------------------------------------

    def push(self, value: Any) -> None:
        self._stack.append(value)

    def push_short_text(self) -> None:
        data, start = self._data, self._position + 1
        end = start + data[start - 1]
        if end > len(data):
            raise PickleError("damaged pickle: it ends within a text")
        self._stack.append(data[start:end].decode("utf-8", "surrogatepass"))
        self._position = end

    def push_text(self, length_size: int) -> None:
        self.push(self.take(self.take_number(length_size)).decode("utf-8", "surrogatepass"))

    def push_signed(self, size: int) -> None:
        self.push(int.from_bytes(self.take(size), "little", signed=True))

    def push_float(self) -> None:
        self.push(struct.unpack(">d", self.take(8))[0])

    def mark(self) -> None:
        self._outer.append(self._stack)
        self._stack = []

    def pop_to_mark(self) -> list[Any]:
        items = self._stack
        self._stack = self._outer.pop()
        return items

    def append(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if type(target) is not list:
            raise PickleError("damaged pickle: appends to something that is not a list")
        target.extend(items)

    def set_items(self, items: list[Any]) -> None:
        target = self._stack[-1]
        if type(target) is not dict or len(items) % 2:
            raise PickleError("damaged pickle: sets items of something that is not a dict")
        keys = items[::2]
        for key in keys:
            if type(key) is not str:
                raise PickleError(f"holds a dict with a key that is not a text but a {type(key).__name__}")
        target.update(zip(keys, items[1::2], strict=True))

    def pop(self, count: int) -> list[Any]:
        if count > len(self._stack):
            raise PickleError("damaged pickle: values are missing")
        items = self._stack[-count:]
        del self._stack[-count:]
        return items

    def push_tuple(self, items: list[Any]) -> None:
        self.push(tuple(items))

    def memoize(self, index: int) -> None:
        self._memo[index] = self._stack[-1]

    def memoize_next(self) -> None:
        self._memo[len(self._memo)] = self._stack[-1]

    def recall(self, index: int) -> None:
        self._stack.append(self._memo[index])

    def recall_short(self) -> None:
        self._stack.append(self._memo[self._data[self._position]])
        self._position += 1

    def skip_frame(self) -> None:
        """Skip a frame, which only announces its length to readers of streams."""
        self.take(8)

    def check_protocol(self) -> None:
        protocol = self.take_number(1)
        if not 2 <= protocol <= 5:
            raise PickleError(f"has protocol {protocol}; 2 to 5 are read")


_OPERATIONS: dict[bytes, Callable[[_Machine], None]] = {
    b"\x80": _Machine.check_protocol,
    b"\x95": _Machine.skip_frame,
    b"N": lambda m: m.push(None),
    b"\x88": lambda m: m.push(True),
    b"\x89": lambda m: m.push(False),
    b"K": lambda m: m.push(m.take_number(1)),
    b"M": lambda m: m.push(m.take_number(2)),
    b"J": lambda m: m.push_signed(4),
    b"\x8a": lambda m: m.push_signed(m.take_number(1)),
    b"\x8b": lambda m: m.push_signed(m.take_number(4)),
    b"G": _Machine.push_float,
    b"\x8c": _Machine.push_short_text,
    b"X": lambda m: m.push_text(4),
    b"\x8d": lambda m: m.push_text(8),
    b"]": lambda m: m.push([]),
    b"}": lambda m: m.push({}),
    b")": lambda m: m.push(()),
    b"(": _Machine.mark,
    b"e": lambda m: m.append(m.pop_to_mark()),
    b"a": lambda m: m.append(m.pop(1)),
    b"u": lambda m: m.set_items(m.pop_to_mark()),
    b"s": lambda m: m.set_items(m.pop(2)),
    b"t": lambda m: m.push_tuple(m.pop_to_mark()),
    b"\x85": lambda m: m.push_tuple(m.pop(1)),
    b"\x86": lambda m: m.push_tuple(m.pop(2)),
    b"\x87": lambda m: m.push_tuple(m.pop(3)),
    b"\x94": _Machine.memoize_next,
    b"q": lambda m: m.memoize(m.take_number(1)),
    b"r": lambda m: m.memoize(m.take_number(4)),
    b"h": _Machine.recall_short,
    b"j": lambda m: m.recall(m.take_number(4)),
}


_TABLE = [_OPERATIONS.get(bytes([code])) for code in range(256)]


class _Unfolder:
    """Copies a value without shared containers, so that its size in JSON is known before it is written."""

    def __init__(self, num_bytes: int):
        self._left = num_bytes * _MAX_GROWTH + _SLACK

    def unfold(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind is not dict and kind is not list and kind is not tuple:
            self._spend(len(value) + 2 if kind is str else 8)
            return value
        self._spend(2)
        if depth > MAX_DEPTH:
            raise PickleError(f"holds more than {MAX_DEPTH} containers within each other, or one that contains itself")
        if kind is not dict:
            return [self.unfold(item, depth + 1) for item in value]
        items: dict[str, Any] = {}
        for key, item in value.items():
            self._spend(len(key) + 4)
            items[key] = self.unfold(item, depth + 1)
        return items

    def _spend(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise PickleError("would unfold to more than a hundred times its size")
