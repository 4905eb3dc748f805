"""Claims on names between the processes of a machine, or of several machines with a common file system."""

import os
import threading
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise

from helm.common.concurrency import sleep_until_stopped
from helm.common.hierarchical_logger import hwarn

# Most claims are free or released soon, so polling begins fast; the interval doubles, so that long waits cost little.
_FIRST_POLL_S, _LONGEST_POLL_S = 0.002, 0.1
# A process that was stopped by Ctrl-Z may hold all names.
_HINT_AFTER_S = 10.0
# The position of a byte that follows those of all names.
_PRESENCE = 1 << 40


class Claims:
    """Claims names by locking bytes of a file, chosen by the name, so that claims end at the latest with the process.

    A process may claim a name only once at a time; its threads must coordinate among themselves. If the system or the folder
    does not support such locks, every claim is granted at once, with a warning.
    """

    def __init__(self, path: str):
        self._path = path
        self._file: int | None = None
        self._can_lock = True
        self._has_hinted = False
        self._lock = threading.Lock()
        self._held: dict[int, int] = {}
        """The number of claimed names that share each position."""
        self._held_alone: dict[str, int] = {}
        """How often names are claimed that were claimed while this process had all; their positions are not known yet."""
        self._owner = 0
        """The process that has claimed all names, claimed ones or not; 0 for none. A forked process is another one."""

    @property
    def has_all(self) -> bool:
        """Whether no other process can have a claim, because this one has claimed all names."""
        return self._owner != 0 and self._owner == os.getpid()

    def take(self, name: str) -> bool:
        """Wait for a claim; return whether another process had it. Raises KeyboardInterrupt after Ctrl-C."""
        if self._file is None and not self._open():
            return False
        import fcntl

        assert self._file is not None
        with self._lock:
            if self.has_all:
                self._held_alone[name] = self._held_alone.get(name, 0) + 1
                return False
            position = zlib.crc32(name.encode())
            self._held[position] = self._held.get(position, 0) + 1
        poll_s, waited_s, has_waited = _FIRST_POLL_S, 0.0, False
        try:
            while True:
                try:
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, position)
                    return has_waited
                except (BlockingIOError, PermissionError):  # which of the two depends on the system
                    has_waited = True
                sleep_until_stopped(poll_s)
                waited_s += poll_s
                poll_s = min(2 * poll_s, _LONGEST_POLL_S)
                if waited_s > _HINT_AFTER_S:
                    self._hint()
        except OSError as e:  # a file system without locks
            self._give_up(e)
            return has_waited
        except BaseException:
            self.release([name])
            raise

    def try_take(self, names: Sequence[str]) -> list[str]:
        """Claim those names that no other process has now, and return them."""
        if self._file is None and not self._open():
            return list(names)
        import fcntl

        assert self._file is not None
        taken: list[str] = []
        with self._lock:
            has_all = self.has_all
            for name in names:
                position = zlib.crc32(name.encode())
                if not has_all:
                    try:
                        fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, position)
                    except (BlockingIOError, PermissionError):
                        continue
                    except OSError as e:  # a file system without locks
                        self._give_up(e)
                        has_all = True
                self._held[position] = self._held.get(position, 0) + 1
                taken.append(name)
        return taken

    def release(self, names: Iterable[str]) -> None:
        with self._lock:
            free = []
            for name in names:
                times = self._held_alone.pop(name, 0)
                if times:
                    if times > 1:
                        self._held_alone[name] = times - 1
                    continue
                position = zlib.crc32(name.encode())
                holders = self._held.pop(position, 1)
                if holders > 1:
                    self._held[position] = holders - 1
                else:
                    free.append((position, 1))
            if self.has_all:
                return
            if len(self._held) < len(free):  # unlock what is between the others, which takes fewer calls
                free = self._between()
            self._unlock(free)

    def _between(self) -> list[tuple[int, int]]:
        """Return start and length of what is between the names that are claimed."""
        ends = [-1, *sorted(self._held), _PRESENCE]
        return [(start + 1, end - start - 1) for start, end in pairwise(ends) if end > start + 1]

    def _unlock(self, ranges: Iterable[tuple[int, int]]) -> None:
        if self._file is not None:
            import fcntl

            for start, length in ranges:
                fcntl.lockf(self._file, fcntl.LOCK_UN, length, start)

    def take_all(self) -> bool:
        """Claim all names if no other process uses the file, else give back what is not needed; return whether that worked.

        Until `give_back`, claims then cost no system call. Other processes that begin meanwhile wait, so call this often, and
        `give_back` when there is little to do.
        """
        if self._file is None:
            return False
        import fcntl

        with self._lock:
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PRESENCE)  # fails if others are present
                fcntl.lockf(self._file, fcntl.LOCK_SH, 1, _PRESENCE)
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, _PRESENCE, 0)
                self._owner = os.getpid()
                return True
            except OSError:
                self._give_back()
                return False

    def give_back(self) -> None:
        """Leave the names to others that are not claimed one by one."""
        with self._lock:
            self._give_back()

    def _give_back(self) -> None:
        for name, times in self._held_alone.items():
            position = zlib.crc32(name.encode())
            self._held[position] = self._held.get(position, 0) + times
        self._held_alone.clear()
        if self.has_all:
            self._unlock(self._between())
        self._owner = 0

    def close(self) -> None:
        """Release all claims; the last process removes the file."""
        with self._lock:
            self._held.clear()
            self._held_alone.clear()
            self._owner = 0
            if self._file is not None:
                import fcntl

                try:
                    fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _PRESENCE)
                    os.unlink(self._path)
                except OSError:
                    pass  # other processes are using it
                os.close(self._file)
                self._file = None

    def _open(self) -> bool:
        if self._file is None and self._can_lock:
            with self._lock:
                if self._file is None:
                    try:
                        self._file = self._open_present()
                    except ModuleNotFoundError:
                        self._can_lock = False
                    except OSError as e:
                        self._give_up(e)
        return self._file is not None and self._can_lock

    def _open_present(self) -> int:
        """Open the file with a shared lock that marks it as in use. Raises OSError or ModuleNotFoundError."""
        import fcntl

        while True:
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            try:
                fcntl.lockf(file, fcntl.LOCK_SH, 1, _PRESENCE)
                if os.fstat(file).st_nlink:  # otherwise the last process has just removed it
                    return file
            except BaseException:
                os.close(file)
                raise
            os.close(file)

    def _hint(self) -> None:
        if not self._has_hinted:
            self._has_hinted = True
            hwarn(
                f"Waiting for another process that uses {self._path}: it computes the same answer, or was stopped (Ctrl-Z)."
            )

    def _give_up(self, error: OSError) -> None:
        if self._can_lock:
            self._can_lock = False
            hwarn(f"Several processes may compute the same answer: {self._path} cannot be locked: {error.strerror}")
