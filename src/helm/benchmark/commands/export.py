"""`helm-export`: results as tables, data frames and records for other programs, papers and collections."""

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from helm.benchmark.presentation.run_selection import add_run_options
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import ConfigError, HelmError

if TYPE_CHECKING:
    from helm.results.run_results import RunResults

ROW_FORMATS = ("csv", "jsonl", "parquet")
TABLE_FORMATS = ("markdown", "latex")
EPISODE_FORMATS = ("atif", "harbor", "inspect", "inspect-eval")
RECORD_FORMATS = ("eee", "hf", *EPISODE_FORMATS, "lm-eval")
EVERYTHING = "all"
_MAX_NAMED = 3


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-export`."""
    parser = SuggestingArgumentParser(
        prog="helm-export",
        description="Write results for other programs (csv, jsonl, parquet), for papers (markdown, latex) and for "
        "collections (eee: Every Eval Ever; hf: .eval_results of the Hugging Face Hub), "
        "episodes of agents (atif: Agent Trajectory Interchange Format; harbor: job folders; inspect, inspect-eval: logs of "
        "inspect_ai as .json and .eval), and "
        "tasks and groups of lm-evaluation-harness in its own form (lm-eval).",
    )
    add_run_options(parser)
    add = parser.add_argument
    add("--format", choices=[*ROW_FORMATS, *TABLE_FORMATS, *RECORD_FORMATS], default="csv", help="(%(default)s)")
    add(
        "--to",
        metavar="PATH",
        help="the file to write; for collections, episodes, lm-eval and --what all a folder, for --what all also an fsspec URL "
        "(default: standard output)",
    )
    add(
        "--what",
        choices=["runs", "scores", "instances", "responses", EVERYTHING],
        default="scores",
        help="which rows: runs, scores of runs, scores of single instances, or requests with their answers (%(default)s); "
        "all: a data set of Parquet files with all of them, in which only what has changed is written anew",
    )
    add("--columns", nargs="+", metavar="NAME", help="only these columns of the rows")
    add("--metric", action="append", default=[], metavar="NAME", help="in place of main metrics; rows: only this one")
    add("--samples", action="store_true", help="eee: also a line for each instance")
    add("--organization", default="unknown", metavar="NAME", help="eee: who ran the evaluation (%(default)s)")
    add(
        "--relationship",
        choices=["first_party", "third_party", "collaborative", "other"],
        default="other",
        help="eee: of the organization to the model's developer (%(default)s)",
    )
    add(
        "--dataset",
        action="append",
        default=[],
        metavar="PATTERN=OWNER/NAME#TASK",
        help="hf: the data set of the Hub that runs of this name used; may be repeated",
    )
    add("--scale", type=float, default=1.0, metavar="X", help="hf: multiply scores, 100 for per cent (%(default)s)")
    add("--source-url", metavar="URL", help="hf: where the results are published")
    add("--schema-path", metavar="FILE", help="display schema that says what the main metrics are")
    add("--local-path", default="prod_env", metavar="FOLDER", help="folder with further configuration (%(default)s)")
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    return parser


def _split(args: argparse.Namespace, runs: "list[RunResults]") -> "tuple[list[RunResults], list[RunResults]]":
    """Return the runs that can be exported, and those that failed or are unfinished.

    Raises: ConfigError if none can.
    """
    from helm.results.rows import ROW_KINDS, split_by_files

    kind = ROW_KINDS[
        args.what if args.format in ROW_FORMATS else "responses" if args.format in EPISODE_FORMATS else "scores"
    ]
    complete, incomplete = split_by_files(runs, kind)
    if not complete:
        names = ", ".join(run.folder_name for run in runs[:_MAX_NAMED])
        raise ConfigError(f"There is nothing to export: no run is finished ({names}). helm-runs list says why.")
    return complete, incomplete


def _describe_unfinished(incomplete: "list[RunResults]", num_runs: int) -> str:
    names = [run.folder_name for run in incomplete[:_MAX_NAMED]]
    more = f" and {len(incomplete) - len(names)} more" if len(incomplete) > len(names) else ""
    return f"{len(incomplete)} of {num_runs} runs left out, because they failed or are not finished: {', '.join(names)}{more}"


def _export_rows(args: argparse.Namespace, runs: "list[RunResults]") -> None:
    from helm.results.row_files import write_rows
    from helm.results.rows import ROW_KINDS, choose_columns, iterate_rows

    kind = ROW_KINDS[args.what]
    columns = choose_columns(kind, args.columns)
    if args.metric and "metric" not in kind.columns:
        raise ConfigError(f"--metric is for scores and instances; {kind.name} have no metric.")
    rows = iterate_rows(runs, kind)
    if args.metric:
        rows = (row for row in rows if row["metric"] in args.metric)
    if args.format == "parquet" and args.to is None and sys.stdout.isatty():
        raise ConfigError("Parquet is binary: name a file with --to.")
    write_rows(rows, kind, columns, args.format, args.to)


def _export_lake(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    from helm.results.lake.update import update_lake
    from helm.results.rows import suite_of
    from helm.results.run_results import is_run_folder

    if args.format != "parquet" or args.to is None:
        raise ConfigError(
            "--what all is a data set of Parquet files: name its folder with --format parquet --to FOLDER."
        )
    for flag, given in (("--columns", args.columns), ("--metric", args.metric)):
        if given:
            raise ConfigError(f"{flag} is for single tables; --what all has all columns and metrics.")
    is_whole = not args.runs and not any(is_run_folder(folder) for folder in args.folders)
    change = update_lake(args.to, runs, {suite_of(run) for run in runs} if is_whole else ())
    print(f"{args.to}: {change.describe()}")
    return [f"only its name is in the data set: {folder}: {problem}" for folder, problem in change.problems]


def _export_table(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    from helm.common.files import write_text_atomically
    from helm.results.metric_choice import MetricCatalogue, parse_metric_choice
    from helm.results.paper_tables import format_latex_table, format_markdown_table, make_paper_tables

    metrics = [parse_metric_choice(text) for text in args.metric]
    tables = make_paper_tables(runs, metrics, MetricCatalogue(args.schema_path))
    notes = [note for table in tables for note in table.notes]
    tables = [table for table in tables if table.rows]
    if not tables:
        raise ConfigError("There is nothing to show. " + "; ".join(notes))
    text = "\n".join(map(format_markdown_table if args.format == "markdown" else format_latex_table, tables))
    if args.to is None:
        sys.stdout.write(text)
    else:
        os.makedirs(os.path.dirname(os.path.abspath(args.to)), exist_ok=True)
        write_text_atomically(args.to, text)
    return notes


def _export_records(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    from helm.benchmark.config_registry import (
        register_builtin_configs_from_helm_package,
        register_configs_from_directory,
    )

    if args.to is None:
        raise ConfigError(f"--format {args.format} writes several files: name a folder with --to.")
    if args.format in EPISODE_FORMATS:
        return _export_episodes(args, runs)
    if args.format == "lm-eval":
        return _export_lm_eval(args, runs)
    register_builtin_configs_from_helm_package()
    register_configs_from_directory(args.local_path)
    return _export_eee(args, runs) if args.format == "eee" else _export_hub(args, runs)


def _export_eee(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    import time

    from helm.common.files import write_text_atomically
    from helm.results.metric_choice import MetricCatalogue, parse_metric_choice
    from helm.results.shared_records import Publisher, make_eee_record

    left_out, retrieved = [], int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    publisher = Publisher(args.organization, args.relationship)
    metrics, catalogue = [parse_metric_choice(text) for text in args.metric], MetricCatalogue(args.schema_path)
    for run in runs:
        try:
            record = make_eee_record(run, metrics, catalogue, publisher, retrieved, args.samples)
        except HelmError as e:
            left_out.append(f"left out: {e}")
            continue
        path = os.path.join(args.to, record.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if record.samples:
            lines = "".join(json.dumps(sample, ensure_ascii=False) + "\n" for sample in record.samples)
            write_text_atomically(os.path.join(args.to, record.samples_path), lines)
        write_text_atomically(path, json.dumps(record.aggregate, indent=2) + "\n")
        print(path)
    return left_out


def _export_episodes(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    from helm.results.harbor_job_files import write_harbor_job
    from helm.results.inspect_log_files import write_inspect_archive, write_inspect_log
    from helm.results.trajectory_files import write_trajectories

    write = {
        "harbor": write_harbor_job,
        "inspect": write_inspect_log,
        "inspect-eval": write_inspect_archive,
        "atif": write_trajectories,
    }[args.format]
    left_out = []
    for run in runs:
        try:
            count = write(run, args.to)
        except HelmError as e:
            left_out.append(f"left out: {e}")
            continue
        print(f"{os.path.join(args.to, run.folder_name)}: {count} episode{'s' * (count != 1)}")
    return left_out


def _export_lm_eval(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    from helm.benchmark.lm_eval.task_library import find_library
    from helm.common.files import write_text_atomically
    from helm.results.lm_eval_results import make_results, read_task_scores

    left_out: list[str] = []
    by_model: dict[str, list[RunResults]] = {}
    for run in runs:
        try:
            read_task_scores(run)
        except HelmError as e:
            left_out.append(f"left out: {e}")
            continue
        by_model.setdefault(run.run_spec.adapter_spec.model, []).append(run)
    try:
        library = find_library()
    except ConfigError as e:
        library = None
        if by_model:
            print(f"Without groups: {e}", file=sys.stderr)
    for model, own in by_model.items():
        folder = model.replace("/", "__").replace("..", "_") or "unknown"
        path = os.path.join(args.to, folder, "results.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        results = make_results(own, library)
        write_text_atomically(path, json.dumps(results, indent=2, ensure_ascii=False) + "\n")
        print(path)
        for name, scores in results["groups"].items():
            shown = [f"{key} {value:.4g}" for key, value in scores.items() if "," in key and isinstance(value, float)]
            print(f"  {name}: {'; '.join(shown)}")
    return left_out


def _export_hub(args: argparse.Namespace, runs: "list[RunResults]") -> list[str]:
    import yaml

    from helm.common.files import write_text_atomically
    from helm.results.metric_choice import MetricCatalogue, parse_metric_choice
    from helm.results.shared_records import make_hub_result, parse_hub_dataset

    left_out = []
    datasets = [parse_hub_dataset(text) for text in args.dataset]
    metrics, catalogue = [parse_metric_choice(text) for text in args.metric], MetricCatalogue(args.schema_path)
    source = {"url": args.source_url} if args.source_url else None
    by_model: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        try:
            entry = make_hub_result(run, metrics, catalogue, datasets, args.scale, source)
        except HelmError as e:
            left_out.append(f"left out: {e}")
            continue
        by_model.setdefault(run.run_spec.adapter_spec.model, []).append(entry)
    for model, entries in by_model.items():
        parts = [part for part in model.split("/") if part not in ("", ".", "..")] or ["unknown"]
        path = os.path.join(args.to, *parts, ".eval_results", "helm-evals.yaml")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        write_text_atomically(path, yaml.safe_dump(entries, sort_keys=False, allow_unicode=True))
        print(path)
    return left_out


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exits with status 1 if existing results could not be exported; runs without results are only listed."""
    from helm.benchmark.presentation.run_selection import find_runs
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(args.log_config, stream_name="stderr")
    found = find_runs(args, "export")
    runs, incomplete = (found, []) if args.what == EVERYTHING else _split(args, found)
    left_out: list[str] = []
    try:
        if args.what == EVERYTHING:
            left_out = _export_lake(args, runs)
        elif args.format in ROW_FORMATS:
            _export_rows(args, runs)
        elif args.format in TABLE_FORMATS:
            left_out = _export_table(args, runs)
        else:
            left_out = _export_records(args, runs)
    except BrokenPipeError:
        raise
    except OSError as e:
        raise HelmError(f"Cannot write {e.filename or args.to}: {e.strerror or e}") from e
    if incomplete:
        print(_describe_unfinished(incomplete, len(found)), file=sys.stderr)  # standard output may contain the data
    for line in left_out:
        print(line, file=sys.stderr)
    return 1 if left_out else 0


if __name__ == "__main__":
    main()
