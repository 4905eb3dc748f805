"""Selects the runs that a command works on."""

import argparse
import fnmatch
import os

from helm.common.commands.output_path import get_suite_path
from helm.common.errors import ConfigError
from helm.results.run_results import RunResults, load


def find_runs(args: argparse.Namespace, purpose: str) -> list[RunResults]:
    """Return the runs in `args.folders` and the suite `args.suite`, each once, filtered by the patterns in `args.runs`.

    `purpose` is a verb for the message: "export". Raises: ConfigError when there is no folder, or no run fits.
    """
    folders = [*args.folders, *([get_suite_path(args.output_path, args.suite)] if args.suite else [])]
    if not folders:
        raise ConfigError(f"Nothing to {purpose}: name folders of runs, or a suite with --suite.")
    runs = list({os.path.realpath(run.path): run for folder in folders for run in load(folder)}.values())
    if not args.runs:
        return runs
    found = [run for run in runs if any(fnmatch.fnmatchcase(run.folder_name, pattern) for pattern in args.runs)]
    if not found:
        raise ConfigError(f"None of {len(runs)} runs matches {' or '.join(args.runs)}.")
    return found
