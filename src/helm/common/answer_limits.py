"""How much of what servers answer is taken into memory: of one answer, and of all that are on their way together.

What counts are decoded bytes: a compressed body may become a thousand times as long.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from helm.common.concurrency import is_stop_requested
from helm.common.errors import ConfigError

MAX_ANSWER_VARIABLE = "HELM_MAX_ANSWER_MIB"
_DEFAULT_MAX_ANSWER_MIB = 64
_MAX_IN_FLIGHT_BYTES = 256 << 20
_LOOK_EVERY_S = 0.25
"""Who waits for room looks so often whether the run is to stop."""


class AnswerTooLong(Exception):
    """An answer is longer than is allowed. The message says how long it may be, and how to allow more."""

    def __init__(self, limit_bytes: int):
        super().__init__(
            f"the answer is longer than {limit_bytes >> 20} MiB (decoded). Is it the right server? "
            f"{MAX_ANSWER_VARIABLE} allows more."
        )


def max_answer_bytes() -> int:
    """The longest answer, decoded. Raises: ConfigError when `$HELM_MAX_ANSWER_MIB` is no number."""
    return mebibytes(MAX_ANSWER_VARIABLE, _DEFAULT_MAX_ANSWER_MIB)


def mebibytes(variable: str, default: int) -> int:
    """The bytes that an environment variable allows, or so many MiB. Raises: ConfigError when it is no number of MiB."""
    text = os.environ.get(variable, "") or str(default)
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1 << 20:
        raise ConfigError(f"{variable} takes a whole number of MiB, 1 or more, not '{text}'.")
    return int(text) << 20


def read_body(response: Any) -> bytes:
    """The decoded body of a response of urllib3 that was asked for with `preload_content=False`; closes it.

    Raises: AnswerTooLong; what urllib3 raises.
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
    """The memory for answers that are on their way. Who finds none left waits, except for whoever has had some longest:
    that one's answer comes to its end, and gives back what it has. Ctrl-C ends the waiting: the answer is given up.
    """

    def __init__(self, limit_bytes: int):
        self._limit = limit_bytes
        self._changed = threading.Condition()
        self._taken: dict[object, int] = {}
        """Bytes by owner, the first one first."""
        self._used = 0

    @contextmanager
    def place(self) -> Iterator[Callable[[int], None]]:
        """For one answer, until it is read: a function to be called with the length of every piece of it."""
        owner = object()

        def take(num_bytes: int) -> None:
            with self._changed:
                while self._used + num_bytes > self._limit and next(iter(self._taken), owner) is not owner:
                    if is_stop_requested():
                        raise KeyboardInterrupt
                    self._changed.wait(_LOOK_EVERY_S)
                self._taken[owner] = self._taken.get(owner, 0) + num_bytes
                self._used += num_bytes

        try:
            yield take
        finally:
            with self._changed:
                self._used -= self._taken.pop(owner, 0)
                self._changed.notify_all()


ANSWERS = AnswerRoom(_MAX_IN_FLIGHT_BYTES)
"""That of this process."""
