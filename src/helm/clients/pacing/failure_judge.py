"""Decides whether requests fail because there are too many of them, or by chance."""

from collections import deque
from enum import Enum, auto

# With fewer requests than this, a share says little: at 20 requests its standard error is still about 0.1.
_ENOUGH = 20
# The present share is taken over this many requests up to the failed one: enough for a share of a few percent, few enough to
# notice a change within one or two windows.
_LATELY = 100
# The usual share is learned over twice as many requests as the present one, so that it lags behind a change. At
# `_LARGEST_SHARE` they hold more than `_MOST_NEEDED` failures.
_MEMORY = 200
# Standard deviations of the binomial distribution above the expected count. Every failure is tested, thousands in a long
# run, so the bound has to be far out: beyond 4 deviations lies about 1 test in 30,000.
_DEVIATIONS = 4.0
# A share above this depends on the load, or on nothing that could be learned.
_LARGEST_SHARE = 0.5
# A conclusion must hold for this many requests; otherwise it was wrong.
_TRIAL = 100
# Each wrong conclusion quadruples the number of failures needed for the next one (2, 8, 32, 64) and doubles the least share
# of them. Both are bounded, so that a server with random failures is recognized in the end.
_MOST_NEEDED = 64
_MOST_LEAST_SHARE = 0.04
# After this many decreases in a row that left the share of failures about the same, the load is not the cause.
_VAIN_DECREASES = 6


class Blame(Enum):
    """The cause of a failure."""

    LOAD = auto()
    """Too much was sent: send less."""

    CHANCE = auto()
    """The usual share of requests fails: continue."""

    NOT_LOAD = auto()
    """Sending less did not reduce the failures: return to the previous load."""


class FailureJudge:
    """Blames the load for failures until evidence shows that a share of requests fails at any load.

    That evidence is requests that fail although they were sent after the load was decreased, with no more in flight than
    have been answered since. When enough of them fail, and at least `least_share` of all requests, their share is considered
    usual at any load. From then on the load is blamed only when clearly more requests fail. If that happens right away, the
    conclusion was wrong, and the next one needs more evidence.

    Shares are taken over requests in the order in which they were sent, not in which they come back: failures come back
    sooner than answers, so the first outcomes after any change are mostly failures. Requests are numbered from 0 in that
    order. Not thread-safe: the limiter holds a lock.
    """

    def __init__(self, least_share: float):
        self._least_share = least_share
        self.usual = 0.0
        """The share of requests that fails at any load; 0 if none is known."""
        self._most_usual = 0.0
        """Upper bound of `usual`, so that failures caused by the load do not gradually become usual."""
        self._num_sent = 0
        self._changed = 0
        """Number of the first request that was sent after the last change of the load."""
        self._first_change = 0
        self._best = 0
        """The most requests in flight with any request that was sent since then and answered."""
        self._is_answering = False
        """Whether a request was answered since the last failure. If none was, a limit has been reached."""
        self._failed: deque[int] = deque(maxlen=_MEMORY)
        self._vain: deque[int] = deque(maxlen=_MEMORY)
        """Numbers of requests that failed although the load had been decreased."""
        self._needed = 2
        self._trial_ends = 0
        self._exceeded: deque[float] = deque(maxlen=_VAIN_DECREASES)
        """Shares that were clearly larger than usual, one per decrease."""
        self._outcomes: dict[int, bool] = {}
        self._next_settled = 0

    def sent(self) -> None:
        self._num_sent += 1

    def changed(self) -> None:
        """The load was decreased."""
        if not self._first_change:
            self._first_change = self._num_sent
        self._changed, self._best = self._num_sent, 0

    def answered(self, number: int, in_flight: int) -> None:
        """A request was answered, or failed in a way that this judge does not count."""
        if in_flight > 0:
            self._is_answering = True
        if in_flight > self._best and number >= self._changed:
            self._best = in_flight
        if number == self._next_settled and not self._outcomes and not self.usual:
            self._next_settled += 1  # the usual case, of which nothing is learned
        else:
            self._settle(number, False)

    def failed(self, number: int, in_flight: int) -> Blame:
        self._failed.append(number)
        self._settle(number, True)
        is_among_answers, self._is_answering = self._is_answering, False
        if self.usual:
            return self._unusual(number)
        if self._first_change and number >= self._changed and is_among_answers and in_flight <= max(1, self._best):
            self._vain.append(number)
        start = max(self._first_change, self._num_sent - _MEMORY)
        num_vain = sum(number >= start for number in self._vain)
        share = num_vain / max(1, self._num_sent - start)
        if (
            num_vain < self._needed
            or self._num_sent - start < _ENOUGH
            or not self._least_share <= share <= _LARGEST_SHARE
        ):
            return Blame.LOAD
        return self._conclude(share)

    def _conclude(self, share: float) -> Blame:
        # The share may rise by half, and by two points because small shares are estimated from few failures.
        self.usual, self._most_usual = share, min(1.5 * share + 0.02, _LARGEST_SHARE)
        self._vain.clear()
        self._trial_ends = self._num_sent + _TRIAL
        self._changed = self._num_sent
        self._exceeded.clear()
        return Blame.NOT_LOAD

    def _unusual(self, number: int) -> Blame:
        """Judge a failure when a usual share is known."""
        if number < self._changed:
            return Blame.CHANCE
        start = max(self._changed, number + 1 - _LATELY)
        num_sent = number + 1 - start
        num_failed = sum(start <= failed <= number for failed in self._failed)
        expected = num_sent * self.usual
        # The 2 covers small samples, where the normal approximation of the binomial distribution is too narrow.
        if num_failed <= expected + _DEVIATIONS * (expected * (1 - self.usual)) ** 0.5 + 2:
            return Blame.CHANCE
        if number < self._trial_ends:
            self.usual, self._needed = 0.0, min(4 * self._needed, _MOST_NEEDED)
            self._least_share = min(2 * self._least_share, _MOST_LEAST_SHARE)
            self._first_change = 0
            return Blame.LOAD
        share = num_failed / num_sent
        self._exceeded.append(share)
        if len(self._exceeded) == _VAIN_DECREASES and max(self._exceeded) <= min(
            _LARGEST_SHARE, 2 * min(self._exceeded)
        ):
            return self._conclude(share)  # sending less did not help
        return Blame.LOAD

    def _settle(self, number: int, is_failure: bool) -> None:
        """Learn from outcomes in the order of sending, without waiting for a very slow request forever."""
        if number >= self._next_settled:
            self._outcomes[number] = is_failure
        while self._next_settled in self._outcomes or len(self._outcomes) > 4 * _MEMORY:
            outcome = self._outcomes.pop(self._next_settled, False)
            self._next_settled += 1
            if self.usual:
                # A moving average over about 400 requests: slow enough that a burst of failures hardly changes it.
                self.usual = min(self.usual + (outcome - self.usual) / (2 * _MEMORY), self._most_usual)
                self._most_usual = min(self._most_usual, 1.5 * self.usual + 0.02)
                if self.usual < self._least_share / 2:
                    self.usual, self._first_change = 0.0, 0
                if self._next_settled > self._changed + _MEMORY:
                    self._exceeded.clear()
