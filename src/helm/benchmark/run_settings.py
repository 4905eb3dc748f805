"""The settings of a command that runs: one object from the command line to the place where each setting is used.

A new flag is one field here, with its help text and type, and the place that reads `settings.NAME`. Runners, executors and the
workers of a cluster have the whole object: it travels inside `ExecutionSpec`, and as JSON to other machines.
"""

import argparse
import builtins
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from typing import Any

from helm.common.commands.data_options import TRUST_HELP

ENTRIES_GROUP = "what to run"

_MAX_IN_FLIGHT = 256
"""For endpoints that report in their answers how many concurrent requests they accept."""


def _flag(*names: str, default: Any = None, group: str | None = None, synonym: str = "", **arguments: Any) -> Any:
    """Declare a field with flags; `arguments` are those of `add_argument`.

    A `synonym` is a further flag, which usage errors do not name.
    """
    metadata = {"names": names, "group": group, "synonym": synonym, "arguments": arguments}
    if isinstance(default, list):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


def _switch(*names: str, **arguments: Any) -> Any:
    return _flag(*names, default=False, action="store_true", **arguments)


def _entries(*names: str, default: Any = None, **arguments: Any) -> Any:
    return _flag(*names, default=default, group=ENTRIES_GROUP, **arguments)


def _read_count(text: str) -> int | None:
    """Parse a number, or `all`, which sets no limit."""
    if text == "all":
        return None
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a number or all, not '{text}'") from None


def is_count(item: Field) -> bool:
    """Return whether a setting is a number or `all`."""
    return item.metadata.get("arguments", {}).get("type") is _read_count


