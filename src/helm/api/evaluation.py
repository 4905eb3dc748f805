"""`helm.evaluate` and `helm.evaluate_async`."""

from __future__ import annotations

import contextvars
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from helm.common.errors import ConfigError, HelmError, suggest
from helm.common.live_functions import EventLoop, Live, current_live, is_importable, live_functions

if TYPE_CHECKING:
    import asyncio

    from helm.api.results import Results
    from helm.benchmark.run_settings import RunSettings
    from helm.benchmark.run_spec import RunSpec

RAISE, RETURN = ON_ERROR = ("raise", "return")
_WAIT_S = 0.2
_NEW_OBJECTS = 100_000
"""How many new objects there are before the garbage collector looks at them."""

_turn = threading.Lock()
"""Held by the call that evaluates: budgets, catalogue and data session belong to a process, so others wait."""


def evaluate(
    tasks: Any,
    model: Any = None,
    *,
    limit: int | None = None,
    suite: str = "default",
    output_path: str = "benchmark_output",
    metrics: Sequence[Callable[..., Any]] = (),
    columns: Mapping[str, str] | None = None,
    cache: bool = True,
    on_error: str = "raise",
    progress: str = "auto",
    **options: Any,
) -> Results:
    """Evaluate models on tasks, and return the results.

    It does what `helm-run` does, with the same files in `OUTPUT_PATH/runs/SUITE`, response cache, budgets and locks. What was
    answered is on disk at once: after Ctrl-C (which finishes what is in flight, and raises KeyboardInterrupt), a failure or
    an exhausted budget, the same call asks only for the rest. Calls from several threads run one after another. It works in
    notebooks, whose event loop may be running. When it returns, no thread, connection or open file of it is left.

    Args:
        tasks: What to evaluate on: a run entry (`"gsm8k"`, `"mmlu:subject=anatomy"`), a `RunSpec`, a function that returns
            rows (see `helm.scenario`), a list of dicts, or a frame of pandas or polars, with the columns `input` and
            optionally `target`, `choices`, `id` and `split`; a list of these; or a dict that names functions, lists and frames.
        model: A name (`"openai/gpt-4o-2024-11-20"`), an address (`"http://localhost:8000/v1#NAME"`), a function that gets a
            prompt and returns the answer (see `helm.model`), or a list of these. None if the tasks name their models.
        limit: The most instances of each task; None evaluates on all of them.
        suite: The folder of the results under `runs/`.
        output_path: The folder for results, and for data that is downloaded.
        metrics: Functions that score the answers, besides the metrics of the tasks (see `helm.metric`). For rows, the first
            one gives the headline score.
        columns: The columns of rows that have other names: `{"input": "question", "target": "answer"}`.
        cache: Whether to use and fill the cache of responses. Answers of functions are never cached.
        on_error: What to do when runs fail: `raise` an `EvaluationError`, after all were tried, whose `results` holds the
            others; or `return` the results, whose `failures` says which failed.
        progress: What is shown meanwhile: `auto` (a bar in a notebook and on a terminal), `panel`, `lines` or `none`.
        **options: Settings of `helm-run` by their names (`num_threads`, `max_cost`, `max_tokens_total`, `max_time`,
            `on_failure`, `local_path`, `plugins`, ...), and keys of run entries (`max_train_instances=0`, `temperature=0.7`,
            ...), which apply to all tasks. An entry that has a key itself keeps it.

    Returns:
        The results of the runs.

    Raises:
        ConfigError: An argument is wrong or unknown; nothing has been run.
        EvaluationError: Runs failed, with `on_error="raise"`.
        BudgetExceeded: A budget was exhausted; its `results` holds what there is.
        KeyboardInterrupt: After Ctrl-C, with everything finished on disk.

    Example:
        ```python
        results = helm.evaluate("gsm8k", model="http://localhost:8000/v1#qwen3", limit=50, prompt="chat")
        results.scores()
        ```
    """
    arguments = {
        "limit": limit, "suite": suite, "output_path": output_path, "metrics": metrics, "columns": columns, "cache": cache,
        "on_error": on_error, "progress": progress, **options,
    }  # fmt: skip
    # In a copy of the context, what the call sets there ends with it.
    return contextvars.copy_context().run(_evaluate, tasks, model, EventLoop(), arguments)


