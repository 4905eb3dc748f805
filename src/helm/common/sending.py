"""What becomes of a request that the response cache cannot answer: it is sent, or not at all, or tried once, or with a batch."""

import contextvars
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, ContextManager, Iterator, List, Mapping, Optional

_sends_nothing: contextvars.ContextVar[bool] = contextvars.ContextVar("helm_sends_nothing", default=False)

_only_try_s: contextvars.ContextVar[Optional[float]] = contextvars.ContextVar("helm_only_try_s", default=None)


@contextmanager
def nothing_sent() -> Iterator[None]:
    """For clients that ask over HTTP: inside, requests that are not cached are `cancelled`."""
    token = _sends_nothing.set(True)
    try:
        yield
    finally:
        _sends_nothing.reset(token)


def is_sending() -> bool:
    """Whether requests may leave the process."""
    return not _sends_nothing.get()


@contextmanager
def trying_once(timeout_s: float) -> Iterator[None]:
    """For clients that ask over HTTP: inside, no request is tried again, and none waits longer than this for an answer."""
    token = _only_try_s.set(timeout_s)
    try:
        yield
    finally:
        _only_try_s.reset(token)


def only_try_s() -> Optional[float]:
    """How long the only try may take; None: requests are sent as usual."""
    return _only_try_s.get()


class Deferred(BaseException):
    """The answer comes later, with those of a batch; whoever can wait for it asks again then.

    No Exception, so that nobody takes it for a failure of the request.
    """


@contextmanager
def all_asked() -> Iterator[Callable[[], ContextManager[None]]]:
    """For several requests that do not depend on each other: each is made inside `each()`, so that those that are deferred
    go with the same batch. At the end Deferred is raised when any was.
    """
    found: List[Deferred] = []

    @contextmanager
    def each() -> Iterator[None]:
        try:
            yield
        except Deferred as e:
            found.append(e)

    yield each
    if found:
        raise found[0]


@dataclass(frozen=True)
class Sent:
    """What a provider answered."""

    value: Any

    began_at: int
    """When it was asked, in whole seconds since 1970."""

    seconds: float
    """How long it took to answer, without pauses and the wait for a turn."""


class Deferral(ABC):
    """Where the requests of one run go instead of to the provider. Used from many threads."""

    @abstractmethod
    def exchange(self, slot: "BatchSlot", route: str, body: Mapping[str, Any], check: Optional[Callable]) -> Sent:
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


_deferral: contextvars.ContextVar[Optional[Deferral]] = contextvars.ContextVar("helm_deferral", default=None)


@contextmanager
def deferring(deferral: Deferral) -> Iterator[None]:
    """Inside, requests that the response cache cannot answer, and whose client has a batch API, go to `deferral`."""
    token = _deferral.set(deferral)
    try:
        yield
    finally:
        _deferral.reset(token)


def current_deferral() -> Optional[Deferral]:
    return _deferral.get()
