"""Delivers what a command does to its hooks.

Threads that work put events into a queue, and one thread takes them out and calls the hooks. Nothing here is loaded, made or
called by a command without hooks.
"""

import itertools
import json
import math
import os
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Protocol

from helm.common.codec import dump_json
from helm.common.hierarchical_logger import hwarn
from helm.common.request import Request, RequestResult
from helm.common.sending import Deferred
from helm.common.telemetry.hooks import (
    ANSWERED,
    DEFERRED,
    FAILED,
    SENT,
    CommandEvent,
    Hooks,
    HookWishes,
    InstanceEvent,
    RequestEvent,
    RunEvent,
)
from helm.common.telemetry.progress import DONE, STOPPED, RunProgress, current_run, first_line
from helm.common.telemetry.progress import FAILED as RUN_FAILED

_MOST_WAITING = 20_000
"""The largest number of events that may wait for hooks. A thread that adds one more waits up to `_LONGEST_WAIT_S`."""
_LONGEST_WAIT_S = 20.0
"""How long the command waits for hooks: at its end, or when they do not keep up. Afterwards they are off."""
_LONGEST_TEXT = 500

_PASSWORD = re.compile(r"(://[^:/@\s]*):[^@/\s]+@")
_KEY_IN_ADDRESS = re.compile(r"(?i)([?&](?:api[-_]?key|key|token|password)=)[^&\s'\"]+")
_SECRET = re.compile(r"(?i)(api[-_]?key|token|password|secret|authorization)$")


class EventSink(Protocol):
    """What takes the events of runs: the dispatcher, or what sends them to the process where that is."""

    shows_texts: bool
    wants_requests: bool
    wants_instances: bool

    def next_number(self) -> int:
        """Return a number for a request."""

    def send(self, method: str, event: Any) -> None:
        """Take an event for a method of the hooks."""


class HookDispatcher:
    """Calls the hooks, in a thread of its own.

    Args:
        hooks: the hooks, in the order in which they are called.
        shows_texts: whether they are told prompts and answers.
    """

    def __init__(self, hooks: Sequence[Hooks], shows_texts: bool = False):
        self._hooks = list(hooks)
        self.shows_texts = shows_texts
        for hook in self._hooks:
            hook.shows_texts = shows_texts
        self.wants_requests = self._has("on_request")
        self.wants_instances = self._has("on_instance")
        self._numbers = itertools.count(1)
        self._queue: queue.Queue[tuple[str, Any] | None] = queue.Queue(_MOST_WAITING)
        self._is_off = False
        self._thread = threading.Thread(target=self._work, name="helm-hooks", daemon=True)
        self._thread.start()

    def _has(self, method: str) -> bool:
        return any(getattr(type(hook), method) is not getattr(Hooks, method) for hook in self._hooks)

    def next_number(self) -> int:
        return next(self._numbers)

    def send(self, method: str, event: Any) -> None:
        """Have all hooks called with an event. It never raises an exception, and waits only for hooks that do not keep up."""
        if self._is_off:
            return
        try:
            self._queue.put((method, event), timeout=_LONGEST_WAIT_S)
        except queue.Full:
            self._turn_off("do not keep up with the events")

    def close(self) -> None:
        """Wait until the hooks have seen all events, but not forever."""
        if not self._is_off:
            try:
                self._queue.put(None, timeout=_LONGEST_WAIT_S)
            except queue.Full:
                pass
            self._thread.join(_LONGEST_WAIT_S)
            if self._thread.is_alive():
                self._turn_off(f"have not ended after {_LONGEST_WAIT_S:.0f} s")

    def _turn_off(self, reason: str) -> None:
        self._is_off = True
        hwarn(f"The hooks {reason}, so they get no further events. The runs are not affected.")

    def _work(self) -> None:
        while not self._is_off and (item := self._queue.get()) is not None:
            method, event = item
            for hook in list(self._hooks):
                try:
                    getattr(hook, method)(event)
                except BaseException as e:
                    self._hooks.remove(hook)
                    hwarn(
                        f"The hook {type(hook).__name__} failed in {method} and is off from now on; the runs are not affected. "
                        f"{type(e).__name__}: {first_line(e)}"
                    )


