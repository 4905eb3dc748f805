"""Executes runs and parts of runs on a worker: one after another, or several that wait for endpoints."""

import os
import queue
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.cluster.run_store import create_run_store, stored
from helm.benchmark.cluster.worker_setup import WorkerSetup, enter
from helm.benchmark.executing.request_journal import RequestJournal, Results, result_text
from helm.benchmark.price_registry import get_price
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.runner import Runner, create_runner
from helm.benchmark.running.run_writer import RunWriter
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.budgets.spending import BudgetExceeded, Ledger, use_ledger
from helm.common.budgets.spending_file import SpendingFile
from helm.common.codec import dump_json
from helm.common.commands.output_path import benchmark_output_path, staging_path
from helm.common.concurrency import stoppable_by
from helm.common.data.data_lock import DataLock
from helm.common.data.data_session import BlockedFetch, SourceLog, UsedDataSet, UsedFile, current_session, data_session
from helm.common.errors import HelmError
from helm.common.key_value_store import SqliteKeyValueStore
from helm.common.request import Request
from helm.common.telemetry.progress import RunProgress, counting
from helm.common.telemetry.progress_report import RunReport

if TYPE_CHECKING:
    from helm.benchmark.cluster.forwarded_events import EventCollector
    from helm.common.telemetry.hooks import HookWishes

_GATHER_S = 0.01
"""How long finished results that are on disk wait for others: each message costs as much as a quarter of a request."""

DONE = "done"
FAILED = "failed"
OUT_OF_BUDGET = "out of budget"
INTERRUPTED = "interrupted"


@dataclass(frozen=True)
class Paid:
    """What requests that have a price, known or not, have cost."""

    number: int = 0

    unpriced: int = 0
    """How many of them have an unknown price."""

    cost_usd: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """How a run, or a part of one, ended."""

    status: str = DONE
    """One of `done`, `failed`, `out of budget` and `interrupted`."""

    message: str = ""

    error_type: str = ""

    is_helm_error: bool = False
    """Whether the message is sufficient; otherwise a traceback is included."""

    traceback: str = ""

    instance_id: str | None = None

    blocked: list[BlockedFetch] = field(default_factory=list)
    """Downloads that were not made because they are disabled."""

    short: str | None = None
    """Text that commands print instead of the message. None prints the message."""

    paid: Paid = Paid()
    """What the requests of a part have cost."""


class RemoteError(HelmError):
    """A run failed on a worker; the message is that of the error there."""


def raise_from(outcome: Outcome, what: str) -> None:
    """Raise the error that ended a run on a worker, if any. `what` names the run in internal errors."""
    for fetch in outcome.blocked:
        current_session().block(fetch.url, fetch.path)
    if outcome.status == INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.status == OUT_OF_BUDGET:
        raise BudgetExceeded(outcome.message)
    if outcome.status == FAILED:
        text = outcome.message
        if not outcome.is_helm_error:
            text = f"{what} failed on a worker with {outcome.error_type}: {text}\n{outcome.traceback}".rstrip()
        error = RemoteError(text)
        error.instance_id, error.short = outcome.instance_id, outcome.short
        raise error


def outcome_of(error: BaseException) -> Outcome:
    """Return the outcome that an exception means for a run."""
    if isinstance(error, KeyboardInterrupt):
        return Outcome(INTERRUPTED)
    if isinstance(error, BudgetExceeded):
        return Outcome(OUT_OF_BUDGET, str(error))
    is_helm_error = isinstance(error, HelmError)
    return Outcome(
        FAILED,
        " ".join([str(error), *getattr(error, "__notes__", [])]),
        type(error).__qualname__,
        is_helm_error,
        "" if is_helm_error else "".join(traceback.format_exception(error)),
        getattr(error, "instance_id", None),
        short=getattr(error, "short", None),
    )


@dataclass(frozen=True)
class RecipeSources:
    """What was read while a run spec was created; a `SourceLog` as JSON."""

    files: list[UsedFile] = field(default_factory=list)

    data_sets: list[UsedDataSet] = field(default_factory=list)

    companions: list[str] = field(default_factory=list)

    @staticmethod
    def of(run_name: str) -> "RecipeSources":
        log = current_session().of_recipes.get(run_name, SourceLog())
        return RecipeSources(list(log.files.values()), list(log.data_sets.values()), sorted(log.companions))

    def to_log(self) -> SourceLog:
        return SourceLog(
            {(used.url, used.path): used for used in self.files},
            {(used.name, used.configuration, used.split): used for used in self.data_sets},
            set(self.companions),
        )


