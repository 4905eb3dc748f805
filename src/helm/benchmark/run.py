"""`helm-run`: run entries -> run specs -> Runner.

Only `argparse` is imported up front, so that `--help` is instant; everything else is imported where it is needed.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from helm.benchmark.assembly.other_words import model_name
from helm.benchmark.assembly.run_arguments import (  # noqa: F401 (public here)
    add_run_args,
    build_parser,
    parse_args,
    read_duration_s,
    validate_args,
)
from helm.benchmark.assembly.run_entries import (
    check_models_to_run,
    drop_repeated_run_specs,
    run_entries_to_run_specs,
)
from helm.benchmark.run_settings import RunSettings
from helm.common.commands.command import command_main
from helm.common.commands.plugins import import_user_plugins, load_entry_point_plugins  # noqa: F401 (both are public here)

if TYPE_CHECKING:
    from helm.benchmark.presentation.run_entry import RunEntry
    from helm.benchmark.run_spec import RunSpec
    from helm.common.authentication import Authentication
    from helm.common.budgets.spending import Ledger

_OUT_OF_BUDGET = 3
"""Exit status when a budget is exhausted; the same command resumes from there."""

_RUNNERS_OF_ENGINES = {
    "ray": "helm.benchmark.running.ray_runner.RayRunner",
    "slurm": "helm.benchmark.slurm_runner.SlurmRunner",
}
_RUNNER_OF_PROCESSES = "helm.benchmark.running.process_runner.ProcessRunner"


def run_benchmarking(
    run_specs: list[RunSpec],
    auth: Authentication,
    url: str | None,
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
    runner_class_name: str | None,
    mongo_uri: str | None = None,
    disable_cache: bool | None = None,
    max_in_flight: int | None = None,
    on_failure: str = "helm",
    probes: bool = True,
    cache_uri: str | None = None,
    progress: str = "auto",
    batch_api: bool | None = None,
    began_at: float | None = None,
    command: str | None = None,
) -> list[RunSpec]:
    """Call `execute_run_specs` with settings under HELM's names; returns the run specs.

    `num_threads` limits the requests to one endpoint, too, unless `max_in_flight` does.
    """
    settings = RunSettings(
        api_key=auth.api_key,
        server_url=url,
        local_path=local_path,
        num_threads=num_threads,
        output_path=output_path,
        suite=suite,
        dry_run=dry_run,
        skip_instances=skip_instances,
        cache_instances=cache_instances,
        cache_instances_only=cache_instances_only,
        skip_completed_runs=skip_completed_runs,
        exit_on_error=exit_on_error,
        runner_class_name=runner_class_name,
        mongo_uri=mongo_uri or "",
        disable_cache=bool(disable_cache),
        max_in_flight=max_in_flight or num_threads,
        on_failure=on_failure,
        no_probe=not probes,
        cache_uri=cache_uri,
        progress=progress,
        batch_api=batch_api,
        began_at=began_at,
        command=command,
    )
    execute_run_specs(run_specs, settings)
    return run_specs


def make_runner(run_specs: list[RunSpec], settings: RunSettings) -> Any:
    """Create the Runner that will execute the run specs.

    Raises: ConfigError for a runner class that cannot be imported, and for MongoDB.
    """
    from helm.benchmark.runner import create_runner
    from helm.clients.pacing.limiter import set_max_in_flight
    from helm.common.hierarchical_logger import hlog, htrack_block

    if settings.mongo_uri:
        from helm.common.mongo_key_value_store import refuse_mongo

        refuse_mongo()
    if not settings.disable_cache:
        os.makedirs(settings.cache_path or os.path.join(settings.local_path, "cache"), exist_ok=True)
    set_max_in_flight(settings.max_in_flight)
    with htrack_block("run_specs"):
        for run_spec in run_specs:
            hlog(run_spec.name)
    class_name = _RUNNERS_OF_ENGINES.get(settings.engine, settings.runner_class_name)
    if settings.processes > 1:
        class_name = _RUNNER_OF_PROCESSES
    return create_runner(_get_runner_class(class_name), settings)


def execute_run_specs(run_specs: list[RunSpec], settings: RunSettings) -> None:
    """Create a Runner, execute the run specs, and show the results.

    Raises: what `make_runner` and `Runner.run_all` raise.
    """
    from helm.common.key_value_store import SqliteKeyValueStore

    runner = make_runner(run_specs, settings)
    try:
        with SqliteKeyValueStore.closed_at_end():
            runner.run_all(run_specs)
    finally:
        if settings.dry_run and getattr(runner, "estimates", None):  # includes runs that would fail
            _show_estimates(runner.estimates, os.path.join(settings.output_path, "runs", settings.suite))
        elif not (settings.dry_run or settings.skip_instances or settings.cache_instances_only):
            _show_results(runner)


def _show_results(runner: Any) -> None:
    """Print a table of the finished runs on standard output."""
    import shutil

    from helm.benchmark.presentation.tables.run_table import run_table, warnings_text

    if not hasattr(runner, "outcomes"):  # a custom Runner class that does everything itself
        return
    width = shutil.get_terminal_size((120, 24)).columns if sys.stdout.isatty() else None
    outcomes = runner.outcomes()
    text = run_table(runner.runs, outcomes, width)
    if text:
        print(text)
    warnings = warnings_text(runner.runs, outcomes)
    if warnings:
        print(warnings)


def _show_estimates(estimates: Any, folder: str) -> None:
    """Print a table on the terminal, and write the same as JSON to the suite's folder."""
    import json

    from helm.benchmark.running.estimate import FILE_NAME, describe_episodes, summarize, table
    from helm.common.files import write_text_atomically
    from helm.common.hierarchical_logger import hwarn

    summary = summarize(estimates)
    path = os.path.join(folder, FILE_NAME)
    write_text_atomically(path, json.dumps(summary, indent=2))
    print(table(estimates))
    print("".join(f"{line}\n" for line in describe_episodes(estimates)), end="")
    hours, rest = divmod(int(summary["total"]["rough_seconds"]), 3600)
    print(f"Roughly {hours} h {rest // 60} min {rest % 60} s. The same as JSON: {path}")
    for problem in summary["total"]["problems"]:
        hwarn(problem)
    for url in summary["total"]["missing_data"]:
        hwarn(f"Missing data: {url}")


