"""Large run files in compressed form: `scenario_state.json.gz` in place of `scenario_state.json`, with the same content.

They are gzip (RFC 1952), which any `gunzip` reads, in members of one MiB of content each. A field in the header of a member tells
how long it and its content are, so that a part of a file can be read without what is before it. Files that `gzip` has made lack
that, and are read from their beginning. The same content always gives the same bytes, as far as the version of zlib is the same.
"""

import io
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, BinaryIO

from helm.common.files import copy_atomically, open_atomically
from helm.results.run_files.run_folder import (
    COMPRESSED_SUFFIX,
    COMPRESSIBLE_FILE_NAMES,
    SCENARIO_STATE_FILE_NAME,
    RunFileError,
    stored_path,
)

_BLOCK_BYTES = 1 << 20
# Level 3 compresses JSON 25 to 30 times for 3 ns a byte; level 6 40 times for 9 ns.
_LEVEL = 3
_READ_BYTES = 1 << 18
# What has no end within so many bytes is no item of a run file; such a file may be made to fill the memory.
_MAX_VIEW_BYTES = 256 << 20

# The header of RFC 1952 without time, name and system, with one extra field: our mark, and the lengths of member and content.
_HEADER = struct.Struct("<4sIBBHHHII")
_MAGIC, _UNKNOWN_SYSTEM, _MARK = b"\x1f\x8b\x08\x04", 255, 0x4848
_TRAILER = struct.Struct("<II")
_GZIP_BITS, _RAW_BITS = 31, -15


def is_compressed(path: str) -> bool:
    return path.endswith(COMPRESSED_SUFFIX)


# --- writing ----------------------------------------------------------------------------------------------------------


def _compress_block(block: bytes | memoryview) -> bytes:
    compressor = zlib.compressobj(_LEVEL, zlib.DEFLATED, _RAW_BITS)
    body = compressor.compress(block) + compressor.flush()
    size = _HEADER.size + len(body) + _TRAILER.size
    header = _HEADER.pack(_MAGIC, 0, 0, _UNKNOWN_SYSTEM, 12, _MARK, 8, size, len(block))
    return header + body + _TRAILER.pack(zlib.crc32(block), len(block))


class _BlockWriter(io.RawIOBase):
    """Compresses what is written to it into a file, which `close` leaves open."""

    def __init__(self, file: IO[bytes]):
        self._file = file
        self._pending = bytearray()
        self._is_empty = True

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._pending += data
        while len(self._pending) >= _BLOCK_BYTES:
            self._put(_BLOCK_BYTES)
        return len(data)

    def _put(self, size: int) -> None:
        self._file.write(_compress_block(bytes(self._pending[:size])))
        del self._pending[:size]
        self._is_empty = False

    def close(self) -> None:
        if not self.closed and (self._pending or self._is_empty):
            self._put(len(self._pending))
        super().close()


@contextmanager
def open_run_file(folder: str, name: str, compressed: bool | None = None) -> Iterator[IO[str]]:
    """Open one of a run's files for writing, atomically, and remove its other form when it is in place.

    Whenever the process is killed, what `stored_path` finds is either the old file or the new one, whole.

    Args:
        folder: the run's folder.
        name: the plain name of the file; names outside `COMPRESSIBLE_FILE_NAMES` are never compressed.
        compressed: whether to compress it; None writes the form that the run has, see `has_compressed_form`.
    """
    if compressed is None:
        compressed = has_compressed_form(folder, name)
    plain = os.path.join(folder, name)
    if name not in COMPRESSIBLE_FILE_NAMES:
        with open_atomically(plain) as file:
            yield file
    elif compressed:
        with open_atomically(plain + COMPRESSED_SUFFIX, binary=True) as file:
            with io.TextIOWrapper(_buffered(file), "utf-8", newline="") as text:
                yield text
        _remove(plain)
    else:
        with open_atomically(plain) as file:
            yield file
        _remove(plain + COMPRESSED_SUFFIX)


def _buffered(file: IO[bytes]) -> io.BufferedWriter:
    """Return a file that compresses what is written to it into another one, which must be closed after it."""
    return io.BufferedWriter(_BlockWriter(file), _BLOCK_BYTES)


def copy_run_file(source: str, target: str, name: str) -> None:
    """Copy one of a run's files into another folder, in the form that it has, in place of either form there."""
    path = stored_path(source, name)
    copy_atomically(path, os.path.join(target, os.path.basename(path)))
    if name in COMPRESSIBLE_FILE_NAMES:
        _remove(os.path.join(target, name) + ("" if is_compressed(path) else COMPRESSED_SUFFIX))


def has_compressed_form(folder: str, name: str = SCENARIO_STATE_FILE_NAME) -> bool:
    """Return whether new files of a run should be compressed: if its `scenario_state.json`, or else this file, is."""
    for known in (SCENARIO_STATE_FILE_NAME, name):
        path = stored_path(folder, known)
        if os.path.lexists(path):
            return is_compressed(path)
    return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass


