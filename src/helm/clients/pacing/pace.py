"""The number of requests per second that may be sent to one endpoint, from what it accepts and what it reports."""

import math
from collections import deque
from dataclasses import dataclass

# Providers count requests and tokens per minute, so the last minute is the sample that a limit is compared with.
_MINUTE_S = 60.0
# Requests are sent at this share of the accepted rate after a refusal: at the full rate, the smallest inaccuracy of the two
# clocks would have requests refused again.
_MARGIN = 0.98
# The rate grows by 0.5% every 5 s at first, and each step is a tenth larger than the one before. A limit that stays is thus
# rarely exceeded, while one that was raised is found within minutes.
_GROWTH = 0.005
# The first step if the refusals may have been chance: the rate was probably cut without a reason.
_UNSURE_GROWTH = 0.05
_MAX_GROWTH = 0.25
_GROWTH_EVERY_S = 5.0
# Shorter samples hold too few requests for a rate.
_SHORTEST_SAMPLE_S = 2.0
# The factor if the rate is refused again before a sample of it could be taken. Without a measurement, several smaller steps
# would each cost refused requests.
_DECREASE = 0.3
# The rate never falls below this during the first minute, when only few requests are known; the pauses are longer instead.
_LEAST_GUESS = 5.0
# The rate never falls below this share of the rate accepted in the last minute.
_LEAST_SHARE = 0.5
# The pause after the first refusal. A server that asks for a shorter pause than this is treated as asking for none.
FIRST_PAUSE_S = 0.25
# Pauses double up to this. Longer ones would let the allowance of a minute go unused.
_LONGEST_PAUSE_S = 5.0
# Daily limits ask for pauses of many hours. Trying once an hour costs one request and notices a raised limit.
_LONGEST_RETRY_AFTER_S = 3600.0


@dataclass(frozen=True)
class Allowance:
    """An allowance that a server reports: `remaining` of `limit` units are left, and all are back in `reset_s` seconds."""

    limit: float

    remaining: float

    reset_s: float


