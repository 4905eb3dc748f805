"""The arguments of `helm-run`. Nothing but `argparse` is imported up front, so that `--help` is instant."""

from __future__ import annotations

import argparse
import sys
from typing import Any, Optional, Sequence

from helm.common.arguments import SuggestingArgumentParser

_DEFAULT_NUM_THREADS = 4

ENGINES = ("local", "ray", "slurm")
"""Where runs are executed."""


class _StoreGiven(argparse.Action):
    """Stores the value, and in `..._given` that there was one."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Optional[str] = None) -> None:
        setattr(namespace, self.dest, values)
        setattr(namespace, f"{self.dest}_given", True)


class _Parser(SuggestingArgumentParser):
    """With `--list` and `--describe` no other flag is required."""

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        if any(word.partition("=")[0] in ("--list", "--describe") for word in words):
            for action in self._actions:
                action.required = False
        parsed = super().parse_args(words, namespace)
        parsed.command = _command_line(words)
        return parsed


def _command_line(words: Sequence[str]) -> str:
    """For a shell, and without the passwords and keys that addresses hold."""
    import re
    import shlex

    line = shlex.join(["helm-run", *words])
    line = re.sub(r"(://[^:/@\s]*):[^@/\s]+@", r"\1:***@", line)
    return re.sub(r"(?i)([?&](?:api[-_]?key|key|token|password)=)[^&\s\'\"]+", r"\1***", line)


def build_parser() -> argparse.ArgumentParser:
    """The parser of `helm-run`."""
    parser = _Parser(
        prog="helm-run",
        description="Evaluate language models, AD tools and compilers.",
        epilog="Example: helm-run --run-entries simple_mcqa:model=baseline/ppm --max-eval-instances 20 --suite try. "
        "Then: helm-summarize --suite try.",
    )
    entries = parser.add_argument_group("what to run")
    entries.add_argument(
        "-r",
        "--run-entries",
        nargs="*",
        default=[],
        metavar="ENTRY",
        help="runs as NAME:KEY=VALUE,KEY=VALUE, for example simple_mcqa:model=simple/model1",
    )
    entries.add_argument("-c", "--conf-paths", nargs="+", default=[], metavar="FILE", help="HOCON files of run entries")
    entries.add_argument("--run-specs", nargs="*", default=[], metavar="ENTRY", help="deprecated name of --run-entries")
    entries.add_argument(
        "--models-to-run",
        nargs="+",
        metavar="MODEL",
        help="only these models; they also fill in for entries without a model, or with a group of models",
    )
    entries.add_argument("--groups-to-run", nargs="+", metavar="GROUP", help="only runs of these groups")
    entries.add_argument("--priority", type=int, metavar="P", help="only entries of priority P or less, or of none")
    entries.add_argument(
        "--plugins",
        nargs="+",
        metavar="PLUGIN",
        help="modules or Python files to import first, which register run specs and more; or YAML files of entries",
    )
    entries.add_argument(
        "--enable-huggingface-models",
        nargs="+",
        default=[],
        metavar="MODEL",
        help="models of the Hugging Face hub to register, as NAMESPACE/MODEL[@REVISION]",
    )
    entries.add_argument(
        "--enable-local-huggingface-models",
        nargs="+",
        default=[],
        metavar="FOLDER",
        help="folders of saved Hugging Face models to register",
    )
    entries.add_argument(
        "--list",
        nargs="?",
        const="",
        metavar="TEXT",
        help="list the run specs with their arguments and whether they can run here, and run nothing; with TEXT, those "
        "that have it in their name, suite or description",
    )
    entries.add_argument(
        "--describe",
        metavar="NAME",
        help="say everything about a run spec: arguments, data, licence, size, metrics, what keeps it from running here",
    )
    add_run_args(parser)
    return parser


def _read_count(text: str) -> Optional[int]:
    """A number, or `all`, which sets no limit."""
    if text == "all":
        return None
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number or all, not '{text}'") from None


def add_run_args(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how to run; shared by all commands that run."""
    add = parser.add_argument
    add("-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results go (%(default)s)")
    add(
        "-n",
        "--num-threads",
        type=int,
        default=_DEFAULT_NUM_THREADS,
        action=_StoreGiven,
        metavar="N",
        help="work on N items at once, and send at most N requests at once; not given: %(default)s items, and as many "
        "requests as an endpoint takes",
    )
    add(
        "--on-failure",
        default="helm",
        metavar="POLICY",
        help="what a request without an answer means: fail (the run), exclude (the instance), count-as-wrong, or helm "
        "(%(default)s: a withheld answer counts as wrong, all else fails the run)",
    )
    add("--no-probe", action="store_true", help="do not ask endpoints whether they can do what a run needs")
    add("--max-cost", type=float, metavar="DOLLARS", help="send nothing more when so much is spent (exit status 3)")
    add(
        "--price",
        action="append",
        default=[],
        metavar="[MODEL=]IN,OUT",
        help="dollars per million tokens of prompts and of answers, of this model or of all; goes before prices.yaml",
    )
    add("--max-tokens-total", type=int, metavar="N", help="send nothing more when so many tokens are used (3)")
    add("--max-time", metavar="TIME", help="send nothing more after so long, as 90s, 30m, 2h or 1h30m (3)")
    add(
        "--batch-api",
        action=argparse.BooleanOptionalAction,
        help="send requests through the provider's batch API where there is one: cheaper, answered within a day; not given: "
        "for deployments with batch_api: true",
    )
    add("--skip-instances", action="store_true", help="go through the motions without instances; write nothing")
    add("--cache-instances", action="store_true", help="keep the instances of scenarios, and use what was kept")
    add("--cache-instances-only", action="store_true", help="only make that cache; needs --cache-instances")
    add("-d", "--dry-run", action="store_true", help="send nothing; estimate tokens, cost and time instead")
    add(
        "-m",
        "--max-eval-instances",
        type=_read_count,
        required=True,
        metavar="N",
        help="required: evaluate on at most N instances of each scenario, where the run spec does not say; all: on all of them",
    )
    add(
        "-t",
        "--num-train-trials",
        type=int,
        metavar="N",
        help="draw the in-context examples N times; zero-shot runs are not repeated",
    )
    add("--suite", default="default", help="folder of the results under runs/ (%(default)s)")
    add(
        "--local-path",
        default="prod_env",
        metavar="FOLDER",
        help="folder with credentials, further configuration and the response cache (%(default)s)",
    )
    add("--mongo-uri", default="", metavar="URI", help="HELM's cache in a MongoDB: refused; see --cache-uri")
    add("--cache-uri", metavar="URI", help="cache responses in this PostgreSQL or Redis, which machines can share")
    add("--disable-cache", action="store_true", help="cache no responses")
    add("--base-url", metavar="URL", help="server of models openai-compat/NAME (or set OPENAI_BASE_URL)")
    add("--server-url", metavar="URL", help="send requests to this proxy server")
    add("--api-key-path", default="proxy_api_key.txt", metavar="FILE", help="key for the proxy server (%(default)s)")
    add("--exit-on-error", action="store_true", help="stop at the first run that fails")
    add("--skip-completed-runs", action="store_true", help="leave runs alone whose files are all there")
    add("--runner-class-name", metavar="CLASS", help="full name of a class to use instead of the Runner")
    add(
        "--engine",
        default="local",
        metavar="ENGINE",
        help="where runs are executed: local (%(default)s: in this process), ray or slurm (on a cluster)",
    )
    add(
        "--offline",
        action="store_true",
        help="download nothing, and list what would have to be (or set HELM_OFFLINE=1)",
    )
    add(
        "--data-lock",
        metavar="FILE",
        help="lock file of the data (helm-data.lock here if there is one, else in the output folder)",
    )
    add(
        "--progress",
        default="auto",
        metavar="VIEW",
        help="what the terminal shows meanwhile: panel, lines, none, or auto (%(default)s: a panel on a terminal, else a line "
        "every ten seconds)",
    )
    add(
        "-v",
        "--verbose",
        action="store_true",
        help="tell of every stage of every run; not given: of progress, warnings and errors (or set HELM_LOG_LEVEL)",
    )
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")


