"""The base of clients of providers that answer with a ticket, and have the pictures later."""

import itertools
import json
import time
from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from helm.clients.http.http_client import Call, ProviderClient
from helm.clients.http.http_endpoint import Headers, HTTPEndpoint, max_retries, read_json_body
from helm.clients.http.request_failure import RequestFailure
from helm.clients.image_generation.image_making_client import ImageMakingClient
from helm.common.cache import CacheConfig
from helm.common.concurrency import sleep_until_stopped
from helm.common.file_caches.file_cache import FileCache
from helm.common.request import REFUSED, SERVER, TIMED_OUT, wrap_request_time
from helm.common.sending import BatchSlot, Sent

_FIRST_LOOK_S, _LONGEST_LOOK_S = 0.5, 5.0
_MOST_TICKETS = 3
"""A picture that fails is ordered again, at most so often in all."""
_STAGE, _TICKET, _OVER = "stage", "ticket", "is_over"


class QueuedImageClient(ImageMakingClient, ProviderClient):
    """Orders a picture, and looks until it is there.

    The ticket of an order is cached before the first look, so a process that follows a killed one does not order the picture
    again. A subclass says where to look (`_state_url`) and what is seen (`_finished`).

    Args:
        cache_config: where tickets and answers are cached.
        file_cache: where pictures are stored.
        api_key: the key; None reads the environment variable `KEY_VARIABLE`.
        provider_model: the provider's name of the model; None means that the client makes it from the model's name.
        arguments: further fields of each request.
        base_url: the address; None means the provider's own.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        file_cache: FileCache,
        api_key: str | None = None,
        provider_model: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url)
        self.file_cache = file_cache
        self.model_name = provider_model
        self.arguments = dict(arguments or {})

    @abstractmethod
    def _state_url(self, ticket: Mapping[str, Any]) -> str:
        """Return the address in a ticket at which its state is. May raise KeyError."""

    @abstractmethod
    def _finished(self, ticket: Mapping[str, Any], state: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the answer with the pictures, if they are there; None if they are not there yet.

        `_received` reads it. Raises: RequestFailure if there will be none; `self._failed` makes it.
        """

    def _failed(self, cause: Any) -> RequestFailure:
        """Return the failure of an order at the provider, which may be repeated."""
        failure = self.endpoint.failure(SERVER, "", f"the picture was ordered, and failed: {cause}")
        failure.is_retriable = False
        return failure

    def _check(self, path: str, num_images: int, answer: Any) -> None:
        """Check a ticket; `_look` checks what it leads to."""
        try:
            self._endpoint_of(self._state_url(answer))
        except (TypeError, KeyError, ValueError, AttributeError) as e:
            raise self._malformed(path, "the answer holds no ticket for a picture", answer) from e

    def _send(self, call: Call, slot: BatchSlot | None) -> Sent:
        key = {**call.key, _STAGE: _TICKET}
        began = time.monotonic()
        for number in itertools.count(1):
            ticket, is_old = self.cache.get(
                key,
                wrap_request_time(lambda: dict(self._order(call).value)),
                is_answer=lambda found: bool(found) and not found.get(_OVER),
            )
            try:
                answer = self._wait(call, ticket)
                return Sent(self._kept(call, answer), ticket["request_datetime"], time.monotonic() - began)
            except RequestFailure as failure:
                is_gone = is_old and failure.outcome == REFUSED  # a ticket or an address of an earlier process
                has_failed = failure.outcome == SERVER and not failure.is_retriable
                if is_gone or has_failed:
                    self.cache.get(key, lambda: {_OVER: True}, is_answer=lambda found: bool(found.get(_OVER)))
                if not is_gone and not (has_failed and number < min(_MOST_TICKETS, 1 + max_retries(SERVER))):
                    raise
        raise AssertionError

    def _order(self, call: Call) -> Sent:
        data = json.dumps(self._body(call.body)).encode("ascii")  # type: ignore[arg-type]
        return _send_whatever_it_says(self.endpoint, "POST", call.route, data, call.check, call.headers)

    def _wait(self, call: Call, ticket: Mapping[str, Any]) -> Mapping[str, Any]:
        """Look until the pictures of a ticket are there, and return the answer with them."""
        answer = self._finished(ticket, ticket)
        deadline = time.monotonic() + self.endpoint.deadline_s
        pause_s = _FIRST_LOOK_S
        while answer is None:
            if time.monotonic() + pause_s > deadline:
                raise self.endpoint.failure(
                    TIMED_OUT, "", f"the picture was ordered, and is not there within {self.endpoint.deadline_s:g} s."
                )
            sleep_until_stopped(pause_s)
            pause_s = min(1.5 * pause_s, _LONGEST_LOOK_S)
            answer = self._finished(ticket, self._look(self._state_url(ticket)))
        super()._check(call.route, 1, answer)
        return answer

    def _look(self, url: str) -> Mapping[str, Any]:
        """Return the JSON at an address of the provider. Raises: RequestFailure."""
        endpoint, route = self._endpoint_of(url)
        value = _send_whatever_it_says(endpoint, "GET", route, is_paid=False).value
        if not isinstance(value, dict):
            raise self._malformed(route, "the state of an order is no object", value)
        return value

    def _endpoint_of(self, url: str) -> tuple[HTTPEndpoint, str]:
        """Return the endpoint with the key for an address in an answer, and the route there.

        Raises: RequestFailure if the address is not the provider's: the key is for nobody else.
        """
        parts, own = urlsplit(url), urlsplit(self.endpoint.base_url)
        is_same = (parts.scheme, parts.netloc) == (own.scheme, own.netloc)
        if not is_same and not (
            parts.scheme == own.scheme == "https" and _domain(parts.hostname) == _domain(own.hostname)
        ):
            raise self.endpoint.failure(REFUSED, "", f"the answer leads elsewhere, to {url[:100]}.")
        headers = (
            {self.KEY_HEADER[0]: self.KEY_HEADER[1].format(key=self.endpoint.secret)} if self.endpoint.secret else {}
        )
        endpoint = HTTPEndpoint(
            f"{parts.scheme}://{parts.netloc}", headers, secret=self.endpoint.secret, timeout_s=self.endpoint.timeout_s
        )
        return endpoint, parts.path.lstrip("/") + (f"?{parts.query}" if parts.query else "")


def _send_whatever_it_says(
    endpoint: HTTPEndpoint,
    method: str,
    route: str,
    data: bytes | None = None,
    check: Callable[[Any], None] = lambda value: None,
    headers: Headers = None,
    is_paid: bool = True,
) -> Sent:
    """Send a request whose answer may tell of an order that failed, which is no failure of the request itself."""
    sent = endpoint.send(
        method,
        route,
        data,
        lambda values: check(values[0]),
        headers,
        read=lambda body, content_type: [read_json_body(body, content_type)],  # in a list, errors are not searched for
        is_paid=is_paid,
    )
    return Sent(sent.value[0], sent.began_at, sent.seconds)


def _domain(host: str | None) -> str:
    """Return the last two parts of the name of a host; of an address all."""
    return host or "" if not host or host.rpartition(".")[2].isdigit() else ".".join(host.split(".")[-2:])
