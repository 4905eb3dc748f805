"""Commands whose output nobody reads any more end quietly, as `helm-run --list | head` has it."""

import os
import select
import sys

_EXIT_STATUS = 141
"""What shells give for programs that SIGPIPE ends."""


def exit_without_reader(error: BrokenPipeError) -> None:
    """Exit with status 141 and without a message when the reader of standard output has gone; else raise the error."""
    if not _is_reader_gone():
        raise error
    drop_output()
    raise SystemExit(_EXIT_STATUS) from None


def drop_output() -> None:
    """Nothing fails on standard output any more, also not when the interpreter flushes it on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_reader_gone() -> bool:
    """Whether standard output, rather than some other pipe, has no reader."""
    try:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        return any(event & select.POLLERR for _, event in poll.poll(0))
    except (AttributeError, OSError, ValueError):  # no poll on this system, or no file
        return True