def validate_args(args: argparse.Namespace) -> None:
    """Raises ConfigError for arguments that do not go together or cannot be."""
    from helm.common.errors import ConfigError
    from helm.common.output_path import check_suite_name

    check_suite_name(args.suite)
    if args.cache_instances_only and not args.cache_instances:
        raise _argument_error("If --cache-instances-only is set, --cache-instances must also be set.")
    if args.mongo_uri:
        from helm.common.mongo_key_value_store import refuse_mongo

        refuse_mongo()
    if args.num_threads < 1:
        raise ConfigError(f"--num-threads takes 1 or more, not {args.num_threads}.")
    from helm.benchmark.execution import FAILURE_POLICIES

    if args.on_failure not in FAILURE_POLICIES:
        raise ConfigError(f"--on-failure takes {', '.join(FAILURE_POLICIES)}, not '{args.on_failure}'.")
    from helm.benchmark.live.views import MODES

    if args.progress not in MODES:
        raise ConfigError(f"--progress takes {', '.join(MODES)}, not '{args.progress}'.")
    if args.engine not in ENGINES:
        from helm.common.errors import suggest

        raise ConfigError(f"--engine takes {', '.join(ENGINES)}, not '{args.engine}'.{suggest(args.engine, ENGINES)}")
    if "://" in args.output_path and args.engine != "ray":
        raise ConfigError(f"--output-path takes a folder; an address such as {args.output_path} needs --engine ray.")
    if args.engine != "local" and args.runner_class_name:
        raise ConfigError(
            f"--engine {args.engine} and --runner-class-name both say which runner to use; give one of them."
        )
    for flag, value in (("--max-cost", args.max_cost), ("--max-tokens-total", args.max_tokens_total)):
        if value is not None and not 0 <= value < float("inf"):
            raise ConfigError(f"{flag} takes 0 or more, not {value}.")
    for price in args.price:
        from helm.benchmark.price_registry import parse_given_price

        parse_given_price(price)
    if args.server_url and (args.max_cost is not None or args.max_tokens_total is not None):
        raise ConfigError(
            "--max-cost and --max-tokens-total count what this command sends to providers; leave out --server-url, or use "
            "--max-time."
        )
    if args.max_time is not None:
        read_duration_s(args.max_time)
    if args.max_eval_instances is not None and args.max_eval_instances < 0:
        raise ConfigError(f"--max-eval-instances takes 0 or more, not {args.max_eval_instances}.")
    if args.server_url and args.batch_api:
        raise ConfigError("--batch-api: batches are made where the keys are; leave out --server-url.")
    if args.server_url and not _module_exists("helm.common.remote_context"):
        raise ConfigError("--server-url is not available in this version.")


def read_duration_s(text: str) -> float:
    """`90s`, `30m`, `1h30m`, or seconds. Raises: ConfigError."""
    import re

    from helm.common.errors import ConfigError

    match = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?", text.strip())
    if match is None or not any(match.groups()):
        raise ConfigError(f"--max-time takes a time such as 90s, 30m or 1h30m, not '{text}'.")
    hours, minutes, seconds = (float(part or 0) for part in match.groups())
    return hours * 3600 + minutes * 60 + seconds


def _argument_error(message: str) -> Exception:
    from helm.common.errors import ConfigError

    class ArgumentError(ConfigError, AssertionError):
        """The original asserts, so callers may expect an AssertionError."""

    return ArgumentError(message)


def _module_exists(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def parse_args(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    """Those of the command line, or `argv`. With `--list` and `--describe` nothing else is required."""
    return build_parser().parse_args(argv)
