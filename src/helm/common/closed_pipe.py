"""Commands whose output nobody reads any more end quietly, as `helm-run --list | head` has it."""

import os
import sys
from functools import wraps
from typing import Any, Callable, TypeVar

from helm.common.systems import check_system

F = TypeVar("F", bound=Callable[..., Any])

_EXIT_STATUS = 141
"""What shells give for programs that SIGPIPE ends."""


def ends_with_its_reader(main: F) -> F:
    """Decorator for a command's function: when the reader of its standard output has gone it exits with status 141 and
    without a message. On Windows it does not begin.
    """

    @wraps(main)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        check_system()
        try:
            try:
                return main(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()  # what is left would be written, and fail, after everything else
        except BrokenPipeError:
            if not _is_reader_gone():
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing more fails there
            raise SystemExit(_EXIT_STATUS) from None

    return wrapped  # type: ignore[return-value]


def _is_reader_gone() -> bool:
    """Whether standard output, rather than some other pipe, has no reader."""
    import select

    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):  # no poll on this system, or no file
        return True
