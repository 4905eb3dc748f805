"""Limits the memory for servers' answers: for a single answer, and for all answers being received.

Sizes are those of decoded bytes, since a compressed body may expand to a thousand times its length.
"""

import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from helm.common.concurrency import is_stop_requested
from helm.common.errors import ConfigError

MAX_ANSWER_VARIABLE = "HELM_MAX_ANSWER_MIB"
# Log-probabilities of a long prompt are the largest real answers, some MiB. Several answers of the largest size fit at once.
_DEFAULT_MAX_ANSWER_MIB = 64
_MAX_IN_FLIGHT_BYTES = 256 << 20
# How often a thread that waits for memory checks whether the run has to stop.
_LOOK_EVERY_S = 0.25


class AnswerTooLong(Exception):
    """An answer is longer than allowed. The message states the limit and how to raise it."""

    def __init__(self, limit_bytes: int):
        super().__init__(
            f"the answer is longer than {limit_bytes >> 20} MiB (decoded). Is it the right server? "
            f"{MAX_ANSWER_VARIABLE} allows more."
        )


def max_answer_bytes() -> int:
    """Return the largest decoded size of an answer. Raises ConfigError if `$HELM_MAX_ANSWER_MIB` is not a number."""
    return mebibytes(MAX_ANSWER_VARIABLE, _DEFAULT_MAX_ANSWER_MIB)


def mebibytes(variable: str, default: int) -> int:
    """Return a limit in bytes from a variable in MiB, or `default` MiB. Raises ConfigError if it is not a number."""
    text = os.environ.get(variable)
    if not text:
        return default << 20
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1 << 20:
        raise ConfigError(f"{variable} takes a whole number of MiB, 1 or more, not '{text}'.")
    return int(text) << 20


def read_body(response: Any) -> bytes:
    """Return the decoded body of a urllib3 response requested with `preload_content=False`, and close it.

    Raises AnswerTooLong, and urllib3's exceptions.
    """
    limit, pieces, length = max_answer_bytes(), [], 0
    try:
        while piece := response.read(1 << 16, decode_content=True):
            pieces.append(piece)
            length += len(piece)
            if length > limit:
                raise AnswerTooLong(limit)
    except BaseException:
        response.close()
        raise
    response.release_conn()
    return b"".join(pieces)


class AnswerRoom:
    """The memory for answers being received.

    If there is none left, an answer waits, except the one that has held memory longest: it is received completely and then
    releases its memory, so that the others make progress. Ctrl-C ends the waiting, and the answer is discarded.
    """

    def __init__(self, limit_bytes: int):
        self._limit = limit_bytes
        self._changed = threading.Condition()
        self._taken: dict[object, int] = {}
        """Bytes by owner, oldest owner first."""
        self._used = 0
        self._num_waiting = 0

    def place(self) -> "_Place":
        """Return a context that gives a function to call with the length of every piece of one answer.

        The memory is released at its end.
        """
        return _Place(self)

    def try_take(self, owner: object, num_bytes: int) -> bool:
        """Take memory for one more piece of an answer without waiting; return False if there is none."""
        with self._changed:
            if not self._has(owner, num_bytes):
                return False
            self._add(owner, num_bytes)
            return True

    def _has(self, owner: object, num_bytes: int) -> bool:
        return self._used + num_bytes <= self._limit or next(iter(self._taken), owner) is owner

    def _add(self, owner: object, num_bytes: int) -> None:
        self._taken[owner] = self._taken.get(owner, 0) + num_bytes
        self._used += num_bytes

    def _take(self, owner: object, num_bytes: int) -> None:
        with self._changed:
            while not self._has(owner, num_bytes):
                if is_stop_requested():
                    raise KeyboardInterrupt
                self._num_waiting += 1
                try:
                    self._changed.wait(_LOOK_EVERY_S)
                finally:
                    self._num_waiting -= 1
            self._add(owner, num_bytes)

    def release(self, owner: object) -> None:
        """Give back what an answer has taken."""
        with self._changed:
            self._used -= self._taken.pop(owner, 0)
            if self._num_waiting:
                self._changed.notify_all()


class _Place(AbstractContextManager[Callable[[int], None]]):
    """Every request needs one, so it is not a generator, which costs three times as much."""

    __slots__ = ("_room",)

    def __init__(self, room: AnswerRoom):
        self._room = room

    def __enter__(self) -> Callable[[int], None]:
        return self._take

    def _take(self, num_bytes: int) -> None:
        self._room._take(self, num_bytes)

    def __exit__(self, *exc_info: Any) -> None:
        self._room.release(self)


ANSWERS = AnswerRoom(_MAX_IN_FLIGHT_BYTES)
"""The memory for answers in this process."""
