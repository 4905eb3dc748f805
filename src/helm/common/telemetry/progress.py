"""The progress of this command's runs, counted where the work is done.

The Runner announces the runs and their stages; code that processes items inside a run finds that run with `current_run()`.
Counting takes well under a microsecond, so it is always on, whether or not anyone looks at it.
"""

import contextvars
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from helm.common.budgets.budget import BudgetExceeded

if TYPE_CHECKING:
    from helm.common.telemetry.hook_events import RunObserver
    from helm.common.telemetry.progress_report import EpisodesReport, RunReport

WAITING = "waiting"
RUNNING = "running"
DONE = "done"
SKIPPED = "skipped"
FAILED = "failed"
STOPPED = "stopped"
RUN_STATES = (WAITING, RUNNING, DONE, SKIPPED, FAILED, STOPPED)

# Progress files are rewritten every few seconds, so they must stay small.
_LONGEST_MESSAGE = 300
_MOST_EPISODES = 10


class RunProgress:
    """The progress of one run; threads may count at the same time.

    Args:
        name: the name of the run.
        clock: returns seconds since 1970.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.time):
        self.name = name
        self.stage: str | None = None
        self.worker: str | None = None
        self.observer: RunObserver | None = None
        """Tells hooks of the run. None if there are no hooks."""
        self._clock = clock
        self._lock = threading.Lock()
        self._state = WAITING
        self._unit = "requests"
        self._total: int | None = None
        self._done = self._cached = self._resumed = 0
        self._outcomes: Counter = Counter()
        self._works: list[_Work] = []
        self._started_at: float | None = None
        self._ended_at: float | None = None
        self._error_type: str | None = None
        self._message: str | None = None
        self._elsewhere: RunReport | None = None
        self.error: BaseException | None = None
        """Why it failed, if it did so in this process."""
        self._cost_usd = 0.0
        self._num_paid = self._num_unpriced = 0
        self._episodes: list[EpisodeProgress] = []
        self._num_episodes = self._num_turns = 0
        self._episodes_usd: float | None = 0.0

    @property
    def state(self) -> str:
        return self._elsewhere.state if self._elsewhere else self._state

    @property
    def num_finished_now(self) -> int:
        """The number of requests that this attempt has finished."""
        told = self._elsewhere
        return told.done - told.resumed if told else self._done - self._resumed

    @property
    def seconds(self) -> float | None:
        """The duration from beginning to end in seconds, including waiting; None if it has not begun or ended."""
        told = self._elsewhere
        started, ended = (told.started_at, told.ended_at) if told else (self._started_at, self._ended_at)
        return None if started is None or ended is None else ended - started

    @property
    def cost_usd(self) -> float | None:
        """The cost of its requests in this process and in those that have a part of them; None if any price is unknown."""
        return None if self._num_unpriced else self._cost_usd

    @property
    def has_paid(self) -> bool:
        """Return whether it sent requests that have a price, known or not."""
        return bool(self._num_paid)

    @property
    def paid(self) -> tuple[int, int, float]:
        """How many of its requests so far have a price, known or not, how many an unknown one, and the cost in US dollars."""
        with self._lock:
            return self._num_paid, self._num_unpriced, self._cost_usd

    def add_paid(self, number: int, unpriced: int, cost_usd: float) -> None:
        """Count what another process has paid for requests of this run: what `paid` is there."""
        with self._lock:
            self._num_paid += number
            self._num_unpriced += unpriced
            self._cost_usd += cost_usd

    def pay(self, cost_usd: float | None) -> None:
        """Count the cost of an answered request; None if its price is unknown."""
        with self._lock:
            self._num_paid += 1
            if cost_usd is None:
                self._num_unpriced += 1
            else:
                self._cost_usd += cost_usd

    # --- by the runner ------------------------------------------------------------------------------------------------

    def end(self, error: BaseException | None = None) -> None:
        """Mark the run as done, or as failed with `error`."""
        self._end(DONE if error is None else FAILED)
        if error is not None:
            self.error = error
            self._error_type, self._message = type(error).__name__, first_line(error)

    def skip(self) -> None:
        """Mark the run as skipped, because its files exist."""
        self._end(SKIPPED)

    def put_off(self) -> None:
        """Mark the run as waiting again, until another process releases it."""
        self._state, self._started_at, self.stage = WAITING, None, None

    def stop(self) -> None:
        """Mark the run as interrupted; it continues when the command is repeated."""
        self._end(STOPPED)

    def _end(self, state: str) -> None:
        self._state, self._ended_at = state, self._clock()
        if state in (DONE, SKIPPED):
            self.stage = None

    def tell(self, report: "RunReport") -> None:
        """Take over another process's report about this run, which counts from now on."""
        self._elsewhere = report

    # --- by code that processes items ---------------------------------------------------------------------------------

    def expect(self, unit: str, total: int) -> None:
        """Announce the total number of requests; `unit` is what they are called."""
        with self._lock:
            self._unit, self._total, self._done, self._cached, self._resumed = unit, total, 0, 0, 0
            self._outcomes.clear()

    def count(self, result: Any, is_resumed: bool = False) -> None:
        """Count one finished request, of this attempt or of an earlier one."""
        outcome = _outcome(result)
        with self._lock:
            self._done += 1
            if is_resumed:
                self._resumed += 1
            else:
                self._outcomes[outcome] += 1
                if getattr(result, "cached", False):
                    self._cached += 1
        if self.observer is not None and not is_resumed:
            self.observer.count(result, self.stage)

    def count_all(self, results: Sequence[Any]) -> None:
        """Count several finished requests of this attempt."""
        outcomes = [_outcome(result) for result in results]
        with self._lock:
            self._done += len(results)
            self._outcomes.update(outcomes)
            self._cached += sum([bool(getattr(result, "cached", False)) for result in results])
        if self.observer is not None:
            for result in results:
                self.observer.count(result, self.stage)

    @contextmanager
    def working(self, description: str, total: int | None) -> Iterator[Callable[[int], Any]]:
        """Track a stage that processes items; yield a function that counts n more finished ones."""
        work = _Work(description, total)
        with self._lock:
            self._works.append(work)
        try:
            yield work.advance
        finally:
            with self._lock:
                self._works.remove(work)

    @contextmanager
    def episode(self, task: str) -> Iterator["EpisodeProgress"]:
        """Track an episode of an agent."""
        one = EpisodeProgress(task, self._clock())
        with self._lock:
            self._episodes.append(one)
        try:
            yield one
        finally:
            with self._lock:
                self._episodes.remove(one)
                self._num_episodes += 1
                self._num_turns += one.turns
                known = None not in (self._episodes_usd, one.cost_usd)
                self._episodes_usd = (self._episodes_usd or 0.0) + (one.cost_usd or 0.0) if known else None

    # --- for people ---------------------------------------------------------------------------------------------------

    def report(self) -> "RunReport":
        from helm.common.telemetry.progress_report import RunReport, WorkReport

        if self._elsewhere is not None:
            return self._elsewhere
        with self._lock:
            works = [work for work in self._works if work.description != self._unit]
            work = works[-1] if works and self._state == RUNNING else None
            return RunReport(
                name=self.name,
                state=self._state,
                stage=self.stage,
                unit=self._unit,
                total=self._total,
                done=self._done,
                cached=self._cached,
                resumed=self._resumed,
                outcomes=dict(self._outcomes),
                work=WorkReport(work.description, work.done, work.total) if work else None,
                episodes=self._report_episodes(),
                worker=self.worker,
                started_at=self._started_at,
                ended_at=self._ended_at,
                error_type=self._error_type,
                message=self._message,
            )

    def _report_episodes(self) -> "EpisodesReport | None":
        if not self._episodes and not self._num_episodes:
            return None
        from helm.common.telemetry.progress_report import EpisodeReport, EpisodesReport

        shown = [
            EpisodeReport(one.task, one.turns, one.started_at, one.cost_usd) for one in self._episodes[:_MOST_EPISODES]
        ]
        return EpisodesReport(self._num_episodes, self._num_turns, self._episodes_usd, shown)