class RunObserver:
    """Makes the events of one run. `RunProgress.observer` is where the code that works finds it."""

    def __init__(self, dispatcher: EventSink, suite: str, folder: str, run_spec: Any):
        self._dispatcher = dispatcher
        self._progress: RunProgress | None = None
        adapter_spec = run_spec.adapter_spec
        self._event = RunEvent(
            at=0.0,
            run=run_spec.name,
            suite=suite,
            folder=os.path.join(folder, run_spec.name),
            model=adapter_spec.model,
            model_deployment=without_secrets(adapter_spec.model_deployment or adapter_spec.model),
            params=MappingProxyType({}),
        )
        self._run_spec = run_spec
        self._started_at: float | None = None
        self._results: dict[str, Any] = {}

    @property
    def wants_requests(self) -> bool:
        return self._dispatcher.wants_requests

    def start(self, at: float | None = None) -> None:
        """The run begins to work, now if no other time (seconds since 1970) is given."""
        if self._started_at is not None:
            return
        self._started_at = at or time.time()
        self._event = replace(self._event, at=self._started_at, params=params_of(self._run_spec))
        self._dispatcher.send("on_run_start", self._event)

    def score(self, per_instance_stats: Sequence[Any]) -> None:
        """The instances are scored."""
        if not self._dispatcher.wants_instances:
            return
        instances: dict[tuple[str, int, str | None], dict[str, float]] = {}
        for scored in per_instance_stats:  # metrics list an instance each for itself
            perturbation = scored.perturbation.name if scored.perturbation is not None else None
            scores = instances.setdefault((str(scored.instance_id), scored.train_trial_index, perturbation), {})
            scores.update({stat.name.name: stat.mean for stat in scored.stats if stat.mean is not None})
        at = time.time()
        for (instance_id, trial, perturbation), scores in instances.items():
            event = InstanceEvent(at, self._event.run, instance_id, trial, perturbation, MappingProxyType(scores))
            self._dispatcher.send("on_instance", event)

    def finish(self, stats: Sequence[Any], outcome: Any, files: Sequence[str]) -> None:
        """The run's files are written. `files` are their paths."""
        score = outcome.scores[0] if outcome.scores else None
        self._results = {
            "metrics": MappingProxyType(metrics_of(stats)),
            "score": score.value if score else None,
            "score_name": score.metric if score else None,
            "files": tuple(files),
        }

    def take_results(self, event: RunEvent) -> None:
        """The run is done elsewhere, as its event there says."""
        self._results = {
            "metrics": MappingProxyType(event.metrics or {}),
            "score": event.score,
            "score_name": event.score_name,
            "files": tuple(event.files),
        }

    def pass_on(self, method: str, event: Any) -> None:
        """Tell hooks of an event of this run that was made elsewhere."""
        self._dispatcher.send(method, event)

    def next_number(self) -> int:
        """Return a number for a request that is unique within the command."""
        return self._dispatcher.next_number()

    def end(self, progress: RunProgress) -> None:
        """The run is over, as its progress says."""
        state = progress.state
        if state not in (DONE, RUN_FAILED, STOPPED):
            return
        self.start()  # on a cluster it has worked elsewhere
        report = progress.report()
        counts = {"done": report.done, "cached": report.cached, "resumed": report.resumed}
        counts.update({name: count for name, count in report.outcomes.items() if name != "ok"})
        event = replace(
            self._event,
            at=time.time(),
            state=state,
            seconds=progress.seconds,
            requests=MappingProxyType(counts),
            cost_usd=progress.cost_usd if progress.has_paid else None,
            stage=None if state == DONE else report.stage,
            error_type=report.error_type,
            message=None if report.message is None else without_secrets(report.message),
            **(self._results if state == DONE else {}),
        )
        self._dispatcher.send("on_run_end" if state == DONE else "on_run_failure", event)

    def watch(self, request: Request, make: Callable[[Request], tuple[RequestResult, float | None]]) -> RequestResult:
        """Make a request, and tell of it. `make` returns its result and its cost in US dollars."""
        event = self._describe(request, current_run().stage)
        self._dispatcher.send("on_request", event)
        started = time.perf_counter()
        try:
            result, cost = make(request)
        except BaseException as e:
            state = DEFERRED if isinstance(e, Deferred) else FAILED
            outcome = None if state == DEFERRED else type(e).__name__
            seconds = time.perf_counter() - started
            ended = replace(event, at=time.time(), state=state, seconds=seconds, outcome=outcome)
            self._dispatcher.send("on_request", ended)
            raise
        self._dispatcher.send("on_request", self._ended(event, result, cost, time.perf_counter() - started))
        return result

    def _describe(self, request: Request, stage: str | None) -> RequestEvent:
        params: dict[str, Any] = {
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "top_p": request.top_p,
            "num_completions": request.num_completions,
        }
        if request.options is not None and request.options.seed is not None:
            params["seed"] = request.options.seed
        prompt = None
        if self._dispatcher.shows_texts:
            prompt = json.dumps(request.messages, ensure_ascii=False) if request.messages else request.prompt
        kind = "embeddings" if request.embedding else "chat" if request.messages else "text_completion"
        return RequestEvent(
            at=time.time(),
            run=self._event.run,
            number=self._dispatcher.next_number(),
            state=SENT,
            stage=stage,
            kind=kind,
            provider=request.model_deployment.partition("/")[0],
            model=request.model,
            model_deployment=without_secrets(request.model_deployment),
            params=MappingProxyType(params),
            prompt=prompt,
        )

    def _ended(self, event: RequestEvent, result: RequestResult, cost: float | None, seconds: float) -> RequestEvent:
        usage = None if result.cached else result.usage
        reasons = [completion.finish_reason for completion in result.completions if completion.finish_reason]
        texts = tuple(completion.text for completion in result.completions) if self._dispatcher.shows_texts else None
        return replace(
            event,
            at=time.time(),
            state=ANSWERED if result.success else FAILED,
            seconds=seconds,
            latency_s=None if result.cached else result.request_time,
            cached=result.cached,
            prompt_tokens=None if usage is None else usage.prompt_tokens,
            completion_tokens=None if usage is None else usage.completion_tokens,
            cost_usd=None if result.cached else cost,
            outcome=None if result.success else result.outcome or "unknown",
            finish_reasons=tuple(str(reason.get("reason", "unknown")) for reason in reasons),
            completions=texts,
        )

    def count(self, result: Any, stage: str | None) -> None:
        """Tell of a finished request to an AD tool or a compiler; those to models are told of when they are made."""
        if isinstance(result, RequestResult) or not self.wants_requests:
            return
        is_success = bool(getattr(result, "success", True))
        event = RequestEvent(
            at=time.time(),
            run=self._event.run,
            number=self._dispatcher.next_number(),
            state=ANSWERED if is_success else FAILED,
            stage=stage,
            kind=type(result).__name__.removesuffix("Result").lower(),
            provider=self._event.model_deployment.partition("/")[0],
            model=self._event.model,
            model_deployment=self._event.model_deployment,
            params=MappingProxyType({}),
            latency_s=getattr(result, "request_time", None),
            outcome=None
            if is_success
            else str(getattr(result, "outcome", None) or getattr(result, "status", "unknown")),
        )
        self._dispatcher.send("on_request", event)


