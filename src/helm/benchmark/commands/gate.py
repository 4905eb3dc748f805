"""`helm-gate`: pass or fail, for continuous integration."""

import argparse
from typing import TYPE_CHECKING

from helm.benchmark.presentation.run_selection import add_run_options
from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import ConfigError, HelmError

if TYPE_CHECKING:
    from helm.results.comparison.gates import GateReport
    from helm.results.comparison.task_matching import Subject
    from helm.results.run_results import RunResults

EXIT_PASSED = 0
EXIT_ERROR = 1
EXIT_FAILED = 3


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-gate`."""
    from helm.benchmark.commands.compare import add_options

    parser = SuggestingArgumentParser(
        prog="helm-gate",
        description="Check finished runs against thresholds and against a baseline.",
        epilog="Exit status: 0 all gates passed; 3 a gate failed; 1 something could not be checked (and no gate failed); "
        "2 wrong arguments.",
    )
    add_run_options(parser)
    add = parser.add_argument
    add(
        "--fail-under",
        action="append",
        default=[],
        metavar="METRIC=VALUE",
        help="fail when a run's score is below VALUE; may be repeated",
    )
    add(
        "--fail-over",
        action="append",
        default=[],
        metavar="METRIC=VALUE",
        help="fail when a run's score is above VALUE (times, error rates); may be repeated",
    )
    add("--min-answered", type=float, metavar="SHARE", help="fail when fewer of a run's requests have an answer")
    add("--baseline", metavar="FOLDER", help="folder of a run or a suite that may not be regressed from")
    add(
        "--max-regression",
        type=float,
        default=0.0,
        metavar="X",
        help="how much worse than the baseline is allowed: 0.02 means 0.02 of a score, 2%% of a time or size (%(default)s)",
    )
    add("--strict", action="store_true", help="fail as well when good enough is not shown, only likely")
    add("--junit", metavar="FILE", help="write a JUnit XML report")
    add_options(parser)
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")
    return parser


def _baseline_subjects(args: argparse.Namespace, runs: "list[RunResults]") -> "list[Subject]":
    """Return candidate and baseline; runs of the baseline that the patterns exclude are not required."""
    import fnmatch

    from helm.results.comparison.task_matching import Subject
    from helm.results.run_results import is_run_folder, load

    baseline: list[RunResults] = load(args.baseline)
    if args.runs and not is_run_folder(args.baseline):
        baseline = [run for run in baseline if any(fnmatch.fnmatchcase(run.folder_name, p) for p in args.runs)]
        if not baseline:
            raise ConfigError(f"No run of the baseline {args.baseline} matches {' or '.join(args.runs)}.")
    return [Subject("candidate", runs), Subject("baseline", baseline)]


def check(args: argparse.Namespace) -> "GateReport":
    """Check everything that the arguments require. Raises: HelmError if nothing can be checked."""
    from helm.benchmark.commands.compare import read_options
    from helm.benchmark.presentation.run_selection import find_runs
    from helm.results.comparison import gates
    from helm.results.metric_choice import MetricCatalogue

    thresholds = [gates.parse_threshold(text, False) for text in args.fail_under]
    thresholds += [gates.parse_threshold(text, True) for text in args.fail_over]
    if not thresholds and args.baseline is None and args.min_answered is None:
        raise ConfigError("No gate: give --fail-under, --fail-over, --min-answered or --baseline.")
    if args.max_regression < 0:
        raise ConfigError(f"--max-regression takes a number of at least 0, not {args.max_regression:g}.")
    compare = read_options(args, margin=args.max_regression)
    options = gates.GateOptions(thresholds, args.max_regression, args.min_answered, args.strict)
    runs, incomplete = gates.check_complete(find_runs(args, "check"))
    report = gates.GateReport(incomplete)
    report.results += gates.check_thresholds(runs, options, 1 - compare.alpha)
    if args.min_answered is not None:
        report.results += gates.check_answered(runs, args.min_answered)
    if args.baseline is not None:
        candidate, baseline = _baseline_subjects(args, runs)
        report.results += gates.check_baseline(candidate, baseline, options, compare, MetricCatalogue(args.schema_path))
    return report


@command_main(build_parser)
def main(args: argparse.Namespace) -> int:
    """Run the command; the epilog of its help explains the exit status."""
    from helm.benchmark.presentation.tables.plain_text import printable
    from helm.common.files import write_text_atomically
    from helm.common.hierarchical_logger import setup_default_logging
    from helm.results.comparison import gates

    setup_default_logging(args.log_config)
    report = check(args)
    for result in report.results:
        print(f"{result.outcome.upper():7} {printable(result.run)}: {printable(result.message)}")
    counts = [
        f"{report.count(outcome)} {outcome}" for outcome in (gates.PASSED, gates.FAILED, gates.ERROR, gates.SKIPPED)
    ]
    print(f"\n{', '.join(counts)}.")
    if args.junit:
        try:
            write_text_atomically(args.junit, gates.format_junit(report))
        except OSError as e:
            raise HelmError(f"Cannot write {e.filename}: {e.strerror or e}") from e
    if report.count(gates.FAILED):
        return EXIT_FAILED
    return EXIT_ERROR if report.count(gates.ERROR) else EXIT_PASSED


if __name__ == "__main__":
    main()
