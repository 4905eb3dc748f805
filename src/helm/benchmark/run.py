"""`helm-run`: run entries -> run specs -> Runner.

Only `argparse` is imported up front, so that `--help` is instant; everything else is imported where it is needed.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Iterator, List, NoReturn, Optional, Sequence

from helm.benchmark.run_entries import (
    check_models_to_run,
    drop_repeated_run_specs,
    run_entries_to_run_specs,
)
from helm.common.plugins import import_user_plugins, load_entry_point_plugins  # noqa: F401 (both are public here)

if TYPE_CHECKING:
    from helm.benchmark.presentation.run_entry import RunEntry
    from helm.benchmark.run_spec import RunSpec
    from helm.common.authentication import Authentication
    from helm.common.spending import Ledger

_INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it."""


_OUT_OF_BUDGET = 3
"""Exit status when a budget was used up; the same command goes on from there."""

_DEFAULT_NUM_THREADS = 4

_MAX_IN_FLIGHT = 256
"""For endpoints that say by their answers how many requests they take at once."""


# ---- Arguments


class _StoreGiven(argparse.Action):
    """Stores the value, and in `..._given` that there was one."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: Optional[str] = None) -> None:
        setattr(namespace, self.dest, values)
        setattr(namespace, f"{self.dest}_given", True)


class _Parser(argparse.ArgumentParser):
    """Offers the nearest flag for one that does not exist."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        prefix = "unrecognized arguments: "
        if message.startswith(prefix):
            from helm.common.errors import nearest

            flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
            for word in message.removeprefix(prefix).split():
                same_start = [flag for flag in flags if flag.split("-")[2] == word[2:].split("-")[0]]
                flag = nearest(word, same_start or flags) if word.startswith("--") else None
                if flag:
                    sys.stderr.write(f"{word}: did you mean {flag}?\n")
        self.exit(2, f"{self.prog}: error: {message}\n")


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
    add("--max-cost", type=float, metavar="DOLLARS", help="send nothing more when so much is spent (exit status 3)")
    add("--max-tokens-total", type=int, metavar="N", help="send nothing more when so many tokens are used (3)")
    add("--max-time", metavar="TIME", help="send nothing more after so long, as 90s, 30m, 2h or 1h30m (3)")
    add("--skip-instances", action="store_true", help="go through the motions without instances; write nothing")
    add("--cache-instances", action="store_true", help="keep the instances of scenarios, and use what was kept")
    add("--cache-instances-only", action="store_true", help="only make that cache; needs --cache-instances")
    add("-d", "--dry-run", action="store_true", help="send nothing; estimate tokens, cost and time instead")
    add(
        "-m",
        "--max-eval-instances",
        type=int,
        required=True,
        metavar="N",
        help="evaluate on at most N instances of each scenario, where the run spec does not say",
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
    add("--mongo-uri", default="", metavar="URI", help="cache responses in this MongoDB")
    add("--cache-uri", metavar="URI", help="cache responses in this PostgreSQL or Redis, which machines can share")
    add("--disable-cache", action="store_true", help="cache no responses")
    add("--base-url", metavar="URL", help="server of models openai-compat/NAME (or set OPENAI_BASE_URL)")
    add("--server-url", metavar="URL", help="send requests to this proxy server")
    add("--api-key-path", default="proxy_api_key.txt", metavar="FILE", help="key for the proxy server (%(default)s)")
    add("--exit-on-error", action="store_true", help="stop at the first run that fails")
    add("--skip-completed-runs", action="store_true", help="leave runs alone whose files are all there")
    add("--runner-class-name", metavar="CLASS", help="full name of a class to use instead of the Runner")
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
    add("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")


def validate_args(args: argparse.Namespace) -> None:
    """Raises ConfigError for arguments that do not go together or cannot be."""
    from helm.common.errors import ConfigError

    if args.cache_instances_only and not args.cache_instances:
        raise _argument_error("If --cache-instances-only is set, --cache-instances must also be set.")
    if args.num_threads < 1:
        raise ConfigError(f"--num-threads takes 1 or more, not {args.num_threads}.")
    from helm.benchmark.execution import FAILURE_POLICIES

    if args.on_failure not in FAILURE_POLICIES:
        raise ConfigError(f"--on-failure takes {', '.join(FAILURE_POLICIES)}, not '{args.on_failure}'.")
    for flag, value in (("--max-cost", args.max_cost), ("--max-tokens-total", args.max_tokens_total)):
        if value is not None and not 0 <= value < float("inf"):
            raise ConfigError(f"{flag} takes 0 or more, not {value}.")
    if args.max_time is not None:
        _read_duration_s(args.max_time)
    if args.max_eval_instances is not None and args.max_eval_instances < 0:
        raise ConfigError(f"--max-eval-instances takes 0 or more, not {args.max_eval_instances}.")
    if args.server_url and not _module_exists("helm.common.remote_context"):
        raise ConfigError("--server-url is not available in this version.")


def _read_duration_s(text: str) -> float:
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


# ---- Running


def run_benchmarking(
    run_specs: List[RunSpec],
    auth: Authentication,
    url: Optional[str],
    local_path: str,
    num_threads: int,
    output_path: str,
    suite: str,
    dry_run: bool,
    skip_instances: bool,
    cache_instances: bool,
    cache_instances_only: bool,
    skip_completed_runs: bool,
    exit_on_error: bool,
    runner_class_name: Optional[str],
    mongo_uri: Optional[str] = None,
    disable_cache: Optional[bool] = None,
    max_in_flight: Optional[int] = None,
    on_failure: str = "helm",
    cache_uri: Optional[str] = None,
) -> List[RunSpec]:
    """Make a Runner and execute the run specs; returns them.

    Responses are cached in `local_path`/cache, or in MongoDB with `mongo_uri`, or in PostgreSQL or Redis with `cache_uri`, or
    not at all with `disable_cache`. At most
    `max_in_flight` requests (None: `num_threads`) are on their way to one endpoint at once.
    """
    from helm.benchmark.execution import ExecutionSpec
    from helm.clients.limiter import set_max_in_flight
    from helm.common.cache_backend_config import (
        MongoCacheBackendConfig,
        SharedCacheBackendConfig,
        SqliteCacheBackendConfig,
    )
    from helm.common.general import ensure_directory_exists
    from helm.common.hierarchical_logger import hlog, htrack_block

    sqlite_config, mongo_config = None, None
    if not disable_cache:
        if mongo_uri:
            mongo_config = MongoCacheBackendConfig(mongo_uri)
        else:
            cache_path = os.path.join(local_path, "cache")
            ensure_directory_exists(cache_path)
            sqlite_config = SqliteCacheBackendConfig(cache_path)
    execution_spec = ExecutionSpec(
        url=url,
        auth=auth,
        local_path=local_path,
        parallelism=num_threads,
        dry_run=dry_run,
        sqlite_cache_backend_config=sqlite_config,
        mongo_cache_backend_config=mongo_config,
        max_in_flight=max_in_flight,
        on_failure=on_failure,
        shared_cache_backend_config=SharedCacheBackendConfig(cache_uri) if cache_uri and not disable_cache else None,
    )
    set_max_in_flight(max_in_flight or num_threads)
    with htrack_block("run_specs"):
        for run_spec in run_specs:
            hlog(run_spec.name)
    runner_class = _get_runner_class(runner_class_name)
    runner = runner_class(
        execution_spec,
        output_path,
        suite,
        skip_instances,
        cache_instances,
        cache_instances_only,
        skip_completed_runs,
        exit_on_error,
    )
    runner.run_all(run_specs)
    if dry_run and getattr(runner, "estimates", None):
        _show_estimates(runner.estimates, os.path.join(output_path, "runs", suite))
    return run_specs


def _show_estimates(estimates: Any, folder: str) -> None:
    """A table on the terminal, and the same as JSON in the suite's folder."""
    import json

    from helm.benchmark.estimate import FILE_NAME, summarize, table
    from helm.common.files import write_text_atomically
    from helm.common.hierarchical_logger import hlog, hwarn

    summary = summarize(estimates)
    path = os.path.join(folder, FILE_NAME)
    write_text_atomically(path, json.dumps(summary, indent=2))
    print(table(estimates))
    hours, rest = divmod(int(summary["total"]["rough_seconds"]), 3600)
    hlog(f"Roughly {hours} h {rest // 60} min {rest % 60} s. The same as JSON: {path}")
    for problem in summary["total"]["problems"]:
        hwarn(problem)


run_benchmark = run_benchmarking
"""The name that HELM's user documentation has."""


def _get_runner_class(class_name: Optional[str]) -> Any:
    from helm.common.errors import ConfigError
    from helm.common.object_spec import get_class_by_name

    if class_name is None:
        from helm.benchmark.runner import Runner

        return Runner
    try:
        return get_class_by_name(class_name)
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"Cannot import the runner class '{class_name}' of --runner-class-name: {e}") from e


