"""Whether there is a server at an address, and how long to wait for one that went away."""

import math

_FIRST_PROBE_S = 1.0
_LONGEST_PROBE_S = 5.0
_REPORT_EVERY_S = 60.0
UNKNOWN_PATIENCE_S = 15.0
"""For an address where nobody has ever answered: it may be wrong."""


class Outage:
    """The rule: when a connection cannot be made, nothing more is sent but one request now and then, until one is answered.
    The patience for a server that has answered before is a setting; for an address that never has it is short. When it is
    over, what waits fails; later requests fail at once, but for those that are sent to look whether it is back.

    `now` are seconds of one clock. Not safe for threads: the limiter holds a lock.
    """

    def __init__(self) -> None:
        self.has_answered = False
        self.since: float | None = None
        """When it went away; None: it is there, as far as is known."""
        self.cause = ""
        self.num_probes = 0
        """Requests that found nobody, one after the other."""
        self.is_given_up = False
        self._probe_every_s = _FIRST_PROBE_S
        self._next_probe_at = -math.inf
        self._next_report_at = -math.inf
        self._was_said = False
        """That it went away."""

    def answered(self, sent_at: float, now: float) -> str | None:
        """Something was. Returns what is to be said about it."""
        self.has_answered = True
        if self.since is None or sent_at < self.since:
            return None
        away_s, self.since, self.is_given_up, self.num_probes = now - self.since, None, False, 0
        was_said, self._was_said = self._was_said, False
        return f"It answers again, after {_duration(away_s)}." if was_said else None

    def unreachable(self, sent_at: float, now: float, cause: str) -> None:
        """Nobody took the connection of a request that was sent then."""
        if self.since is None:
            self.since = now
        elif sent_at < self.since:
            return  # together with the first one
        self.cause = cause
        self._probe_every_s = min(1.5 * self._probe_every_s, _LONGEST_PROBE_S) if self.num_probes else _FIRST_PROBE_S
        self._next_probe_at = now + self._probe_every_s
        self.num_probes += 1

    def patience_s(self, patience_s: float) -> float:
        """How long to wait, of those seconds that are waited for a server that has answered."""
        return patience_s if self.has_answered else min(patience_s, UNKNOWN_PATIENCE_S)

    def is_waiting(self, now: float, patience_s: float, max_probes: int) -> bool:
        """Whether to wait for it; else what waits is to fail. An address that never answered gets at most `max_probes`
        further tries."""
        if self.since is None:
            return True
        is_over = now - self.since >= self.patience_s(patience_s)
        if is_over or (self.num_probes > max_probes and not self.has_answered):
            self.is_given_up = True
        return not self.is_given_up

    def probe_at(self, in_flight: int) -> float | None:
        """When the next request may look; None: when the one that does comes back."""
        return None if in_flight else self._next_probe_at

    def report(self, now: float, patience_s: float) -> str | None:
        """What is to be said now: that it went away, and how long it has been, at most once a minute."""
        if self.since is None or self.is_given_up or now < self._next_report_at:
            return None
        was_said, self._was_said, self._next_report_at = self._was_said, True, now + _REPORT_EVERY_S
        patience_s = self.patience_s(patience_s)
        if not was_said:
            return f"{self.cause} Waiting for it, for up to {_duration(patience_s)}."
        return f"Still waiting: no connection for {_duration(now - self.since)}, of at most {_duration(patience_s)}."


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
