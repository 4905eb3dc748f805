"""What a lane (`helm.clients.http.request_lane`) is told of the requests that go through it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from helm.common.request import Request, RequestResult
from helm.common.sending import FirstTry


class LaneWork(ABC):
    """The requests that go through a lane, and where their results go. Items stand for requests."""

    @abstractmethod
    def take(self, most: int) -> list[tuple[Any, Request]]:
        """Return up to so many of the next items; none if there are no more."""

    @abstractmethod
    def place_of(self, item: Any) -> str | None:
        """Return the place of a request, as in `helm.common.sending.at_place`."""

    @abstractmethod
    def finish(self, answered: Sequence[tuple[Any, RequestResult]]) -> None:
        """Take the results of items. It raises no exception."""

    @abstractmethod
    def hand_over(self, item: Any, first_try: FirstTry | None) -> None:
        """Let a request go on in another thread."""

    @property
    @abstractmethod
    def num_elsewhere(self) -> int:
        """The number of requests that go on in other threads."""

    @property
    @abstractmethod
    def is_stopping(self) -> bool:
        """Whether nothing more may be begun."""