def write_run_file_if_changed(folder: str, name: str, text: str) -> None:
    """Write a file in the form that the run has, unless it already has this content and this form."""
    path = os.path.join(folder, name) + (COMPRESSED_SUFFIX if has_compressed_form(folder, name) else "")
    if path == stored_path(folder, name):
        try:
            if read_run_file(path) == text.encode("utf-8"):
                return
        except (FileNotFoundError, RunFileError):
            pass
    with open_run_file(folder, name, is_compressed(path)) as file:
        file.write(text)


def convert_run(folder: str, compressed: bool, is_trial: bool = False) -> tuple[int, int]:
    """Compress the large files of a run, or write them plainly; returns their bytes on disk before and afterwards.

    Args:
        folder: the run's folder, which nobody else writes to.
        compressed: the form that its files get.
        is_trial: write nothing; the second number then is what it would be.

    Raises:
        RunFileError: A file is damaged; it, and what was not yet converted, stays as it is.
        OSError: A file cannot be read or written.
    """
    before = after = 0
    for name in sorted(COMPRESSIBLE_FILE_NAMES):
        path = stored_path(folder, name)
        if not os.path.isfile(path):
            continue
        forms = [os.path.join(folder, name), os.path.join(folder, name) + COMPRESSED_SUFFIX]
        before += sum(os.path.getsize(form) for form in forms if os.path.isfile(form))
        if is_compressed(path) == compressed:
            after += os.path.getsize(path)
            if not is_trial:
                _remove(forms[not compressed])
            continue
        size = _copy_converted(path, forms[compressed], compressed, is_trial)
        after += size
        if not is_trial:
            _remove(path)
    return before, after


def _copy_converted(source: str, target: str, compressed: bool, is_trial: bool) -> int:
    """Write the content of one file into another in the other form, and return its size."""
    opened: Any = _Discarded() if is_trial else open_atomically(target, binary=True)
    with opened as file, open_content(source) as content:
        writer: Any = _buffered(file) if compressed else file
        while block := content.read(_BLOCK_BYTES):
            writer.write(block)
        if compressed:
            writer.close()
        return int(file.tell())


class _Discarded(io.RawIOBase):
    """A file that only counts what is written."""

    _size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._size += len(data)
        return len(data)

    def tell(self) -> int:
        return self._size


# --- reading from the beginning ---------------------------------------------------------------------------------------


def _iterate_content(path: str) -> Iterator[bytes]:
    """Yield the content of a compressed file in pieces. Raises RunFileError if it is damaged or cut off."""
    with open(path, "rb") as file:
        unpacker, data, is_inside = zlib.decompressobj(_GZIP_BITS), b"", False
        while data or (data := file.read(_READ_BYTES)):
            try:
                piece = unpacker.decompress(data, _BLOCK_BYTES)
            except zlib.error as e:
                raise RunFileError(f"{path}: damaged: not in the form that gzip writes ({e}).") from e
            if piece:
                yield piece
            is_inside = not unpacker.eof
            data = unpacker.unconsumed_tail if is_inside else unpacker.unused_data
            if not is_inside:
                unpacker = zlib.decompressobj(_GZIP_BITS)
        if is_inside or not file.tell():
            raise RunFileError(f"{path}: cut off: {file.tell()} bytes are not a whole gzip file.")


class _ContentReader(io.RawIOBase):
    def __init__(self, path: str):
        self._pieces = _iterate_content(path)
        self._left: memoryview = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._left:
            self._left = memoryview(next(self._pieces, b""))
        size = min(len(buffer), len(self._left))
        buffer[:size] = self._left[:size]
        self._left = self._left[size:]
        return size

    def close(self) -> None:
        self._pieces.close()  # type: ignore[attr-defined]
        super().close()


def open_content(path: str) -> BinaryIO:
    """Open the content of a run's file for reading from the beginning, whichever form the file has.

    Reading a compressed file raises RunFileError if it is damaged or cut off.
    """
    if not is_compressed(path):
        return open(path, "rb")
    os.stat(path)  # a missing file is an error now, as without compression
    return io.BufferedReader(_ContentReader(path), _BLOCK_BYTES)


def read_run_file(path: str) -> bytes:
    """Read a run's file whole, whichever form it has.

    Raises:
        RunFileError: It is damaged, or would become too large by unpacking: more than 1 GiB and 100 times its size, unless
            `HELM_MAX_UNPACKED_MIB` allows it.
        OSError: It cannot be read.
    """
    if not is_compressed(path):
        with open(path, "rb") as file:
            return file.read()
    from helm.common.data.archives import check_unpacked_size

    pieces, size = [], 0
    for piece in _iterate_content(path):
        size += len(piece)
        try:
            check_unpacked_size(path, size)
        except ValueError as e:
            raise RunFileError(f"{path}: {e}.") from e
        pieces.append(piece)
    return b"".join(pieces)