run_benchmark = run_benchmarking
"""The name used in HELM's user documentation."""


def _get_runner_class(class_name: str | None) -> Any:
    from helm.common.errors import ConfigError
    from helm.common.object_spec import get_class_by_name

    if class_name is None:
        from helm.benchmark.runner import Runner

        return Runner
    try:
        return get_class_by_name(class_name)
    except (ImportError, AttributeError, ValueError) as e:
        raise ConfigError(f"Cannot import the runner class '{class_name}' of --runner-class-name: {e}") from e


def _register_catalogue(settings: RunSettings) -> None:
    from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue

    register_catalogue(
        CatalogueSetup(
            settings.local_path,
            list(settings.plugins or []),
            list(settings.enable_huggingface_models),
            list(settings.enable_local_huggingface_models),
            list(settings.price),
        )
    )


def _read_entries(settings: RunSettings) -> tuple[list[RunEntry], list[RunEntry]]:
    """Return the entries of conf files, and those of the command line."""
    from helm.benchmark.presentation.run_entry import RunEntry, read_run_entries

    entries = read_run_entries(settings.conf_paths).entries if settings.conf_paths else []
    return entries, [RunEntry(text, priority=1, groups=None) for text in [*settings.run_entries, *settings.run_specs]]


def create_output_folder(path: str) -> None:
    from helm.common.errors import ConfigError

    try:
        os.makedirs(path, exist_ok=True)
    except OSError as e:
        raise ConfigError(f"Cannot make the output folder {path}: {e.strerror}.") from e


