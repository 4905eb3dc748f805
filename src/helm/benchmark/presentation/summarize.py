"""`helm-summarize`: turns the runs of a suite, or of the suites of a release, into tables, on the terminal and in files."""

import argparse
import gc
import json
import os
import sqlite3
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from helm.benchmark.presentation.contamination import (
    CONTAMINATION_YAML_FILENAME,
    Contamination,
    get_shipped_contamination_path,
    read_contamination,
    validate_contamination,
)  # fmt: skip
from helm.benchmark.presentation.display_writer import DisplayWriter
from helm.benchmark.presentation.run_display import DisplayTask, create_display_task, needs_display_files
from helm.benchmark.presentation.run_files import RunFiles
from helm.benchmark.presentation.schemas.models_of_runs import find_other_metrics, get_model_fields
from helm.benchmark.presentation.schemas.schema_validation import check_schema
from helm.benchmark.presentation.spooled_tables import SpooledTables
from helm.benchmark.presentation.summarize_arguments import build_parser, check_names, get_suite
from helm.benchmark.presentation.summary import RunRemark, Summary
from helm.benchmark.presentation.summary_files import num_processors, write_executive_summary, write_own_files
from helm.benchmark.presentation.summary_functions import *  # noqa: F403
from helm.benchmark.presentation.summary_store import FolderState, SummaryStore, code_version, digest, measure_folder
from helm.benchmark.presentation.table import Hyperlink, Table, table_to_latex, table_to_plain
from helm.benchmark.presentation.tables.group_tables import GroupTables
from helm.benchmark.presentation.tables.index_tables import COST_METRICS, compute_costs, create_index_tables
from helm.benchmark.presentation.tables.interval_cells import SummaryIntervals
from helm.benchmark.presentation.tables.run_index import RunIndex, get_unique_stat_by_matcher
from helm.common.codec import to_json_single_line
from helm.common.commands.command import command_main
from helm.common.commands.output_path import RELEASES_FOLDER, RUNS_FOLDER, check_suite_name
from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.hierarchical_logger import hdebug, herror, hlog, htrack_block, hwarn
from helm.results.run_files.compact_run import CompactRunReader
from helm.results.run_files.json_files import (
    to_file_name,
    write_if_changed,
    write_json,
    write_json_line,
)  # fmt: skip
from helm.results.run_files.run_folder import (
    ERROR_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    STATS_FILE_NAME,
    RunFileError,
    list_folders,
)
from helm.results.run_files.run_reader import Run, read_failure
from helm.results.schema import (
    BY_GROUP,
    NO_GROUPS,
    THIS_GROUP_ONLY,
    Schema,
    gather_undefined_groups,
    get_default_schema_path,
    read_schema,
)

__all__ = ["BY_GROUP", "NO_GROUPS", "THIS_GROUP_ONLY", "Summarizer", "Run", "get_unique_stat_by_matcher", "main"]


