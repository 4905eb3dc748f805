"""How far the runs of this command are, counted where the work is done.

The Runner says which runs there are and where each one is; whatever works through items inside a run finds that run by
`current_run()`. Counting takes well under a microsecond, so it is always on; somebody may or may not look at it.
"""

import contextvars
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from helm.common.budgets.spending import BudgetExceeded

if TYPE_CHECKING:
    from helm.common.telemetry.progress_report import RunReport

WAITING = "waiting"
RUNNING = "running"
DONE = "done"
SKIPPED = "skipped"
FAILED = "failed"
STOPPED = "stopped"
RUN_STATES = (WAITING, RUNNING, DONE, SKIPPED, FAILED, STOPPED)

_LONGEST_MESSAGE = 300


class RunProgress:
    """One run; threads may count at the same time.

    Args:
        name: of the run.
        clock: seconds since 1970.
    """

    def __init__(self, name: str, clock: Callable[[], float] = time.time):
        self.name = name
        self.stage: str | None = None
        self.worker: str | None = None
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
        self._cost_usd = 0.0
        self._num_paid = self._num_unpriced = 0

    @property
    def state(self) -> str:
        return self._elsewhere.state if self._elsewhere else self._state

    @property
    def num_finished_now(self) -> int:
        """Requests that this attempt has finished."""
        told = self._elsewhere
        return told.done - told.resumed if told else self._done - self._resumed

    @property
    def seconds(self) -> float | None:
        """From its beginning to its end, with the time that it waited; None: it has not ended, or not begun."""
        told = self._elsewhere
        started, ended = (told.started_at, told.ended_at) if told else (self._started_at, self._ended_at)
        return None if started is None or ended is None else ended - started

    @property
    def cost_usd(self) -> float | None:
        """What its requests have cost in this process; None: of one of them the price is not known."""
        return None if self._num_unpriced else self._cost_usd

    @property
    def has_paid(self) -> bool:
        """Whether it sent requests that have a price, known or not."""
        return bool(self._num_paid)

    def pay(self, cost_usd: float | None) -> None:
        """One request was answered; None: its price is not known."""
        with self._lock:
            self._num_paid += 1
            if cost_usd is None:
                self._num_unpriced += 1
            else:
                self._cost_usd += cost_usd

    # --- by the runner ------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        self._state, self._started_at = RUNNING, self._clock()

    def end(self, error: BaseException | None = None) -> None:
        """It is done, or failed with `error`."""
        self._end(DONE if error is None else FAILED)
        if error is not None:
            self._error_type, self._message = type(error).__name__, first_line(error)

    def skip(self) -> None:
        """Its files were there."""
        self._end(SKIPPED)

    def put_off(self) -> None:
        """It waits again, until another process lets go of it."""
        self._state, self._started_at, self.stage = WAITING, None, None

    def stop(self) -> None:
        """It was broken off, and goes on when the command is repeated."""
        self._end(STOPPED)

    def _end(self, state: str) -> None:
        self._state, self._ended_at = state, self._clock()
        if state in (DONE, SKIPPED):
            self.stage = None

    def tell(self, report: "RunReport") -> None:
        """What another process says about this run; from now on that counts."""
        self._elsewhere = report

    # --- by what works through items ----------------------------------------------------------------------------------

    def expect(self, unit: str, total: int) -> None:
        """So many requests (`unit` says what they are) are going to be finished."""
        with self._lock:
            self._unit, self._total, self._done, self._cached, self._resumed = unit, total, 0, 0, 0
            self._outcomes.clear()

    def count(self, result: Any, is_resumed: bool = False) -> None:
        """One of them is finished, now or by an earlier attempt."""
        outcome = _outcome(result)
        with self._lock:
            self._done += 1
            if is_resumed:
                self._resumed += 1
            else:
                self._outcomes[outcome] += 1
                if getattr(result, "cached", False):
                    self._cached += 1

    @contextmanager
    def working(self, description: str, total: int | None) -> Iterator[Callable[[int], Any]]:
        """For the time that a stage works through items; yields a function that says that n more are finished."""
        work = _Work(description, total)
        with self._lock:
            self._works.append(work)
        try:
            yield work.advance
        finally:
            with self._lock:
                self._works.remove(work)

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
                worker=self.worker,
                started_at=self._started_at,
                ended_at=self._ended_at,
                error_type=self._error_type,
                message=self._message,
            )


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
    """Of its message, not too long."""
    line = str(error).strip().partition("\n")[0]
    return line if len(line) <= _LONGEST_MESSAGE else line[: _LONGEST_MESSAGE - 1] + "…"


class CommandProgress:
    """The runs of a command.

    Args:
        run_names: in the order in which they begin.
        clock: seconds since 1970.
    """

    def __init__(self, run_names: Sequence[str], clock: Callable[[], float] = time.time):
        self.started_at = clock()
        self.runs: list[RunProgress] = [RunProgress(name, clock) for name in run_names]
        self.is_stopping = False
        """Nothing new is begun."""


_current_run: contextvars.ContextVar[RunProgress | None] = contextvars.ContextVar("helm_run_progress", default=None)


def current_run() -> RunProgress:
    """That which this thread works for; without one, counts go nowhere."""
    return _current_run.get() or RunProgress("")


def is_counted() -> bool:
    """Whether this thread works for a run that somebody looks at."""
    return _current_run.get() is not None


@contextmanager
def counting(run: RunProgress) -> Iterator[RunProgress]:
    """Inside, this thread and those that it starts work for `run`, which begins, and ends with the block."""
    token = _current_run.set(run)
    run.begin()
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