def _register_catalogue(args: argparse.Namespace) -> None:
    from helm.benchmark.config_registry import (
        register_builtin_configs_from_helm_package,
        register_configs_from_directory,
    )

    register_builtin_configs_from_helm_package()
    register_configs_from_directory(args.local_path)
    load_entry_point_plugins()
    if args.plugins:
        from helm.benchmark.declarative.plugins import load_plugins

        load_plugins(args.plugins)
    if args.enable_huggingface_models or args.enable_local_huggingface_models:
        from helm.benchmark import huggingface_registration

        for value in args.enable_huggingface_models:
            huggingface_registration.register_huggingface_hub_model_from_flag_value(value)
        for path in args.enable_local_huggingface_models:
            huggingface_registration.register_huggingface_local_model_from_flag_value(path)


def _read_entries(args: argparse.Namespace) -> List[RunEntry]:
    from helm.benchmark.presentation.run_entry import RunEntry, read_run_entries

    entries = read_run_entries(args.conf_paths).entries if args.conf_paths else []
    return entries + [RunEntry(text, priority=1, groups=None) for text in [*args.run_entries, *args.run_specs]]


def _create_output_folder(path: str) -> None:
    from helm.common.errors import ConfigError

    try:
        os.makedirs(path, exist_ok=True)
    except OSError as e:
        raise ConfigError(f"Cannot make the output folder {path}: {e.strerror}.") from e


