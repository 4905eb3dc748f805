"""Adaptive rate and concurrency limits for one endpoint, learned from how it answers.

Hosted models limit the requests in flight, the requests per minute or the tokens per minute, and rarely report which and how
many. Self-hosted servers refuse nothing and queue requests until they time out. Both fail now and then for no reason. A
`Limiter` finds the limit and stays just below it. It has five parts, each with a rule of its own:

- `ConcurrencyWindow` limits the requests in flight by the requests that are refused.
- `QueueBound` limits the requests in flight by the response times.
- `Pace` limits the requests per second by the requests that are refused and by what the server reports.
- `FailureJudge` decides whether the load causes failures at all.
- `Outage` detects that no server is reachable.
"""

import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from helm.clients.pacing import pace
from helm.clients.pacing.concurrency_window import ConcurrencyWindow
from helm.clients.pacing.failure_judge import Blame, FailureJudge
from helm.clients.pacing.outage import Outage
from helm.clients.pacing.pace import Allowance, Pace
from helm.clients.pacing.queue_bound import QueueBound
from helm.clients.pacing.tickets import LimiterStopped, ServerGone, Ticket
from helm.clients.pacing.warning_turns import WarningTurns
from helm.common.concurrency import is_stop_requested
from helm.common.hierarchical_logger import hlog, hprogress, hwarn

__all__ = ["Allowance", "Limiter", "LimiterStopped", "ServerGone", "Ticket", "get_limiter"]

# Small enough not to be refused as a first burst; the window doubles with every round, so a small start costs little.
_FIRST_WINDOW = 4
# Each request in flight occupies a connection and a thread: this is half of the usual limit of 1024 open files.
_MAX_WINDOW = 512
# About as many requests as one process can send in a second. More in flight than it sends during one response time would
# only wait for the interpreter; when answers come at once, a single thread sends the most.
_SENT_PER_S = 3000.0
# The longest sleep of a waiting thread, after which it checks whether the command has to stop.
_WAIT_S = 0.5
# Refusals below this share cost little, and the limiter's own probing for a higher limit produces as many.
_LEAST_SHARE_REFUSED = 0.03
# Nothing here provokes failures on purpose, so a smaller share of them is evidence enough.
_LEAST_SHARE_FAILED = 0.01
# With fewer in flight, nothing could be learned about whether their number causes the failures.
_FEWEST_THAT_FAIL = 2
# A slow start is normal; after this long, the user is told why a run is slow, and again once a minute.
_EXPLAIN_AFTER_S = 15.0
_EXPLAIN_EVERY_S = 60.0
# A window or a rate at or below these is so slow that the user deserves an explanation.
_SLOW_WINDOW = 2
_SLOW_PER_S = 2.0


