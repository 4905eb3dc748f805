"""Commands whose output nobody reads any more end quietly, as `helm-run --list | head` has it."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable

_EXIT_STATUS = 141
"""What shells give for programs that SIGPIPE ends."""


def ends_with_its_reader(main: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator for a command's function: when the reader of its standard output has gone it exits with status 141 and
    without a message.
    """

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        try:
            try:
                return main(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()  # what is left would be written, and fail, after everything else
        except BrokenPipeError:
            if not _is_reader_gone():
                raise
            drop_output()
            raise SystemExit(_EXIT_STATUS) from None

    return wrapped


def drop_output() -> None:
    """Nothing fails on standard output any more, also not when the interpreter flushes it on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_reader_gone() -> bool:
    """Whether standard output, rather than some other pipe, has no reader."""
    import select

    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):  # no poll on this system, or no file
        return True
