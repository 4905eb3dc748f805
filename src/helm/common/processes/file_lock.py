"""Mutual exclusion of processes by a lock on a file, which the operating system releases when its holder dies."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from helm.common.hierarchical_logger import hlog

_POLL_S = 0.1


@contextmanager
def file_lock(path: str, what: str | None, max_wait_s: float | None = None) -> Iterator[None]:
    """Hold the lock of the file `path`, which is created, and removed at the end; threads of this process wait, too.

    Args:
        what: what the other process does, logged while waiting; None logs nothing.
        max_wait_s: the longest wait in seconds; None waits forever.

    Raises:
        TimeoutError: Another holder has kept the lock for longer than that.
    """
    handle = _acquire(path, what, None if max_wait_s is None else time.monotonic() + max_wait_s)
    try:
        yield
    finally:
        _remove(path)
        os.close(handle)  # this releases the lock


class FileLock:
    """A lock that is held until `release`, or until this process ends."""

    def __init__(self, path: str, handle: int):
        self._path, self._handle = path, handle

    def write(self, text: str) -> None:
        """Write a text for people to the file, if possible, in place of what a dead holder may have left."""
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, text.encode(), 0)
        except OSError:
            pass  # such as a full disk: the lock does not depend on the text

    def release(self) -> None:
        """Release the lock; this must be called only once."""
        _remove(self._path)
        os.close(self._handle)


def try_file_lock(path: str) -> FileLock | None:
    """Lock the file `path`, which is created; return None if another holder is alive, in this process or another."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _try_lock(handle):
            os.close(handle)
            return None
        if _is_same(path, handle):
            return FileLock(path, handle)
        os.close(handle)


def is_locked(path: str) -> bool:
    """Return whether the file `path` is locked. This changes nothing and only needs permission to read the file."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _try_lock(handle, is_shared=True)
    finally:
        os.close(handle)


def _acquire(path: str, what: str | None, deadline: float | None) -> int:
    waited = what is None
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            while not _try_lock(handle):
                if not waited:
                    hlog(f"Waiting for another process: {what}")
                    waited = True
                if deadline is not None and time.monotonic() >= deadline:
                    raise TimeoutError(f"{path} is locked by another process")
                time.sleep(_POLL_S)
            if _is_same(path, handle):  # otherwise its last holder has removed the file meanwhile
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)


def _is_same(path: str, handle: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass  # if open files cannot be removed, it stays and does no harm


def _try_lock(handle: int, is_shared: bool = False) -> bool:
    try:
        import fcntl
    except ModuleNotFoundError:
        return _try_lock_windows(handle)
    try:
        fcntl.flock(handle, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as e:
        hlog(f"This file system has no locks ({e.strerror}); other processes may do the same work at the same time.")
    return True


def _try_lock_windows(handle: int) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return True
    except OSError:
        return False
