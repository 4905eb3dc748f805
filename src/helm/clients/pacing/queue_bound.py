"""The number of requests that may be in flight to a server that queues instead of refusing, learned from response times."""

import math

# Waiting in the server's queue may take this share of the timeout. The rest is for answers that take longer than average.
_SHARE_OF_TIMEOUT = 0.25
# The present response time is an average of about this many answers, so that it follows a change within a few windows.
_MEMORY = 16
# The response time of a level is an average of about this many answers: levels are compared, so noise must be small.
_LEVEL_MEMORY = 64
# A level needs this many answers before it is compared.
_ENOUGH = 8
# Each added request must raise the throughput by at least this share of what each earlier request contributes. At 10% most of
# the waiting is in the queue, and more requests in flight only come closer to the timeout.
_LEAST_GAIN = 0.1
# The bound never falls below this because of too little gain: with few requests, gains are mostly noise.
_FEW = 4
# How many rounds of `_enough` answers the bound holds before the next look. It doubles each time, since every look has
# requests wait longer for nothing, and is bounded, so that a server that got more capacity is used in the end.
_FIRST_PATIENCE = 2
_MOST_PATIENCE = 64


class _Level:
    """Answers to requests that were sent with similar numbers of requests in flight: from one power of two to the next."""

    def __init__(self) -> None:
        self.count = 0
        self.in_flight = 0.0
        self.seconds = 0.0
        self.most_seconds = math.inf
        """A cautious estimate of the response time: an average of few answers may be low by chance."""

    def add(self, in_flight: int, seconds: float) -> None:
        self.count += 1
        weight = 1 / min(self.count, _LEVEL_MEMORY)
        self.in_flight += weight * (in_flight - self.in_flight)
        self.seconds += weight * (seconds - self.seconds)
        # The standard error of a mean of n response times, which vary about as much as they last, is mean / sqrt(n).
        self.most_seconds = self.seconds * (1 + 1 / math.sqrt(self.count))

    @property
    def per_second(self) -> float:
        return self.in_flight / max(self.seconds, 1e-9)


class QueueBound:
    """Limits the requests in flight to what the server answers well within the timeout.

    By Little's law, the number in flight is the throughput times the response time. The bound is the measured throughput
    times the response time when few requests are in flight plus a quarter of the timeout. In addition, if twice as many
    requests in flight do not raise the throughput, half of them are enough, until the next look.

    A server that handles one request at a time is thus not flooded until its requests time out, and a server that handles
    many at once is not held back. Not thread-safe: the limiter holds a lock.
    """

    def __init__(self, timeout_s: float = math.inf):
        self.timeout_s = timeout_s
        """How long clients wait for an answer."""
        self.most = math.inf
        """The most requests in flight."""
        self._in_flight = self._seconds = 0.0
        self._count = 0
        self._levels: dict[int, _Level] = {}
        self._enough = math.inf
        self._looked_after = 0
        self._patience = _FIRST_PATIENCE

    def answered(self, in_flight: int, seconds: float) -> None:
        """A request was answered `seconds` after it was sent; it was then one of `in_flight`."""
        self._count += 1
        weight = 1 / min(self._count, _MEMORY)
        self._in_flight += weight * (in_flight - self._in_flight)
        self._seconds += weight * (seconds - self._seconds)
        number = in_flight.bit_length()  # levels double: 1, 2-3, 4-7, 8-15, ...
        level = self._levels.get(number)
        if level is None:
            level = self._levels[number] = _Level()
        level.add(in_flight, seconds)
        self._look_at_gain(number)
        self.most = max(1.0, min(self._bound(), self._enough))

    def timed_out(self, in_flight: int) -> None:
        """A request timed out: those still in flight will take as long, so earlier response times are forgotten."""
        self._count, self._in_flight, self._seconds = 1, float(in_flight), self.timeout_s
        self.most = max(1.0, min(self._bound(), self.most))

    def _bound(self) -> float:
        if math.isinf(self.timeout_s) or self._seconds <= 0:
            return math.inf
        unloaded_s = self._seconds
        for level in self._levels.values():
            if level.most_seconds < unloaded_s:
                unloaded_s = level.most_seconds
        return self._in_flight / self._seconds * (unloaded_s + _SHARE_OF_TIMEOUT * self.timeout_s)

    def _look_at_gain(self, number: int) -> None:
        """Limit the requests in flight where more bring no gain, and look again after ever more answers."""
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
        elif self._looked_after > 4 * _LEVEL_MEMORY:  # no limit for long: the next one is again tested early
            self._looked_after, self._patience = 0, _FIRST_PATIENCE

    def _forget_above(self) -> None:
        held = int(self._enough).bit_length()
        gone: list[int] = [number for number in self._levels if number > held]
        for number in gone:
            del self._levels[number]
        self._enough, self._looked_after = math.inf, 0
