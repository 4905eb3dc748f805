"""Decides whether a request that is not cached is sent as usual, only once, in a batch, or not at all, and names it."""

import contextvars
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple


@dataclass(frozen=True)
class _Way:
    """How the requests inside a block are sent."""

    sends: bool = True

    only_try_s: float | None = None

    deferral: "Deferral | None" = None

    place: str | None = None

    first_try: "FirstTry | None" = None


_AS_USUAL = _Way()

_way: contextvars.ContextVar[_Way] = contextvars.ContextVar("helm_way_of_sending", default=_AS_USUAL)


@contextmanager
def _going(**changes: Any) -> Iterator[None]:
    token = _way.set(replace(_way.get(), **changes))
    try:
        yield
    finally:
        _way.reset(token)


def nothing_sent() -> AbstractContextManager[None]:
    """Cancel requests that are not cached inside the block; for clients that use HTTP."""
    return _going(sends=False)


def is_sending() -> bool:
    """Return whether requests may leave the process."""
    return _way.get().sends


def trying_once(timeout_s: float) -> AbstractContextManager[None]:
    """Retry no request inside the block, and wait at most this long for an answer; for clients that use HTTP."""
    return _going(only_try_s=timeout_s)


def only_try_s() -> float | None:
    """Return how long the only try may take; None if requests are sent as usual."""
    return _way.get().only_try_s


def deferring(deferral: "Deferral") -> AbstractContextManager[None]:
    """Pass requests that are not cached, and whose client has a batch API, to `deferral` inside the block."""
    return _going(deferral=deferral)


def current_deferral() -> "Deferral | None":
    return _way.get().deferral


class at_place(AbstractContextManager[None]):  # noqa: N801  # each request enters one, so it is no generator
    """Say which request of which run is made inside the block; after a kill, the same one has the same place."""

    def __init__(self, place: str):
        self._place = place

    def __enter__(self) -> None:
        way = _way.get()
        self._token = _way.set(_Way(way.sends, way.only_try_s, way.deferral, self._place, way.first_try))

    def __exit__(self, *exc_info: Any) -> None:
        _way.reset(self._token)


def current_place() -> str | None:
    """Return the place of the request that is made; None for one that no journal records."""
    return _way.get().place


class FirstTry:
    """What the first try of a request came to, which was made outside the block that continues from there.

    Args:
        outcome: the answer, or the failure that the try ended with.
        began: when it began, on the clock of `time.monotonic`.
        url, data: what was sent, and where.
    """

    def __init__(self, outcome: "Sent | Exception", began: float, url: str, data: bytes):
        self._outcome: Sent | Exception | None = outcome
        self.began = began
        self._url, self._data = url, data

    def take(self, url: str, data: bytes | None) -> "Sent | Exception | None":
        """Return the outcome to the first caller if it is about to send the same, otherwise None: it is that of a single try."""
        outcome, self._outcome = self._outcome, None
        return outcome if url == self._url and data == self._data else None


def after_first_try(first_try: FirstTry) -> AbstractContextManager[None]:
    """Continue a request inside the block: what it sends first has been sent already."""
    return _going(first_try=first_try)


def current_first_try() -> FirstTry | None:
    return _way.get().first_try


class Deferred(BaseException):
    """The answer comes later, with a batch; a caller that can wait repeats the request then.

    It is not an Exception, so that no handler mistakes it for a failure of the request.
    """


@contextmanager
def all_asked() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Make several independent requests, each inside `each()`, so that deferred ones go into the same batch.

    At the end, Deferred is raised if any request was deferred.
    """
    found: list[Deferred] = []

    @contextmanager
    def each() -> Iterator[None]:
        try:
            yield
        except Deferred as e:
            found.append(e)

    yield each
    if found:
        raise found[0]


class Sent(NamedTuple):
    """A provider's answer."""

    value: Any

    began_at: int
    """When the request was sent, in whole seconds since 1970."""

    seconds: float
    """The response time in seconds, without pauses and waiting for a turn."""


class Deferral(ABC):
    """Receives the requests of one run instead of the provider. It is used from many threads."""

    @abstractmethod
    def exchange(self, slot: "BatchSlot", route: str, body: Mapping[str, Any], check: Callable | None) -> Sent:
        """Return the provider's answer to `body`, sent to `route`; `check` raises an exception if it is not valid.

        Raises Deferred if there is no answer yet, the exceptions of `check`, and the failure received instead of an answer.
        """

    @abstractmethod
    def settled(self, slot: "BatchSlot") -> None:
        """Note that the answer is in the response cache."""

    @abstractmethod
    def is_taking(self, batches: Any, deployment: str) -> bool:
        """Return whether to take the requests to a deployment whose client has these `batches`."""


@dataclass(frozen=True)
class BatchSlot:
    """One request of a client that goes into a batch."""

    deferral: Deferral

    batches: Any
    """The provider's batch API, of helm.clients.batch."""

    deployment: str

    key: str
    """The key of the request in the response cache."""