def _read_authentication(args: argparse.Namespace) -> Authentication:
    from helm.common.authentication import Authentication
    from helm.common.errors import ConfigError

    if not args.server_url or args.skip_instances:
        return Authentication("")
    try:
        with open(args.api_key_path, encoding="utf-8") as file:
            return Authentication(file.read().strip())
    except OSError as e:
        raise ConfigError(f"Cannot read the key of the proxy server, {args.api_key_path}: {e.strerror}.") from e


def helm_run(args: argparse.Namespace) -> None:
    """Do what the arguments say. Raises: HelmError for what the user can mend; KeyboardInterrupt after Ctrl-C."""
    from helm.common.hierarchical_logger import setup_default_logging

    setup_default_logging(args.log_config)
    validate_args(args)
    if args.base_url:
        os.environ["OPENAI_BASE_URL"] = args.base_url
    _register_catalogue(args)
    run_entries = _read_entries(args)

    _create_output_folder(args.output_path)
    from helm.benchmark.runner import set_benchmark_output_path

    set_benchmark_output_path(args.output_path)
    with _data_of(args):
        _run_entries(run_entries, args)


@contextmanager
def _data_of(args: argparse.Namespace) -> Iterator[None]:
    """The lock file of the data, and at the end a list of what was not downloaded."""
    from helm.common.data_lock import DataLock
    from helm.common.data_session import data_session, default_lock_path, forbid_fetching

    lock = DataLock(args.data_lock or default_lock_path(args.output_path))
    with forbid_fetching(args.offline), data_session(lock, args.local_path) as session:
        try:
            yield
        except Exception as e:
            if session.blocked:
                e.add_note("\n" + session.describe_blocked())
            raise


def _run_entries(run_entries: List[RunEntry], args: argparse.Namespace) -> None:
    from helm.common.hierarchical_logger import hlog, hwarn
    from helm.common.spending import describe_spent

    check_models_to_run(run_entries, args.models_to_run)
    run_specs = run_entries_to_run_specs(
        run_entries,
        max_eval_instances=args.max_eval_instances,
        num_train_trials=args.num_train_trials,
        models_to_run=args.models_to_run,
        groups_to_run=args.groups_to_run,
        priority=args.priority,
        as_command=True,
    )
    if os.path.exists(os.path.join(args.local_path, "judges.yaml")):
        from helm.benchmark.judge_settings import apply_judges, read_judges

        run_specs = apply_judges(run_specs, read_judges(args.local_path) or {})
    hlog(f"{len(run_entries)} entries produced {len(run_specs)} run specs")
    if not run_specs:
        hlog("There were no RunSpecs or they got filtered out.")
        return
    run_specs = drop_repeated_run_specs(run_specs)
    ledger = _start_ledger(args, run_specs)
    run_benchmarking(
        run_specs=run_specs,
        auth=_read_authentication(args),
        url=args.server_url,
        local_path=args.local_path,
        num_threads=args.num_threads,
        output_path=args.output_path,
        suite=args.suite,
        dry_run=args.dry_run,
        skip_instances=args.skip_instances,
        cache_instances=args.cache_instances,
        cache_instances_only=args.cache_instances_only,
        skip_completed_runs=args.skip_completed_runs,
        exit_on_error=args.exit_on_error,
        runner_class_name=args.runner_class_name,
        mongo_uri=args.mongo_uri,
        disable_cache=args.disable_cache,
        max_in_flight=None if getattr(args, "num_threads_given", False) else _MAX_IN_FLIGHT,
        on_failure=args.on_failure,
        cache_uri=args.cache_uri,
    )
    spent = ledger.spent()
    if spent.tokens or spent.outcomes:
        hlog(f"Language models: {describe_spent(spent)}")
    if args.run_specs:
        hwarn("The --run-specs flag is deprecated; use --run-entries.")
    hlog("Done.")
    if not (args.skip_instances or args.cache_instances_only):
        output = "" if args.output_path == "benchmark_output" else f" --output-path {args.output_path}"
        hlog(f"The results are in {os.path.join(args.output_path, 'runs', args.suite)}.")
        hlog(f"Next: helm-summarize --suite {args.suite}{output}")