class _LimitRequests(argparse.Action):
    """Stores the number, which then also limits the requests in flight."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        namespace.num_threads = namespace.max_in_flight = values


@dataclass(
    frozen=True, repr=False, eq=False
)  # no repr: secrets must not reach a log; no eq: helm-run --help stays fast
class RunSettings:
    """The flags of `helm-run`, in the order of its help, and related settings.

    Settings that can change a statistic, such as limits, are put into the run specs before anything runs.
    """

    run_entries: list[str] = _entries(
        "-r",
        "--run-entries",
        nargs="*",
        default=[],
        metavar="ENTRY",
        help="runs as NAME:KEY=VALUE,KEY=VALUE, for example simple_mcqa:model=simple/model1",
    )
    conf_paths: list[str] = _entries(
        "-c",
        "--conf-paths",
        nargs="+",
        default=[],
        metavar="FILE",
        help="HOCON files of run entries; names of suites such as lite and smoke; or a configuration file, YAML or TOML",
    )
    run_specs: list[str] = _entries(
        "--run-specs", nargs="*", default=[], metavar="ENTRY", help="deprecated name of --run-entries"
    )
    models_to_run: list[str] | None = _entries(
        "--models-to-run",
        nargs="+",
        metavar="MODEL",
        help="only these models; they also fill in for entries without a model, or with a group of models",
    )
    groups_to_run: list[str] | None = _entries(
        "--groups-to-run", nargs="+", metavar="GROUP", help="only runs of these groups"
    )
    priority: int | None = _entries(
        "--priority", type=int, metavar="P", help="only entries of priority P or less, or of none"
    )
    grader: list[str] | None = _entries(
        "--grader",
        nargs="+",
        metavar="MODEL",
        help="models that judge the answers, in place of the judges of runs that have some: names, or URL#NAME",
    )
    judges: str | None = _entries(
        "--judges",
        metavar="helm",
        help="helm: judges ask in HELM's words, where those of this package are its own (get them: helm-data fetch helm-prompts)",
    )
    user: str | None = _entries(
        "--user", metavar="MODEL", help="model that plays the user in runs that have a simulated one"
    )
    plugins: list[str] | None = _entries(
        "--plugins",
        nargs="+",
        metavar="PLUGIN",
        help="modules or Python files to import first, which register run specs and more; or YAML files of entries",
    )
    enable_huggingface_models: list[str] = _entries(
        "--enable-huggingface-models",
        nargs="+",
        default=[],
        metavar="MODEL",
        help="models of the Hugging Face hub to register, as NAMESPACE/MODEL[@REVISION]",
    )
    enable_local_huggingface_models: list[str] = _entries(
        "--enable-local-huggingface-models",
        nargs="+",
        default=[],
        metavar="FOLDER",
        help="folders of saved Hugging Face models to register",
    )
    list: str | None = _entries(
        "--list",
        nargs="?",
        const="",
        metavar="TEXT",
        help="list the run specs with their arguments and whether they can run here, and run nothing; with TEXT, those "
        "that have it in a name, the suite, the description or a value of an argument",
    )
    modality: str | None = _entries(
        "--modality",
        choices=("text", "image", "audio", "video"),
        help="with --list: only run specs whose prompts hold media of this type, or none (text)",
    )
    describe: str | None = _entries(
        "--describe",
        metavar="NAME",
        help="say everything about a run spec: arguments, data, licence, size, metrics, what keeps it from running here",
    )
    print_schema: bool = _entries(
        "--print-schema", default=False, action="store_true", help="print the JSON Schema of configuration files"
    )
    output_path: str = _flag(
        "-o", "--output-path", default="benchmark_output", metavar="FOLDER", help="where results go (%(default)s)"
    )
    num_threads: int = _flag(
        "-n",
        "--num-threads",
        type=int,
        default=4,
        action=_LimitRequests,
        metavar="N",
        help="work on N items at once, and send at most N requests at once; not given: %(default)s items, and as many "
        "requests as an endpoint takes",
    )
    on_failure: str = _flag(
        "--on-failure",
        default="helm",
        metavar="POLICY",
        help="what a request without an answer means: fail (the run), exclude (the instance), count-as-wrong, or helm "
        "(%(default)s: a withheld answer counts as wrong, all else fails the run)",
    )
    no_probe: bool = _switch("--no-probe", help="do not ask endpoints whether they can do what a run needs")
    max_cost: float | None = _flag(
        "--max-cost",
        type=float,
        metavar="DOLLARS",
        help="stop sending requests once this much is spent (exit status 3)",
    )
    price: builtins.list[str] = _flag(
        "--price",
        action="append",
        default=[],
        metavar="[MODEL=]IN,OUT",
        help="dollars per million tokens of prompts and of answers, of this model or of all; overrides prices.yaml",
    )
    max_tokens_total: int | None = _flag(
        "--max-tokens-total", type=int, metavar="N", help="stop sending requests once this many tokens are used (3)"
    )
    max_time: str | None = _flag(
        "--max-time", metavar="TIME", help="stop sending requests after this time, as in 90s, 30m, 2h or 1h30m (3)"
    )
    batch_api: bool | None = _flag(
        "--batch-api",
        action=argparse.BooleanOptionalAction,
        help="send requests through the provider's batch API where there is one: cheaper, answered within a day; not given: "
        "for deployments with batch_api: true",
    )
    approve: builtins.list[str] | None = _flag(
        "--approve",
        nargs="*",
        metavar="TOOL",
        help="ask at the terminal before an agent calls these tools; without names: before all calls but submit",
    )
    allow_host_tools: bool = _switch(
        "--allow-host-tools",
        help="let tools of agents be programs outside the sandbox, with the rights of this command",
    )
    skip_instances: bool = _switch("--skip-instances", help="go through the motions without instances; write nothing")
    cache_instances: bool = _switch("--cache-instances", help="keep the instances of scenarios, and use what was kept")
    cache_instances_only: bool = _switch("--cache-instances-only", help="only make that cache; needs --cache-instances")
    dry_run: bool = _switch("-d", "--dry-run", help="send nothing; estimate tokens, cost and time instead")
    max_eval_instances: int | None = _flag(
        "-m",
        "--max-eval-instances",
        type=_read_count,
        required=True,
        metavar="N",
        synonym="--limit",
        help="required: evaluate on at most N instances of each scenario, where the run spec does not say; all: on all of them",
    )
    num_train_trials: int | None = _flag(
        "-t",
        "--num-train-trials",
        type=int,
        metavar="N",
        help="draw the in-context examples N times; zero-shot runs are not repeated",
    )
    suite: str = _flag("--suite", default="default", help="folder of the results under runs/ (%(default)s)")
    local_path: str = _flag(
        "--local-path",
        default="prod_env",
        metavar="FOLDER",
        help="folder with credentials, further configuration and the response cache (%(default)s)",
    )
    mongo_uri: str = _flag(
        "--mongo-uri", default="", metavar="URI", help="HELM's cache in a MongoDB: refused; see --cache-uri"
    )
    cache_uri: str | None = _flag(
        "--cache-uri", metavar="URI", help="cache responses in this PostgreSQL or Redis, which machines can share"
    )
    disable_cache: bool = _switch("--disable-cache", help="cache no responses")
    base_url: str | None = _flag(
        "--base-url", metavar="URL", help="server of models openai-compat/NAME (or set OPENAI_BASE_URL)"
    )
    server_url: str | None = _flag("--server-url", metavar="URL", help="send requests to this proxy server")
    api_key_path: str = _flag(
        "--api-key-path", default="proxy_api_key.txt", metavar="FILE", help="key for the proxy server (%(default)s)"
    )
    exit_on_error: bool = _switch(
        "--exit-on-error", help="stop at the first run that fails, or run entry of a conf file that cannot be made"
    )
    compact_files: bool = _switch(
        "--compact-files",
        help="compress the large files of runs with gzip; all commands of this package read them, HELM does not",
    )
    skip_completed_runs: bool = _switch("--skip-completed-runs", help="leave runs alone whose files are all there")
    runner_class_name: str | None = _flag(
        "--runner-class-name", metavar="CLASS", help="full name of a class to use instead of the Runner"
    )
    engine: str = _flag(
        "--engine",
        default="local",
        metavar="ENGINE",
        help="where runs are executed: local (%(default)s: in this process), ray or slurm (on a cluster)",
    )
    processes: int = _flag(
        "--processes",
        type=int,
        default=1,
        metavar="N",
        help="divide the requests to endpoints among N processes of this machine (%(default)s: this one makes them all)",
    )
    offline: bool = _switch(
        "--offline", help="download nothing, and list what would have to be (or set HELM_OFFLINE=1)"
    )
    data_lock: str | None = _flag(
        "--data-lock",
        metavar="FILE",
        help="lock file of the data (helm-data.lock here if there is one, else in the output folder)",
    )
    trust_task_code: builtins.list[str] = _flag(
        "--trust-task-code",
        nargs="+",
        default=[],
        metavar="DIGEST",
        help=TRUST_HELP,
    )
    progress: str = _flag(
        "--progress",
        default="auto",
        metavar="VIEW",
        help="what the terminal shows meanwhile: panel, lines, none, or auto (%(default)s: a panel on a terminal, else a line "
        "every ten seconds)",
    )
    hooks: builtins.list[Any] = _flag(
        "--hooks",
        nargs="+",
        default=[],
        metavar="HOOK",
        help="tell these of runs, instances and requests: opentelemetry, mlflow, wandb, a class path or a Python file",
    )
    hook_texts: bool = _switch("--hook-texts", help="show prompts and answers to hooks too")
    verbose: bool = _switch(
        "-v",
        "--verbose",
        help="tell of every stage of every run; not given: of progress, warnings and errors (or set HELM_LOG_LEVEL)",
    )
    log_config: str | None = _flag("--log-config", metavar="FILE", help="YAML file for logging.config.dictConfig")

    max_in_flight: int = _MAX_IN_FLIGHT
    """Maximum number of concurrent requests to endpoints whose limit is found by adaptive pacing."""

    api_key: str = ""
    """Key for the proxy server."""

    cache_path: str | None = None
    """Folder of the response cache. None selects the default folder in `local_path`."""

    began_at: float | None = None
    """When the command began, in seconds since 1970; runs that another process has finished since then are not
    repeated. None means when the Runner is created."""

    command: str | None = None
    """The command line without passwords, for `error.json`."""

    @classmethod
    def add_flags(cls, parser: argparse.ArgumentParser, group: str | None = None) -> None:
        """Add the flags of the group `ENTRIES_GROUP`, or all other flags if `group` is None."""
        target = parser if group is None else parser.add_argument_group(group)
        for item in fields(cls):
            if item.metadata and item.metadata["group"] == group:
                arguments = {"default": _default(item), **item.metadata["arguments"]}
                action = target.add_argument(*item.metadata["names"], **arguments)
                if item.metadata["synonym"]:
                    arguments |= {
                        "dest": action.dest,
                        "required": False,
                        "help": f"the same as {action.option_strings[0]}",
                    }
                    target.add_argument(item.metadata["synonym"], **arguments)

    @classmethod
    def of(cls, args: argparse.Namespace) -> "RunSettings":
        """Create settings from parsed arguments; missing fields get their defaults."""
        return cls(**{item.name: getattr(args, item.name) for item in fields(cls) if hasattr(args, item.name)})

    def for_worker(self) -> "RunSettings":
        """Return a copy without the settings that only the command needs.

        Workers read their settings from a file, and URLs may contain keys.
        """
        defaults = {item.name: _default(item) for item in fields(self) if item.metadata.get("group") == ENTRIES_GROUP}
        return replace(self, base_url=None, hooks=[], processes=1, **defaults)


def _default(item: Field) -> Any:
    return item.default if item.default_factory is MISSING else item.default_factory()
