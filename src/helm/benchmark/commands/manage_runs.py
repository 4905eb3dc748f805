"""`helm-runs`: shows the state of a suite's runs, drops or retries failed ones, and compresses finished ones."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from helm.benchmark.presentation.run_selection import add_place_options
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

if TYPE_CHECKING:
    from helm.results.run_state import RunState

_LONGEST_CAUSE = 100


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-runs`."""
    parser = SuggestingArgumentParser(
        prog="helm-runs",
        description="Say how the runs of a suite stand, drop failed ones, compress finished ones, and say how to try again.",
        epilog="Example: helm-runs list --suite mine --state failed",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def add_command(name: str, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        command.add_argument("--suite", default="default", help="the suite (%(default)s)")
        add_place_options(command)
        return command

    add = add_command("list", "show the runs of a suite: done, failed (and why), unfinished, running").add_argument
    add("--state", nargs="+", metavar="STATE", help="only those that are: done, failed, unfinished, running")
    add("--json", action="store_true", help="print JSON instead of a table, with causes in full")
    add = add_command("drop", "remove the folders of failed runs; results of an earlier attempt stay").add_argument
    add("--unfinished", action="store_true", help="also of unfinished runs, and the answers they have kept")
    add("-d", "--dry-run", action="store_true", help="remove nothing; show what would be removed")
    add = add_command(
        "compact", "compress the large files of finished runs, as --compact-files writes them"
    ).add_argument
    add("--undo", action="store_true", help="write them plainly again, for HELM and other programs")
    add("-d", "--dry-run", action="store_true", help="change nothing; show what would be saved")
    add_command("retry", "print the commands that try failed runs again")
    return parser


def _find(args: argparse.Namespace) -> list[RunState]:
    """Find the runs. Raises: ConfigError if there is no such suite, or no run matches."""
    import fnmatch

    from helm.common.commands.output_path import RUNS_FOLDER, get_suite_path
    from helm.common.errors import ConfigError, suggest
    from helm.results.run_files.run_folder import list_folders
    from helm.results.run_state import read_run_states

    path = get_suite_path(args.output_path, args.suite)
    if not os.path.isdir(path):
        there = list_folders(os.path.join(args.output_path, RUNS_FOLDER))
        raise ConfigError(f"There is no suite '{args.suite}': there is no folder {path}.{suggest(args.suite, there)}")
    runs = read_run_states(path)
    if not args.runs:
        return runs
    found = [run for run in runs if any(fnmatch.fnmatchcase(run.name, pattern) for pattern in args.runs)]
    if not found:
        raise ConfigError(f"None of {len(runs)} runs matches {' or '.join(args.runs)}.")
    return found


def _list(args: argparse.Namespace) -> None:
    from collections import Counter

    from tabulate import tabulate

    from helm.common.errors import ConfigError
    from helm.results.run_state import RUN_STATES

    for state in args.state or ():
        if state not in RUN_STATES:
            raise ConfigError(f"--state takes {', '.join(RUN_STATES)}, not '{state}'.")
    runs = [run for run in _find(args) if not args.state or run.state in args.state]
    if args.json:
        keys = ("name", "path", "state", "cause", "command", "has_results")
        print(json.dumps([{key: getattr(run, key) for key in keys} for run in runs], indent=2))
        return
    if runs:
        rows = [[run.name, run.state, _shortened(_cause(run))] for run in runs]
        print(tabulate(rows, ["run", "state", "cause"], tablefmt="simple", disable_numparse=True))
        print()
    counts = Counter(run.state for run in runs)
    parts = [f"{counts[state]} {state}" for state in RUN_STATES if counts[state]]
    print(f"{len(runs)} run{'' if len(runs) == 1 else 's'}{': ' if parts else ''}{', '.join(parts)}")


def _cause(run: RunState) -> str:
    is_older = run.has_results and run.state != "done"
    return " ".join(part for part in ("(older results are there)" if is_older else "", run.cause) if part)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_CAUSE else text[: _LONGEST_CAUSE - 3] + "..."


def _drop(args: argparse.Namespace) -> None:
    from helm.results.run_state import FAILED, UNFINISHED

    states = (FAILED, UNFINISHED) if args.unfinished else (FAILED,)
    runs = [run for run in _find(args) if run.state in states]
    verb = "would be dropped" if args.dry_run else "dropped"
    num_dropped = 0
    for run in runs:
        if args.dry_run or _drop_one(run, states):
            _remove_empty_suite(args, run)
            num_dropped += 1
            kept = " (the results of an earlier attempt stay)" if run.has_results else ""
            print(f"{run.name}: {verb}{kept}")
    print(f"{num_dropped} run{'' if num_dropped == 1 else 's'} {verb}.")


def _drop_one(run: RunState, states: Sequence[str]) -> bool:
    """Drop a run; returns False if it was started again meanwhile. Raises: HelmError."""
    import shutil

    from helm.benchmark.running.run_lock import try_lock_run
    from helm.common.errors import HelmError
    from helm.results.run_files.run_folder import ERROR_FILE_NAME, JOURNAL_FILE_NAME, JOURNAL_PART_PREFIX
    from helm.results.run_state import read_files_state

    lock = try_lock_run(run.path)
    if lock is None:
        return False
    try:
        now = read_files_state(run.path)
        if now.state not in states:
            return False
        if now.has_results:
            parts = [name for name in os.listdir(run.path) if name.startswith(JOURNAL_PART_PREFIX)]
            for name in (*parts, JOURNAL_FILE_NAME, ERROR_FILE_NAME):
                path = os.path.join(run.path, name)
                if os.path.lexists(path):
                    os.unlink(path)
        else:
            shutil.rmtree(run.path)
    except OSError as e:
        raise HelmError(f"Cannot remove {e.filename}: {e.strerror}.") from e
    finally:
        lock.release()
    return True


def _remove_empty_suite(args: argparse.Namespace, run: RunState) -> None:
    """Remove a suite within the suite that has become empty, and would be mistaken for a run."""
    from helm.common.commands.output_path import get_suite_path

    suite_path, folder = os.path.normpath(get_suite_path(args.output_path, args.suite)), os.path.dirname(run.path)
    while os.path.normpath(folder) != suite_path and not os.path.exists(run.path) and not os.listdir(folder):
        os.rmdir(folder)
        folder = os.path.dirname(folder)


def _retry(args: argparse.Namespace) -> None:
    from helm.results.run_state import FAILED

    runs = [run for run in _find(args) if run.state == FAILED]
    commands = dict.fromkeys(run.command for run in runs if run.command)
    for command in commands:
        print(command if "--skip-completed-runs" in command.split() else f"{command} --skip-completed-runs")
    without = [run.name for run in runs if not run.command]
    if without:
        names = ", ".join(without[:3]) + (f" and {len(without) - 3} more" if len(without) > 3 else "")
        sys.stderr.write(f"Of {names} it is not known which command had asked for them: repeat it.\n")
    if not runs:
        sys.stderr.write("No run has failed.\n")
    elif any("***" in command for command in commands):
        sys.stderr.write("Put the passwords and keys in the places of ***.\n")


def _compact(args: argparse.Namespace) -> None:
    from helm.common.formats.number_text import format_size
    from helm.results.run_state import DONE

    num_changed = before = after = 0
    for run in _find(args):
        if run.state != DONE:
            sys.stderr.write(f"{run.name}: left as it is, because it is {run.state}.\n")
            continue
        sizes = _compact_one(run, not args.undo, args.dry_run)
        if sizes is not None:
            num_changed += sizes[0] != sizes[1]
            before, after = before + sizes[0], after + sizes[1]
    verb = "would be" if args.dry_run else "were"
    print(
        f"{num_changed} run{'' if num_changed == 1 else 's'} {verb} {'unpacked' if args.undo else 'compressed'}: "
        f"{format_size(before)} before, {format_size(after)} afterwards."
    )


def _compact_one(run: RunState, compressed: bool, is_trial: bool) -> tuple[int, int] | None:
    """Convert a run; returns the sizes before and afterwards, or None if it was begun again meanwhile. Raises: HelmError."""
    from helm.benchmark.running.run_lock import try_lock_run
    from helm.common.errors import HelmError
    from helm.results.run_files.compressed_files import convert_run
    from helm.results.run_state import DONE, read_files_state

    lock = try_lock_run(run.path)
    if lock is None:
        return None
    try:
        return convert_run(run.path, compressed, is_trial) if read_files_state(run.path).state == DONE else None
    except OSError as e:
        raise HelmError(f"Cannot convert {e.filename or run.path}: {e.strerror}.") from e
    finally:
        lock.release()


_COMMANDS = {"list": _list, "drop": _drop, "compact": _compact, "retry": _retry}


@command_main(build_parser)
def main(args: argparse.Namespace) -> None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments; 130 interrupted."""
    _COMMANDS[args.command](args)


if __name__ == "__main__":
    main()