def _show_run_specs(args: argparse.Namespace) -> None:
    from helm.benchmark.run_listing import describe_run_spec, list_run_specs
    from helm.benchmark.runner import set_benchmark_output_path

    set_benchmark_output_path(args.output_path)
    _register_catalogue(args)
    print(list_run_specs(args.list) if args.list is not None else describe_run_spec(args.describe))


def _start_ledger(args: argparse.Namespace, run_specs: Sequence[RunSpec]) -> Ledger:
    """Raises: ConfigError when money is limited, and the price of a hosted model is not known."""
    from helm.benchmark.price_registry import get_price
    from helm.common.errors import ConfigError
    from helm.common.spending import Budget, start_ledger

    seconds = None if args.max_time is None else _read_duration_s(args.max_time)
    if args.max_cost is not None:
        for name in sorted({run_spec.adapter_spec.model_deployment for run_spec in run_specs}):
            if get_price(name) is None and _is_hosted(name):
                raise ConfigError(
                    f"--max-cost: no price is known for '{name}'. Add it to prices.yaml in the folder {args.local_path}, or "
                    "use --max-tokens-total."
                )
    return start_ledger(Budget(args.max_cost, args.max_tokens_total, seconds), get_price)


def _is_hosted(model_deployment: str) -> bool:
    """Whether it is asked over HTTP, at an address that is not this machine's."""
    from urllib.parse import urlsplit

    from helm.benchmark.model_deployment_registry import get_model_deployment
    from helm.common.object_spec import get_class_by_name

    spec = get_model_deployment(model_deployment).client_spec
    if not hasattr(get_class_by_name(spec.class_name), "limiter"):
        return False
    return urlsplit(str((spec.args or {}).get("base_url", ""))).hostname not in ("localhost", "127.0.0.1", "::1")


def _parse_args(argv: Optional[Sequence[str]]) -> argparse.Namespace:
    parser = build_parser()
    words = list(sys.argv[1:] if argv is None else argv)
    if any(word.partition("=")[0] in ("--list", "--describe") for word in words):
        for action in parser._actions:
            action.required = False
    return parser.parse_args(words)


def main(argv: Optional[Sequence[str]] = None) -> None:
    """The command. Exit status: 0 done; 1 something failed; 2 bad arguments; 3 out of budget; 130 interrupted."""
    from helm.common.distribution_check import check_sole_owner

    check_sole_owner()
    args = _parse_args(argv)
    from helm.common.errors import HelmError
    from helm.common.spending import BudgetExceeded

    try:
        if args.list is not None or args.describe is not None:
            _show_run_specs(args)
        else:
            helm_run(args)
    except BudgetExceeded as e:
        sys.stdout.flush()
        sys.stderr.write(
            f"helm-run: stopped: {e} What was finished is kept; the same command with a larger budget goes on from there.\n"
        )
        raise SystemExit(_OUT_OF_BUDGET) from None
    except HelmError as e:
        if os.environ.get("HELM_DEBUG") == "1":
            raise
        sys.stdout.flush()
        sys.stderr.write(f"helm-run: error: {_one_line(e)}\n")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        sys.stdout.flush()
        sys.stderr.write(
            "\nhelm-run: interrupted. What was finished is kept; the same command goes on from there "
            "(with --skip-completed-runs it leaves finished runs alone).\n"
        )
        raise SystemExit(_INTERRUPTED) from None


def _one_line(error: Exception) -> str:
    """The message with its notes behind it."""
    text = str(error)
    notes = [note for note in getattr(error, "__notes__", []) if note]
    if notes and text[-1:] not in ".?!)":
        text += "."
    return " ".join([text, *notes])


if __name__ == "__main__":
    main()
