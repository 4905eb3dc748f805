"""The permission to send a request, and why there is none."""

from dataclasses import dataclass


@dataclass
class Ticket:
    """The permission to send one request."""

    sent_at: float

    in_flight: int
    """Requests in flight when the ticket was issued, including this one."""

    number: int = 0
    """How many requests were sent before this one."""


class LimiterStopped(Exception):
    """No more requests may be sent to this endpoint; `reason` is the argument of `Limiter.stop`."""

    def __init__(self, reason: BaseException):
        super().__init__(str(reason))
        self.reason = reason


class ServerGone(Exception):
    """The server was unreachable for longer than the patience; the message is the last cause."""
