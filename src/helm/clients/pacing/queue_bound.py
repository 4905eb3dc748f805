"""How many requests may be in flight to a server that refuses none and lets them wait: by how long answers take."""

import math

_SHARE_OF_TIMEOUT = 0.25
"""Waiting in the server's queue may take so much of the time-out."""
_MEMORY = 16
"""Answers that count towards what is now."""
_LEVEL_MEMORY = 64
_ENOUGH = 8
"""Answers at a level before it is compared."""
_LEAST_GAIN = 0.1
"""What each added request must bring, as a share of what each of those before it brings."""
_FEW = 4
"""So many are always enough to be worth it."""
_FIRST_PATIENCE = 2
_MOST_PATIENCE = 64


class _Level:
    """Answers to requests that were sent when about so many were in flight."""

    def __init__(self) -> None:
        self.count = 0
        self.in_flight = 0.0
        self.seconds = 0.0

    def add(self, in_flight: int, seconds: float) -> None:
        self.count += 1
        weight = 1 / min(self.count, _LEVEL_MEMORY)
        self.in_flight += weight * (in_flight - self.in_flight)
        self.seconds += weight * (seconds - self.seconds)

    @property
    def per_second(self) -> float:
        return self.in_flight / max(self.seconds, 1e-9)

    @property
    def most_seconds(self) -> float:
        """Few answers may be short by chance."""
        return self.seconds * (1 + 1 / math.sqrt(self.count))


class QueueBound:
    """The rule: as many in flight as the server answers in the time that an answer takes when few are in flight and a quarter
    of the time-out (what is in flight is what is answered per second times how long that takes). And where twice as many
    in flight are answered no faster than half of them, half of them is enough, until the next look.

    One that serves one request at a time is thus not flooded until its requests time out, and one that answers many at
    once as fast as one is not held back. Not safe for threads: the limiter holds a lock.
    """

    def __init__(self, timeout_s: float = math.inf):
        self.timeout_s = timeout_s
        """Longest silence that is waited for."""
        self.most = math.inf
        """In flight."""
        self._in_flight = self._seconds = 0.0
        self._count = 0
        self._levels: dict[int, _Level] = {}
        self._enough = math.inf
        self._looked_after = 0
        self._patience = _FIRST_PATIENCE

    def answered(self, in_flight: int, seconds: float) -> None:
        """A request, sent when so many were in flight (with itself), has been answered; one that timed out counts, too."""
        self._count += 1
        weight = 1 / min(self._count, _MEMORY)
        self._in_flight += weight * (in_flight - self._in_flight)
        self._seconds += weight * (seconds - self._seconds)
        number = in_flight.bit_length()
        self._levels.setdefault(number, _Level()).add(in_flight, seconds)
        self._look_at_gain(number)
        self.most = max(1.0, min(self._bound(), self._enough))

    def timed_out(self, in_flight: int) -> None:
        """Nothing came within the time-out: those that still wait will take as long."""
        self._count, self._in_flight, self._seconds = 1, float(in_flight), self.timeout_s
        self.most = max(1.0, min(self._bound(), self.most))

    def _bound(self) -> float:
        if math.isinf(self.timeout_s) or self._seconds <= 0:
            return math.inf
        unloaded_s = min([level.most_seconds for level in self._levels.values()], default=self._seconds)
        unloaded_s = min(unloaded_s, self._seconds)
        return self._in_flight / self._seconds * (unloaded_s + _SHARE_OF_TIMEOUT * self.timeout_s)

    def _look_at_gain(self, number: int) -> None:
        """Hold what is enough, and look again after ever more answers."""
        self._looked_after += 1
        if self._enough < math.inf:
            if self._looked_after >= self._patience * self._enough:
                self._patience = min(2 * self._patience, _MOST_PATIENCE)
                self._forget_above()
            return
        level, lower = self._levels[number], self._levels.get(number - 1)
        if lower is None or min(level.count, lower.count) < _ENOUGH:
            return
        added = (level.per_second - lower.per_second) / (level.in_flight - lower.in_flight)
        if added < _LEAST_GAIN * lower.per_second / lower.in_flight:
            self._enough, self._looked_after = max(_FEW, 2.0 ** (number - 1) - 1), 0
        elif self._looked_after > 4 * _LEVEL_MEMORY:
            self._looked_after, self._patience = 0, _FIRST_PATIENCE

    def _forget_above(self) -> None:
        held = int(self._enough).bit_length()
        gone: list[int] = [number for number in self._levels if number > held]
        for number in gone:
            del self._levels[number]
        self._enough, self._looked_after = math.inf, 0
