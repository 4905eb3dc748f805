"""Answers on their way into a cache file, so that they outlive the process: `CACHE.sqlite-pending-*`.

A cache writes many answers in one transaction. Until that is done they are in a log beside it, from the moment they are given
to the cache. A process that is killed leaves its logs, and whoever opens the cache next takes them over.
"""

import glob
import json
import os
from collections.abc import Callable, Iterator
from typing import BinaryIO

from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.processes.append_log import AppendLog, read_lines

_SUFFIX = "-pending-"
_RESERVE_BYTES = 1 << 20
"""Kept free for the answers that are under way when the disk is found to be full."""


class PendingAnswers:
    """Two logs in turn: while what is in one goes into the cache, the other takes what comes.

    Not safe for threads. Raises: OSError when there is no space or no right to write, and on systems without `flock`
    NotImplementedError.
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
        """Why there is soon no room any more."""
        for _, _, log in self._logs:
            if log.error is not None:
                return log.error
        return None

    @property
    def paths(self) -> list[str]:
        return [path for path, _, _ in self._logs]

    def append(self, key: str, value: str) -> None:
        """Both are JSON, ASCII only, on one line."""
        self._logs[self._current][2].append(f"{key}\t{value}".encode("ascii"))

    def switch(self) -> Callable[[], None]:
        """What comes goes into the other log now. The function that is returned empties this one."""
        log = self._logs[self._current][2]
        self._current = 1 - self._current
        return log.clear

    def close(self, keep: bool) -> None:
        """`keep`: what is in the logs is in no cache yet."""
        for path, _, log in self._logs:
            if not keep:
                os.unlink(path)  # before the lock ends with the file
            log.close()
        self._logs = []


def _create(cache_path: str) -> tuple[str, BinaryIO]:
    """A new file that is locked as long as this process has it open."""
    try:
        import fcntl
    except ModuleNotFoundError as e:
        raise NotImplementedError("no locks on this system") from e

    while True:
        path = f"{cache_path}{_SUFFIX}{os.urandom(4).hex()}"
        file = open(path, "x+b")
        fcntl.flock(file, fcntl.LOCK_EX)
        if os.fstat(file.fileno()).st_nlink:  # else somebody took it for one of a process that has died
            return path, file
        file.close()


def take_over(cache_path: str, put: Callable[[list[tuple[str, str]]], None]) -> int:
    """Give what dead processes left to `put`, which writes it into the cache; returns how many answers that were."""
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
                continue  # its process lives
            if os.fstat(file.fileno()).st_nlink:
                yield path, file
