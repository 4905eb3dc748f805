"""The sessions of a service by number, with a limit that simultaneous calls cannot exceed."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from helm.compiler_gym.errors import StatusError

DEFAULT_MAX_SESSIONS = 4096  # stops a client that never ends its sessions before the memory is full

SessionType = TypeVar("SessionType")


class SessionTable(Generic[SessionType]):
    """Sessions by number. Safe to use from many threads. Numbers start at 0 and are never reused."""

    def __init__(self, max_sessions: int = DEFAULT_MAX_SESSIONS):
        """Create an empty table; `place` fails when it holds `max_sessions`."""
        self._max_sessions = max_sessions
        self._sessions: dict[int, SessionType] = {}
        self._num_places_taken = 0
        self._next_number = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._sessions)

    @contextmanager
    def place(self) -> Iterator[Callable[[SessionType], int]]:
        """Reserve a place while a session is created; yields a function that stores the session and returns its number.

        Raises: StatusError (RESOURCE_EXHAUSTED) when all places are taken or reserved.
        """
        with self._lock:
            if len(self._sessions) + self._num_places_taken >= self._max_sessions:
                raise StatusError(
                    "RESOURCE_EXHAUSTED", f"The service already has {self._max_sessions} sessions, its limit."
                )
            self._num_places_taken += 1
        is_taken = True

        def fill(session: SessionType) -> int:
            nonlocal is_taken
            with self._lock:
                number = self._next_number
                self._next_number += 1
                self._sessions[number] = session
                self._num_places_taken -= 1
                is_taken = False
                return number

        try:
            yield fill
        finally:
            if is_taken:
                with self._lock:
                    self._num_places_taken -= 1

    def get(self, number: int) -> SessionType:
        """Return the session with this number.

        Raises: StatusError (NOT_FOUND) when there is none.
        """
        with self._lock:
            session = self._sessions.get(number)
        if session is None:
            raise StatusError("NOT_FOUND", f"Session not found: {number}")
        return session

    def pop(self, number: int) -> tuple[SessionType | None, int]:
        """Remove a session; returns it (None if there is none) and the number of those that are left."""
        with self._lock:
            session = self._sessions.pop(number, None)
            return session, len(self._sessions)

    def pop_all(self, matches: Callable[[SessionType], bool] = lambda session: True) -> list[SessionType]:
        """Remove every session that matches."""
        with self._lock:
            numbers = [number for number, session in self._sessions.items() if matches(session)]
            return [self._sessions.pop(number) for number in numbers]
