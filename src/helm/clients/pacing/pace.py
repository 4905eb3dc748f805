"""How many requests per second may be sent to one endpoint: by what it accepts, and by what it says."""

import math
from collections import deque
from dataclasses import dataclass

_MINUTE_S = 60.0
_MARGIN = 0.98
"""Share of the accepted rate at which requests are sent after a refusal."""
_GROWTH = 0.005
_UNSURE_GROWTH = 0.05
_MAX_GROWTH = 0.25
_GROWTH_EVERY_S = 5.0
_SHORTEST_SAMPLE_S = 2.0
_DECREASE = 0.3
"""When the rate is refused again before a sample of it could be taken."""
_LEAST_GUESS = 5.0
"""The rate is never lower during the first minute, when few requests are all that is known; the pauses are longer instead."""
_LEAST_SHARE = 0.5
"""The rate is never lower than this share of what was accepted in the last minute."""
FIRST_PAUSE_S = 0.25
"""After the first refusal; a server that asks for less than this asks for nothing."""
_LONGEST_PAUSE_S = 5.0
_LONGEST_RETRY_AFTER_S = 3600.0


@dataclass(frozen=True)
class Allowance:
    """What a server says is left: `remaining` of `limit` units, all of which are back in `reset_s` seconds."""

    limit: float

    remaining: float

    reset_s: float


