"""The frame of every command: its arguments, errors that the user can fix, Ctrl-C, and readers that leave.

A command's module holds a parser and a body:

    @command_main(build_parser)
    def main(args: argparse.Namespace) -> Optional[int]:
        ...

which makes `main(argv=None)`, the function that `console_scripts` names. Only `argparse` is imported up front, so that
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

_NEW_OBJECTS = 100_000
"""How many new objects there are before the garbage collector looks at them; see `spare_the_collector`."""

INTERRUPTED = 130
"""The exit status after Ctrl-C, as in shells: 128 + 2."""

_ON_WINDOWS = (
    "helm-evals runs on Linux and macOS. On Windows it runs inside WSL, the Windows Subsystem for Linux: `wsl --install` "
    "once, then in its shell `pip install helm-evals` and the same command again.\n"
)

Body = Callable[[argparse.Namespace], int | None]
"""A command's body; it returns the exit status (None means 0), and raises HelmError or OSError for what users can fix."""


def command_main(
    build_parser: Callable[[], argparse.ArgumentParser],
    *,
    interrupted: str = "",
    prefix: str | None = None,
    error_status: int = 1,
) -> Callable[[Body], Callable[..., None]]:
    """Return a decorator that makes a command's `main(argv=None)` of its body.

    The command ends with `SystemExit` unless its status is 0. A HelmError or an OSError becomes one line on standard error,
    or a traceback with HELM_DEBUG=1 in the environment.

    Args:
        build_parser: creates the parser; its `prog` is the command's name.
        interrupted: the message after Ctrl-C about the state in which things are left.
        prefix: the prefix of errors; None means `PROG: error: `.
        error_status: the exit status after an error.
    """

    def decorate(body: Body) -> Callable[..., None]:
        def main(argv: Sequence[str] | None = None) -> None:
            if argv is None:
                spare_the_collector()
            if sys.platform == "win32":  # process groups, locks and pipes are those of POSIX
                sys.stderr.write(_ON_WINDOWS)
                raise SystemExit(1)
            check_sole_owner()
            parser = build_parser()
            try:
                status = None
                try:
                    args = parser.parse_args(sys.argv[1:] if argv is None else list(argv))
                    status = body(args)
                finally:
                    if sys.stdout is not None:
                        sys.stdout.flush()  # otherwise the rest would be written, and fail, at interpreter exit
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


def spare_the_collector() -> None:
    """Have the garbage collector look at what a command has made less often; for a process that is the command's own.

    Starting makes some 50,000 objects (classes, functions, the catalogue), nearly all of which stay. Python looks at them
    once for every 700 new ones, and at all of them two or three times more when the process ends, where `freeze` keeps them
    from it. Both together took a quarter of the time of a run of two instances, and 2 to 10% of one of 4,000, whose peak
    memory is the same (66 MiB).
    """
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(gc.freeze)


def _is_the_users(error: Exception) -> bool:
    """Return whether an error's message is enough for the user, without a traceback."""
    from helm.common.errors import HelmError

    return isinstance(error, (HelmError, OSError)) and os.environ.get("HELM_DEBUG") != "1"


def _tell(line: str) -> None:
    """Write a line to standard error, after everything written to standard output."""
    try:
        sys.stdout.flush()
    except OSError:  # such as a full disk, which is what the line reports
        from helm.common.commands.closed_pipe import drop_output

        drop_output()
    sys.stderr.write(f"{line}\n")


def describe(error: Exception) -> str:
    """Return the text that a command prints for an error: its message and notes; for the system's errors, also the file."""
    from helm.common.errors import shown

    text = shown(error)
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror if error.filename is None else f"{error.strerror}: {error.filename}"
    notes = [note for note in getattr(error, "__notes__", []) if note]
    if notes and text[-1:] not in ".?!)":
        text += "."
    return " ".join([text, *notes])
