"""Logs of answers that are not yet in the cache file, so that they survive the process: `CACHE.sqlite-pending-*`.

A cache writes many answers in one transaction. Until then they are in a log next to it, from the moment they are given to
the cache. A killed process leaves its logs behind, and the next process that opens the cache imports them.
"""

import glob
import json
import os
from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.processes.append_log import AppendLog, read_lines

_SUFFIX = "-pending-"
# Reserved for the answers that are in flight when the disk turns out to be full.
_RESERVE_BYTES = 1 << 20


class PendingAnswers:
    """Two alternating logs: while one is written to the cache, the other receives new answers.

    Not thread-safe. Raises OSError if there is no space or no permission to write, and NotImplementedError on systems without
    `flock`.
    """

    def __init__(self, cache_path: str):
        self._logs: list[tuple[str, BinaryIO, AppendLog]] = []
        try:
            for _ in range(2):
                path, file = _create(cache_path)
                try:
                    self._logs.append((path, file, AppendLog(file, reserve_bytes=_RESERVE_BYTES)))
                except OSError:
                    file.close()
                    os.unlink(path)
                    raise
        except OSError:
            self.close(keep=False)
            raise
        self._current = 0

    @property
    def error(self) -> "OSError | None":
        """The error that shows that space is running out."""
        for _, _, log in self._logs:
            if log.error is not None:
                return log.error
        return None

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self._logs]

    def append(self, answers: Iterable[tuple[str, str]]) -> None:
        """Append answers, all or none; keys and values are JSON in ASCII, on one line each."""
        lines = "\n".join([f"{key}\t{value}" for key, value in answers])
        self._logs[self._current][2].append(lines.encode("ascii"))

    def switch(self) -> Callable[[], None]:
        """Switch to the other log for new answers, and return a function that empties this one."""
        log = self._logs[self._current][2]
        self._current = 1 - self._current
        return log.clear

    def close(self, keep: bool) -> None:
        """Close the logs; `keep` leaves them on disk, because their answers are not in the cache yet."""
        for path, _, log in self._logs:
            if not keep:
                os.unlink(path)  # while the lock is still held
            log.close()
        self._logs = []


def _create(cache_path: str) -> tuple[str, BinaryIO]:
    """Create a file that is locked for as long as this process has it open."""
    try:
        import fcntl
    except ModuleNotFoundError as e:
        raise NotImplementedError("no locks on this system") from e

    while True:
        path = f"{cache_path}{_SUFFIX}{os.urandom(4).hex()}"
        file = open(path, "x+b")
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:  # otherwise another process removed it as one of a dead process
            return path, file
        file.close()


def take_over(cache_path: str, put: Callable[[list[tuple[str, str]]], None]) -> int:
    """Import the logs of dead processes with `put`, which writes to the cache; return the number of answers."""
    count = 0
    for path, file in _abandoned(cache_path):
        pairs = []
        for line in read_lines(file):
            key, _, value = line.decode("ascii", "replace").partition("\t")
            try:
                json.loads(key), json.loads(value)
            except (ValueError, RecursionError):
                hwarn(f"{path}: a line is damaged and left out: {key[:100]}")
                continue
            pairs.append((key, value))
        if pairs:
            put(pairs)
            hlog(f"{cache_path}: took over {len(pairs)} answers of a process that ended before it had written them")
        os.unlink(path)
        count += len(pairs)
    return count


def _abandoned(cache_path: str) -> Iterator[tuple[str, BinaryIO]]:
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    for path in sorted(glob.glob(f"{glob.escape(cache_path)}{_SUFFIX}*")):
        try:
            file = open(path, "r+b")
        except FileNotFoundError:
            continue  # another process has just taken it over
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue  # its process is alive
            if os.fstat(file.fileno()).st_nlink:
                yield path, file