def read_api_key(settings: RunSettings) -> str:
    from helm.common.errors import ConfigError

    if not settings.server_url or settings.skip_instances:
        return ""
    try:
        with open(settings.api_key_path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError as e:
        raise ConfigError(f"Cannot read the key of the proxy server, {settings.api_key_path}: {e.strerror}.") from e


def helm_run(args: argparse.Namespace, change: Callable[[list[RunSpec]], list[RunSpec]] | None = None) -> None:
    """Run the command with parsed arguments. Raises: HelmError for user errors; KeyboardInterrupt after Ctrl-C.

    `change` returns the run specs that are executed instead of those of the entries.
    """
    from helm.common.hierarchical_logger import setup_default_logging

    settings = replace(RunSettings.of(args), began_at=time.time())
    setup_default_logging(settings.log_config, is_quiet=not settings.verbose, stream_name="stderr")
    validate_args(settings)
    if settings.base_url:
        os.environ["OPENAI_BASE_URL"] = settings.base_url
    _register_catalogue(settings)
    of_files, typed = _read_entries(settings)

    from helm.benchmark.runner import set_benchmark_output_path
    from helm.common.commands.output_path import staging_path

    folder = staging_path(settings.output_path, settings.local_path)
    create_output_folder(folder)
    set_benchmark_output_path(folder)
    with data_of(settings):
        _run_entries(of_files, typed, settings, change)


@contextmanager
def data_of(settings: RunSettings) -> Iterator[None]:
    """Open the data lock file; when the command fails, add a list of the blocked downloads to the error."""
    from helm.common.commands.output_path import staging_path
    from helm.common.data.data_lock import DataLock, check_digests
    from helm.common.data.data_session import data_session, default_lock_path, forbid_fetching

    lock = DataLock(settings.data_lock or default_lock_path(staging_path(settings.output_path, settings.local_path)))
    check_digests(settings.trust_task_code)
    with (
        forbid_fetching(settings.offline),
        data_session(lock, settings.local_path, settings.trust_task_code) as session,
    ):
        try:
            yield
        except Exception as e:
            if session.blocked:
                e.add_note("\n" + session.describe_blocked())
            raise


def complete_run_specs(run_specs: list[RunSpec], settings: RunSettings) -> list[RunSpec]:
    """Put the user's judges into run specs, and drop those that are there twice. Raises: ConfigError."""
    if os.path.exists(os.path.join(settings.local_path, "judges.yaml")):
        from helm.benchmark.running.judge_settings import apply_judges, read_judges

        run_specs = apply_judges(run_specs, read_judges(settings.local_path) or {})
    return drop_repeated_run_specs(run_specs)


def _run_entries(
    of_files: list[RunEntry],
    typed: list[RunEntry],
    settings: RunSettings,
    change: Callable[[list[RunSpec]], list[RunSpec]] | None = None,
) -> None:
    from helm.common.budgets.spending import describe_spent
    from helm.common.hierarchical_logger import hlog, hwarn

    if settings.models_to_run:
        settings = replace(settings, models_to_run=[model_name(name) for name in settings.models_to_run])
    run_entries = of_files + typed
    left_out = None
    if of_files:
        from helm.benchmark.assembly.left_out_entries import LeftOutEntries

        left_out = LeftOutEntries(of_files, settings.exit_on_error)
    check_models_to_run(run_entries, settings.models_to_run)
    run_specs = run_entries_to_run_specs(
        run_entries,
        max_eval_instances=settings.max_eval_instances,
        num_train_trials=settings.num_train_trials,
        models_to_run=settings.models_to_run,
        groups_to_run=settings.groups_to_run,
        priority=settings.priority,
        as_command=True,
        grader=settings.grader,
        user=settings.user,
        judges=settings.judges,
        left_out=left_out,
    )
    if left_out is not None:
        left_out.warn(len(run_specs))
    hlog(f"{len(run_entries)} entries produced {len(run_specs)} run specs")
    if not run_specs:
        hwarn("There were no RunSpecs or they got filtered out.")
        return
    run_specs = complete_run_specs(run_specs if change is None else change(run_specs), settings)
    with ledger_of(settings, run_specs) as ledger:
        execute_run_specs(run_specs, replace(settings, api_key=read_api_key(settings)))
    spent = ledger.spent()
    if spent.tokens or spent.outcomes or spent.cached:
        print(f"Language models: {describe_spent(spent)}")
    if settings.run_specs:
        hwarn("The --run-specs flag is deprecated; use --run-entries.")
    hlog("Done.")
    if not (settings.skip_instances or settings.cache_instances_only):
        output = "" if settings.output_path == "benchmark_output" else f" --output-path {settings.output_path}"
        print(f"The results are in {os.path.join(settings.output_path, 'runs', settings.suite)}.")
        if "://" not in settings.output_path:
            print(f"Next: helm-summarize --suite {settings.suite}{output}")
    if left_out is not None:
        left_out.fail(len(run_entries))


def _show_run_specs(settings: RunSettings) -> None:
    from helm.benchmark.assembly.run_listing_text import describe_run_spec, list_run_specs
    from helm.benchmark.runner import set_benchmark_output_path

    set_benchmark_output_path(settings.output_path)
    _register_catalogue(settings)
    if settings.list is not None:
        print(list_run_specs(settings.list, settings.modality))
    else:
        print(describe_run_spec(settings.describe or ""))


@contextmanager
def ledger_of(settings: RunSettings, run_specs: Sequence[RunSpec]) -> Iterator[Ledger]:
    """Track what the command spends.

    A budget is shared by all processes that do the same work, until that is done, so what they spend is recorded in a
    file.

    Raises: see `_check_prices`.
    """
    from helm.benchmark.price_registry import get_price
    from helm.common.budgets.spending import Budget, BudgetExceeded, Ledger, start_ledger, use_ledger
    from helm.common.budgets.spending_file import SpendingFile

    seconds = None if settings.max_time is None else read_duration_s(settings.max_time)
    if settings.max_cost is not None or settings.price:
        _check_prices(settings, run_specs)
    budget = Budget(settings.max_cost, settings.max_tokens_total, seconds)
    path = _spending_path(settings, run_specs)
    is_limited = settings.max_cost is not None or settings.max_tokens_total is not None
    earlier = None
    if not settings.dry_run and (is_limited or os.path.exists(path)):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        earlier = SpendingFile(path)
    is_done = False
    ledger = start_ledger(budget, get_price, earlier)
    try:
        yield ledger
        is_done = True
    except BudgetExceeded as e:
        raise ledger.reason(e) from e
    finally:
        if earlier is not None:
            use_ledger(Ledger(get_price=get_price))  # spending after the command is not recorded in the file
            earlier.close(remove=is_done)


def _spending_path(settings: RunSettings, run_specs: Sequence[RunSpec]) -> str:
    """Return a path shared by all processes that execute the same runs."""
    import hashlib
    import json

    from helm.common.codec import dump_json

    texts = sorted(dump_json(run_spec) for run_spec in run_specs)
    name = f"spending-{hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:12]}.jsonl"
    return os.path.join(settings.output_path, "runs", settings.suite, name)


def _check_prices(settings: RunSettings, run_specs: Sequence[RunSpec]) -> None:
    """Check prices. Raises: ConfigError if a cost limit is set and the price of a model that is reached over HTTP is unknown."""
    from helm.benchmark.model_deployment_registry import find_model_deployment, waits_for_endpoint
    from helm.benchmark.price_registry import get_price, given_price_names
    from helm.benchmark.running.judge_settings import judge_deployments
    from helm.common.budgets.spending import price_advice
    from helm.common.errors import ConfigError, suggest
    from helm.common.hierarchical_logger import hwarn

    asked = {run_spec.adapter_spec.model_deployment for run_spec in run_specs}.union(*map(judge_deployments, run_specs))
    found = [deployment for deployment in map(find_model_deployment, asked) if deployment is not None]
    known = asked.union(deployment.model_name for deployment in found if deployment.model_name)
    for name in given_price_names():
        if name not in known:
            hwarn(f"--price: no run asks for '{name}'.{suggest(name, sorted(known))}")
    if settings.max_cost is None:
        return
    for name in sorted(asked):
        if get_price(name) is None and waits_for_endpoint(name):
            raise ConfigError(f"--max-cost: no price is known for '{name}'. {price_advice(name)}")


def run_command(args: argparse.Namespace, body: Callable[[argparse.Namespace], None]) -> int | None:
    """Call `body` unless the arguments only ask for a list; returns the exit status of the command."""
    if args.print_schema:
        from helm.benchmark.assembly.config_schema import schema_text

        print(schema_text(), end="")
        return None
    if args.list is not None or args.describe is not None:
        _show_run_specs(RunSettings.of(args))
        return None
    from helm.common.budgets.spending import BudgetExceeded

    try:
        body(args)
    except BudgetExceeded as e:
        sys.stdout.flush()
        sys.stderr.write(
            f"helm-run: stopped: {e} Finished work is kept; the same command with a larger budget continues from there.\n"
        )
        return _OUT_OF_BUDGET
    return None


@command_main(
    build_parser,
    interrupted="Finished work is kept; the same command continues from there (with --skip-completed-runs it leaves "
    "finished runs alone).",
)
def main(args: argparse.Namespace) -> int | None:
    """Run the command. Exit status: 0 success; 1 failure; 2 bad arguments; 3 budget exhausted; 130 interrupted."""
    return run_command(args, helm_run)


if __name__ == "__main__":
    main()
