"""How often to warn of requests that are retried: a server that fails does so for every request."""

from collections import deque
from collections.abc import Callable

_MOST_WARNINGS = 5
"""At most this many within `_WARN_EVERY_S`."""
_WARN_EVERY_S = 60.0


class WarningTurns:
    """Decides which warnings are logged. Not thread-safe: the limiter holds a lock.

    Args:
        clock: a monotonic clock in seconds.
    """

    def __init__(self, clock: Callable[[], float]):
        self._clock = clock
        self._warned_at: deque[float] = deque(maxlen=_MOST_WARNINGS)
        self._num_unsaid = 0

    def take(self) -> int | None:
        """Return how many warnings were suppressed since the last one; None if this one must be suppressed too."""
        now = self._clock()
        if self._warned_at and now - self._warned_at[0] < _WARN_EVERY_S and len(self._warned_at) == _MOST_WARNINGS:
            self._num_unsaid += 1
            return None
        self._warned_at.append(now)
        num_unsaid, self._num_unsaid = self._num_unsaid, 0
        return num_unsaid
