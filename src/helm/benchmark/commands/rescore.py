"""`helm-rescore`: recomputes the metrics of finished runs from their stored results."""

import argparse
import logging
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TextIO

from helm.benchmark.presentation.run_selection import add_place_options
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.commands.data_options import add_data_lock_option, add_trust_option
from helm.common.errors import HelmError

if TYPE_CHECKING:
    from helm.common.data.data_session import DataSession
    from helm.results.rescoring import Rescored, RescoreOptions, Rescorer
    from helm.results.run_results import RunResults

_SHOWN_CHANGES = 20


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-rescore`."""
    parser = SuggestingArgumentParser(
        prog="helm-rescore",
        description="Compute the metrics of finished runs anew. No model and no judge is asked: everything comes from "
        "scenario_state.json. Runs of HELM work like our own.",
        epilog="Example: helm-rescore --suite mine --dry-run. Then: helm-rescore --suite mine; helm-summarize --suite mine.",
    )
    add = parser.add_argument
    add("folders", nargs="*", metavar="FOLDER", help="folders of runs or of suites")
    add("--suite", "--suites", nargs="+", default=[], metavar="SUITE", help="all runs of these suites of --output-path")
    add_place_options(parser)
    add(
        "--metric-spec",
        action="append",
        metavar="CLASS[:ARGS]",
        help="a metric instead of those of the run spec, as CLASS:key=value,... or CLASS:{JSON}; may be repeated",
    )
    add(
        "--add-metric-spec",
        action="append",
        default=[],
        metavar="CLASS[:ARGS]",
        help="a metric beside those of the run spec; may be repeated",
    )
    add("--plugins", nargs="+", metavar="PLUGIN", help="modules, or paths of Python files, to import first")
    add("--to-suite", metavar="SUITE", help="write complete runs into this suite and leave the stored ones alone")
    add("--keep-old", action="store_true", help="keep replaced files as stats.old-1.json and so on")
    add(
        "--on-failure",
        metavar="POLICY",
        help="what a request without an answer means: fail, exclude (the instance), count-as-wrong or helm; not given: what it "
        "meant when the run was scored",
    )
    add(
        "--extraction",
        metavar="FORM",
        help="find the answers anew, as letter, number, boxed, code, json, last_line or regex; auto: what the metrics need; "
        "none: the metrics see whole completions",
    )
    add(
        "--extraction-pattern",
        metavar="PATTERN",
        help="the regular expression of --extraction regex, or the path of json",
    )
    add(
        "--reducer",
        metavar="NAMES",
        help="make one value of the epochs of an instance by other reducers: mean, max, majority, pass@K, pass^K, at_least_K, "
        "several joined by +; the first one gives the score",
    )
    add("--dry-run", action="store_true", help="write nothing; show what would change")
    add("-n", "--num-threads", type=int, default=4, metavar="N", help="threads for metrics that wait (%(default)s)")
    add(
        "--local-path",
        default="prod_env",
        metavar="FOLDER",
        help="folder with credentials, further configuration and the response cache (%(default)s)",
    )
    add_data_lock_option(parser)
    add_trust_option(parser)
    add("--exit-on-error", action="store_true", help="stop at the first run that fails")
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    return parser


def _find_runs(args: argparse.Namespace) -> "list[RunResults]":
    """Find the runs. Raises: ResultsError if a folder or suite has none, or a pattern matches none."""
    import fnmatch

    from helm.common.commands.output_path import get_suite_path
    from helm.results.run_results import ResultsError, load

    if not args.folders and not args.suite:
        raise ResultsError("Nothing to score: name folders of runs, or suites with --suite.")
    folders = [*args.folders, *(get_suite_path(args.output_path, suite) for suite in args.suite)]
    runs = {os.path.realpath(run.path): run for folder in folders for run in load(folder)}
    found = list(runs.values())
    if args.runs:
        found = [run for run in found if any(fnmatch.fnmatchcase(run.folder_name, pattern) for pattern in args.runs)]
        if not found:
            raise ResultsError(f"None of {len(runs)} runs matches {' or '.join(args.runs)}.")
    return found


def _read_options(args: argparse.Namespace) -> "RescoreOptions":
    from helm.benchmark.executing.execution import FAILURE_POLICIES
    from helm.common.commands.output_path import get_suite_path
    from helm.common.errors import ConfigError
    from helm.results.rescoring import RescoreOptions, parse_metric_spec

    if args.num_threads < 1:
        raise ConfigError(f"--num-threads takes 1 or more, not {args.num_threads}.")
    if args.on_failure is not None and args.on_failure not in FAILURE_POLICIES:
        raise ConfigError(f"--on-failure takes {', '.join(FAILURE_POLICIES)}, not '{args.on_failure}'.")
    if args.extraction_pattern is not None and args.extraction is None:
        raise ConfigError("--extraction-pattern needs --extraction regex or --extraction json.")
    if args.keep_old and args.to_suite:
        raise ConfigError("--keep-old and --to-suite cannot be given together: --to-suite replaces nothing.")
    return RescoreOptions(
        metric_specs=None if args.metric_spec is None else [parse_metric_spec(text) for text in args.metric_spec],
        added_metric_specs=[parse_metric_spec(text) for text in args.add_metric_spec],
        output_suite_path=get_suite_path(args.output_path, args.to_suite, "--to-suite") if args.to_suite else None,
        keep_old=args.keep_old,
        dry_run=args.dry_run,
        on_failure=args.on_failure,
        parallelism=args.num_threads,
        extraction=args.extraction,
        extraction_pattern=args.extraction_pattern,
        reducer=args.reducer,
    )


def _register(args: argparse.Namespace) -> None:
    """Register the catalogue, because metrics that count tokens need the model's tokenizer, and the plugins."""
    from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue

    register_catalogue(CatalogueSetup(args.local_path, args.plugins or []))


def _without_unfinished(runs: "list[RunResults]", named: Sequence[str], stream: TextIO) -> "list[RunResults]":
    """Return the runs that can be scored. Others of a suite are listed; one named explicitly stays, and fails."""
    from helm.results.run_files.run_folder import SCENARIO_STATE_FILE_NAME

    kept = []
    for run in runs:
        if SCENARIO_STATE_FILE_NAME in run.missing and run.path not in named:
            stream.write(f"{run.folder_name}: left out, because it has no {SCENARIO_STATE_FILE_NAME}\n")
        else:
            kept.append(run)
    return kept


def _check_targets(runs: "list[RunResults]") -> None:
    """Check the output folders. Raises: ConfigError if two runs would be written to the same folder."""
    from helm.common.errors import ConfigError

    seen: dict = {}
    for run in runs:
        other = seen.setdefault(run.folder_name, run)
        if other is not run:
            raise ConfigError(
                f"--to-suite: {other.path} and {run.path} have one name, and one would overwrite the other."
            )


def _consent(args: argparse.Namespace) -> "AbstractContextManager[DataSession]":
    """Return the session with the user's consent to code of tasks; a dry run reads the lock file and does not write it."""
    from helm.common.data.data_lock import DataLock, check_digests
    from helm.common.data.data_session import data_session, default_lock_path

    check_digests(args.trust_task_code)
    lock = DataLock(args.data_lock or default_lock_path(args.output_path))
    if args.dry_run:
        return data_session(None, args.local_path, [*args.trust_task_code, *lock.trusted_code()])
    return data_session(lock, args.local_path, args.trust_task_code)


def rescore(args: argparse.Namespace, stream: TextIO) -> int:
    """Rescore according to the arguments; returns how many runs failed. Raises: HelmError if nothing can be done."""
    from helm.common.cache_backend_config import SqliteCacheBackendConfig
    from helm.common.context import Context
    from helm.common.key_value_store import SqliteKeyValueStore
    from helm.common.local_context import LocalContext
    from helm.results.rescoring import LazyMetricService, Rescorer

    options = _read_options(args)
    found = _find_runs(args)
    runs = _without_unfinished(found, args.folders, stream)
    if args.to_suite:
        _check_targets(runs)
    _register(args)

    failed: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        # A dry run creates no folder for caches either.
        local_path = scratch if options.dry_run and not os.path.isdir(args.local_path) else args.local_path

        def make_context() -> Context:
            return LocalContext(local_path, SqliteCacheBackendConfig(os.path.join(local_path, "cache")))

        rescorer = Rescorer(LazyMetricService(make_context), options)
        try:
            with _consent(args):
                _rescore_all(runs, rescorer, args.exit_on_error, stream, failed)
        finally:
            SqliteKeyValueStore.close_all()
    done = len(runs) - len(failed)
    verb = "compared" if options.dry_run else "scored"
    stream.write(f"\n{done} of {len(runs)} run{'' if len(runs) == 1 else 's'} {verb}.\n")
    if failed:
        stream.write("Failed: " + "; ".join(failed) + "\n")
    return len(failed)


def _rescore_all(
    runs: "list[RunResults]", rescorer: "Rescorer", exit_on_error: bool, stream: TextIO, failed: list[str]
) -> None:
    """Score the runs in order; the names of those that fail are added to `failed`."""
    from helm.common.concurrency import track
    from helm.common.hierarchical_logger import herror, hexception, log_level

    for run in track(runs, "runs"):
        try:
            with log_level(logging.WARNING), _sole_owner(run, rescorer.options):
                rescored = rescorer.rescore(run)
        except Exception as e:
            if exit_on_error:
                raise
            if isinstance(e, HelmError):
                herror(f"{run.path} was left as it was: {e}")
            else:  # a plugin's metric may raise anything
                hexception(f"{run.path} was left as it was: {type(e).__name__}: {e}")
            failed.append(run.folder_name)
            continue
        for note in run.notes:
            stream.write(f"note: {note}\n")
        _print_rescored(rescored, rescorer.options.dry_run, stream)


@contextmanager
def _sole_owner(run: "RunResults", options: "RescoreOptions") -> Iterator[None]:
    """Inside the block, nobody else writes to the run's folder; does nothing if the folder is not written to.

    Raises: HelmError if another process is executing the run.
    """
    from helm.benchmark.running.run_lock import describe_holder, try_lock_run

    if options.dry_run or options.output_suite_path is not None:
        yield
        return
    lock = try_lock_run(run.path)
    if lock is None:
        raise HelmError(f"the run is being made by {describe_holder(run.path)}. Score it when it is finished.")
    try:
        yield
    finally:
        lock.release()


def _print_rescored(rescored: "Rescored", show_all: bool, stream: TextIO) -> None:
    stream.write(f"{rescored.run_name}: {_describe(rescored)}\n")
    shown = rescored.stat_changes if show_all else rescored.stat_changes[:_SHOWN_CHANGES]
    for change in shown:
        stream.write(f"  {change.describe()}\n")
    if len(shown) < len(rescored.stat_changes):
        stream.write(f"  and {len(rescored.stat_changes) - len(shown)} more (--dry-run shows all)\n")
    if rescored.coverage is not None and rescored.coverage.unanswered:
        stream.write(f"  {rescored.coverage.describe()}\n")
    answers = None if rescored.coverage is None else rescored.coverage.answers
    if answers is not None and answers.warning:
        stream.write(f"  warning: {answers.warning}\n")


def _describe(rescored: "Rescored") -> str:
    changes = rescored.stat_changes
    if not changes and not rescored.num_changed_instances:
        return f"{rescored.num_stats} stats, none changed"
    added = sum(change.old is None for change in changes)
    gone = sum(change.new is None for change in changes)
    parts = [(len(changes) - added - gone, "changed"), (added, "new"), (gone, "gone")]
    words = [f"{count} {word}" for count, word in parts if count] or ["none changed"]
    if rescored.num_changed_instances:
        words.append(f"{rescored.num_changed_instances} per-instance entries differ")
    return f"{rescored.num_stats} stats: {', '.join(words)}"


@command_main(build_parser, interrupted="Each run is as it was, or scored completely.")
def main(args: argparse.Namespace) -> int:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments; 130 interrupted."""
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(args.log_config)
    return 1 if rescore(args, sys.stdout) else 0


if __name__ == "__main__":
    main()