class Summarizer:
    """Reads runs, groups them according to the schema, and writes the files of a suite or a release.

    Args:
        release: name of the release. None summarizes one suite in its own folder.
        suites: suites of the release.
        suite: the suite to summarize.
        schema_path: the display schema.
        output_path: the folder that contains `runs` and `releases`.
        verbose: list runs in the descriptions of cells.
        num_threads: maximum number of processes for display files (never more than processors).
        allow_unknown_models: accepted for compatibility; unknown models are shown by name.
        schema_validation: `error`, `warn` or `off`.
        auto_generate_schema: generate the schema from the metadata of scenarios and metrics.
    """

    COST_REPORT_FIELDS: Sequence[str] = COST_METRICS
    """The metrics whose sums are in costs.json."""

    def __init__(
        self,
        release: str | None,
        suites: list[str] | None,
        suite: str | None,
        schema_path: str | None = None,
        output_path: str = "benchmark_output",
        verbose: bool = False,
        num_threads: int = 8,
        allow_unknown_models: bool = True,
        schema_validation: str = "warn",
        auto_generate_schema: bool = False,
    ):
        if suite is not None and (release is not None or suites is not None):
            raise ConfigError("--suite cannot be given together with --release or --suites.")
        if (release is None) != (not suites):
            raise ConfigError("--release and --suites need each other: --release NAME --suites SUITE [SUITE ...].")
        if suite is None and release is None:
            raise ConfigError("Nothing to summarize: give a suite, or a release with its suites.")
        self.release, self.suite = release, suite
        self.suites: list[str] = list(suites) if suites else [str(suite)]
        for name in self.suites:
            check_suite_name(name, "--suites" if suites else "--suite")
        if release is not None:
            check_suite_name(release, "--release")
        self.output_path, self.verbose, self.num_threads = output_path, verbose, num_threads
        self.allow_unknown_models = allow_unknown_models
        self.schema_validation = schema_validation
        self.is_default_schema = schema_path is None and not auto_generate_schema
        self.schema_path = "made from the runs" if auto_generate_schema else schema_path or get_default_schema_path()
        self.schema = Schema() if auto_generate_schema else read_schema(self.schema_path)
        if release is not None:
            self.run_release_path = os.path.join(output_path, RELEASES_FOLDER, release)
        else:
            self.run_release_path = os.path.join(output_path, RUNS_FOLDER, self.suites[0])
        self.contamination = Contamination()
        """Known contamination of models; set by the command."""
        self.store: SummaryStore | None = None
        """What is remembered of the last pass; set by the command. None reads and writes everything anew."""
        self.writes_intervals = False
        """Whether tables get intervals; those that runs lack are written with the display files, which are made from the same
        files. Set by the command."""
        self._reader = CompactRunReader(output_path)
        self._names: list[str] = []
        """How the store calls the runs, in their order."""
        self._changed: set[str] = set()
        """The runs that were read, because they are new or have changed."""
        self._display_tasks: list[tuple[str, DisplayTask]] = []
        self.runs: list[Run] = []
        """Runs without results whose run spec is known; tables show them as failed."""
        self.runs_to_run_suites: dict[str, str] = {}
        self.summary = Summary(tables=SpooledTables(output_path))

    # --- the steps --------------------------------------------------------------------------------------------------

    def run_pipeline(self, skip_completed: bool = False) -> Summary:
        """Execute all steps, in order.

        Raises: HelmError when nothing can be summarized; damaged runs are left out and named in `Summary.problems`.
        """
        self.read_runs()
        self.group_runs()
        try:
            os.makedirs(self.run_release_path, exist_ok=True)
        except OSError as e:
            raise HelmError(f"Cannot create {self.run_release_path}: {e.strerror or e}") from e
        self.fix_up_schema()
        self.check_metrics_defined()
        check_schema(self.schema, self.schema_path, self.schema_validation)
        validate_contamination(self.contamination, self.schema)
        display = self.create_display_writer(skip_completed)
        display.start()
        intervals = None
        try:
            if self.store is not None:
                code_version()  # takes a while, in which the others write; it is remembered
            self.write_files()
            if self.writes_intervals:
                intervals = SummaryIntervals(self.summary)
                if not intervals.lacking:
                    intervals.add()
        finally:
            for problem in display.finish():
                self._note_problem(problem)
        if intervals is not None and intervals.lacking:
            intervals.make(min(self.num_threads, num_processors()))
            intervals.add()
        self._remember_display_files()
        return self.summary

    def read_runs(self) -> None:
        """Read the runs of all suites; unreadable ones are recorded and left out."""
        for suite in self.suites:
            self.read_runs_for_suite(suite, os.path.join(self.output_path, RUNS_FOLDER, suite))
        self.summary.runs, self.summary.path = self.runs, self.run_release_path

    def read_runs_for_suite(self, suite: str, run_suite_path: str) -> None:
        """Read the runs in a suite's folder. Raises: HelmError if there is no such folder."""
        if not os.path.isdir(run_suite_path):
            raise HelmError(
                f"There is no suite '{suite}': the folder {run_suite_path} does not exist.{self._other_suites(suite)}"
            )
        for name in list_folders(run_suite_path):
            self._read_run(os.path.join(run_suite_path, name), name, suite)
        if self.store is not None:
            self.store.forget_all_but(self._names)

    def read_run(self, run_path: str) -> Run:
        """Read one run. Raises: RunFileError for a file that is wrong, OSError for one that cannot be read."""
        return self._reader.read_run(run_path)

    def group_runs(self) -> None:
        """Index the runs by group, adapter and scenario."""
        self.index = RunIndex.from_runs(self.runs)

    def _other_suites(self, suite: str) -> str:
        names = list_folders(os.path.join(self.output_path, RUNS_FOLDER))
        return (suggest(suite, names) or f" Suites there: {', '.join(names)}.") if names else ""

    def _read_run(self, run_path: str, name: str, suite: str) -> None:
        state = measure_folder(run_path) if self.store is None else self.store.state_of(run_path)
        failed = None
        if ERROR_FILE_NAME in state.names:
            try:
                failed = read_failure(run_path)
            except (RunFileError, OSError) as e:
                self._leave_out(run_path, str(e))
                if STATS_FILE_NAME not in state.names:
                    return
        missing = [file for file in (RUN_SPEC_FILE_NAME, STATS_FILE_NAME) if file not in state.names]
        if missing:
            if failed is not None:
                self.summary.failed.append(RunRemark(name, f"failed at {failed.failure}"))
                hwarn(f"Skipping {run_path}: failed at {failed.failure}")
            elif state.has_journal:
                self._leave_out(run_path, "not finished; the same helm-run command continues where it stopped")
            else:
                self._leave_out(run_path, f"no {' and no '.join(missing)}")
            return
        if failed is not None:
            hwarn(f"{run_path}: the results are of an earlier attempt; the last one failed at {failed.failure}")
            self.summary.outdated.append(RunRemark(name, f"failed at {failed.failure}"))
        try:
            run = self._get_run(run_path, f"{suite}/{name}")
        except (RunFileError, OSError) as e:
            self._note_problem(str(e))
            self.summary.without_results.append(RunRemark(name, "its files are damaged"))
            return
        run_name = run.run_spec.name
        if run_name in self.runs_to_run_suites:
            hwarn(
                f"Run {run_name} is in suite {self.runs_to_run_suites[run_name]} and in suite {suite}; both are shown"
            )
        self.runs.append(run)
        self._names.append(f"{suite}/{name}")
        self.runs_to_run_suites[run_name] = suite

    def _get_run(self, run_path: str, name: str) -> Run:
        """Return a run as it was read last time, or read it."""
        # A subclass that reads runs in its own way may read other files, too.
        store = self.store if type(self).read_run is Summarizer.read_run else None
        known = store.get_run(name, run_path, self._reader) if store is not None else None
        if known is not None:
            return known
        run = self.read_run(run_path)
        self._changed.add(name)
        if store is not None:
            store.put_run(name, run, to_json_single_line(run.run_spec))
        return run

    def _leave_out(self, run_path: str, reason: str) -> None:
        self.summary.without_results.append(RunRemark(os.path.basename(run_path), reason))
        hwarn(f"Skipping {run_path}: {reason}")

    def _note_problem(self, message: str) -> None:
        herror(message)
        self.summary.problems.append(message)

    def fix_up_schema(self) -> None:
        """Fill in missing parts of the schema, and add the models of the runs."""
        from helm.benchmark.presentation.schemas.schema_completion import (
            add_scenario_groups,
            complete_schema,
            needs_completion,
        )

        if needs_completion(self.schema):
            self.schema = complete_schema(self.schema, self.runs)
        elif self.is_default_schema:
            self.schema = add_scenario_groups(self.schema, self.runs)
        self.schema = gather_undefined_groups(self.schema, [run.run_spec.groups for run in self.runs])
        self.schema.models = get_model_fields(self.runs)
        self.summary.schema = self.schema
        known = self.schema.name_to_run_group
        if self.is_default_schema:
            self.summary.other_metrics = find_other_metrics(self.runs, self.schema)
        self.summary.unshown = [run.run_spec.name for run in self.runs if not any(name in known for name in run.groups)]

    def check_metrics_defined(self) -> None:
        """Log a warning for each run group, and a debug line for all metrics, that are in the runs but not in the schema."""
        groups = dict.fromkeys(group for run in self.runs for group in run.run_spec.groups)
        for group in groups:
            if group not in self.schema.name_to_run_group:
                hwarn(f"Run group '{group}' is not defined in the schema {self.schema_path}")
        metrics = dict.fromkeys(name for run in self.runs for name in run.stat_names())
        undefined = [name for name in metrics if name not in self.schema.name_to_metric]
        if undefined:
            shown = ", ".join(undefined[:5]) + (f" and {len(undefined) - 5} more" if len(undefined) > 5 else "")
            hdebug(f"{len(undefined)} metrics are not defined in the schema and are not shown: {shown}")

    def create_display_writer(self, skip_completed: bool) -> DisplayWriter:
        tasks = []
        known: dict[frozenset[str], frozenset[str]] = {}
        for run, name in zip(self.runs, self._names, strict=True):
            if not needs_display_files(run.run_path, skip_completed):
                continue
            task = create_display_task(run, self.schema, self.writes_intervals)
            task = replace(task, metric_names=known.setdefault(task.metric_names, task.metric_names))
            known_state = self.store.display_state(name) if self.store is not None else None
            if known_state is None or known_state != self._display_state(task, name):
                tasks.append(task)
                self._display_tasks.append((name, task))
        return DisplayWriter(tasks, min(self.num_threads, num_processors()))

    def _display_state(self, task: DisplayTask, name: str, state: "FolderState | None" = None) -> str | None:
        """Return what the display files of a run depend on, and their own state; None without a store."""
        if self.store is None:
            return None
        known = self.store.state_of(task.run_path)
        display = (state or known).display
        return digest([code_version(), known.sources, display, task.method, sorted(task.metric_names)])

    def _remember_display_files(self) -> None:
        if self.store is not None and not self.summary.problems:
            states = [
                (name, self._display_state(task, name, measure_folder(task.run_path)))
                for name, task in self._display_tasks
            ]
            self.store.put_display_states(states)

    # --- the files --------------------------------------------------------------------------------------------------

    def write_files(self) -> None:
        """Write everything except the display files."""
        self.write_schema()
        self.write_executive_summary()
        self.write_runs()
        self.write_run_specs()
        self.write_runs_to_run_suites()
        self.write_groups()
        self.write_cost_report()

    def write_schema(self) -> None:
        """Write schema.json."""
        # HELM's file has no units.
        metrics = [replace(metric, unit=None) for metric in self.schema.metrics]
        self._write("schema.json", replace(self.schema, metrics=metrics))

    def write_executive_summary(self) -> None:
        """Write summary.json: the suites and the date."""
        write_executive_summary(self.run_release_path, self.release, self.suites)

    def write_runs(self) -> None:
        """Write runs.json."""
        self._write("runs.json", None, lambda path, _: self._run_files().write_runs(path))

    def write_run_specs(self) -> None:
        """Write run_specs.json."""
        self._write("run_specs.json", None, lambda path, _: self._run_files().write_run_specs(path))

    def _run_files(self) -> RunFiles:
        return RunFiles(self.runs, self._names, self.store, self._changed)

    def write_runs_to_run_suites(self) -> None:
        """Write runs_to_run_suites.json: the suite of each run, by the run's name."""
        self._write("runs_to_run_suites.json", self.runs_to_run_suites)

    def write_cost_report(self) -> None:
        """Write costs.json: tokens, completions and requests of each deployment."""
        self._write("costs.json", compute_costs(self.runs, self.COST_REPORT_FIELDS))

    def _write(self, name: str, content: Any, write: Callable[[str, Any], None] = write_json) -> None:
        path = os.path.join(self.run_release_path, name)
        try:
            write(path, content)
        except OSError as e:
            raise HelmError(f"Cannot write {path}: {e.strerror or e}") from e

    def create_tables(self) -> GroupTables:
        """Create what builds the tables; subclasses override this to use their own."""
        return GroupTables(self.schema, self.index, self.verbose, self.contamination)

    def write_groups(self) -> None:
        """Write groups.json, groups_metadata.json and the tables of every group."""
        tables = self.create_tables()
        self._write("groups.json", [table_to_plain(table) for table in create_index_tables(tables)])
        self._write("groups_metadata.json", self.create_groups_metadata())
        for folder in ("groups", os.path.join("groups", "latex"), os.path.join("groups", "json")):
            os.makedirs(os.path.join(self.run_release_path, folder), exist_ok=True)
        for group in self.schema.run_groups:
            lines = self._write_tables(group.name, tables.create_group_tables(group))
            if lines:
                group_file = os.path.join("groups", f"{to_file_name(group.name)}.json")
                self._write(group_file, f"[{', '.join(lines)}]", write_json_line)

    def create_groups_metadata(self) -> dict[str, dict[str, Any]]:
        """Return the name, description and taxonomy to show for each run group."""
        return {
            group.name: {
                "display_name": group.display_name,
                "description": group.description,
                "taxonomy": group.taxonomy,
            }  # fmt: skip
            for group in self.schema.run_groups
        }

    def _write_tables(self, group_name: str, tables: Sequence[Table]) -> list[str]:
        """Write the files of each table, add them to the summary, and return them as JSON."""
        lines = []
        for table in tables:
            base = to_file_name(f"{group_name}_{table.name}")
            latex, as_json = (
                os.path.join("groups", "latex", f"{base}.tex"),
                os.path.join("groups", "json", f"{base}.json"),
            )
            table.links.append(Hyperlink("LaTeX", os.path.join(self.run_release_path, latex)))
            table.links.append(Hyperlink("JSON", os.path.join(self.run_release_path, as_json)))
            self._write(latex, table_to_latex(table, f"{table.name} ({group_name})"), write_if_changed)
            lines.append(json.dumps(table_to_plain(table)))
            self._write(as_json, lines[-1], write_json_line)
        if lines:
            self.summary.tables[group_name] = list(tables)
        return lines


