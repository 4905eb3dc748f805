"""Records what a command has spent, for a process that continues it and for others that do the same work at the same time.

Each paid answer is a line `[prompt tokens, completion tokens, dollars]`. With a budget, four more values follow: the number of
the process, and the most dollars, tokens and requests that it has in flight after this line. Lines are short enough to be
written in one piece, so several processes may write at the same time; a line survives its process once it is written. What a
process has in flight ends with it, so each process holds a lock on the byte of the file at the position of its number.
"""

import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn

from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn

# Numbers of processes are random: 61 bits make collisions negligible, and positions stay below the largest file offset.
_PROCESS_BITS = 61
# The byte locked by the process that decides whether something may be sent; it follows those of all processes.
_DECIDING = 1 << 62

_own_numbers: set[int] = set()
_deciding_here = threading.Lock()
"""File locks only work between processes; this lock is for the threads of one process."""


@dataclass(frozen=True)
class InFlight:
    """Upper bounds of what is in flight."""

    cost: float = 0.0
    """In US dollars."""

    tokens: int = 0

    number: int = 0
    """The number of requests."""

    def __add__(self, other: "InFlight") -> "InFlight":
        return InFlight(self.cost + other.cost, self.tokens + other.tokens, self.number + other.number)


NOTHING = InFlight()


class SpendingFile:
    """Totals over all processes that have written to the file. Raises HelmError if it cannot be read or written.

    If files cannot be locked, what other processes have in flight is unknown, and a warning is logged.
    """

    def __init__(self, path: str):
        self.path = path
        self.tokens = 0
        self.cost = 0.0
        """In US dollars."""
        self._lock = threading.Lock()
        self._read_bytes = 0
        import secrets

        self._number = secrets.randbits(_PROCESS_BITS)
        self._mark = f", {self._number}, ".encode()
        self._others: dict[int, InFlight] = {}
        self._can_lock = True
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except OSError as e:
            self._fail(e)
        _own_numbers.add(self._number)
        self._lock_byte(self._number)
        self.refresh()

    def add(self, prompt_tokens: int, completion_tokens: int, cost: float, in_flight: InFlight = NOTHING) -> None:
        """Record an answer; `in_flight` is what this process has in flight from now on."""
        held = f"{self._number}, {float(in_flight.cost)}, {in_flight.tokens}, {in_flight.number}"
        line = f"[{prompt_tokens}, {completion_tokens}, {float(cost)}, {held}]\n".encode()
        try:
            written = os.write(self._file, line)
            if written < len(line):
                os.write(self._file, b"\n")  # raises if the disk is full, the cause of the short line
        except OSError as e:
            self._fail(e)
        with self._lock:
            self.tokens += prompt_tokens + completion_tokens
            self.cost += cost

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Keep other processes from deciding, and read everything they have written."""
        with _deciding_here:
            self._lock_byte(_DECIDING)
            try:
                self.refresh()
                yield
            finally:
                self._unlock_byte(_DECIDING)

    def others_in_flight(self) -> InFlight:
        """Return what other processes have in flight; some of them may be dead."""
        return sum(self._others.values(), NOTHING)

    def living_others_in_flight(self) -> InFlight:
        """Return the same without dead processes, which are forgotten. This is slower, and only valid inside `deciding`."""
        for number in list(self._others):
            if number not in _own_numbers and self._lock_byte(number, waits=False):
                del self._others[number]
                self._unlock_byte(number)
        return self.others_in_flight()

    def refresh(self) -> None:
        """Read the lines added since the last call."""
        try:
            if os.fstat(self._file).st_size == self._read_bytes:
                return
            with self._lock:  # another thread may have read it meanwhile, and more
                size = os.fstat(self._file).st_size
                data = os.pread(self._file, size - self._read_bytes, self._read_bytes)
                whole = data[: data.rfind(b"\n") + 1]
                self._read_bytes += len(whole)
                for line in whole.splitlines():
                    if self._mark not in line:  # our own are counted already
                        self._count(line)
        except OSError as e:
            self._fail(e)

    def _count(self, line: bytes) -> None:
        try:
            prompt_tokens, completion_tokens, cost, *more = json.loads(line)
            tokens, cost = int(prompt_tokens) + int(completion_tokens), float(cost)
            number, held_cost, held_tokens, held_number = more or [None, 0.0, 0, 0]
            in_flight = InFlight(float(held_cost), int(held_tokens), int(held_number))
        except (ValueError, TypeError, RecursionError):
            return  # truncated by a full disk
        self.tokens += tokens
        self.cost += cost
        if in_flight == NOTHING:
            self._others.pop(number, None)
        else:
            self._others[number] = in_flight

    def close(self, remove: bool) -> None:
        """Close the file, and remove it with `remove` because the work is done and the next command starts anew."""
        os.close(self._file)
        self._file = -1  # the number may soon be another file's
        _own_numbers.discard(self._number)
        if remove:
            try:
                os.unlink(self.path)
            except FileNotFoundError:
                pass  # another process finished first

    def _lock_byte(self, position: int, waits: bool = True) -> bool:
        """Lock a byte, and return whether no other process is known to hold it."""
        if not self._can_lock:
            return True
        try:
            import fcntl

            fcntl.lockf(self._file, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB), 1, position)
            return True
        except (BlockingIOError, PermissionError):  # another process holds it
            return False
        except (OSError, ModuleNotFoundError) as e:
            self._can_lock = False
            reason = getattr(e, "strerror", None) or "this system has no such locks"
            hwarn(f"Processes that share a budget may exceed it: {self.path} cannot be locked: {reason}")
            return True

    def _unlock_byte(self, position: int) -> None:
        if self._can_lock:
            import fcntl

            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, position)

    def _fail(self, error: OSError) -> NoReturn:
        raise HelmError(
            f"Cannot record spending in {self.path}: {error.strerror}. Without this record a budget cannot be enforced."
        ) from error