class CommandObserver:
    """Makes the events of a command.

    Args:
        hooks: the hooks, at least one.
        event: describes the command.
        get_spent: returns what it has spent, a `helm.common.budgets.spending.Spent`.
    """

    def __init__(
        self, hooks: Sequence[Hooks], event: CommandEvent, shows_texts: bool, get_spent: Callable[[], Any]
    ) -> None:
        self._dispatcher = HookDispatcher(hooks, shows_texts)
        self._event, self._get_spent = event, get_spent

    def __enter__(self) -> "CommandObserver":
        self._dispatcher.send("on_command_start", self._event)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, traceback: Any) -> None:
        from helm.common.budgets.spending import BudgetExceeded
        from helm.common.telemetry.progress_report import FINISHED, INTERRUPTED, OUT_OF_BUDGET

        state = FINISHED
        if error is not None:
            is_interrupt = isinstance(error, KeyboardInterrupt)
            state = OUT_OF_BUDGET if isinstance(error, BudgetExceeded) else INTERRUPTED if is_interrupt else RUN_FAILED
        spent = self._get_spent()
        event = replace(
            self._event,
            at=time.time(),
            state=state,
            message=without_secrets(first_line(error)) if error is not None else None,
            cost_usd=spent.cost,
            prompt_tokens=spent.prompt_tokens,
            completion_tokens=spent.completion_tokens,
        )
        self._dispatcher.send("on_command_end", event)
        self._dispatcher.close()

    @property
    def wishes(self) -> HookWishes:
        """What the hooks want to be told."""
        told = self._dispatcher
        return HookWishes(told.wants_requests, told.wants_instances, told.shows_texts)

    @contextmanager
    def observing(self, run_spec: Any, progress: RunProgress) -> Iterator[None]:
        """Tell of a run, which begins and ends inside the block."""
        observer = RunObserver(self._dispatcher, self._event.suite, self._event.folder, run_spec)
        progress.observer = observer
        try:
            yield
        finally:
            progress.observer = None
            observer.end(progress)


