"""Asking the response cache only: inside `nothing_sent` whatever is not cached fails, and nothing leaves the process."""

import contextvars
from contextlib import contextmanager
from typing import Iterator

_sends_nothing: contextvars.ContextVar[bool] = contextvars.ContextVar("helm_sends_nothing", default=False)


@contextmanager
def nothing_sent() -> Iterator[None]:
    """For clients that ask over HTTP: inside, requests that are not cached are `cancelled`."""
    token = _sends_nothing.set(True)
    try:
        yield
    finally:
        _sends_nothing.reset(token)


def is_sending() -> bool:
    """Whether requests may leave the process."""
    return not _sends_nothing.get()
