"""Reads the JSON files of runs: whole, or the items of a long list one at a time.

`msgspec` reads typed values about twenty times faster than `json` and a converter; it refuses NaN and Infinity, which HELM
and this program write, so such a file is read again by `json`.

A list of gigabytes needs only the memory of one item. Run files are indented by two spaces, and JSON texts contain no raw
line breaks. So an item that begins at some indentation ends at the first line break followed by that indentation and its
closing bracket, which can be found by searching instead of parsing. A file in another layout is read whole.
"""

import json
import mmap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from helm.results.run_files.compressed_files import ContentView, find_blocks, is_compressed, read_run_file
from helm.results.run_files.run_folder import RunFileError

# Pages of the file are released in steps of this size, because each release is a system call.
_RELEASE_BYTES = 16 << 20
# The size of items parsed together, if their positions are not needed.
_CHUNK_BYTES = 64 << 10
# In a compressed file, what is before the list is kept in memory.
_MAX_HEAD_BYTES = 64 << 20
_CHUNK_DECODERS: dict[Any, "msgspec.json.Decoder[Any]"] = {}
_CLOSERS = {b"{": b"}", b"[": b"]"}
_DECODERS: dict[Any, "msgspec.json.Decoder[Any]"] = {}


read_bytes = read_run_file


def read_json(path: str, cls: Any = Any) -> Any:
    """Read a JSON file as a `cls` (any type that msgspec supports), skipping unknown keys; `Any` gives plain values.

    Raises RunFileError for invalid content, or OSError if the file cannot be opened.
    """
    return decode_json(read_bytes(path), path, cls)


def read_json_list(path: str, item_type: Any) -> list[Any]:
    """Read a list with items of a type from a JSON file. Raises the exceptions of `read_json`."""
    return read_json(path, list[item_type])


def decode_json(data: bytes, path: str, cls: Any = Any, place: str = "") -> Any:
    """Decode bytes that were read from `path`, at `place` in it, like `read_json`. In plain values, ints stay ints."""
    decoder = _DECODERS.get(cls)
    if decoder is None:
        decoder = _DECODERS[cls] = msgspec.json.Decoder(cls)
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _read_slowly(data, f"{path}: {place}" if place else path, cls)


def _read_slowly(data: bytes, where: str, cls: Any) -> Any:
    """Decode files with NaN or Infinity, and invalid files, for which this finds the exact place."""
    try:
        value = json.loads(data)
    except json.JSONDecodeError as e:
        what = "the file is empty" if not data.strip() else e.msg
        raise RunFileError(f"{where}: not valid JSON at line {e.lineno}, column {e.colno}: {what}.") from e
    except UnicodeDecodeError as e:
        raise RunFileError(f"{where}: not UTF-8 at byte {e.start}.") from e
    except RecursionError as e:
        raise RunFileError(f"{where}: nested too deeply.") from e
    return _convert(value, where, cls)


def _convert(value: Any, where: str, cls: Any) -> Any:
    if cls is Any:
        return value
    try:
        return msgspec.convert(value, cls)
    except (msgspec.ValidationError, UnicodeEncodeError) as e:  # the latter for a lone surrogate
        raise RunFileError(f"{where}: {e}.") from e


@contextmanager
def _mapped(path: str) -> Iterator[Any]:
    """Map a file's bytes to memory; an empty file, which cannot be mapped, gives empty bytes.

    A compressed file is unpacked as it is read, so that neither memory nor disk must have room for its content.
    """
    if is_compressed(path):
        content = ContentView(path)
        try:
            yield content
        finally:
            content.close()
        return
    with open(path, "rb") as file:
        try:
            view: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except ValueError:
            yield b""
            return
        try:
            yield view
        finally:
            view.close()


def _release(data: Any, start: int, end: int) -> int:
    """Release the pages of a file that were read, up to `end`; return where the next ones begin.

    They remain in the system's cache as long as there is room, but no longer count as this process's memory.
    """
    end -= end % mmap.PAGESIZE
    if isinstance(data, ContentView):
        data.release(end)
    elif hasattr(mmap, "MADV_DONTNEED"):
        data.madvise(mmap.MADV_DONTNEED, start, end - start)
    return end


