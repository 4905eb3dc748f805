"""What becomes of a request that the response cache cannot answer: it is sent, or not at all, or tried once, or with a batch."""

import contextvars
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple


@dataclass(frozen=True)
class _Way:
    """How the requests of a block are made."""

    sends: bool = True

    only_try_s: float | None = None

    deferral: "Deferral | None" = None


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
    """For clients that ask over HTTP: inside, requests that are not cached are `cancelled`."""
    return _going(sends=False)


def is_sending() -> bool:
    """Whether requests may leave the process."""
    return _way.get().sends


def trying_once(timeout_s: float) -> AbstractContextManager[None]:
    """For clients that ask over HTTP: inside, no request is tried again, and none waits longer than this for an answer."""
    return _going(only_try_s=timeout_s)


def only_try_s() -> float | None:
    """How long the only try may take; None: requests are sent as usual."""
    return _way.get().only_try_s


def deferring(deferral: "Deferral") -> AbstractContextManager[None]:
    """Inside, requests that the response cache cannot answer, and whose client has a batch API, go to `deferral`."""
    return _going(deferral=deferral)


def current_deferral() -> "Deferral | None":
    return _way.get().deferral


class Deferred(BaseException):
    """The answer comes later, with those of a batch; whoever can wait for it asks again then.

    No Exception, so that nobody takes it for a failure of the request.
    """


@contextmanager
def all_asked() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """For several requests that do not depend on each other: each is made inside `each()`, so that those that are deferred
    go with the same batch. At the end Deferred is raised when any was.
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
    """What a provider answered."""

    value: Any

    began_at: int
    """When it was asked, in whole seconds since 1970."""

    seconds: float
    """How long it took to answer, without pauses and the wait for a turn."""


class Deferral(ABC):
    """Where the requests of one run go instead of to the provider. Used from many threads."""

    @abstractmethod
    def exchange(self, slot: "BatchSlot", route: str, body: Mapping[str, Any], check: Callable | None) -> Sent:
        """What the provider answered to `body`, sent to `route`; `check` raises when an answer is none.

        Raises: Deferred when it has not answered yet; what `check` raises, and the failure that came instead of an answer.
        """

    @abstractmethod
    def settled(self, slot: "BatchSlot") -> None:
        """The answer is in the response cache."""

    @abstractmethod
    def is_taking(self, batches: Any, deployment: str) -> bool:
        """Whether the requests to a deployment, whose client has these `batches`, go here."""


@dataclass(frozen=True)
class BatchSlot:
    """One request of a client, on its way into a batch."""

    deferral: Deferral

    batches: Any
    """The provider's batch API, of helm.clients.batch."""

    deployment: str

    key: str
    """What the response cache calls the request."""