# --- the command ------------------------------------------------------------------------------------------------------


def summarize(args: argparse.Namespace, store: "SummaryStore | None" = None) -> Summary:
    """Register the catalogue, create the summarizer that `args` select, and run it, with what is remembered of the last pass."""
    from helm.benchmark.config_registry import (
        register_builtin_configs_from_helm_package,
        register_configs_from_directory,
    )

    if args.auto_generate_schema and args.schema_path:
        raise ConfigError("--auto-generate-schema and --schema-path cannot be given together.")
    if args.num_threads < 1:
        raise ConfigError(f"--num-threads must be at least 1, not {args.num_threads}.")
    register_builtin_configs_from_helm_package()
    register_configs_from_directory(args.local_path)
    if args.plugins:
        from helm.benchmark.declarative.plugins import load_plugins

        load_plugins(args.plugins)
    options: dict[str, Any] = dict(
        release=args.release,
        suites=args.suites,
        suite=get_suite(args),
        schema_path=args.schema_path,
        output_path=args.output_path,
        verbose=args.debug,
        num_threads=args.num_threads,
        allow_unknown_models=args.allow_unknown_models,
        schema_validation=args.schema_validation,
        auto_generate_schema=args.auto_generate_schema,
    )
    summarizer = _get_summarizer_class(args.summarizer_class_name)(**options)
    summarizer.store, summarizer.writes_intervals = store, True
    own_points = os.path.join(args.local_path, CONTAMINATION_YAML_FILENAME)
    summarizer.contamination = read_contamination([get_shipped_contamination_path(), own_points])
    return summarizer.run_pipeline(skip_completed=args.skip_completed_run_display_json)