class Pace:
    """Limits the rate once requests are refused because of it.

    After such a refusal, sending pauses, twice as long each time until a request is accepted, and resumes at the rate that
    was accepted during the last minute. The rate then grows in small steps, which become larger the longer nothing is
    refused. What the server reports takes precedence: the pause it asks for, and the rate at which it refills an allowance
    that is nearly used up.

    `now` is in seconds of one clock. Not thread-safe: the limiter holds a lock.
    """

    def __init__(self) -> None:
        self._own: float | None = None
        """The rate learned from refusals, in requests per second; None if none was refused."""
        self._known = math.inf
        """The last rate that was measured over a full sample. Below it, the rate recovers in large steps."""
        self._accepted_at: deque[float] = deque()
        self._first_sent_at: float | None = None
        self._next_slot = -math.inf
        self.paused_until = -math.inf
        self._refusals_in_row = 0
        self._last_change = -math.inf
        self._last_refusal = -math.inf
        self._growth = _GROWTH
        self._told: dict[str, tuple[float, float]] = {}
        """The reported rates by kind of allowance: requests per second, and until when that holds."""
        self._tokens_per_request: float | None = None

    @property
    def is_held(self) -> bool:
        """Whether refusals have set a rate."""
        return self._own is not None

    @property
    def is_feeling(self) -> bool:
        """Whether requests are sent one at a time, until one is accepted."""
        return self._own is not None and self._refusals_in_row > 0

    def rate(self, now: float) -> float | None:
        """Return the limit in requests per second; None if there is no limit."""
        if not self._told:
            return self._own
        rates = [rate for rate, until in list(self._told.values()) if until > now]
        return min(rates + ([self._own] if self._own is not None else []), default=None)

    def ready_at(self, now: float) -> float:
        """Return when the next request may be sent."""
        return self.paused_until if self.rate(now) is None else max(self.paused_until, self._next_slot)

    def sent(self, now: float) -> None:
        rate = self.rate(now)
        if rate is not None:
            # A slot that was missed by less than one interval is made up for; more would turn idle time into a burst.
            self._next_slot = max(self._next_slot, now - 1 / rate) + 1 / rate
        if self._first_sent_at is None:
            self._first_sent_at = now

    def accepted(self, now: float, num_tokens: int | None) -> None:
        self._accepted_at.append(now)
        if self._accepted_at[0] < now - _MINUTE_S:
            self._forget(now)
        self._refusals_in_row = 0
        if num_tokens:
            # A moving average over about the last ten requests: a run's requests are alike, the next run's may not be.
            average = self._tokens_per_request
            self._tokens_per_request = num_tokens if average is None else 0.9 * average + 0.1 * num_tokens

    def grow(self, now: float) -> None:
        """Raise the rate after a request was accepted, if it is time and the present rate was used."""
        if self._own is None or now - self._last_change <= _GROWTH_EVERY_S:
            return
        self._last_change = now
        if self._num_accepted(now, _GROWTH_EVERY_S) < 0.8 * self._own * _GROWTH_EVERY_S:
            return  # too few requests were sent to show that the present rate is accepted
        if self._own < self._known:
            self._own = min(self._own * (1 + _MAX_GROWTH), self._known)
        else:
            self._own *= 1 + self._growth
            self._growth = min(1.1 * self._growth, _MAX_GROWTH)

    def pause(self, seconds: float, now: float) -> None:
        """Send nothing for `seconds`, as the server asks."""
        self.paused_until = max(self.paused_until, now + min(seconds, _LONGEST_RETRY_AFTER_S))

    def refused(self, now: float, is_sure: bool) -> None:
        """Pause, then resume at the accepted rate, measured over the last minute if requests were sent all through it.

        If `is_sure` is False, random refusals may look like a rate limit. The rate is then the present one, measured over
        the shortest sample, and grows faster.
        """
        self._forget(now)
        sending_s = now - (now if self._first_sent_at is None else self._first_sent_at)
        num_since = self._num_accepted(now, now - self._last_refusal)
        if not is_sure and sending_s >= _SHORTEST_SAMPLE_S:
            self._own = self._known = _MARGIN * max(1, self._num_accepted(now, _SHORTEST_SAMPLE_S)) / _SHORTEST_SAMPLE_S
        elif sending_s >= _MINUTE_S:
            self._own = self._known = _MARGIN * max(1, len(self._accepted_at)) / _MINUTE_S
        elif self._own is not None and num_since and now - self._last_refusal < _SHORTEST_SAMPLE_S:
            self._own *= _DECREASE  # the time since the last refusal is too short for a sample
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
        # After a minute the rate is known well, and a pause shorter than the interval between two requests is none.
        first_pause_s = FIRST_PAUSE_S if sending_s < _MINUTE_S else max(FIRST_PAUSE_S, 1 / self._own)
        pause_s = min(first_pause_s * 2**self._refusals_in_row, _LONGEST_PAUSE_S)
        self._refusals_in_row += 1
        self.paused_until = max(self.paused_until, now + pause_s)
        self._growth = _GROWTH if is_sure else _UNSURE_GROWTH
        self._last_change = now
        self._next_slot = max(self._next_slot, self.paused_until)

    def reopen(self, now: float) -> None:
        """Lift the limit: the refusals had nothing to do with the rate."""
        self._own, self._known, self._growth = None, math.inf, _GROWTH
        self._refusals_in_row = 0
        self.paused_until = min(self.paused_until, now)
        self._next_slot = min(self._next_slot, now)

    def told(self, kind: str, allowance: Allowance, in_flight: int, now: float) -> None:
        """Take note of what is left of an allowance of `requests` or `tokens`; requests are spread out near its end."""
        per_request = 1.0 if kind == "requests" else self._tokens_per_request
        if per_request is None or allowance.reset_s <= 0:
            return
        # The server does not know yet of the requests in flight. While more than a tenth is left, nothing needs to change.
        remaining = allowance.remaining / per_request - in_flight
        if remaining > max(0.1 * allowance.limit / per_request, 1):
            self._told.pop(kind, None)
            return
        # What was used comes back evenly until the reset (a token bucket), so that is the rate that can be kept up.
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
