"""`helm-watch`: shows the progress of a suite's commands from another terminal."""

import argparse
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.common.telemetry.progress_report import CommandReport, ProgressReport

# `helm-run` writes its progress once a second.
_LOOK_EVERY_S = 1.0


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-watch`."""
    parser = SuggestingArgumentParser(
        prog="helm-watch",
        description="Show how far the commands are that run in a suite, until they are over.",
        epilog="Example: helm-watch --suite try",
    )
    add = parser.add_argument
    add("--suite", default="default", help="the suite (%(default)s)")
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results go (%(default)s)")
    add("--once", action="store_true", help="say how it stands now, and end")
    add(
        "--progress",
        default="auto",
        metavar="VIEW",
        help="what is shown: panel, lines, none (wait and say nothing until the end), or auto (%(default)s: a panel on a "
        "terminal, else a line every ten seconds)",
    )
    return parser


def watch(suite_path: str, mode: str = "auto", once: bool = False, sleep: Callable[[float], None] = time.sleep) -> bool:
    """Show the commands of a suite until they end; returns whether all ended well (with `once`: none failed yet).

    Raises: ConfigError if there is nothing to show, or the view does not exist.
    """
    from helm.benchmark.live.text import describe_command
    from helm.benchmark.live.views import NOTHING, create_view
    from helm.common.telemetry.progress import FAILED
    from helm.common.telemetry.progress_report import FINISHED, INTERRUPTED, KILLED, OUT_OF_BUDGET

    suite = os.path.basename(os.path.abspath(suite_path))
    view = create_view(NOTHING if once else mode, suite, sys.stdout, _say)
    try:
        while True:
            report = _read(suite_path)
            if once or all(_is_over(command) for command in report.commands):
                break
            view.show_all([command for command in report.commands if not _is_over(command)])
            sleep(_LOOK_EVERY_S)
    finally:
        view.close()
    now = time.time()
    for command in report.commands:
        print("\n".join(describe_command(command, suite, now)))
    bad = (FAILED, INTERRUPTED, KILLED, OUT_OF_BUDGET)
    states = [command.state_at(now) for command in report.commands]
    return not any(state in bad for state in states) if once else all(state == FINISHED for state in states)


def _say(line: str) -> None:
    print(line, flush=True)


def _is_over(command: "CommandReport") -> bool:
    from helm.common.telemetry.progress_report import KILLED

    return command.is_over or command.state_at() == KILLED


def _read(suite_path: str) -> "ProgressReport":
    """Read the progress. Raises: ConfigError that names the suites with progress to show."""
    from helm.common.errors import ConfigError, suggest
    from helm.common.telemetry.progress_report import FILE_NAME, read_progress
    from helm.results.run_files.run_folder import list_folders

    report = read_progress(suite_path)
    if report is not None:
        return report
    runs_path, suite = os.path.split(os.path.abspath(suite_path))
    there = [name for name in list_folders(runs_path) if os.path.exists(os.path.join(runs_path, name, FILE_NAME))]
    known = f" Suites that have: {', '.join(there)}.{suggest(suite, there)}" if there else ""
    raise ConfigError(f"No command has run in {suite_path} yet: there is no {FILE_NAME}.{known}")


@command_main(build_parser, interrupted="The commands go on.")
def main(args: argparse.Namespace) -> int:
    """Run the command. Exit status: 0 all ended well; 1 failed or aborted; 2 bad arguments; 130 Ctrl-C.

    Ctrl-C only ends the watching.
    """
    from helm.common.commands.output_path import get_suite_path

    return 0 if watch(get_suite_path(args.output_path, args.suite), args.progress, args.once) else 1


if __name__ == "__main__":
    main()
