"""Whether requests fail because there are too many of them, or by chance."""

from collections import deque
from enum import Enum, auto

_ENOUGH = 20
"""Requests after which a share means something."""
_LATELY = 100
"""Requests up to the one that failed: what happens now."""
_MEMORY = 200
_DEVIATIONS = 4.0
"""Beyond what is expected, by the binomial distribution: every failure is looked at, so even the rare happens."""
_LARGEST_SHARE = 0.5
"""What fails more often than this depends on the load, or on nothing that could be learned."""
_TRIAL = 100
"""Requests in which what was concluded must prove true."""
_MOST_NEEDED = 64
_MOST_LEAST_SHARE = 0.04
_VAIN_DECREASES = 6


class Blame(Enum):
    """What a failure is due to."""

    LOAD = auto()
    """Too much was sent: send less."""

    CHANCE = auto()
    """As many fail as ever: go on."""

    NOT_LOAD = auto()
    """Less was sent, and as many failed: go back to what was sent before."""


class FailureJudge:
    """The rule: a failure is due to the load, until requests that were sent after the load had been decreased fail as
    well, with no more in flight than were answered since. When that happened often enough, and to at least `least_share` of
    the requests, that share is taken to be usual, whatever the load; from then on the load is to blame only where clearly
    more fail. When that is so right away, the conclusion was wrong, and the next one needs more evidence.

    Shares are of requests in the order in which they were sent: failures come sooner than answers, so after any change
    the first outcomes are mostly failures. Requests have numbers from 0 in that order. Not safe for threads: the limiter
    holds a lock.
    """

    def __init__(self, least_share: float):
        self._least_share = least_share
        self.usual = 0.0
        """Share that fails whatever the load; 0: none is known."""
        self._most_usual = 0.0
        """What is added by the load is not to become usual little by little."""
        self._num_sent = 0
        self._changed = 0
        """Number of the first request that was sent after the last change of the load."""
        self._first_change = 0
        self._best = 0
        """Most in flight of the requests sent since then that were answered."""
        self._is_answering = False
        """Since the last failure; when nothing is, it is a limit that has been reached."""
        self._failed: deque[int] = deque(maxlen=_MEMORY)
        self._vain: deque[int] = deque(maxlen=_MEMORY)
        """Failures after a decrease."""
        self._needed = 2
        self._trial_ends = 0
        self._exceeded: deque[float] = deque(maxlen=_VAIN_DECREASES)
        """Shares each of which was clearly more than usual, one decrease after the other."""
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
        """Or failed in another way."""
        self._is_answering = self._is_answering or in_flight > 0
        if number >= self._changed:
            self._best = max(self._best, in_flight)
        self._settle(number, False)

    def failed(self, number: int, in_flight: int) -> Blame:
        self._failed.append(number)
        self._settle(number, True)
        is_among_answers, self._is_answering = self._is_answering, False
        if self.usual:
            return self._unusual(number)
        if self._first_change and number >= self._changed and is_among_answers and in_flight <= max(1, self._best):
            self._vain.append(number)
        memory = max(_MEMORY, 2 * self._needed)
        start = max(self._first_change, self._num_sent - memory)
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
        self.usual, self._most_usual = share, min(1.5 * share + 0.02, _LARGEST_SHARE)
        self._vain.clear()
        self._trial_ends = self._num_sent + _TRIAL
        self._changed = self._num_sent
        self._exceeded.clear()
        return Blame.NOT_LOAD

    def _unusual(self, number: int) -> Blame:
        """When a share is usual."""
        if number < self._changed:
            return Blame.CHANCE
        start = max(self._changed, number + 1 - _LATELY)
        num_sent = number + 1 - start
        num_failed = sum(start <= failed <= number for failed in self._failed)
        expected = num_sent * self.usual
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
            return self._conclude(share)  # less was sent in vain
        return Blame.LOAD

    def _settle(self, number: int, is_failure: bool) -> None:
        """Learn from outcomes in the order of sending; one that takes very long does not hold up the others."""
        if number >= self._next_settled:
            self._outcomes[number] = is_failure
        while self._next_settled in self._outcomes or len(self._outcomes) > 4 * _MEMORY:
            outcome = self._outcomes.pop(self._next_settled, False)
            self._next_settled += 1
            if self.usual:
                self.usual = min(self.usual + (outcome - self.usual) / (2 * _MEMORY), self._most_usual)
                self._most_usual = min(self._most_usual, 1.5 * self.usual + 0.02)
                if self.usual < self._least_share / 2:
                    self.usual, self._first_change = 0.0, 0
                if self._next_settled > self._changed + _MEMORY:
                    self._exceeded.clear()
