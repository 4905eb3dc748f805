"""The number of requests that may be in flight to one endpoint, learned from the requests it refuses."""

import math

# Rate limits are mostly counted per minute: after a minute without a decrease, earlier refusals no longer count as evidence.
_MINUTE_S = 60.0
# A concurrency limit cannot refuse clearly fewer requests than it has accepted. The margin of 20% allows for requests that
# the server still counts although their answers are already here.
_CLEARLY_FEWER = 0.8
# A gentle multiplicative decrease: the limit was nearly found by the first refusal, so halving would give away throughput.
_DECREASE = 0.8
# Each answer widens the window by this much, up to what was accepted before. At 1 the window would be full again after one
# round, before the server has worked off what made it refuse.
_RECOVERY = 0.2
# Requests may be refused this often within a window that was accepted before; after that, their number is not the cause.
_MAX_REFUSALS_BELOW = 3
# The smallest window after a reset; the same as the limiter's first window.
_FEW = 4
# Up to this size the window grows by three per answer: hardly any limit is lower, and `QueueBound` limits the waiting.
_CERTAINLY_FEW = 16
# A probe above the limit costs a refused request if it fails, so it must be rare: at most one per ten accepted requests and
# per five seconds, within which most requests sent before the last decrease have come back.
_PROBE_AFTER_REQUESTS = 10
_PROBE_AFTER_S = 5.0


class ConcurrencyWindow:
    """An additive-increase window that doubles per round until a request is refused.

    Each answer widens the window by one (by three while it is small), so it doubles with every round. When a request is
    refused, the window becomes one less than the number then in flight. From there it probes upward in small steps, less
    often the more probes were refused. A failing server halves the window; each answer then widens it back towards the size
    that was accepted.

    All methods take `in_flight`, the number of requests in flight when the request in question was sent, including that
    request. `sent_at` and `now` are seconds of one clock. Not thread-safe: the limiter holds a lock.
    """

    def __init__(self, first: int, most: int):
        self.most = most
        self._size = float(min(first, most))
        self._ceiling = self._size
        self._knows_limit = False
        self._proven = 0
        self._probe_backoff = 1
        self._probe_step = 1
        self._refusals_below = 0
        self._accepted_since_decrease = 0
        self._size_before_refusals = self._size
        self.last_decrease = -math.inf
        """When this window or the pace last decreased. Requests sent earlier say nothing about the present load."""

    @property
    def size(self) -> int:
        return max(1, min(int(self._size), self.most))

    def accepted(self, in_flight: int, sent_at: float, now: float, is_paced: bool) -> None:
        """A request was accepted. `is_paced` means that the rate is the limit, not the window."""
        self._accepted_since_decrease += 1
        # A window that is less than half full was not put to the test, so it has no reason to grow.
        is_used = in_flight >= 0.5 * self._size and sent_at >= self.last_decrease
        if sent_at > self.last_decrease:  # refused ones that are not back yet do not count
            self._proven = max(self._proven, in_flight)
        if not self._knows_limit:
            if is_used:
                self._size = min(self._size + (3 if self._size < _CERTAINLY_FEW else 1), self.most)
        elif is_paced:
            if in_flight >= self.size:
                self._ceiling = self._size = min(self._size + 1, self.most)
        elif self._size < self._ceiling:
            if is_used:
                self._size = min(self._size + _RECOVERY, self._ceiling)
        elif is_used:
            self._probe(now)

    def _probe(self, now: float) -> None:
        # At least one whole window must be accepted first. Refused probes make the next one up to 64 times rarer.
        num_needed = max(_PROBE_AFTER_REQUESTS, self._size) * self._probe_backoff
        if self._accepted_since_decrease < num_needed or now - self.last_decrease <= _PROBE_AFTER_S:
            return
        self._ceiling = self._size = min(self._size + self._probe_step, self.most)
        # Steps double while they succeed, so a limit that was raised is found soon. An eighth of the window bounds how many
        # requests one failed probe can have refused.
        self._probe_step = max(1, min(2 * self._probe_step, int(self._size / 8)))
        self._probe_backoff = max(1, self._probe_backoff // 2)
        self._accepted_since_decrease = 0
        if now - self.last_decrease > _MINUTE_S:
            self._refusals_below = 0

    def explains(self, in_flight: int, sent_at: float, now: float) -> bool:
        """Return whether the number in flight may have caused a refusal; otherwise the rate did."""
        if in_flight < _CLEARLY_FEWER * self._proven or in_flight <= 1:
            return False
        if self.last_decrease <= sent_at and now - self.last_decrease < _PROBE_AFTER_S:
            # The decreased window is refused as well. Once or twice that is a limit still lower; then it must be the rate.
            return in_flight > 2 and self._refusals_below < _MAX_REFUSALS_BELOW
        return True

    def refused(self, in_flight: int, sent_at: float, now: float) -> None:
        """Shrink the window to the number in flight before the refused request, or further if that is refused too."""
        accepted = max(1.0, in_flight - 1.0)
        if not self._knows_limit or now - self.last_decrease > _PROBE_AFTER_S:
            self._size_before_refusals = self._size
            if self._knows_limit:  # a probe upward
                self._probe_backoff = min(4 * self._probe_backoff, 64)
            self._ceiling = self._size = min(self._size, accepted)
        elif sent_at < self.last_decrease:
            self._ceiling = min(self._ceiling, accepted)
            self._size = min(self._size, self._ceiling)
        else:
            self._ceiling = min(self._ceiling, accepted)
            self._size = max(1.0, self._size * _DECREASE)
            self._refusals_below += 1
        self._knows_limit = True
        self._probe_step = 1
        self._proven = min(self._proven, self.size)
        self._decreased(now)

    def halve(self, in_flight: int, sent_at: float, now: float, least: float = 1.0) -> None:
        """Halve the window once for all requests that were in flight together, but not below `least`."""
        if sent_at >= self.last_decrease:
            self._ceiling = max(least, min(self._size, in_flight - 1.0))
            self._size = max(min(least, self._size), self._size / 2)
            self._knows_limit = True
            self._probe_step = 1
            self._decreased(now)

    def is_not_to_blame(self, now: float) -> None:
        """Restore the window: the server refuses the rate, not the number in flight."""
        self._ceiling = self._size = max(self._size, self._size_before_refusals)
        self._knows_limit = True
        self.last_decrease = now

    def reopen(self, in_flight: int) -> None:
        """Start doubling again from the number now in flight: refusals had nothing to do with the window."""
        self._size = self._ceiling = float(min(max(_FEW, in_flight), self.most))
        self._knows_limit = False
        self._refusals_below, self._probe_backoff, self._probe_step = 0, 1, 1

    def _decreased(self, now: float) -> None:
        self.last_decrease = now
        self._accepted_since_decrease = 0
