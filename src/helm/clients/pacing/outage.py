"""Detects whether a server is reachable, and decides how long to wait for one that went away."""

import math

# The first probe comes after a second, because most outages are restarts; later ones come at most every five seconds, so that
# hours of waiting cost little and the end of the outage is noticed soon.
_FIRST_PROBE_S = 1.0
_LONGEST_PROBE_S = 5.0
_REPORT_EVERY_S = 60.0
# An address where no server has ever answered may be wrong: waiting for minutes would only delay the error message.
UNKNOWN_PATIENCE_S = 15.0


class Outage:
    """Suspends sending while a server cannot be reached.

    When a connection cannot be made, only single requests are sent from time to time as probes, until one is answered. The
    patience for a server that has answered before is a setting; for an address that has never answered it is short. When
    the patience is exhausted, waiting requests fail, and later requests fail at once, except the probes that test whether
    the server is back.

    `now` is in seconds of one clock. Not thread-safe: the limiter holds a lock.
    """

    def __init__(self) -> None:
        self.has_answered = False
        self.since: float | None = None
        """When the server went away; None while it is reachable, as far as is known."""
        self.cause = ""
        self.num_probes = 0
        """Consecutive requests that found no server."""
        self.is_given_up = False
        self._probe_every_s = _FIRST_PROBE_S
        self._next_probe_at = -math.inf
        self._next_report_at = -math.inf
        self._was_said = False
        """Whether the outage was logged."""

    def answered(self, sent_at: float, now: float) -> str | None:
        """A request was answered. Return the message to log, if any."""
        self.has_answered = True
        if self.since is None or sent_at < self.since:
            return None
        away_s, self.since, self.is_given_up, self.num_probes = now - self.since, None, False, 0
        was_said, self._was_said = self._was_said, False
        return f"It answers again, after {_duration(away_s)}." if was_said else None

    def unreachable(self, sent_at: float, now: float, cause: str) -> None:
        """No server accepted the connection of a request sent at `sent_at`."""
        if self.since is None:
            self.since = now
        elif sent_at < self.since:
            return  # it was in flight with the first failed request and is not a probe
        self.cause = cause
        self._probe_every_s = min(1.5 * self._probe_every_s, _LONGEST_PROBE_S) if self.num_probes else _FIRST_PROBE_S
        self._next_probe_at = now + self._probe_every_s
        self.num_probes += 1

    def patience_s(self, patience_s: float) -> float:
        """Return how long to wait for this server, given the patience for one that has answered before."""
        return patience_s if self.has_answered else min(patience_s, UNKNOWN_PATIENCE_S)

    def is_waiting(self, now: float, patience_s: float, max_probes: int) -> bool:
        """Return whether to wait for the server; if not, waiting requests must fail.

        An address that has never answered gets at most `max_probes` further tries.
        """
        if self.since is None:
            return True
        is_over = now - self.since >= self.patience_s(patience_s)
        if is_over or (self.num_probes > max_probes and not self.has_answered):
            self.is_given_up = True
        return not self.is_given_up

    def probe_at(self, in_flight: int) -> float | None:
        """Return when the next probe may be sent; None while one is in flight."""
        return None if in_flight else self._next_probe_at

    def report(self, now: float, patience_s: float) -> str | None:
        """Return the message to log now, at most one per minute: that the server went away, then for how long."""
        if self.since is None or self.is_given_up or now < self._next_report_at:
            return None
        was_said, self._was_said, self._next_report_at = self._was_said, True, now + _REPORT_EVERY_S
        patience_s = self.patience_s(patience_s)
        if not was_said:
            return f"{self.cause} Waiting for it, for up to {_duration(patience_s)}."
        return f"Still waiting: no connection for {_duration(now - self.since)}, of at most {_duration(patience_s)}."


def _duration(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