def _get_summarizer_class(name: str | None) -> Callable[..., Summarizer]:
    if name is None:
        return Summarizer
    from helm.common.object_spec import get_class_by_name

    try:
        return get_class_by_name(name)
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"--summarizer-class-name '{name}' cannot be imported: {e}") from e


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exits with status 1 if nothing could be summarized, or something was left out."""
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(args.log_config)
    gc.disable()  # the objects read from files contain no cycles, and searching for them takes a tenth of the time
    suite = get_suite(args)
    suites = args.suites or ([suite] if suite is not None else [])
    check_names(args, suites)  # before anything is created
    with htrack_block("summarize"):
        try:
            printed, status = _summarize_or_repeat(args, suites, remembers=True)
        except sqlite3.Error as e:
            hwarn(f"What was remembered of the last summary cannot be used, so that all runs are read: {e}")
            printed, status = _summarize_or_repeat(args, suites, remembers=False)
    sys.stdout.write(printed)
    return status


def _summarize_or_repeat(args: argparse.Namespace, suites: list[str], remembers: bool) -> tuple[str, int]:
    """Return what is to be printed, and the exit status. Raises: sqlite3.Error if the store is damaged, or the disk is full."""
    from helm.benchmark.presentation.last_pass import open_last_pass
    from helm.benchmark.presentation.tables.terminal_tables import render_summary
    from helm.benchmark.price_registry import get_price

    with open_last_pass(args, suites, remembers) as last:
        printed = last.printed()
        if printed is not None:
            hlog("Nothing has changed since the last summary; its files are left as they are.")
            write_executive_summary(last.folder, args.release, last.suites)
            return printed, 0
        summary = summarize(args, last.store)
        page_path = write_own_files(summary, get_price)
        printed = render_summary(summary, args.format, page_path)
        last.remember(None if summary.problems else printed)
        return printed, 1 if summary.problems else 0


if __name__ == "__main__":
    main()
