"""One process at a time, by a lock on a file; the operating system lets go of it when its holder dies."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from helm.common.hierarchical_logger import hlog

_POLL_S = 0.1


@contextmanager
def file_lock(path: str, what: str | None, max_wait_s: float | None = None) -> Iterator[None]:
    """Hold the lock of the file `path`, which is made, and removed at the end; threads of this process wait too.

    `what` says in the log whom one waits for; None: nothing is said.
    Raises: TimeoutError when somebody else holds it for more than `max_wait_s` seconds; None: for ever.
    """
    handle = _acquire(path, what, None if max_wait_s is None else time.monotonic() + max_wait_s)
    try:
        yield
    finally:
        _remove(path)
        os.close(handle)  # this lets go of the lock


class FileLock:
    """A lock that is held until `release`, or until this process ends."""

    def __init__(self, path: str, handle: int):
        self._path, self._handle = path, handle

    def write(self, text: str) -> None:
        """Put a text for people into the file, in the place of what a dead holder may have left; as far as that is possible."""
        try:
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, text.encode(), 0)
        except OSError:
            pass  # such as a full disk: the lock holds without it

    def release(self) -> None:
        """Once."""
        _remove(self._path)
        os.close(self._handle)


def try_file_lock(path: str) -> FileLock | None:
    """The lock of the file `path`, which is made; None: another holder lives, in this process or another one."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _try_lock(handle):
            os.close(handle)
            return None
        if _is_same(path, handle):
            return FileLock(path, handle)
        os.close(handle)


def is_locked(path: str) -> bool:
    """Whether somebody holds the lock of the file `path`. Changes nothing; reading the file is enough."""
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
            if _is_same(path, handle):  # else its last holder has removed the file meanwhile
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
        pass  # where open files cannot be removed it stays, and does no harm


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
        hlog(f"This file system has no locks ({e.strerror}); other processes may do the same at the same time.")
    return True


def _try_lock_windows(handle: int) -> bool:
    import msvcrt

    try:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        return True
    except OSError:
        return False