@dataclass(frozen=True)
class AskedRequest:
    """What the executor of language models needs of a request state."""

    request: Request

    instance_id: str | None

    text: str
    """The input of the instance, which errors quote."""


@dataclass(frozen=True)
class Shard:
    """Part of a run's requests."""

    run_spec: RunSpec

    numbers: list[int]
    """The positions of the requests in the whole run. In the shard, a request has the position of its entry in this list."""

    requests: list[AskedRequest]
    """The requests, if the run is one of language models."""

    request_states: list[RequestState]
    """The requests of any other run, with all that is known of them."""

    in_doubt: list[int]
    """Positions of requests that a lost worker may have sent before."""

    started_at: int
    """Unix time, in whole seconds, at which the run began."""

    name: str
    """What the places of the run's requests begin with, see `RequestJournal.place_of`."""

    part: str | None = None
    """Path of the file that takes what is finished. None leaves the recording to the command."""

    header: str = ""
    """First line of that file."""

    def states(self) -> list[RequestState]:
        """Return the requests as the executor takes them."""
        if not self.requests:
            return self.request_states
        return [
            new_request_state(Instance(Input(text=asked.text), [], id=asked.instance_id), asked.request)
            for asked in self.requests
        ]


class ShardJournal(RequestJournal):
    """Passes every finished result on, and writes it to the shard's own file if it has one.

    Args:
        shard: the shard.
        send: takes the results as lines `[position,result]`.
    """

    def __init__(self, shard: Shard, send: Callable[[str], None]):
        super().__init__("", "")
        self._shard = shard
        self._sent = set(shard.in_doubt)
        self.started_at = shard.started_at
        self._send = send
        if shard.part is not None:
            self.path, self._header = shard.part, shard.header.encode()

    def open(
        self,
        request_states: Sequence[RequestState],
        texts: list[bytes] | None = None,
        keep: Callable[[Any], Any] | None = None,
        results: Results | None = None,
    ) -> None:
        """Create the shard's file, if it has one. Raises: HelmError."""
        if self._shard.part is not None:
            self._begin(0)
            self._append(self._shard.header)

    def place_of(self, index: int) -> str:
        return f"{self._shard.name}:{self._shard.numbers[index]}"

    def record_all_sent(self, indices: Sequence[int]) -> None:
        if self._log is not None:
            super().record_all_sent([self._shard.numbers[index] for index in indices])

    def record_results(self, results: Sequence[tuple[int, Any]]) -> None:
        texts = [(index, result_text(result)) for index, result in results]
        if self._log is not None:
            self._append("\n".join([f"[{self._shard.numbers[index]},{text}]" for index, text in texts]))
        for index, text in texts:
            self._send(f"[{index},{text}]")


def _create_collector(wishes: "HookWishes") -> "EventCollector":
    from helm.benchmark.cluster.forwarded_events import EventCollector

    return EventCollector(wishes)


