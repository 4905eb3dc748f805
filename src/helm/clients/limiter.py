"""How many requests may be on their way to one endpoint, and how fast: learned from how it answers.

Hosted models limit the requests in flight, or those of a minute, or the tokens of a minute, and seldom say how much of
what. A `Limiter` finds the limit and stays just below it:

- *Requests in flight.* The window doubles with every round of answers until the first one is refused, then stays at what
  was accepted and is probed upward, the more seldom the more often that failed. An overloaded server halves it.
- *Requests per time.* When requests are refused although fewer are in flight than were accepted before, it is the rate: then
  they are spread out at the rate that was accepted during the last minute.
- *What the server says* goes before what is guessed: `Retry-After`, and how much of the current limit is left.
"""

import math
import threading
import time
from collections import Counter, deque
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Callable, Deque, Dict, Iterator, List, Optional, Tuple

from helm.common.concurrency import is_stop_requested

_FIRST_WINDOW = 16
_MAX_WINDOW = 512
_MINUTE_S = 60.0
_RATE_MARGIN = 0.98
"""Share of the accepted rate at which requests are sent after a refusal."""
_RATE_GROWTH = 0.005
_MAX_RATE_GROWTH = 0.25
_RATE_GROWTH_EVERY_S = 5.0
_SHORTEST_SAMPLE_S = 2.0
_RATE_DECREASE = 0.3
"""When the rate is refused again before a sample of it could be taken."""
_FIRST_PAUSE_S = 0.25
_LONGEST_PAUSE_S = 5.0
_LONGEST_RETRY_AFTER_S = 3600.0
_CLEARLY_FEWER = 0.8
_WINDOW_DECREASE = 0.8
_WINDOW_RECOVERY = 0.2
"""By how much each answer widens the window again, up to what was accepted before."""
_MAX_REFUSALS_BELOW = 3
"""So often requests may be refused within a window that was accepted before; then it is not their number that matters."""
_PROBE_AFTER_REQUESTS = 10
_PROBE_AFTER_S = 5.0
_FEW = 4
_SENT_PER_S = 1500.0
"""About as many requests as one process can send in a second."""
_WAIT_S = 0.5
"""Longest sleep of a waiting thread, after which it looks whether the command is to stop."""


@dataclass(frozen=True)
class Allowance:
    """What a server says is left: `remaining` of `limit` units, all of which are back in `reset_s` seconds."""

    limit: float

    remaining: float

    reset_s: float


@dataclass
class Ticket:
    """The permission to send one request."""

    sent_at: float

    in_flight: int
    """Requests on their way when it was given, this one among them."""


class LimiterStopped(Exception):
    """Nothing more is to be sent to this endpoint; `reason` is what was given to `Limiter.stop`."""

    def __init__(self, reason: BaseException):
        super().__init__(str(reason))
        self.reason = reason


