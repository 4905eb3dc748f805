"""`helm-compare`: which of several subjects is better, by how much, and how certain that is."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from helm.benchmark.presentation.run_selection import add_place_options
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import ConfigError

if TYPE_CHECKING:
    from helm.results.comparison.comparing import CompareOptions
    from helm.results.comparison.task_matching import Subject
    from helm.results.run_results import RunResults


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-compare`."""
    parser = SuggestingArgumentParser(
        prog="helm-compare",
        description="Compare subjects on the same instances: scores and differences with intervals, paired tests "
        "corrected for their number, win rates. Refuses runs that did not do the same.",
        epilog="Example: helm-compare --suite mine openai/gpt2 simple/model1. Or with folders: "
        "helm-compare benchmark_output/runs/old benchmark_output/runs/new.",
    )
    add = parser.add_argument
    add(
        "subjects",
        nargs="*",
        metavar="SUBJECT",
        help="folders of runs or suites; or, of the suite of --suite, names of runs, models, tools or policies "
        "(default: all subjects of the suite)",
    )
    add("--suite", metavar="SUITE", help="the suite of --output-path that names refer to")
    add(
        "--published",
        metavar="PLACE",
        help="compare the runs of --suite with published ones of the same name, in this folder of HELM's results, or at the "
        "address of a release or suite (https://.../releases/VERSION, https://.../runs/SUITE)",
    )
    add_place_options(parser)
    add_options(parser)
    add(
        "--format",
        choices=["table", "markdown", "csv", "json"],
        default="table",
        help="how the result is printed (%(default)s)",
    )
    add("--details", action="store_true", help="all tests, effect sizes and detectable differences")
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    return parser


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to compare, which `helm-gate` shares."""
    add = parser.add_argument
    add(
        "--metric",
        action="append",
        default=[],
        metavar="NAME[@PERTURBATION][:SPLIT]",
        help="a metric instead of the main one of each task; may be repeated",
    )
    add("--alpha", type=float, default=0.05, metavar="P", help="level of the tests (%(default)s)")
    add(
        "--allow",
        nargs="+",
        default=[],
        choices=["instances", "prompts", "metrics"],
        help="compare although these differ; on the instances that all have",
    )
    add(
        "--cluster", metavar="KEY", help="entry of extra_data that names the source of an instance (default: found out)"
    )
    add("--resamples", type=int, default=10_000, metavar="N", help="of the bootstrap behind win rates (%(default)s)")
    add("--seed", type=int, default=0, metavar="N", help="of the bootstrap behind win rates (%(default)s)")
    add("--schema-path", metavar="FILE", help="display schema that says what the main metrics are")


def read_options(args: argparse.Namespace, margin: float | None = None) -> "CompareOptions":
    """Read the options. Raises: ConfigError."""
    from helm.results.comparison.comparing import CompareOptions
    from helm.results.metric_choice import parse_metric_choice

    if not 0 < args.alpha < 1:
        raise ConfigError(f"--alpha takes a number between 0 and 1, not {args.alpha:g}.")
    if args.resamples < 100:
        raise ConfigError(f"--resamples takes 100 or more, not {args.resamples}.")
    return CompareOptions(
        metrics=[parse_metric_choice(text) for text in args.metric],
        alpha=args.alpha,
        allowed=set(args.allow),
        cluster_key=args.cluster,
        resamples=args.resamples,
        seed=args.seed,
        margin=margin,
    )


def find_subjects(names: Sequence[str], suite_path: str | None, patterns: Sequence[str] | None) -> "list[Subject]":
    """Return the subjects in the arguments. Raises: ConfigError or ResultsError with the available ones."""
    from helm.results.run_results import load

    of_suite = [] if suite_path is None else _complete(load(suite_path), patterns)
    by_model: dict[str, list[RunResults]] = {}
    for run in of_suite:
        by_model.setdefault(subject_name(run), []).append(run)
    if not names:
        if suite_path is None:
            raise ConfigError("Nothing to compare: name folders of runs, or a suite with --suite.")
        return _as_subjects({name: runs for name, runs in by_model.items()})
    found: dict[str, list[RunResults]] = {}
    for name in names:
        runs = _find_runs(name, of_suite, by_model, patterns)
        if name in found:
            raise ConfigError(f"'{name}' is named twice.")
        found[name] = runs
    return _as_subjects(found)


def subject_name(run: "RunResults") -> str:
    """Return the model, tool or policy of a run."""
    adapter_spec = run.run_spec.adapter_spec
    return adapter_spec.model or adapter_spec.model_deployment or run.folder_name


def _complete(runs: "list[RunResults]", patterns: Sequence[str] | None) -> "list[RunResults]":
    """Return the runs that have scores and match."""
    import fnmatch

    from helm.results.run_files.run_folder import PER_INSTANCE_STATS_FILE_NAME

    found = [run for run in runs if PER_INSTANCE_STATS_FILE_NAME in run.file_names]
    if patterns:
        found = [run for run in found if any(fnmatch.fnmatchcase(run.folder_name, pattern) for pattern in patterns)]
    if not found:
        what = f"matches {' or '.join(patterns)}" if patterns else "has scores"
        raise ConfigError(f"None of {len(runs)} runs {what}.")
    return found


def _find_runs(
    name: str,
    of_suite: "Sequence[RunResults]",
    by_model: "dict[str, list[RunResults]]",
    patterns: Sequence[str] | None,
) -> "list[RunResults]":
    from helm.common.errors import suggest
    from helm.results.run_results import is_run_folder, load

    named = [run for run in of_suite if name in (run.folder_name, run.name)]
    if named:
        return named
    deployed = [run for run in of_suite if run.run_spec.adapter_spec.model_deployment == name]
    if name in by_model or deployed:
        return by_model.get(name) or deployed
    if os.path.isdir(name):
        return load(name) if is_run_folder(name) else _complete(load(name), patterns)
    if not of_suite:
        raise ConfigError(f"There is no folder '{name}'. To name runs or models of a suite, give --suite.")
    known = [*by_model, *(run.folder_name for run in of_suite)]
    raise ConfigError(
        f"'{name}' is neither a folder nor a run or subject of the suite.{suggest(name, known)} "
        f"Subjects there: {', '.join(by_model)}."
    )


def _as_subjects(found: "dict[str, list[RunResults]]") -> "list[Subject]":
    """Return subjects with short labels: the model if that distinguishes them."""
    from helm.results.comparison.task_matching import Subject

    models = [{subject_name(run) for run in runs} for runs in found.values()]
    labels = [next(iter(names)) if len(names) == 1 else "" for names in models]
    if "" in labels or len(set(labels)) < len(labels):
        labels = [os.path.basename(os.path.normpath(name)) for name in found]
        if len(set(labels)) < len(labels):
            labels = list(found)
    return [Subject(label, runs) for label, runs in zip(labels, found.values(), strict=True)]


def compare_with_published(args: argparse.Namespace, folder: str | None) -> int:
    """Print the runs of the suite beside the published ones. Returns 1 unless all were matched and agree."""
    import csv
    import json
    from dataclasses import asdict, fields

    from tabulate import tabulate

    from helm.benchmark.presentation.tables.plain_text import printable
    from helm.benchmark.presentation.tables.terminal_tables import defuse
    from helm.results.comparison.published import AGREES, PublishedScore, compare_published
    from helm.results.comparison.published_places import find_published
    from helm.results.metric_choice import MetricCatalogue
    from helm.results.run_results import load

    if folder is None or args.subjects:
        raise ConfigError("--published compares the runs of a suite: give --suite, and no subjects.")
    if args.allow or args.cluster or args.details:
        raise ConfigError("--published does not take --allow, --cluster and --details: it compares run by run.")
    options = read_options(args)
    ours = _complete(load(folder), args.runs)
    scores, unmatched = compare_published(
        ours,
        find_published(args.published, [run.name for run in ours]),
        options.metrics,
        options.alpha,
        MetricCatalogue(args.schema_path),
    )
    heads = [field.name for field in fields(PublishedScore)]
    if args.format == "json":
        json.dump({"scores": [asdict(score) for score in scores], "not_published": unmatched}, sys.stdout, indent=2)
        print()
    else:
        rows = [list(asdict(score).values()) for score in scores]
        rows = [[defuse(printable(value)) if isinstance(value, str) else value for value in row] for row in rows]
        if args.format == "csv":
            csv.writer(sys.stdout, lineterminator="\n").writerows([heads, *rows])
        else:
            print(tabulate(rows, heads, tablefmt="github" if args.format == "markdown" else "simple", floatfmt=".4g"))
    for name in unmatched:
        print(f"Not published: {printable(name)}", file=sys.stderr)
    return 0 if scores and not unmatched and all(score.verdict == AGREES for score in scores) else 1


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command. Exits with status 1 if something could not be compared."""
    from helm.benchmark.presentation import comparison_report
    from helm.common.commands.output_path import get_suite_path
    from helm.common.hierarchical_logger import setup_default_logging
    from helm.results.comparison.comparing import Comparer
    from helm.results.comparison.task_matching import group_subjects
    from helm.results.metric_choice import MetricCatalogue

    setup_default_logging(args.log_config, stream_name="stderr")
    folder = get_suite_path(args.output_path, args.suite) if args.suite else None
    if args.published:
        return compare_with_published(args, folder)
    subjects = find_subjects(args.subjects, folder, args.runs)
    groups = [subjects] if args.subjects else [group for group in group_subjects(subjects) if len(group) > 1]
    if len(subjects) < 2 or not groups:
        names = ", ".join(subject.label for subject in subjects)
        raise ConfigError(f"Nothing to compare: no two of the subjects ({names}) ran the same task.")
    comparer = Comparer(read_options(args), MetricCatalogue(args.schema_path))
    reports = [comparer.compare(group) for group in groups]
    sys.stdout.write(comparison_report.format_reports(reports, args.format, args.details))
    refused = [line for report in reports for line in report.refused]
    if args.format in ("csv", "json"):
        for line in refused:
            print(f"Not compared: {line}", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    main()
