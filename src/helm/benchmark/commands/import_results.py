"""`helm-import`: results of other evaluation programs as runs."""

import argparse
import sys

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main

_FORMATS = ("inspect", "lm-eval", "openai-evals", "jsonl", "eee", "atif", "harbor")
_MAX_SCORES = 4


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-import`."""
    parser = SuggestingArgumentParser(
        prog="helm-import",
        description="Import logs of inspect_ai (.eval, .json), results of lm-evaluation-harness (results_*.json with their "
        "samples_*.jsonl), event logs of OpenAI's evals, records of Every Eval Ever, trajectories of agents (ATIF), "
        "job folders of Harbor, or JSON lines with one sample each, as runs of a suite.",
        epilog="Example: helm-import logs/*.eval --suite inspect, then helm-compare --suite inspect",
    )
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="a log or a file of results; for harbor and atif also a folder")
    add("--suite", required=True, metavar="SUITE", help="the suite that gets the runs")
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results are (%(default)s)")
    add("--format", choices=_FORMATS, help="the format of the files (default: recognized by the content)")
    add("--model", metavar="NAME", help="the model's name, for JSON lines that do not name it")
    add("--replace", action="store_true", help="replace runs of the same name that came from somewhere else")
    return parser


@command_main(build_parser, interrupted="Runs that were reported are complete; the same command imports the others.")
def main(args: argparse.Namespace) -> int:
    """Run the command. Exits with status 1 at the first file that cannot be imported."""
    from helm.common.formats.number_text import format_number
    from helm.results.importing.importing import import_results
    from helm.results.metric_names import is_score

    results = import_results(args.files, args.suite, args.output_path, args.format, args.model, args.replace)
    for result in results:
        shown = [f"{name} {format_number(value)}" for name, value in result.scores.items() if is_score(name)]
        more = f" and {len(shown) - _MAX_SCORES} more" if len(shown) > _MAX_SCORES else ""
        scores = ", ".join(shown[:_MAX_SCORES])
        failed = f", {result.num_failed} failed" if result.num_failed else ""
        count = "1 sample" if result.num_samples == 1 else f"{result.num_samples} samples"
        print(f"{result.name}: {count}{failed}; {scores or 'no scores'}{more}")
        for note in result.notes:
            print(f"{result.name}: {note}", file=sys.stderr)
    where = "" if args.output_path == "benchmark_output" else f" -o {args.output_path}"
    print(f"Next: helm-summarize --suite {args.suite}{where} --auto-generate-schema")
    return 0


if __name__ == "__main__":
    main()