class EpisodeProgress:
    """The progress of one episode; only its own thread counts."""

    def __init__(self, task: str, started_at: float):
        self.task, self.started_at = task, started_at
        self.turns = 0
        self.cost_usd: float | None = 0.0

    def count(self, turns: int, cost_usd: float | None) -> None:
        """Count turns, and the cost of a call of a model; None if its price is unknown."""
        self.turns += turns
        self.cost_usd = None if self.cost_usd is None or cost_usd is None else self.cost_usd + cost_usd


class _Work:
    def __init__(self, description: str, total: int | None):
        self.description, self.total, self.done = description, total, 0
        self._lock = threading.Lock()

    def advance(self, count: int = 1) -> None:
        with self._lock:
            self.done += count


def _outcome(result: Any) -> str:
    if getattr(result, "success", True):
        return "ok"
    return getattr(result, "outcome", None) or getattr(result, "status", None) or "unknown"


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message, truncated if too long."""
    line = str(error).strip().partition("\n")[0]
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…"


class CommandProgress:
    """The progress of a command's runs.

    Args:
        run_names: the names of the runs, in the order in which they begin.
        clock: returns seconds since 1970.
    """

    def __init__(self, run_names: Sequence[str], clock: Callable[[], float] = time.time):
        self.started_at = clock()
        self.runs: list[RunProgress] = [RunProgress(name, clock) for name in run_names]
        self.is_stopping = False
        """Whether nothing new is begun."""


_current_run: contextvars.ContextVar[RunProgress | None] = contextvars.ContextVar("helm_run_progress", default=None)


def current_run() -> RunProgress:
    """Return the run that this thread works for; without one, counts are discarded."""
    return _current_run.get() or RunProgress("")


def request_observer() -> "RunObserver | None":
    """Return the observer of this thread's run if hooks want its requests, else None."""
    run = _current_run.get()
    if run is None or run.observer is None or not run.observer.wants_requests:
        return None
    return run.observer


def is_counted() -> bool:
    """Return whether this thread works for a run whose progress is shown."""
    return _current_run.get() is not None


@contextmanager
def counting(run: RunProgress) -> Iterator[RunProgress]:
    """Count the work of this thread and those it starts for `run`, which begins and ends with the block."""
    token = _current_run.set(run)
    run._state, run._started_at = RUNNING, run._clock()
    try:
        yield run
    except Exception as e:
        if isinstance(e, BudgetExceeded):
            run.stop()
        else:
            run.end(e)
        raise
    except BaseException:
        run.stop()
        raise
    else:
        if run.state == RUNNING:
            run.end()
    finally:
        _current_run.reset(token)