class Limiter:
    """The gate to one endpoint with one key, shared by all clients, runs and threads of the process.

    `acquire` waits for a ticket. Every ticket must be returned through exactly one of `accepted`, `rejected`, `overloaded`,
    `timed_out`, `unreachable` and `abandoned`. Tickets are issued in the order of the calls.

    Args:
        max_window: the most requests in flight.
        clock: A monotonic clock in seconds; tests pass their own.
        first_window: the most requests in flight before anything is learned.
        name: the endpoint's name in log messages. An empty name disables logging.
    """

    def __init__(
        self,
        max_window: int = _MAX_WINDOW,
        clock: Callable[[], float] = time.monotonic,
        first_window: int = _FIRST_WINDOW,
        name: str = "",
    ):
        self._clock = clock
        self._name = name
        self._condition = threading.Condition()
        self._queue: deque[threading.Event] = deque()
        self._in_flight = 0
        self._stopped: BaseException | None = None
        self._concurrency = ConcurrencyWindow(first_window, max_window)
        self._queue_bound = QueueBound()
        self._pace = Pace()
        self._refusals, self._failures = FailureJudge(_LEAST_SHARE_REFUSED), FailureJudge(_LEAST_SHARE_FAILED)
        self._outage = Outage()
        self._answer_s: float | None = None
        """Moving average of response times, in seconds."""
        self._log: deque[tuple[Callable[[str], None], str]] = deque()
        self._slow_since: float | None = None
        self._next_explanation_at = 0.0
        self._last_cause = ""
        self._warnings = WarningTurns(clock)
        # The rest is for progress reports only.
        self._ready_elsewhere: dict[object, int] = {}
        self.num_sent = 0
        self.num_rejected = 0
        self.num_retrying = 0
        """Requests that have failed and pause before they are retried."""
        self.failed_tries: Counter = Counter()
        """Failed tries by outcome, including those of requests that succeeded when retried."""

    @property
    def max_window(self) -> int:
        return self._concurrency.most

    @max_window.setter
    def max_window(self, number: int) -> None:
        self._concurrency.most = number

    @property
    def window(self) -> int:
        """The most requests that may be in flight now, disregarding the pace."""
        size = self._concurrency.size
        return size if size <= self._queue_bound.most else max(1, int(self._queue_bound.most))

    @property
    def useful_window(self) -> int:
        """The window, or less if answers come so fast that more threads would only compete with each other."""
        answer_s = self._answer_s
        return self.window if answer_s is None else min(self.window, 1 + int(answer_s * _SENT_PER_S))

    @property
    def in_flight(self) -> int:
        return self._in_flight

    @property
    def num_waiting(self) -> int:
        """The number of requests that wait for a ticket."""
        return len(self._queue) + sum(list(self._ready_elsewhere.values()))

    def note_ready(self, owner: object, number: int) -> None:
        """Tell reports how many requests of a lane wait for tickets, for which they do not queue."""
        if number:
            self._ready_elsewhere[owner] = number
        else:
            self._ready_elsewhere.pop(owner, None)

    @property
    def paused_for_s(self) -> float:
        """Seconds for which sending is paused; 0 if it is not."""
        return max(0.0, self._pace.paused_until - self._clock())

    @property
    def stop_reason(self) -> BaseException | None:
        """Why no more requests are sent; None if they are."""
        return self._stopped

    @property
    def rate(self) -> float | None:
        """Requests per second that may be sent now; None if only the window limits them."""
        return self._pace.rate(self._clock())

    def note_timeout(self, seconds: float) -> None:
        """Take note that a client waits no longer than this for an answer."""
        with self._condition:
            self._queue_bound.timeout_s = min(self._queue_bound.timeout_s, seconds)

    def note_failed_try(self, outcome: str) -> None:
        with self._condition:
            self.failed_tries[outcome] += 1

    def own_pause_s(self, retry_after_s: float) -> float:
        """Return how long a refused request itself must wait if the pause the server asks for does not stop all others."""
        return retry_after_s if self._refusals.usual else 0.0

    @contextmanager
    def retrying(self) -> Iterator[None]:
        """Count a request as retrying while it pauses before its next try."""
        with self._condition:
            self.num_retrying += 1
        try:
            yield
        finally:
            with self._condition:
                self.num_retrying -= 1

    # --- asking -------------------------------------------------------------------------------------------------------

    def acquire(self, deadline: float | None = None, check: Callable[[], object] = lambda: None) -> Ticket | None:
        """Wait until a request may be sent; return None if `deadline` (of the clock) passes first.

        `check` is called from time to time while the endpoint is unreachable; an exception it raises ends the wait.

        Raises:
            LimiterStopped: `stop` was called.
            ServerGone: The endpoint was unreachable for too long.
            KeyboardInterrupt: Ctrl-C was pressed inside `drain_on_interrupt`.
        """
        ticket = self.try_acquire() if not self._queue else None
        if ticket is not None:
            return ticket
        mine = threading.Event()
        with self._condition:
            self._queue.append(mine)
        try:
            while True:
                if is_stop_requested():
                    raise KeyboardInterrupt
                if self._outage.since is not None:
                    check()
                with self._condition:
                    self._raise_if_stopped()
                    wait_s = _WAIT_S
                    if self._queue[0] is mine:
                        ready_in_s = self._ready_in_s()
                        if ready_in_s is not None and ready_in_s <= 0:
                            return self._take()
                        wait_s = min(wait_s, _WAIT_S if ready_in_s is None else ready_in_s)
                    if deadline is not None:
                        left_s = deadline - self._clock()
                        if left_s <= 0:
                            if self._outage.since is not None:
                                raise ServerGone(self._outage.cause)
                            return None
                        wait_s = min(wait_s, left_s)
                    mine.clear()
                mine.wait(wait_s)
        finally:
            with self._condition:
                self._queue.remove(mine)
                self._wake_first()

    def try_acquire(self) -> Ticket | None:
        """Return a ticket if one is free now, else None. Raises LimiterStopped or ServerGone like `acquire`."""
        with self._condition:
            self._raise_if_stopped()
            ready_in_s = self._ready_in_s()
            return self._take() if ready_in_s is not None and ready_in_s <= 0 else None

    def acquire_some(self, number: int) -> list[Ticket]:
        """Return up to so many tickets that are free now; none while others wait. Raises like `try_acquire`."""
        tickets: list[Ticket] = []
        with self._condition:
            self._raise_if_stopped()
            if self._queue:
                return tickets
            while len(tickets) < number:
                ready_in_s = self._ready_in_s()
                if ready_in_s is None or ready_in_s > 0:
                    break
                tickets.append(self._take())
        return tickets

    def ready_in_s(self) -> float | None:
        """Return the seconds until a ticket is free (0 or less if one is); None if a request must come back first."""
        with self._condition:
            return self._ready_in_s()

    def _raise_if_stopped(self) -> None:
        if self._stopped is not None:
            raise LimiterStopped(self._stopped)
        if self._outage.is_given_up:
            probe_at = self._outage.probe_at(self._in_flight)
            if probe_at is None or probe_at > self._clock():
                raise ServerGone(self._outage.cause)

    def _ready_in_s(self) -> float | None:
        now = self._clock()
        if self._outage.since is not None:
            probe_at = self._outage.probe_at(self._in_flight)
            return None if probe_at is None else probe_at - now
        if self._in_flight >= self.window:
            return None
        ready_at = self._pace.ready_at(now)
        if self._pace.is_feeling and self._in_flight and ready_at <= now:
            return None  # one at a time, until one is accepted
        return ready_at - now

    def _take(self) -> Ticket:
        now = self._clock()
        self._pace.sent(now)
        self._refusals.sent()
        self._failures.sent()
        self._in_flight += 1
        self.num_sent += 1
        return Ticket(now, self._in_flight, self.num_sent - 1)

    def _wake_first(self) -> None:
        if self._queue:
            self._queue[0].set()

    @contextmanager
    def _returned(self, ticket: Ticket, is_answer: bool = True) -> Iterator[float]:
        """Take back a ticket inside a block, which gets the time. Messages are logged after the lock is released."""
        with self._condition:
            now = self._begin_return(ticket, is_answer)
            yield now
            self._end_return(now)
        self._write_log()

    def _begin_return(self, ticket: Ticket, is_answer: bool) -> float:
        """Take back a ticket; the caller holds the lock."""
        self._in_flight -= 1
        now = self._clock()
        if is_answer:
            self._note_answer(ticket, now)
        return now

    def _note_answer(self, ticket: Ticket, now: float) -> None:
        told = self._outage.answered(ticket.sent_at, now)
        if told is not None:
            self._say(hprogress, told)

    def _end_return(self, now: float) -> None:
        """Make use of the place of a ticket; the caller holds the lock."""
        if self._last_cause:
            self._explain(now)
        self._wake_first()

    def _write_log(self) -> None:
        while self._log:
            log, text = self._log.popleft()
            log(text)

    # --- learning -----------------------------------------------------------------------------------------------------

    def accepted(self, ticket: Ticket, num_tokens: int | None = None) -> None:
        """The server accepted the request, whatever became of it then, and counted `num_tokens`."""
        self.accepted_all([(ticket, num_tokens)])

    def accepted_all(self, answered: Sequence[tuple[Ticket, int | None]]) -> None:
        """Several requests were accepted; the numbers are as in `accepted`."""
        with self._condition:  # without `_returned`, since this is what every request comes to
            now = self._clock()
            for ticket, num_tokens in answered:
                self._accept(ticket, num_tokens, now)
            self._end_return(now)
        if self._log:
            self._write_log()

    def _accept(self, ticket: Ticket, num_tokens: int | None, now: float) -> None:
        self._in_flight -= 1
        self._note_answer(ticket, now)
        sent_at, in_flight = ticket.sent_at, ticket.in_flight
        self._pace.accepted(now, num_tokens)
        answer_s = now - sent_at
        self._answer_s = answer_s if self._answer_s is None else 0.9 * self._answer_s + 0.1 * answer_s
        self._queue_bound.answered(in_flight, answer_s)
        self._refusals.answered(ticket.number, in_flight)
        self._failures.answered(ticket.number, in_flight)
        if in_flight >= 0.5 * self.window:  # otherwise the queue bound, not the window, was the limit
            self._concurrency.accepted(in_flight, sent_at, now, self._pace.is_held)
        if self._pace.is_held:
            self._pace.grow(now)

    def rejected(self, ticket: Ticket, retry_after_s: float | None = None) -> None:
        """The server refused the request as one too many; it asks for a pause of `retry_after_s` seconds, if given."""
        with self._returned(ticket) as now:
            self.num_rejected += 1
            self._last_cause = "requests are refused (HTTP status 429)"
            self._failures.answered(ticket.number, 0)
            blame = self._refusals.failed(ticket.number, ticket.in_flight)
            if blame is Blame.NOT_LOAD:
                self._reopen(self._refusals, "are refused", now)
                self._pace.reopen(now)
            elif blame is Blame.LOAD:
                self._send_less(ticket, retry_after_s, now)

    def _send_less(self, ticket: Ticket, retry_after_s: float | None, now: float) -> None:
        in_flight = ticket.in_flight
        # Requests sent before the last decrease report the old load, and one round of refusals must lower the pace only once.
        is_old_news = ticket.sent_at < self._concurrency.last_decrease
        is_rate = not self._concurrency.explains(in_flight, ticket.sent_at, now)
        if retry_after_s is not None and retry_after_s > pace.FIRST_PAUSE_S:
            is_rate = True  # a limit of requests in flight has no time at which to return
            self._pace.pause(retry_after_s, now)
        if is_rate and not is_old_news:
            self._pace.refused(now, is_sure=not self._refusals.usual)
            self._concurrency.is_not_to_blame(now)
            self._refusals.changed()
        elif not is_rate:
            self._concurrency.refused(in_flight, ticket.sent_at, now)
            self._refusals.changed()

    def overloaded(self, ticket: Ticket, retry_after_s: float | None = None) -> None:
        """The server failed, perhaps because it is overloaded, not necessarily by this process alone."""
        with self._returned(ticket) as now:
            self._last_cause = "requests fail (HTTP status 5xx, or the connection breaks off)"
            self._refusals.answered(ticket.number, 0)
            blame = self._failures.failed(ticket.number, ticket.in_flight)
            if blame is Blame.NOT_LOAD:
                self._reopen(self._failures, "fail", now)
            elif blame is Blame.LOAD:
                if retry_after_s is not None:
                    self._pace.pause(retry_after_s, now)
                self._halve(ticket, now, least=_FEWEST_THAT_FAIL)

    def timed_out(self, ticket: Ticket) -> None:
        """No answer came in time: too many requests were queued before this one."""
        with self._returned(ticket, is_answer=False) as now:
            self._last_cause = "requests time out"
            for judge in (self._refusals, self._failures):
                judge.answered(ticket.number, 0)
            self._queue_bound.timed_out(ticket.in_flight)
            self._halve(ticket, now)

    def _halve(self, ticket: Ticket, now: float, least: int = 1) -> None:
        if ticket.sent_at >= self._concurrency.last_decrease:
            self._concurrency.halve(ticket.in_flight, ticket.sent_at, now, least)
            self._failures.changed()

    def _reopen(self, judge: FailureJudge, what: str, now: float) -> None:
        self._concurrency.reopen(self._in_flight)
        self._slow_since = None
        self._say(
            hlog, f"About {judge.usual:.0%} of the requests {what}, however many are sent; going on at full pace."
        )

    def unreachable(self, ticket: Ticket, cause: str, patience_s: float, max_probes: int) -> None:
        """No server accepted the connection; see `Outage` and `is_waited_for`."""
        with self._returned(ticket, is_answer=False) as now:
            self._settle(ticket)
            self._outage.unreachable(ticket.sent_at, now, cause)
            is_waiting = self._outage.is_waiting(now, patience_s, max_probes)
            self._say(hwarn, self._outage.report(now, patience_s))
            if not is_waiting:
                for waiting in self._queue:
                    waiting.set()

    @property
    def is_waited_for(self) -> bool:
        """Whether a request that could not connect should acquire another ticket, which may take long."""
        return not self._outage.is_given_up

    def turn_to_warn(self) -> int | None:
        """Return how many warnings were suppressed since the last one; None if this one must be suppressed too."""
        with self._condition:
            return self._warnings.take()

    def abandoned(self, ticket: Ticket) -> None:
        """The request ended in a way that says nothing about the endpoint."""
        with self._returned(ticket, is_answer=False):
            self._settle(ticket)

    def _settle(self, ticket: Ticket) -> None:
        for judge in (self._refusals, self._failures):
            judge.answered(ticket.number, 0)

    def told(self, kind: str, allowance: Allowance) -> None:
        """Take note of what is left of an allowance of `requests` or `tokens`; requests are spread out near its end."""
        with self._condition:
            self._pace.told(kind, allowance, self._in_flight, self._clock())

    def stop(self, reason: BaseException) -> None:
        """Send no more requests: from now on `acquire` raises LimiterStopped."""
        with self._condition:
            self._stopped = reason
            for waiting in self._queue:
                waiting.set()

    # --- saying -------------------------------------------------------------------------------------------------------

    def _say(self, log: Callable[[str], None], text: str | None) -> None:
        if text and self._name:
            self._log.append((log, text if text.startswith(self._name) else f"{self._name}: {text}"))

    def _explain(self, now: float) -> None:
        """Log why the endpoint is slow, once it has been slow for a while."""
        rate = self._pace.rate(now)
        is_slow = self._concurrency.size <= _SLOW_WINDOW < self.max_window or (rate is not None and rate < _SLOW_PER_S)
        if not is_slow:
            self._slow_since = None
            return
        if self._slow_since is None:
            self._slow_since = now
        if now < max(self._slow_since + _EXPLAIN_AFTER_S, self._next_explanation_at):
            return
        self._next_explanation_at = now + _EXPLAIN_EVERY_S
        how = f"at most {self.window} in flight" if rate is None else f"{rate:.2g} requests/s"
        self._say(hwarn, f"It is slow ({how}) because {self._last_cause}; more is tried now and then.")


_limiters: dict[tuple[str, str], Limiter] = {}
_limiters_lock = threading.Lock()
_max_window = _MAX_WINDOW


def get_limiter(endpoint: str, key: str = "") -> Limiter:
    """Return the process's limiter of an endpoint and a key. The key is only compared, never logged."""
    with _limiters_lock:
        limiter = _limiters.get((endpoint, key))
        if limiter is None:
            limiter = _limiters[endpoint, key] = Limiter(max_window=_max_window, name=endpoint)
        return limiter


def set_max_in_flight(number: int) -> None:
    """Limit the requests in flight for each endpoint and key, including those of existing limiters."""
    global _max_window
    with _limiters_lock:
        _max_window = number
        for limiter in _limiters.values():
            limiter.max_window = number


def forget_limiters() -> None:
    """Forget all that was learned, at the start of another command in this process or of a test."""
    global _max_window
    with _limiters_lock:
        _limiters.clear()
        _max_window = _MAX_WINDOW


def all_limiters() -> list[tuple[str, Limiter]]:
    """Return the limiters in use with their endpoints, one for each key."""
    with _limiters_lock:
        return [(endpoint, limiter) for (endpoint, _), limiter in _limiters.items()]