async def evaluate_async(tasks: Any, model: Any = None, **arguments: Any) -> Results:
    """Evaluate like `helm.evaluate`, without blocking the event loop.

    The work is done in a thread, while asynchronous functions that stand for models run in the caller's event loop. Cancelling
    the task acts like Ctrl-C: what is in flight is finished and kept, then the cancellation goes on.

    Args:
        tasks: See `helm.evaluate`.
        model: See `helm.evaluate`.
        **arguments: See `helm.evaluate`.

    Returns:
        The results of the runs.

    Raises:
        Exception: See `helm.evaluate`.
    """
    import asyncio

    from helm.common.concurrency import stoppable_by

    loop = asyncio.get_running_loop()
    stop = threading.Event()
    done: asyncio.Future[Any] = loop.create_future()

    def finish(result: Any, error: BaseException | None) -> None:
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def work() -> None:
        result: Results | None = None
        error: BaseException | None = None
        try:
            with stoppable_by(stop):
                result = _evaluate(tasks, model, EventLoop(running=loop), _with_defaults(arguments))
        except StopIteration as e:  # which no task can raise
            error = RuntimeError(f"A function raised StopIteration{f': {e}' if str(e) else ''}")
            error.__cause__ = e
        except BaseException as e:  # raised again by the task
            error = e
        loop.call_soon_threadsafe(finish, result, error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), name="helm-evaluate", daemon=True)
    thread.start()
    cancelled: asyncio.CancelledError | None = None
    while not done.done():
        try:
            await asyncio.wait([done])
        except asyncio.CancelledError as e:
            cancelled = e
            stop.set()
    thread.join()
    if cancelled is not None:
        done.exception()  # which is the interruption, or an error that no longer matters
        raise cancelled
    return done.result()


_DEFAULTS: dict[str, Any] = dict(evaluate.__kwdefaults__ or {})