class RunWorker:
    """Executes runs in this process, which `worker_setup.enter` has prepared. Thread-safe.

    Args:
        setup: the worker's setup.
        name: name of the worker, for people.
    """

    def __init__(self, setup: WorkerSetup, name: str = ""):
        self._setup, self._name = setup, name
        self._progress: dict[str, RunProgress] = {}
        self._events = _create_collector(setup.hooks) if setup.hooks is not None else None
        self._stop = threading.Event()
        self._exit = ExitStack()
        lock = DataLock(setup.data_lock) if setup.data_lock else None
        settings = setup.settings
        local_path = settings.local_path or "prod_env"
        self._session = self._exit.enter_context(data_session(lock, local_path))
        self._store = create_run_store(settings.output_path, settings.suite)
        self._output_path = staging_path(settings.output_path, local_path)
        skips = settings.skip_completed_runs and self._store is None  # the command has checked the store
        self._runner: Runner = create_runner(
            Runner, replace(settings, output_path=self._output_path, skip_completed_runs=skips)
        )

    def stop(self) -> None:
        """Finish what is in flight, and start nothing more."""
        self._stop.set()

    def close(self) -> None:
        SqliteKeyValueStore.commit_all()
        self._exit.close()

    def take_reports(self) -> list[RunReport]:
        """Return the progress of current runs, and of those that ended since the last call."""
        reports = [progress.report() for progress in list(self._progress.values())]
        for report in reports:
            if report.ended_at is not None:
                self._progress.pop(report.name, None)
        return reports

    def take_events(self) -> list[list[str]]:
        """Return the events for hooks since the last call, if the command has hooks."""
        return self._events.take() if self._events is not None else []

    def _observe(self, progress: RunProgress, run_spec: RunSpec, is_whole: bool) -> None:
        """Have the command's hooks, if there are any, be told of a run, or of a part of its requests."""
        if self._events is not None:
            from helm.benchmark.cluster.forwarded_events import ShardObserver
            from helm.common.telemetry.hook_events import RunObserver

            observer_class = RunObserver if is_whole else ShardObserver
            suite = self._setup.settings.suite
            progress.observer = observer_class(self._events, suite, self._runner.runs_path, run_spec)

    def run(self, run_spec: RunSpec, sources: RecipeSources = RecipeSources()) -> Outcome:
        """Execute a run and write its files. `sources` is what its recipe has read."""
        progress = RunProgress(run_spec.name)
        progress.worker = self._name or None
        self._observe(progress, run_spec, is_whole=True)
        self._progress[run_spec.name] = progress
        self._session.of_recipes[run_spec.name] = sources.to_log()
        num_blocked = len(self._session.blocked)
        outcome = Outcome()
        with benchmark_output_path(self._output_path), stoppable_by(self._stop):
            try:
                with counting(progress), self._stored(run_spec):
                    self._runner.run_one(run_spec)
            except (Exception, KeyboardInterrupt) as e:
                outcome = outcome_of(e)
        if progress.observer is not None:
            progress.observer.end(progress)
        return replace(outcome, blocked=self._session.blocked[num_blocked:])

    def _stored(self, run_spec: RunSpec) -> AbstractContextManager[None]:
        if self._store is None:
            return nullcontext()
        return stored(self._store, run_spec.name, os.path.join(self._runner.runs_path, run_spec.name))

    def execute(self, shard: Shard) -> Iterator[str]:
        """Answer the requests of a shard: yields lines `[position,result]`, several at a time, and finally an Outcome."""
        lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        outcomes: list[Outcome] = []

        def work() -> None:
            progress = RunProgress(shard.run_spec.name)
            progress.stage = "execution"
            self._observe(progress, shard.run_spec, is_whole=False)
            with benchmark_output_path(self._output_path), stoppable_by(self._stop), counting(progress):
                try:
                    with self._runner._create_executor(shard.run_spec) as executor:
                        state = ScenarioState(shard.run_spec.adapter_spec, shard.states())
                        executor.execute(state, ShardJournal(shard, lines.put))
                    SqliteKeyValueStore.commit_all()
                    outcomes.append(Outcome(paid=Paid(*progress.paid)))
                except (Exception, KeyboardInterrupt) as e:
                    outcomes.append(replace(outcome_of(e), paid=Paid(*progress.paid)))
                finally:
                    lines.put(None)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        is_over = False
        while not is_over:
            batch = [lines.get()]
            if shard.part is not None and batch[0] is not None:
                time.sleep(_GATHER_S)
            while not lines.empty():
                batch.append(lines.get())
            is_over = batch[-1] is None
            finished = [line for line in batch if line is not None]
            if finished:
                yield "[" + ",".join(finished) + "]"
        thread.join()
        yield dump_json(outcomes[0])


def start_worker(setup: WorkerSetup) -> RunWorker:
    """Make this process the command's worker, which records what it spends in the command's file, if there is one.

    Raises: ConfigError, as `worker_setup.enter`.
    """
    enter(setup)
    if setup.spending_file is not None:
        use_ledger(Ledger(setup.budget, get_price, earlier=SpendingFile(setup.spending_file)))
    return RunWorker(setup)


def write_lost_run(run_path: str, run_spec: RunSpec, error: Exception, command: str | None) -> None:
    """Write the error of a run whose worker was lost, or never started, and so could not write it."""
    os.makedirs(run_path, exist_ok=True)
    RunWriter(run_path).write_error(run_spec, "execution", error, None, command)
