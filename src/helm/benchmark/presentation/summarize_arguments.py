"""The arguments of `helm-summarize`."""

import argparse
from collections.abc import Sequence

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.output_path import check_suite_name


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command."""
    parser = SuggestingArgumentParser(
        prog="helm-summarize",
        description="Make tables from finished runs: on the terminal, and as files for the pages.",
    )
    add = parser.add_argument
    add("-o", "--output-path", default="benchmark_output", help="where helm-run wrote its output")
    add("--suite", help="summarize this suite, in its folder (default: 'default')")
    add("--release", help="name of a release to make; needs --suites")
    add("--suites", nargs="+", help="suites that make up the release")
    add("--schema-path", help="display schema: a YAML or JSON file, or the name of one that ships with the package")
    add(
        "--schema-validation",
        choices=["error", "warn", "off"],
        default="warn",
        help="what to do about errors in the schema",
    )
    add(
        "--auto-generate-schema",
        action="store_true",
        help="make the schema from what scenarios and metrics say of themselves",
    )
    add("-n", "--num-threads", type=int, default=8, help="maximum number of workers for display files")
    add("--debug", action="store_true", help="list the runs in the description of every cell")
    add("--skip-completed-run-display-json", action="store_true", help="do not rewrite display files that exist")
    add(
        "--local-path",
        default="prod_env",
        help="folder with model_metadata.yaml and model_deployments.yaml of your own",
    )
    add(
        "--plugins",
        nargs="+",
        metavar="PLUGIN",
        help="modules, or paths of Python files, to import first, as for helm-run",
    )
    add("--allow-unknown-models", type=_parse_bool, default=True, help="accepted for compatibility, without effect")
    add("--summarizer-class-name", help="class path of a Summarizer of your own")
    add("--log-config", help="YAML file that sets up logging")
    add(
        "--format",
        choices=["table", "markdown", "csv", "none"],
        default="table",
        help="how tables are printed (default: table)",
    )
    return parser


def _parse_bool(text: str) -> bool:
    if text.lower() in ("true", "1", "yes"):
        return True
    if text.lower() in ("false", "0", "no"):
        return False
    raise argparse.ArgumentTypeError(f"expected true or false, not '{text}'")


def get_suite(args: argparse.Namespace) -> str | None:
    """Return the suite to summarize, or None for a release."""
    is_given = args.suite is not None or args.release is not None or args.suites is not None
    return args.suite if is_given else "default"


def check_names(args: argparse.Namespace, suites: Sequence[str]) -> None:
    """Raise ConfigError if a suite or the release is no name of a folder."""
    for name in suites:
        check_suite_name(name, "--suites" if args.suites else "--suite")
    if args.release is not None:
        check_suite_name(args.release, "--release")
