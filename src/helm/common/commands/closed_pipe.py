"""Ends a command quietly when the reader of its output has gone, as in `helm-run --list | head`."""

import os
import select
import sys

_EXIT_STATUS = 141
"""The status that shells report for programs ended by SIGPIPE: 128 + 13."""


def exit_without_reader(error: BrokenPipeError) -> None:
    """Exit with status 141 and no message if the reader of standard output has gone; otherwise raise the error."""
    if not _is_reader_gone():
        raise error
    drop_output()
    raise SystemExit(_EXIT_STATUS) from None


def drop_output() -> None:
    """Discard standard output from now on, so that flushing it at interpreter exit cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_reader_gone() -> bool:
    """Return whether standard output, rather than some other pipe, has no reader."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):  # no poll on this system, or no file
        return True
