"""A file of lines that survive the end of the process once they are written, at the cost of a memory copy.

The file is written through a memory map. Its content belongs to the operating system, so it survives `kill -9`, and writing a
line needs no system call. (It may not survive a power failure, since nothing is synced to disk here.) Disk space is reserved
before it is used, so that a full disk is an error of `append`, and does not kill the process.
"""

import mmap
import os
from collections.abc import Iterator
from typing import BinaryIO

# Space is reserved in doubling steps, because each costs a system call and a new memory map; the largest step limits the
# space that is reserved in vain. Only the space from the end on is mapped, since mapped pages count as memory of the process.
_FIRST_BYTES = 1 << 18
_LARGEST_GROWTH_BYTES = 1 << 22


class AppendLog:
    """Appends lines to `file`, open for reading and writing, from position `end` on; anything after that is truncated.

    A line is written completely or not at all: its first byte is written last, and a zero in its place marks the end. Not
    thread-safe. The constructor and `append` raise OSError if there is no space.

    Args:
        reserve_bytes: the space that is kept reserved ahead. If that becomes impossible, `error` has the reason, and lines can
            still be appended while there is room, so that work in flight is not lost.
    """

    def __init__(self, file: BinaryIO, end: int = 0, reserve_bytes: int = 0):
        self._file = file
        self._reserve_bytes = reserve_bytes
        self.end = end
        """The length of the written lines in bytes."""
        self.error: OSError | None = None
        """Why no more space can be reserved; None if it can."""
        file.truncate(end)
        self._map: mmap.mmap | None = None
        self._map_start = 0
        self._size = end
        self._grow(max(_FIRST_BYTES, reserve_bytes))

    def append(self, line: bytes) -> None:
        """Add a line, or several with line breaks between them: all or none. None may be empty, or contain zero bytes."""
        start = self.end
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
        place = start - self._map_start
        memory[place + 1 : end + 1 - self._map_start] = b"%b\n\0" % line[1:]
        memory[place] = line[0]
        self.end = end

    def clear(self) -> None:
        """Forget all lines; the space stays reserved."""
        assert self._map is not None, "The log is closed"
        if self._map_start:
            self._map_from(0, self._size)
        self._map[0:1] = b"\0"
        self.end = 0

    def close(self) -> None:
        """Truncate unused space, and close the file."""
        if self._map is not None:
            self._map.close()
            self._map = None
            self._file.truncate(self.end)
            self._file.close()

    def _grow(self, by: int) -> None:
        _reserve(self._file, self._size, by)
        self._map_from(self.end, self._size + by)

    def _map_from(self, position: int, size: int) -> None:
        """Map the file of a size from a position on."""
        start = position - position % mmap.ALLOCATIONGRANULARITY
        memory = mmap.mmap(self._file.fileno(), size - start, offset=start)
        if self._map is not None:
            self._map.close()
        self._map, self._map_start, self._size = memory, start, size


def _reserve(file: BinaryIO, start: int, length: int) -> None:
    """Extend a file by zeros that are allocated on the disk. Raises OSError."""
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
    """Return the complete lines of a log from the file's position on, without their line breaks.

    This also works for a log that a killed process left behind.
    """
    data = file.read()
    end = data.find(b"\0")
    lines = (data if end < 0 else data[:end]).split(b"\n")
    return lines[:-1]  # after the last line break there is nothing, or half a line


def stream_lines_around_damage(file: BinaryIO) -> Iterator[bytes]:
    """Yield lines like `read_lines`, including those after zeros in the middle, where the disk has lost data.

    A damaged line contains zeros. This is only for logs that were never cleared. A few lines at a time are in memory.
    """
    last = None
    for line in file:
        if not line.endswith(b"\n"):  # reserved space, or half a line
            break
        if last is not None:
            yield last
        last = line[:-1]
    if last is not None and b"\0" not in last:  # otherwise, the process died while writing it
        yield last
