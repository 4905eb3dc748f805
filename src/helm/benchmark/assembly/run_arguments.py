"""The arguments of `helm-run`. Only `argparse` is imported up front, so that `--help` is instant."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from helm.benchmark.run_settings import ENTRIES_GROUP, RunSettings
from helm.common.commands.arguments import SuggestingArgumentParser

ENGINES = ("local", "ray", "slurm")
"""Where runs are executed."""


_RUN_NOTHING = ("--list", "--describe", "--print-schema")


class _Parser(SuggestingArgumentParser):
    """Has further defaults from configuration files and suites, and no required flags if nothing is run."""

    def offer_flags(self, words: Sequence[str]) -> None:
        """Suggest the nearest flag, or where a key of run entries belongs."""
        from helm.benchmark.run_expander import RUN_EXPANDERS

        flags = {flag for action in self._actions for flag in action.option_strings}
        rest = []
        for word in words:
            flag = word.partition("=")[0]
            key = flag[2:].replace("-", "_")
            if flag.startswith("--") and flag not in flags and key in RUN_EXPANDERS:
                sys.stderr.write(f"{flag}: {key} is a key of run entries: -r NAME:{key}=VALUE,...\n")
            else:
                rest.append(word)
        super().offer_flags(rest)

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        words = list(sys.argv[1:] if args is None else args)
        flags = {word.partition("=")[0] for word in words}
        if flags.intersection(_RUN_NOTHING) or any(len(flag) > 4 and "--limit".startswith(flag) for flag in flags):
            for action in self._actions:
                action.required = False
        from helm.benchmark.assembly.run_presets import parse_with_presets

        parsed = parse_with_presets(self, words, lambda words: super(_Parser, self).parse_args(words, namespace))
        parsed.command = _command_line(words)
        return parsed


def _command_line(words: Sequence[str]) -> str:
    """Return the command line quoted for a shell, without the passwords and keys contained in URLs."""
    import re
    import shlex

    line = shlex.join(["helm-run", *words])
    line = re.sub(r"(://[^:/@\s]*):[^@/\s]+@", r"\1:***@", line)
    return re.sub(r"(?i)([?&](?:api[-_]?key|key|token|password)=)[^&\s\'\"]+", r"\1***", line)


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of `helm-run`."""
    parser = _Parser(
        prog="helm-run",
        description="Evaluate language models, AD tools, compilers and agents.",
        epilog="Example: helm-run --run-entries simple_mcqa:model=baseline/ppm --max-eval-instances 20 --suite try. "
        "Then: helm-summarize --suite try.",
    )
    RunSettings.add_flags(parser, ENTRIES_GROUP)
    add_run_args(parser)
    return parser


def add_run_args(parser: argparse.ArgumentParser) -> None:
    """Add the flags that say how to run, shared by all commands that execute runs."""
    RunSettings.add_flags(parser)


def validate_args(args: argparse.Namespace | RunSettings) -> None:
    """Check the arguments. Raises: ConfigError for invalid ones, or arguments that cannot be combined."""
    from helm.common.commands.output_path import check_suite_name
    from helm.common.errors import ConfigError

    check_suite_name(args.suite)
    if args.cache_instances_only and not args.cache_instances:
        raise _argument_error("If --cache-instances-only is set, --cache-instances must also be set.")
    if args.mongo_uri:
        from helm.common.mongo_key_value_store import refuse_mongo

        refuse_mongo()
    if args.num_threads < 1:
        raise ConfigError(f"--num-threads takes 1 or more, not {args.num_threads}.")
    from helm.benchmark.executing.execution import FAILURE_POLICIES

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
    if args.processes < 1:
        raise ConfigError(f"--processes takes 1 or more, not {args.processes}.")
    if args.processes > 1:
        for flag, is_given, reason in (
            (f"--engine {args.engine}", args.engine != "local", "its workers are processes already"),
            ("--runner-class-name", bool(args.runner_class_name), "that class says where requests are made"),
            ("--server-url", bool(args.server_url), "the proxy server makes the requests"),
        ):
            if is_given:
                raise ConfigError(f"--processes and {flag} cannot be combined: {reason}.")
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
        raise ConfigError("--batch-api: batches are created on the machine that has the keys; leave out --server-url.")
    if args.server_url and not _module_exists("helm.common.remote_context"):
        raise ConfigError("--server-url is not available in this version.")


def read_duration_s(text: str) -> float:
    """Parse `90s`, `30m`, `1h30m`, or a number of seconds. Raises: ConfigError."""
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
        """A wrong argument. It is also an AssertionError, because HELM asserts and callers may expect that."""

    return ArgumentError(message)


def _module_exists(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def parse_args(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line, or `argv`. See `RunSettings` for what may be missing.

    Raises: ConfigError for a configuration file that cannot be used.
    """
    return build_parser().parse_args(argv)
