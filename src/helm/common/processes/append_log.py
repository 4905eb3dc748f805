"""A file of lines that survive the end of the process as soon as they are written, at the price of a copy in memory.

The file is written through a memory map: what is in the map is the operating system's, so `kill -9` does not take it away, and
there is no system call for a line. (A loss of power may; nothing is synced to the disk here.) Space is reserved on the disk
before it is used, so a full disk is an error of `append`, and not the end of the process.
"""

import mmap
import os
from typing import BinaryIO

_FIRST_BYTES = 1 << 18
_LARGEST_GROWTH_BYTES = 1 << 24


class AppendLog:
    """Appends lines to `file`, open for reading and writing, from position `end` on; what is behind is cut off.

    A line is whole or not there: its first byte is written last, and what has no first byte (zero) is the end. Not safe for
    threads. Raises: OSError when there is no space, from the constructor and from `append`.

    Args:
        reserve_bytes: so much is kept reserved ahead. When that is not possible any more, `error` says why, and lines go on
            being appended while there is room: what is already under way can still be kept.
    """

    def __init__(self, file: BinaryIO, end: int = 0, reserve_bytes: int = 0):
        self._file = file
        self._reserve_bytes = reserve_bytes
        self._end = end
        self.error: OSError | None = None
        """Why no more space can be reserved."""
        file.truncate(end)
        self._map: mmap.mmap | None = None
        self._size = end
        self._grow(max(_FIRST_BYTES, reserve_bytes))

    @property
    def end(self) -> int:
        """Length in bytes of what is written."""
        return self._end

    def append(self, line: bytes) -> None:
        """Add a line, which holds no line break and no zero byte and is not empty."""
        start = self._end
        end = start + len(line) + 1
        if end + 1 + self._reserve_bytes > self._size and self.error is None:
            try:
                self._grow(min(max(_FIRST_BYTES, self._size), _LARGEST_GROWTH_BYTES) + len(line) + 2)
            except OSError as e:
                self.error = e
        if end + 1 > self._size:
            assert self.error is not None
            raise self.error
        memory = self._map
        assert memory is not None, "The log is closed"
        memory[start + 1 : end + 1] = line[1:] + b"\n\0"
        memory[start : start + 1] = line[:1]
        self._end = end

    def clear(self) -> None:
        """Forget all lines; the space stays reserved."""
        assert self._map is not None, "The log is closed"
        self._map[0:1] = b"\0"
        self._end = 0

    def close(self) -> None:
        """Cut off the space that is not used, and close the file."""
        if self._map is not None:
            self._map.close()
            self._map = None
            self._file.truncate(self._end)
            self._file.close()

    def _grow(self, by: int) -> None:
        size = self._size + by
        _reserve(self._file, self._size, by)
        memory = mmap.mmap(self._file.fileno(), size)
        if self._map is not None:
            self._map.close()
        self._map, self._size = memory, size


def _reserve(file: BinaryIO, start: int, length: int) -> None:
    """Make a file longer by zeros that have their place on the disk. Raises: OSError."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), start, length)
        return
    file.seek(start)
    block = bytes(1 << 16)
    for _ in range(length // len(block)):
        file.write(block)
    file.write(bytes(length % len(block)))
    file.flush()


def read_lines(file: BinaryIO) -> list[bytes]:
    """The whole lines of a log from the file's position on, without their line breaks; also of a log that a process left
    when it was killed."""
    data = file.read()
    end = data.find(b"\0")
    lines = (data if end < 0 else data[:end]).split(b"\n")
    return lines[:-1]  # behind the last line break is nothing, or half a line


def read_lines_around_damage(file: BinaryIO) -> list[bytes]:
    """As `read_lines`, and also what is behind zeros that are not the end, of which the disk has lost something: a line that
    lacks something holds zeros. Only for logs that were never cleared."""
    lines = file.read().rstrip(b"\0").split(b"\n")[:-1]
    if lines and b"\0" in lines[-1]:  # it was being written
        lines.pop()
    return lines
