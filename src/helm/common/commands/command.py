"""The frame of every command: its arguments, errors that are the user's to mend, Ctrl-C, and readers that leave.

A command's module holds a parser and a body:

    @command_main(build_parser)
    def main(args: argparse.Namespace) -> Optional[int]:
        ...

which makes `main(argv=None)`, the function that `console_scripts` names. Nothing but `argparse` is imported up front, so that
`--help` is instant.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import os
import sys
from collections.abc import Callable, Sequence

from helm.common.commands.distribution_check import check_sole_owner
from helm.common.commands.systems import check_system

_NEW_OBJECTS = 100_000
"""How many new objects there are before the garbage collector looks at them; see `_spare_the_collector`."""

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""

Body = Callable[[argparse.Namespace], int | None]
"""What a command does: returns its exit status; None: 0. Raises HelmError or OSError for what the user can mend."""


def command_main(
    build_parser: Callable[[], argparse.ArgumentParser],
    *,
    interrupted: str = "",
    prefix: str | None = None,
    error_status: int = 1,
) -> Callable[[Body], Callable[..., None]]:
    """Decorator that makes a command's `main(argv=None)` of its body.

    The command ends with `SystemExit` unless its status is 0. A HelmError and an OSError become one line on standard error,
    or a traceback when the environment has HELM_DEBUG=1.

    Args:
        build_parser: makes the parser; its `prog` is the command's name.
        interrupted: what is said after Ctrl-C of the state that things are left in.
        prefix: what errors begin with; None: `PROG: error: `.
        error_status: exit status after an error.
    """

    def decorate(body: Body) -> Callable[..., None]:
        def main(argv: Sequence[str] | None = None) -> None:
            if argv is None:
                _spare_the_collector()
            check_system()
            check_sole_owner()
            parser = build_parser()
            try:
                status = None
                try:
                    args = parser.parse_args(sys.argv[1:] if argv is None else list(argv))
                    status = body(args)
                finally:
                    if sys.stdout is not None:
                        sys.stdout.flush()  # what is left would be written, and fail, after everything else
            except KeyboardInterrupt:
                _tell(f"\n{parser.prog}: interrupted.{interrupted and ' '}{interrupted}")
                raise SystemExit(INTERRUPTED) from None
            except BrokenPipeError as error:
                from helm.common.commands.closed_pipe import exit_without_reader

                exit_without_reader(error)
            except Exception as error:
                if not _is_the_users(error):
                    raise
                _tell(f"{f'{parser.prog}: error: ' if prefix is None else prefix}{describe(error)}")
                raise SystemExit(error_status) from None
            if status:
                raise SystemExit(status)

        main.__module__, main.__name__, main.__doc__ = body.__module__, "main", body.__doc__
        return main

    return decorate


def _spare_the_collector() -> None:
    """Have the garbage collector look at what a command has made less often; for a process that is the command's own.

    Starting makes some 50,000 objects (classes, functions, the catalogue), nearly all of which stay. Python looks at them
    once for every 700 new ones, and at all of them two or three times more when the process ends, where `freeze` keeps them
    from it. Both together took a quarter of the time of a run of two instances, and 2 to 10% of one of 4,000, whose peak
    memory is the same (66 MiB).
    """
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(gc.freeze)


def _is_the_users(error: Exception) -> bool:
    """Whether its message says all that is worth knowing."""
    from helm.common.errors import HelmError

    return isinstance(error, (HelmError, OSError)) and os.environ.get("HELM_DEBUG") != "1"


def _tell(line: str) -> None:
    """On standard error, after what standard output was given."""
    try:
        sys.stdout.flush()
    except OSError:  # a full disk, say, which is what the line is about
        from helm.common.commands.closed_pipe import drop_output

        drop_output()
    sys.stderr.write(f"{line}\n")


def describe(error: Exception) -> str:
    """What a command prints of an error: its message, with its notes behind it; of the system's errors, also the file."""
    from helm.common.errors import shown

    text = shown(error)
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.strerror}: {error.filename}"
    notes = [note for note in getattr(error, "__notes__", []) if note]
    if notes and text[-1:] not in ".?!)":
        text += "."
    return " ".join([text, *notes])