def params_of(run_spec: Any) -> Mapping[str, Any]:
    """Return a run spec as plain values under dotted names, without secrets and with long texts cut."""
    found: dict[str, Any] = {}
    _flatten("", json.loads(dump_json(run_spec)), found)
    return MappingProxyType(found)


def _flatten(name: str, value: Any, found: dict[str, Any]) -> None:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            _flatten(f"{name}.{key}" if name else key, item, found)
    elif isinstance(value, list) and any(isinstance(item, dict) for item in value):
        for number, item in enumerate(value):
            _flatten(f"{name}.{number}", item, found)
    elif value is not None and value != {} and value != []:
        if _SECRET.search(name):
            value = "***"
        elif not isinstance(value, (bool, int, float)):
            value = without_secrets(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
            value = value if len(value) <= _LONGEST_TEXT else value[: _LONGEST_TEXT - 1] + "…"
        found[name] = value


def without_secrets(text: str) -> str:
    """Return a text without the passwords and keys in its addresses."""
    return _KEY_IN_ADDRESS.sub(r"\1***", _PASSWORD.sub(r"\1:***@", text))


def metrics_of(stats: Sequence[Any]) -> dict[str, float]:
    """Return the finite means of statistics under `SPLIT/NAME`, or `SPLIT/NAME.PERTURBATION`."""
    found: dict[str, float] = {}
    for stat in stats:
        if stat.mean is None or not math.isfinite(stat.mean):
            continue
        parts = [stat.name.name]
        if stat.name.sub_split:
            parts.append(stat.name.sub_split)
        perturbation = stat.name.perturbation
        if perturbation is not None:
            computed_on = getattr(perturbation, "computed_on", "perturbed")
            parts.append(perturbation.name + ("" if computed_on == "perturbed" else f"-{computed_on}"))
        found.setdefault(f"{stat.name.split or 'all'}/{'.'.join(parts)}", stat.mean)
    return found
