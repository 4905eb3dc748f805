"""Waits for pipes to other processes."""

import selectors
from typing import IO, Any


def wait_until_ready(pipe: "int | IO[Any]", timeout_s: float, to_write: bool = False) -> bool:
    """Return whether a pipe can be read (or written to) within the time, also at its end.

    `select.select` would do for few pipes, but it takes no descriptor above 1023, and a process with many connections has those.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_WRITE if to_write else selectors.EVENT_READ)
        return bool(selector.select(max(0.0, timeout_s)))