def _with_defaults(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {**_DEFAULTS, **arguments}


def _evaluate(tasks: Any, model: Any, loop: EventLoop, arguments: dict[str, Any]) -> Results:
    from helm.api.options import in_words_of_python

    with in_words_of_python(), _turn_taken(), _nothing_left():
        return _evaluate_alone(tasks, model, loop, arguments)


@contextmanager
def _turn_taken() -> Iterator[None]:
    """Wait until no other thread evaluates. Raises: HelmError inside a function that an evaluation calls."""
    from helm.common.concurrency import is_stop_requested

    if current_live() is not None:
        raise HelmError(
            "helm.evaluate was called by a function that helm.evaluate itself is calling (a model, a metric or a scenario). "
            "Finish one evaluation before you begin the other."
        )
    while not _turn.acquire(timeout=_WAIT_S):
        if is_stop_requested():
            raise KeyboardInterrupt
    try:
        yield
    finally:
        _turn.release()


@contextmanager
def _nothing_left() -> Iterator[None]:
    """Undo at the end of the block what a command would leave to the end of its process."""
    from helm.benchmark.price_registry import give_prices
    from helm.clients.pacing.limiter import forget_limiters
    from helm.common.budgets.spending import get_ledger, use_ledger
    from helm.common.cache import cache_stats

    ledger, address, thresholds = get_ledger(), os.environ.get("OPENAI_BASE_URL"), gc.get_threshold()
    # Nearly all objects of a start stay; see `helm.common.commands.command`.
    gc.set_threshold(max(_NEW_OBJECTS, thresholds[0]) if thresholds[0] else 0, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        use_ledger(ledger)
        give_prices([])
        forget_limiters()
        cache_stats.reset()
        _close_connections()
        if os.environ.get("OPENAI_BASE_URL") != address:
            os.environ.pop("OPENAI_BASE_URL", None)
            if address is not None:
                os.environ["OPENAI_BASE_URL"] = address


def _close_connections() -> None:
    import sys

    module = sys.modules.get("helm.clients.http.http_connections")
    if module is not None:
        module.close_idle_connections()


def _evaluate_alone(tasks: Any, model: Any, loop: EventLoop, arguments: dict[str, Any]) -> Results:
    from helm.api.options import split_options
    from helm.api.tasks import Plan, add_run_specs, read_models, read_tasks
    from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, complete_catalogue
    from helm.benchmark.run import complete_run_specs, create_output_folder, data_of, validate_args
    from helm.common.commands.output_path import benchmark_output_path, is_address

    named = {name: arguments.pop(name) for name in _DEFAULTS}
    on_error, limit, output_path = named["on_error"], named["limit"], os.fspath(named["output_path"])
    if on_error not in ON_ERROR:
        raise ConfigError(f"on_error is {' or '.join(ON_ERROR)}, not {on_error!r}.{suggest(str(on_error), ON_ERROR)}")
    if limit is not None and (not isinstance(limit, int) or isinstance(limit, bool) or limit < 1):
        raise ConfigError(f"limit is a number of instances, 1 or more, or None for all, not {limit!r}.")
    if is_address(output_path):
        raise ConfigError(f"output_path takes a folder, not the address {output_path}; use helm-run --engine ray.")
    given, keys = split_options(arguments)
    settings = _settings(given, named, output_path)
    validate_args(settings)
    plan = Plan()
    with ExitStack() as stack:
        if settings.base_url:
            os.environ["OPENAI_BASE_URL"] = settings.base_url
        read = read_tasks(tasks, named["columns"])
        complete_catalogue(
            CatalogueSetup(
                settings.local_path,
                list(settings.plugins or []),
                list(settings.enable_huggingface_models),
                list(settings.enable_local_huggingface_models),
                list(settings.price),
            )
        )
        models = read_models(model, plan)
        create_output_folder(output_path)
        concurrency = settings.num_threads if "num_threads" in given else None
        stack.enter_context(benchmark_output_path(output_path))
        stack.enter_context(live_functions(Live(plan.functions, loop, concurrency)))
        stack.enter_context(data_of(settings))
        metrics = [named["metrics"]] if callable(named["metrics"]) else list(named["metrics"])
        add_run_specs(plan, read, models, keys, metrics, limit, settings.num_train_trials, output_path)
        run_specs = complete_run_specs(plan.run_specs, settings)
        _check_engine(settings, plan.functions)
        return _run(run_specs, settings, on_error)


def _settings(given: Mapping[str, Any], named: Mapping[str, Any], output_path: str) -> RunSettings:
    from helm.benchmark.run_settings import RunSettings

    settings = RunSettings(
        **given,
        output_path=output_path,
        suite=named["suite"],
        max_eval_instances=named["limit"],
        progress=named["progress"],
        disable_cache=not named["cache"],
        began_at=time.time(),
        command="helm.evaluate",
    )
    # As on the command line, a number of threads limits the requests, too.
    return replace(settings, max_in_flight=settings.num_threads) if "num_threads" in given else settings


def _check_engine(settings: RunSettings, functions: Mapping[str, Any]) -> None:
    if settings.engine == "local":
        return
    for name in functions:
        if not is_importable(name):
            raise ConfigError(
                f"engine='{settings.engine}' executes runs in other processes, and the function '{name.partition('@')[0]}' was "
                "defined in a notebook, a script or inside another function, so only this process has it. Put it at the top "
                "level of a module that the workers can import."
            )


def _run(run_specs: list[RunSpec], settings: RunSettings, on_error: str) -> Results:
    from helm.api.results import EvaluationError, Results
    from helm.benchmark.run import ledger_of, make_runner, read_api_key
    from helm.benchmark.runner import RunnerError
    from helm.common.budgets.spending import BudgetExceeded
    from helm.common.key_value_store import SqliteKeyValueStore

    runner: Any = None
    try:
        with ledger_of(settings, run_specs):
            runner = make_runner(run_specs, replace(settings, api_key=read_api_key(settings)))
            with SqliteKeyValueStore.closed_at_end():
                runner.run_all(run_specs)
    except RunnerError:
        results = Results.of_runner(runner, run_specs, settings.output_path, settings.suite)
        if on_error == RAISE:
            raise EvaluationError(results) from next((run.error for run in runner.runs if run.error), None)
        return results
    except BudgetExceeded as e:
        e.results = Results.of_runner(runner, run_specs, settings.output_path, settings.suite)  # type: ignore[attr-defined]
        raise
    return Results.of_runner(runner, run_specs, settings.output_path, settings.suite)
