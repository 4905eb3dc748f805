"""How requests are sent inside a block: not at all (only the response cache is asked), or once without further tries."""

import contextvars
from contextlib import contextmanager
from typing import Iterator, Optional

_sends_nothing: contextvars.ContextVar[bool] = contextvars.ContextVar("helm_sends_nothing", default=False)

_only_try_s: contextvars.ContextVar[Optional[float]] = contextvars.ContextVar("helm_only_try_s", default=None)


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


@contextmanager
def trying_once(timeout_s: float) -> Iterator[None]:
    """For clients that ask over HTTP: inside, no request is tried again, and none waits longer than this for an answer."""
    token = _only_try_s.set(timeout_s)
    try:
        yield
    finally:
        _only_try_s.reset(token)


def only_try_s() -> Optional[float]:
    """How long the only try may take; None: requests are sent as usual."""
    return _only_try_s.get()