class ContentView:
    """The content of a compressed file, with the methods of a mapped file that are needed to go through it once, in order.

    It holds what was not released yet. Raises RunFileError if the file is damaged, or if that becomes too much.
    """

    def __init__(self, path: str):
        self._path, self._pieces = path, _iterate_content(path)
        self._data = bytearray()
        self._start = 0
        """The position of the first byte that is held."""

    def _read_more(self) -> bool:
        piece = next(self._pieces, None)
        if piece is None:
            return False
        self._data += piece
        if len(self._data) > _MAX_VIEW_BYTES:
            raise RunFileError(
                f"{self._path}: at byte {self._start} of its content is a value of more than {_MAX_VIEW_BYTES >> 20} MiB, "
                "or the file is not in the layout of run files. If it should be read nevertheless, unpack it (gunzip)."
            )
        return True

    def __getitem__(self, key: slice) -> bytes:
        start, stop = key.start or 0, key.stop
        while (stop is None or len(self) < stop) and self._read_more():
            pass
        end = None if stop is None else max(0, stop - self._start)
        return bytes(memoryview(self._data)[start - self._start : end])

    def find(self, wanted: bytes, start: int = 0, end: int | None = None) -> int:
        """Return where `wanted` begins first, at or behind `start`, and ends not behind `end`; -1 if nowhere."""
        position = start
        while True:
            held = len(self)
            limit = len(self._data) if end is None else min(len(self._data), end - self._start)
            found = self._data.find(wanted, max(0, position - self._start), limit)
            if found >= 0:
                return self._start + found
            if (end is not None and held >= end) or not self._read_more():
                return -1
            position = max(start, held - len(wanted) + 1)

    def __len__(self) -> int:
        """Return how much was read until now."""
        return self._start + len(self._data)

    def release(self, end: int) -> None:
        """Forget what is before `end`."""
        del self._data[: max(0, end - self._start)]
        self._start = max(end, self._start)

    def close(self) -> None:
        self._pieces.close()  # type: ignore[attr-defined]


# --- reading parts ----------------------------------------------------------------------------------------------------


class RunFileParts:
    """Reads parts of a run's file by their position in its content. Use with `with`.

    Raises:
        RunFileError: The file is damaged, or compressed by another program, so that its parts cannot be found.
        OSError: The file cannot be read.
    """

    def __init__(self, path: str):
        self._path = path
        self._blocks = find_blocks(path) if is_compressed(path) else []
        if self._blocks is None:
            raise RunFileError(f"{path}: compressed by another program; parts of it cannot be read by themselves.")
        self._ends: list[int] = []
        for _, _, size in self._blocks:
            self._ends.append((self._ends[-1] if self._ends else 0) + size)
        self._file = open(path, "rb")

    def __enter__(self) -> "RunFileParts":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def read(self, start: int, end: int) -> bytes:
        """Return what is between two positions; less if the content ends before."""
        if not is_compressed(self._path):
            self._file.seek(start)
            return self._file.read(end - start)
        from bisect import bisect_right

        number, found = bisect_right(self._ends, start), bytearray()
        first = self._ends[number - 1] if number else 0
        while number < len(self._ends) and first + len(found) < end:
            found += self._read_block(*self._blocks[number])  # type: ignore[index]
            number += 1
        return bytes(found[start - first : end - first])

    def _read_block(self, offset: int, packed: int, size: int) -> bytes:
        self._file.seek(offset)
        unpacker = zlib.decompressobj(_GZIP_BITS)
        try:
            found = unpacker.decompress(self._file.read(packed), size or 1)
            # The checksum is compared when the end of the member is read, which is behind the last byte of the content.
            found += unpacker.decompress(unpacker.unconsumed_tail, 1) if not unpacker.eof else b""
        except zlib.error as e:
            raise RunFileError(f"{self._path}: damaged at byte {offset}: {e}.") from e
        if len(found) != size or not unpacker.eof:
            raise RunFileError(f"{self._path}: damaged at byte {offset}: not as long as its header says.")
        return found


def find_blocks(path: str) -> list[tuple[int, int, int]] | None:
    """Return position, length and length of the content of each part of a compressed file; None if it is not ours."""
    found, offset = [], 0
    with open(path, "rb", buffering=0) as file:
        total = os.fstat(file.fileno()).st_size
        while offset < total:
            head = os.pread(file.fileno(), _HEADER.size, offset)
            if len(head) < _HEADER.size:
                return None
            magic, _, _, _, extra, mark, length, packed, size = _HEADER.unpack(head)
            is_ours = magic == _MAGIC and (extra, mark, length) == (12, _MARK, 8) and size <= _BLOCK_BYTES
            if not is_ours or packed <= _HEADER.size or offset + packed > total:
                return None
            found.append((offset, packed, size))
            offset += packed
    return found


def content_size(path: str) -> int:
    """Return the size of a file's content in bytes; for files compressed by other programs, that of the file."""
    blocks = find_blocks(path) if is_compressed(path) else None
    return os.path.getsize(path) if blocks is None else sum(size for _, _, size in blocks)