class JsonItems:
    """The items of the list in a file, or of the list under one key of the object in it.

    Args:
        path: the file.
        key: the key; None if the file is a list.
        item_type: the type of the items for msgspec, which skips unknown fields; `Any` gives plain values.
    """

    def __init__(self, path: str, key: str | None = None, item_type: Any = Any):
        self._path, self._key, self._item_type = path, key, item_type
        self._whole: Any | None = None
        """The parsed file, if it is not in the layout of run files."""

    def __iter__(self) -> Iterator[Any]:
        """Yield the items in order. Raises RunFileError for invalid content, or OSError if the file cannot be opened."""
        with _mapped(self._path) as data:
            start = self._find_list(data)
            if start is not None:
                yield from self._iterate_in_chunks(data, start)
                return
        yield from self._iterate_whole()

    def iterate_with_spans(self) -> Iterator[tuple[tuple[int, int] | None, Any]]:
        """Yield the items in order, each with its start and end position in the file.

        The positions are None if the file is in another layout or compressed by another program, so that no part of it can
        be read by itself (`RunFileParts`). Raises RunFileError for invalid content, or OSError if the file cannot be opened.
        """
        has_parts = not is_compressed(self._path) or find_blocks(self._path) is not None
        with _mapped(self._path) as data:
            start = self._find_list(data)
            if start is not None:
                for span, item in self._iterate(data, start):
                    yield span if has_parts else None, item
                return
        for item in self._iterate_whole():
            yield None, item

    def _iterate_whole(self) -> Iterator[Any]:
        for number, item in enumerate(self._whole_list()):
            yield _convert(item, f"{self._path}: {self._place(number)}", self._item_type)

    def read_rest(self) -> Any:
        """Return the object around the list, with an empty list in its place."""
        assert self._key is not None
        with _mapped(self._path) as data:
            start = self._find_list(data)
            if start is not None:
                head = data[:start]
                end = self._end_of_list(data, start)
                return self._check_object(decode_json(head + data[end:], self._path))
        rest = dict(self._check_object(self._read_whole()))
        rest[self._key] = []
        return rest

    # --- the layout of run files ------------------------------------------------------------------------------------

    @property
    def _indentation(self) -> bytes:
        """Return the indentation in front of an item."""
        return b"\n  " if self._key is None else b"\n    "

    def _find_list(self, data: Any) -> int | None:
        """Return the position after the list's opening bracket; None if the file is in another layout."""
        if self._key is None:
            is_laid_out = data[:4] == b"[\n  " and data[4:5] not in (b" ", b"")
            return 1 if is_laid_out or data[:3] == b"[]" else None
        opening = b"\n  " + json.dumps(self._key).encode() + b": ["
        start = data.find(opening, 0, _MAX_HEAD_BYTES if is_compressed(self._path) else len(data))
        if data[:2] != b"{\n" or start < 0:
            return None
        start += len(opening)
        following = data[start : start + 6]
        return start if following[:1] == b"]" or (following[:5] == b"\n    " and following[5:6] != b" ") else None

    def _iterate_in_chunks(self, data: Any, position: int) -> Iterator[Any]:
        """Yield items parsed in chunks, or one by one if that fails, so that NaN is read and errors name the item."""
        behind_item = self._indentation + b"},"
        number = released = 0
        while True:
            end = data.find(behind_item, position + _CHUNK_BYTES)
            if end < 0:
                break
            end += len(behind_item) - 1
            items = self._try_chunk(data[position:end])
            if items is None:
                for (_, item_end), item in self._iterate(data, position, number):
                    yield item
                    number += 1
                    if item_end >= end:
                        break
                else:
                    return  # the list ended, and the chunk reached into another one
            else:
                for item in items:
                    yield item
                    number += 1
            position = end + 1
            if end - released >= _RELEASE_BYTES:
                released = _release(data, released, end)
        for _, item in self._iterate(data, position, number):
            yield item

    def _try_chunk(self, data: bytes) -> Iterable[Any] | None:
        decoder = _CHUNK_DECODERS.get(self._item_type)
        if decoder is None:
            of_type = list[self._item_type]  # type: ignore[name-defined]
            decoder = _CHUNK_DECODERS[self._item_type] = msgspec.json.Decoder(of_type)
        try:
            return decoder.decode(b"[" + data + b"]")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _iterate(self, data: Any, position: int, first: int = 0) -> Iterator[tuple[tuple[int, int], Any]]:
        """Yield items and their positions; `first` is the number of the item at `position`."""
        released = position - position % mmap.PAGESIZE
        for number, (start, end) in enumerate(self._spans(data, position, first), first):
            yield (start, end), decode_json(data[start:end], self._path, self._item_type, self._place(number))
            if end - released >= _RELEASE_BYTES:
                released = _release(data, released, end)

    def _spans(self, data: Any, position: int, number: int = 0) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each item. Raises RunFileError if the file ends within the list."""
        indentation = self._indentation
        if data[position : position + 1] == b"]" and not number:
            return
        while True:
            start = position + len(indentation)
            if data[position:start] != indentation:
                raise self._cut_off(data, number)
            closer = _CLOSERS.get(data[start : start + 1])
            if data[start : start + 2] in (b"{}", b"[]"):
                end = start + 2
            elif closer is None:  # a number or a text: to the end of the line
                end = data.find(b"\n", start)
                end = end - 1 if data[end - 1 : end] == b"," else end
            else:
                end = data.find(indentation + closer, start)
                end += len(indentation) + 1 if end >= 0 else 0
            if end < 0:
                raise self._cut_off(data, number)
            yield start, end
            number += 1
            if data[end : end + 1] != b",":
                closing = indentation[:-2] + b"]"
                if data[end : end + len(closing)] != closing:
                    raise self._cut_off(data, number)
                return
            position = end + 1

    def _end_of_list(self, data: Any, start: int) -> int:
        """Return the position of the list's closing bracket."""
        if data[start : start + 1] == b"]":
            return start
        closing = self._indentation[:-2] + b"]"
        position = start
        while data[position : position + 1]:
            end = data.find(closing, position, position + _RELEASE_BYTES + len(closing))
            if end >= 0:
                return end + len(closing) - 1
            position += _RELEASE_BYTES
            if data[position : position + 1]:
                first = position - _RELEASE_BYTES
                _release(data, first - first % mmap.PAGESIZE, position)
        raise RunFileError(f"{self._path}: cut off: the list{self._of_key()} has no end.")

    def _cut_off(self, data: Any, number: int) -> RunFileError:
        return RunFileError(
            f"{self._path}: damaged or cut off at {self._place(number)}: the list{self._of_key()} goes on neither with an "
            f"item nor with its end ({len(data)} bytes read)."
        )

    def _place(self, number: int) -> str:
        return f"{self._key or ''}[{number}]"

    def _of_key(self) -> str:
        return f" '{self._key}'" if self._key else ""

    # --- any other layout -------------------------------------------------------------------------------------------

    def _read_whole(self) -> Any:
        if self._whole is None:
            self._whole = read_json(self._path)
        return self._whole

    def _whole_list(self) -> list[Any]:
        value = self._read_whole()
        if self._key is not None:
            value = self._check_object(value).get(self._key)
            if value is None:
                raise RunFileError(f"{self._path}: the key '{self._key}' is missing.")
        if not isinstance(value, list):
            raise RunFileError(f"{self._path}: expected a list{self._of_key()}, got {_kind(value)}.")
        return value

    def _check_object(self, value: Any) -> Any:
        if not isinstance(value, dict):
            raise RunFileError(f"{self._path}: expected an object, got {_kind(value)}.")
        return value


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
