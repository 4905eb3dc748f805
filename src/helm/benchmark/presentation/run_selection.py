"""Selects the runs that a command works on."""

import argparse
import fnmatch
import os
from typing import TYPE_CHECKING

from helm.common.commands.output_path import get_suite_path
from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.results.run_results import RunResults


def add_place_options(parser: argparse.ArgumentParser) -> None:
    """The options that say where results are, and which runs of them are meant."""
    add = parser.add_argument
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results are (%(default)s)")
    add("--runs", nargs="+", metavar="PATTERN", help="only runs whose name matches, for example 'mmlu*'")


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """The arguments that `find_runs` reads."""
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="folders of runs or of suites")
    parser.add_argument("--suite", metavar="SUITE", help="all runs of this suite of --output-path")
    add_place_options(parser)


def find_runs(args: argparse.Namespace, purpose: str) -> "list[RunResults]":
    """Return the runs in `args.folders` and the suite `args.suite`, each once, filtered by the patterns in `args.runs`.

    `purpose` is a verb for the message: "export". Raises: ConfigError when there is no folder, or no run fits.
    """
    from helm.results.run_results import load

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
