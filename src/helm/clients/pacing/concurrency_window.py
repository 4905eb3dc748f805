"""How many requests may be in flight to one endpoint, by what it refuses."""

import math

_MINUTE_S = 60.0
_CLEARLY_FEWER = 0.8
_DECREASE = 0.8
_RECOVERY = 0.2
"""By how much each answer widens the window again, up to what was accepted before."""
_MAX_REFUSALS_BELOW = 3
"""So often requests may be refused within a window that was accepted before; then it is not their number that matters."""
_FEW = 4
_CERTAINLY_FEW = 16
"""Up to here it grows faster: hardly a limit is lower, and what waits is bounded elsewhere."""
_PROBE_AFTER_REQUESTS = 10
_PROBE_AFTER_S = 5.0


class ConcurrencyWindow:
    """The rule: each answer widens the window by one, so it doubles with every round (by three while it is small), until a
    request is refused. Then it is one less than were in flight when that happened; it is widened again a little at a time,
    the more seldom the more often that was refused. A server that fails halves it, and with each answer it comes back
    towards what was accepted.

    All methods take `in_flight`, the number of requests that were on their way when the one in question was sent, that one
    among them; `sent_at` and `now` are seconds of one clock. Not safe for threads: the limiter holds a lock.
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
        """When this window or the pace last went down. Requests sent before then say nothing about the load now."""

    @property
    def size(self) -> int:
        return max(1, min(int(self._size), self.most))

    def accepted(self, in_flight: int, sent_at: float, now: float, is_paced: bool) -> None:
        """`is_paced`: the rate is the limit, not the window."""
        self._accepted_since_decrease += 1
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
        num_needed = max(_PROBE_AFTER_REQUESTS, self._size) * self._probe_backoff
        if self._accepted_since_decrease < num_needed or now - self.last_decrease <= _PROBE_AFTER_S:
            return
        self._ceiling = self._size = min(self._size + self._probe_step, self.most)
        self._probe_step = max(1, min(2 * self._probe_step, int(self._size / 8)))
        self._probe_backoff = max(1, self._probe_backoff // 2)
        self._accepted_since_decrease = 0
        if now - self.last_decrease > _MINUTE_S:
            self._refusals_below = 0

    def explains(self, in_flight: int, sent_at: float, now: float) -> bool:
        """Whether a refusal may be due to so many in flight; else it is their rate."""
        if in_flight < _CLEARLY_FEWER * self._proven or in_flight <= 1:
            return False
        if self.last_decrease <= sent_at and now - self.last_decrease < _PROBE_AFTER_S:
            return in_flight > 2 and self._refusals_below < _MAX_REFUSALS_BELOW
        return True

    def refused(self, in_flight: int, sent_at: float, now: float) -> None:
        """As many as were in flight before the refused one were accepted; less when they are refused too."""
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
        """Once for all that were in flight together; not below `least`."""
        if sent_at >= self.last_decrease:
            self._ceiling = max(least, min(self._size, in_flight - 1.0))
            self._size = max(min(least, self._size), self._size / 2)
            self._knows_limit = True
            self._probe_step = 1
            self._decreased(now)

    def is_not_to_blame(self, now: float) -> None:
        """It is the rate that is refused: the window is again what it was."""
        self._ceiling = self._size = max(self._size, self._size_before_refusals)
        self._knows_limit = True
        self.last_decrease = now

    def reopen(self, in_flight: int) -> None:
        """What was refused had nothing to do with it: it doubles again, from what is in flight now."""
        self._size = self._ceiling = float(min(max(_FEW, in_flight), self.most))
        self._knows_limit = False
        self._refusals_below, self._probe_backoff, self._probe_step = 0, 1, 1

    def _decreased(self, now: float) -> None:
        self.last_decrease = now
        self._accepted_since_decrease = 0