class Pace:
    """The rule: no limit until requests are refused for their rate. Then a pause, which doubles until one is accepted, and
    the rate that was accepted during the last minute; it grows by little, and by more the longer nothing is refused. What the
    server says goes before: the pause it asks for, and the rate at which it refills what it says is nearly used up.

    `now` are seconds of one clock. Not safe for threads: the limiter holds a lock.
    """

    def __init__(self) -> None:
        self._own: float | None = None
        """The rate that was found, in requests per second; None: none was refused."""
        self._known = math.inf
        self._accepted_at: deque[float] = deque()
        self._first_sent_at: float | None = None
        self._next_slot = -math.inf
        self.paused_until = -math.inf
        self._refusals_in_row = 0
        self._last_change = -math.inf
        self._last_refusal = -math.inf
        self._growth = _GROWTH
        self._told: dict[str, tuple[float, float]] = {}
        """By kind of allowance: requests per second, and until when."""
        self._tokens_per_request: float | None = None

    @property
    def is_held(self) -> bool:
        """Whether refusals have set a rate."""
        return self._own is not None

    @property
    def is_feeling(self) -> bool:
        """One request at a time, until one is accepted."""
        return self._own is not None and self._refusals_in_row > 0

    def rate(self, now: float) -> float | None:
        """Requests per second; None: any number."""
        if not self._told:
            return self._own
        rates = [rate for rate, until in list(self._told.values()) if until > now]
        return min(rates + ([self._own] if self._own is not None else []), default=None)

    def ready_at(self, now: float) -> float:
        """When the next request may be sent."""
        return self.paused_until if self.rate(now) is None else max(self.paused_until, self._next_slot)

    def sent(self, now: float) -> None:
        rate = self.rate(now)
        if rate is not None:
            self._next_slot = max(self._next_slot, now - 1 / rate) + 1 / rate
        if self._first_sent_at is None:
            self._first_sent_at = now

    def accepted(self, now: float, num_tokens: int | None) -> None:
        self._accepted_at.append(now)
        self._forget(now)
        self._refusals_in_row = 0
        if num_tokens:
            average = self._tokens_per_request
            self._tokens_per_request = num_tokens if average is None else 0.9 * average + 0.1 * num_tokens

    def grow(self, now: float) -> None:
        """After a request was accepted."""
        if self._own is None or now - self._last_change <= _GROWTH_EVERY_S:
            return
        self._last_change = now
        if self._num_accepted(now, _GROWTH_EVERY_S) < 0.8 * self._own * _GROWTH_EVERY_S:
            return  # there was not enough to send
        if self._own < self._known:
            self._own = min(self._own * (1 + _MAX_GROWTH), self._known)
        else:
            self._own *= 1 + self._growth
            self._growth = min(1.1 * self._growth, _MAX_GROWTH)

    def pause(self, seconds: float, now: float) -> None:
        """The server wants nothing for so long."""
        self.paused_until = max(self.paused_until, now + min(seconds, _LONGEST_RETRY_AFTER_S))

    def refused(self, now: float, is_sure: bool) -> None:
        """Pause, and go on at the rate that was accepted: of the last minute, when requests were sent all through it.

        `is_sure` False: refusals by chance may have looked like it, so it is the rate of now, and grows again soon.
        """
        self._forget(now)
        sending_s = now - (now if self._first_sent_at is None else self._first_sent_at)
        num_since = self._num_accepted(now, now - self._last_refusal)
        if not is_sure and sending_s >= _SHORTEST_SAMPLE_S:
            self._own = self._known = _MARGIN * max(1, self._num_accepted(now, _SHORTEST_SAMPLE_S)) / _SHORTEST_SAMPLE_S
        elif sending_s >= _MINUTE_S:
            self._own = self._known = _MARGIN * max(1, len(self._accepted_at)) / _MINUTE_S
        elif self._own is not None and num_since and now - self._last_refusal < _SHORTEST_SAMPLE_S:
            self._own *= _DECREASE  # too short for a sample
        else:
            sample_s = min(sending_s, now - self._last_refusal) if num_since else sending_s
            num_accepted = max(1, self._num_accepted(now, sample_s))
            self._own = _MARGIN * num_accepted / max(sample_s, FIRST_PAUSE_S)
        if sending_s < _MINUTE_S:
            self._own = max(self._own, _LEAST_GUESS)
        if is_sure:
            self._own = max(self._own, _LEAST_SHARE * len(self._accepted_at) / _MINUTE_S)
        if num_since or self._refusals_in_row == 0:
            self._last_refusal = now
        first_pause_s = FIRST_PAUSE_S if sending_s < _MINUTE_S else max(FIRST_PAUSE_S, 1 / self._own)
        pause_s = min(first_pause_s * 2**self._refusals_in_row, _LONGEST_PAUSE_S)
        self._refusals_in_row += 1
        self.paused_until = max(self.paused_until, now + pause_s)
        self._growth = _GROWTH if is_sure else _UNSURE_GROWTH
        self._last_change = now
        self._next_slot = max(self._next_slot, self.paused_until)

    def reopen(self, now: float) -> None:
        """What was refused had nothing to do with the rate."""
        self._own, self._known, self._growth = None, math.inf, _GROWTH
        self._refusals_in_row = 0
        self.paused_until = min(self.paused_until, now)
        self._next_slot = min(self._next_slot, now)

    def told(self, kind: str, allowance: Allowance, in_flight: int, now: float) -> None:
        """The server says what is left of its `requests` or `tokens`; near the end of it requests are spread out."""
        per_request = 1.0 if kind == "requests" else self._tokens_per_request
        if per_request is None or allowance.reset_s <= 0:
            return
        remaining = allowance.remaining / per_request - in_flight
        if remaining > max(0.1 * allowance.limit / per_request, 1):
            self._told.pop(kind, None)
            return
        refilled_per_s = (allowance.limit - allowance.remaining) / per_request / allowance.reset_s
        if refilled_per_s > 0:
            if kind not in self._told:
                wait_s = 0.0 if allowance.remaining >= per_request else 1 / refilled_per_s  # else it is refused
                self._next_slot = max(self._next_slot, now + wait_s)
            self._told[kind] = (refilled_per_s, now + allowance.reset_s)

    def _forget(self, now: float) -> None:
        while self._accepted_at and self._accepted_at[0] < now - _MINUTE_S:
            self._accepted_at.popleft()

    def _num_accepted(self, now: float, last_s: float) -> int:
        return sum(1 for accepted_at in self._accepted_at if accepted_at >= now - last_s)