class Limiter:
    """The gate of one endpoint and key, shared by all clients, runs and threads of the process.

    `acquire` waits for a ticket; every ticket goes back through exactly one of `accepted`, `rejected`, `overloaded` and
    `abandoned`. Tickets are given in the order in which they were asked for.

    Args:
        max_window: never more requests in flight than this.
        clock: seconds that only grow; tests pass their own.
        first_window: requests in flight before anything is known.
    """

    def __init__(
        self,
        max_window: int = _MAX_WINDOW,
        clock: Callable[[], float] = time.monotonic,
        first_window: int = _FIRST_WINDOW,
    ):
        self._clock = clock
        self._condition = threading.Condition()
        self._queue: Deque[threading.Event] = deque()
        self.max_window = max_window
        self._window = float(min(first_window, max_window))
        self._knows_limit = False
        self._in_flight = 0
        self._stopped: Optional[BaseException] = None
        # Requests in flight
        self._proven = 0
        self._ceiling = self._window
        self._last_decrease = -math.inf
        self._probe_backoff = 1
        self._probe_step = 1
        self._refusals_below = 0
        self._accepted_since_decrease = 0
        self._window_before_rejections = self._window
        # Requests per time
        self._rate: Optional[float] = None
        self._known_rate = math.inf
        self._accepted_at: Deque[float] = deque()
        self._first_sent_at: Optional[float] = None
        self._next_slot = -math.inf
        self._paused_until = -math.inf
        self._rejections_in_row = 0
        self._last_rate_change = -math.inf
        self._last_refusal = -math.inf
        self._rate_growth = _RATE_GROWTH
        self._allowed_rate: Dict[str, Tuple[float, float]] = {}
        self._tokens_per_request: Optional[float] = None
        self._answer_s: Optional[float] = None
        """How long answers take, on average of the last."""
        # For people
        self.num_sent = 0
        self.num_rejected = 0
        self.num_retrying = 0
        """Requests that have failed and pause before they are tried again."""
        self.failed_tries: Counter = Counter()
        """By outcome; what was tried again with success is in it too."""

    @property
    def window(self) -> int:
        """How many requests may be in flight now, pace apart."""
        return max(1, min(int(self._window), self.max_window))

    @property
    def useful_window(self) -> int:
        """The window, or less where answers come so fast that more threads would only be in each other's way."""
        answer_s = self._answer_s
        return self.window if answer_s is None else min(self.window, _FEW + int(answer_s * _SENT_PER_S))

    @property
    def in_flight(self) -> int:
        return self._in_flight

    @property
    def num_waiting(self) -> int:
        """Requests that wait for their turn."""
        return len(self._queue)

    @property
    def paused_for_s(self) -> float:
        """Nothing is sent for so long; 0: no pause."""
        return max(0.0, self._paused_until - self._clock())

    @property
    def stop_reason(self) -> Optional[BaseException]:
        """Why nothing more is sent."""
        return self._stopped

    @property
    def rate(self) -> Optional[float]:
        """Requests per second that may be sent now; None: as many as the window lets through."""
        rates = [rate for rate, until in list(self._allowed_rate.values()) if until > self._clock()]
        return min(rates + ([self._rate] if self._rate is not None else []), default=None)

    def note_failed_try(self, outcome: str) -> None:
        with self._condition:
            self.failed_tries[outcome] += 1

    @contextmanager
    def retrying(self) -> Iterator[None]:
        """For the pause of a request that is going to be tried again."""
        with self._condition:
            self.num_retrying += 1
        try:
            yield
        finally:
            with self._condition:
                self.num_retrying -= 1

    # --- asking -------------------------------------------------------------------------------------------------------

    def acquire(self, deadline: Optional[float] = None) -> Optional[Ticket]:
        """Wait until a request may be sent; None when `deadline` (of the clock) passes first.

        Raises: LimiterStopped; KeyboardInterrupt when Ctrl-C was pressed inside `drain_on_interrupt`.
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
                with self._condition:
                    if self._stopped is not None:
                        raise LimiterStopped(self._stopped)
                    wait_s = _WAIT_S
                    if self._queue[0] is mine:
                        ready_in_s = self._ready_in_s()
                        if ready_in_s is not None and ready_in_s <= 0:
                            return self._take()
                        wait_s = min(wait_s, _WAIT_S if ready_in_s is None else ready_in_s)
                    if deadline is not None:
                        left_s = deadline - self._clock()
                        if left_s <= 0:
                            return None
                        wait_s = min(wait_s, left_s)
                    mine.clear()
                mine.wait(wait_s)
        finally:
            with self._condition:
                self._queue.remove(mine)
                self._wake_first()

    def try_acquire(self) -> Optional[Ticket]:
        """A ticket when one is free now. Raises: LimiterStopped."""
        with self._condition:
            if self._stopped is not None:
                raise LimiterStopped(self._stopped)
            ready_in_s = self._ready_in_s()
            return self._take() if ready_in_s is not None and ready_in_s <= 0 else None

    def ready_in_s(self) -> Optional[float]:
        """Seconds until a ticket is free (0 or less: now); None: when one of those in flight comes back."""
        with self._condition:
            return self._ready_in_s()

    def _ready_in_s(self) -> Optional[float]:
        if self._in_flight >= self.window:
            return None
        now = self._clock()
        ready_at = self._paused_until
        if self.rate is not None:
            ready_at = max(ready_at, self._next_slot)
        if self._rejections_in_row and self._in_flight and ready_at <= now and self._rate is not None:
            return None  # one at a time, until one is accepted
        return ready_at - now

    def _take(self) -> Ticket:
        now = self._clock()
        rate = self.rate
        if rate is not None:
            self._next_slot = max(self._next_slot, now - 1 / rate) + 1 / rate
        if self._first_sent_at is None:
            self._first_sent_at = now
        self._in_flight += 1
        self.num_sent += 1
        return Ticket(now, self._in_flight)

    def _wake_first(self) -> None:
        if self._queue:
            self._queue[0].set()

    # --- learning -----------------------------------------------------------------------------------------------------

    def accepted(self, ticket: Ticket, num_tokens: Optional[int] = None) -> None:
        """The server took the request, whatever became of it then; it counted `num_tokens`."""
        with self._condition:
            self._in_flight -= 1
            now = self._clock()
            self._accepted_at.append(now)
            self._drop_old(now)
            self._rejections_in_row = 0
            if ticket.sent_at > self._last_decrease:  # refused ones that are not back yet do not count
                self._proven = max(self._proven, ticket.in_flight)
            self._accepted_since_decrease += 1
            answer_s = now - ticket.sent_at
            self._answer_s = answer_s if self._answer_s is None else 0.9 * self._answer_s + 0.1 * answer_s
            if num_tokens:
                average = self._tokens_per_request
                self._tokens_per_request = num_tokens if average is None else 0.9 * average + 0.1 * num_tokens
            self._grow(ticket, now)
            self._wake_first()

    def _grow(self, ticket: Ticket, now: float) -> None:
        is_window_used = ticket.in_flight >= 0.5 * self._window
        if ticket.sent_at < self._last_decrease:
            is_window_used = False
        if not self._knows_limit:
            if is_window_used:
                self._window = min(self._window + 1, self.max_window)
        elif self._rate is not None:  # the pace is the limit, not the window
            if ticket.in_flight >= self.window:
                self._ceiling = self._window = min(self._window + 1, self.max_window)
        elif self._window < self._ceiling:
            if is_window_used:
                self._window = min(self._window + _WINDOW_RECOVERY, self._ceiling)
        elif is_window_used:
            num_needed = max(_PROBE_AFTER_REQUESTS, self._window) * self._probe_backoff
            if self._accepted_since_decrease >= num_needed and now - self._last_decrease > _PROBE_AFTER_S:
                self._ceiling = self._window = min(self._window + self._probe_step, self.max_window)
                self._probe_step = max(1, min(2 * self._probe_step, int(self._window / 8)))
                self._probe_backoff = max(1, self._probe_backoff // 2)
                self._accepted_since_decrease = 0
                if now - self._last_decrease > _MINUTE_S:
                    self._refusals_below = 0
        if self._rate is not None and now - self._last_rate_change > _RATE_GROWTH_EVERY_S:
            self._last_rate_change = now
            if self._num_accepted(now, _RATE_GROWTH_EVERY_S) < 0.8 * self._rate * _RATE_GROWTH_EVERY_S:
                return  # there was not enough to send
            if self._rate < self._known_rate:
                self._rate = min(self._rate * (1 + _MAX_RATE_GROWTH), self._known_rate)
            else:
                self._rate *= 1 + self._rate_growth
                self._rate_growth = min(1.1 * self._rate_growth, _MAX_RATE_GROWTH)

    def rejected(self, ticket: Ticket, retry_after_s: Optional[float] = None) -> None:
        """The server has too many requests from us; it asks for a pause of `retry_after_s`."""
        with self._condition:
            self._in_flight -= 1
            self.num_rejected += 1
            now = self._clock()
            is_old_news = ticket.sent_at < self._last_decrease
            is_rate = ticket.in_flight < _CLEARLY_FEWER * self._proven or ticket.in_flight <= 1
            if not is_old_news and now - self._last_decrease < _PROBE_AFTER_S:
                is_rate = is_rate or ticket.in_flight <= 2 or self._refusals_below >= _MAX_REFUSALS_BELOW
            if retry_after_s is not None and retry_after_s > _FIRST_PAUSE_S:
                is_rate = True
                self._paused_until = max(self._paused_until, now + min(retry_after_s, _LONGEST_RETRY_AFTER_S))
            if is_rate and not is_old_news:
                self._slow_down(now)
            elif not is_rate:
                self._narrow(ticket, now)
            self._wake_first()

    def _narrow(self, ticket: Ticket, now: float) -> None:
        """As many as were in flight before the refused one were accepted; less when they are refused too."""
        if not self._knows_limit or now - self._last_decrease > _PROBE_AFTER_S:
            self._window_before_rejections = self._window
            if self._knows_limit:  # a probe upward
                self._probe_backoff = min(4 * self._probe_backoff, 64)
            self._ceiling = self._window = max(1.0, min(self._window, ticket.in_flight - 1.0))
        elif ticket.sent_at < self._last_decrease:
            self._ceiling = max(1.0, min(self._ceiling, ticket.in_flight - 1.0))
            self._window = min(self._window, self._ceiling)
        else:
            self._ceiling = max(1.0, min(self._ceiling, ticket.in_flight - 1.0))
            self._window = max(1.0, self._window * _WINDOW_DECREASE)
            self._refusals_below += 1
        self._knows_limit = True
        self._probe_step = 1
        self._proven = min(self._proven, self.window)
        self._last_decrease = now
        self._accepted_since_decrease = 0

    def _slow_down(self, now: float) -> None:
        """Pause, and go on at the rate that was accepted: of the last minute, when requests were sent all through it."""
        self._drop_old(now)
        sending_s = now - (now if self._first_sent_at is None else self._first_sent_at)
        num_since = self._num_accepted(now, now - self._last_refusal)
        if sending_s >= _MINUTE_S:
            self._rate = self._known_rate = _RATE_MARGIN * max(1, len(self._accepted_at)) / _MINUTE_S
        elif self._rate is not None and num_since and now - self._last_refusal < _SHORTEST_SAMPLE_S:
            self._rate *= _RATE_DECREASE  # too short for a sample
        else:
            sample_s = min(sending_s, now - self._last_refusal) if num_since else sending_s
            num_accepted = max(1, self._num_accepted(now, sample_s))
            self._rate = _RATE_MARGIN * num_accepted / max(sample_s, _FIRST_PAUSE_S)
        if num_since or self._rejections_in_row == 0:
            self._last_refusal = now
        first_pause_s = _FIRST_PAUSE_S if sending_s < _MINUTE_S else max(_FIRST_PAUSE_S, 1 / self._rate)
        pause_s = min(first_pause_s * 2**self._rejections_in_row, _LONGEST_PAUSE_S)
        self._rejections_in_row += 1
        self._paused_until = max(self._paused_until, now + pause_s)
        self._rate_growth = _RATE_GROWTH
        self._ceiling = self._window = max(self._window, self._window_before_rejections)
        self._knows_limit = True
        self._last_rate_change = self._last_decrease = now
        self._next_slot = max(self._next_slot, self._paused_until)

    def overloaded(self, ticket: Ticket, retry_after_s: Optional[float] = None) -> None:
        """The server cannot do so much, whoever asks: it failed, timed out, or could not be reached."""
        with self._condition:
            self._in_flight -= 1
            now = self._clock()
            if retry_after_s is not None:
                self._paused_until = max(self._paused_until, now + min(retry_after_s, _LONGEST_RETRY_AFTER_S))
            if ticket.sent_at >= self._last_decrease:  # once for all that were in flight together
                self._window = max(1.0, self._window / 2)
                self._last_decrease = now
                self._accepted_since_decrease = 0
            self._wake_first()

    def abandoned(self, ticket: Ticket) -> None:
        """Nothing was learned."""
        with self._condition:
            self._in_flight -= 1
            self._wake_first()

    def told(self, kind: str, allowance: Allowance) -> None:
        """The server says what is left of its `requests` or `tokens`; near the end of it requests are spread out."""
        with self._condition:
            now = self._clock()
            per_request = 1.0 if kind == "requests" else self._tokens_per_request
            if per_request is None or allowance.reset_s <= 0:
                return
            remaining = allowance.remaining / per_request - self._in_flight
            if remaining > max(0.1 * allowance.limit / per_request, 1):
                self._allowed_rate.pop(kind, None)
                return
            refilled_per_s = (allowance.limit - allowance.remaining) / per_request / allowance.reset_s
            if refilled_per_s > 0:
                if kind not in self._allowed_rate:
                    wait_s = 0.0 if allowance.remaining >= per_request else 1 / refilled_per_s  # else it is refused
                    self._next_slot = max(self._next_slot, now + wait_s)
                self._allowed_rate[kind] = (refilled_per_s, now + allowance.reset_s)

    def stop(self, reason: BaseException) -> None:
        """From now on nothing is sent: `acquire` raises LimiterStopped."""
        with self._condition:
            self._stopped = reason
            for waiting in self._queue:
                waiting.set()

    def _drop_old(self, now: float) -> None:
        while self._accepted_at and self._accepted_at[0] < now - _MINUTE_S:
            self._accepted_at.popleft()

    def _num_accepted(self, now: float, last_s: float) -> int:
        return sum(1 for accepted_at in self._accepted_at if accepted_at >= now - last_s)


_limiters: Dict[Tuple[str, str], Limiter] = {}
_limiters_lock = threading.Lock()
_max_window = _MAX_WINDOW


def get_limiter(endpoint: str, key: str = "") -> Limiter:
    """The process's limiter of an endpoint and a key. Both are only compared, never shown."""
    with _limiters_lock:
        limiter = _limiters.get((endpoint, key))
        if limiter is None:
            limiter = _limiters[endpoint, key] = Limiter(max_window=_max_window)
        return limiter


def set_max_in_flight(number: int) -> None:
    """At most so many requests in flight for each endpoint and key, also for limiters that exist."""
    global _max_window
    with _limiters_lock:
        _max_window = number
        for limiter in _limiters.values():
            limiter.max_window = number


def forget_limiters() -> None:
    """What was learned is of no use any more: a new command in this process, or a test."""
    global _max_window
    with _limiters_lock:
        _limiters.clear()
        _max_window = _MAX_WINDOW


def all_limiters() -> List[Tuple[str, Limiter]]:
    """Those in use, with their endpoints; one for each key."""
    with _limiters_lock:
        return [(endpoint, limiter) for (endpoint, _), limiter in _limiters.items()]
