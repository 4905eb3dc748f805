"""The contract of providers' batch APIs: many requests in one file, answered within a day, at a lower price."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.clients.http.answer_errors import find_error
from helm.clients.http.http_endpoint import HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure, failure_from_response, shortened
from helm.common.request import MALFORMED, REFUSED

RUNNING = "running"
ENDED = "ended"

_MAX_RESULTS_BYTES = 2 << 30
_CHARACTERS_PER_TOKEN = 4
_TOKENS_PER_MEDIUM = 1000
"""What an image or a sound is taken for, as a rule of thumb."""


@dataclass(frozen=True)
class BatchItem:
    """One request of a batch."""

    custom_id: str
    """Names it in the batch: letters, digits and hyphens, at most 64."""

    route: str
    """Where it would be posted."""

    body: Mapping[str, Any]
    """What would be posted."""

    deployment: str
    """Who is asked."""

    @property
    def prompt_tokens(self) -> int:
        """Roughly, for budgets."""
        texts, media = _measure(self.body)
        return texts // _CHARACTERS_PER_TOKEN + media * _TOKENS_PER_MEDIUM

    @property
    def allowed_tokens(self) -> tuple[int, int]:
        """How many completions are asked for, and how many tokens each may have."""
        names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
        most = next((self.body[name] for name in names if isinstance(self.body.get(name), int)), 0)
        return int(self.body.get("n") or 1), most


def _measure(value: Any) -> tuple[int, int]:
    """Characters of texts, and media."""
    if isinstance(value, str):
        return (0, 1) if value.startswith("data:") else (len(value), 0)
    if isinstance(value, Mapping):
        if isinstance(value.get("data"), str):  # a sound, or Anthropic's images
            return 0, 1
        value = list(value.values())
    if not isinstance(value, list):
        return 0, 0
    counts = [_measure(part) for part in value]
    return sum(texts for texts, _ in counts), sum(media for _, media in counts)


@dataclass(frozen=True)
class LineAnswer:
    """What became of one request of a batch."""

    custom_id: str

    status: int = 200
    """As an HTTP server would have given it."""

    body: Any = None
    """The answer, or an object that says what is wrong."""

    failure: RequestFailure | None = None
    """When there is no answer at all."""

    @property
    def is_failure(self) -> bool:
        return self.failure is not None or not 200 <= self.status < 300 or find_error(self.body) is not None

    def value(self, endpoint: HTTPEndpoint, route: str, check: Callable[[Any], None] | None) -> Any:
        """What a request by itself would have been answered. Raises: RequestFailure."""
        if self.failure is not None:
            raise self.failure
        if self.is_failure:
            data = json.dumps(find_error(self.body) or self.body).encode()
            url = f"{endpoint.public_url}/{route}"
            failure = failure_from_response(url, self.status, {}, data, endpoint.secret)
            failure.stops_endpoint = False  # the batch itself was let in
            raise failure
        if check is not None:
            check(self.body)
        return self.body


@dataclass(frozen=True)
class BatchStatus:
    """What the provider says of a batch."""

    phase: str
    """`running` or `ended`."""

    said: str
    """The same in the provider's words."""

    num_done: int = 0
    """Requests with an answer."""

    num_failed: int = 0

    began_at: int | None = None
    """Whole seconds since 1970."""

    ended_at: int | None = None
    """The same."""

    files: Sequence[str] = ()
    """Where the answers are, in the provider's words."""

    problem: RequestFailure | None = None
    """Why not one request was tried."""

    bad_lines: Sequence[tuple[int, str]] = ()
    """Lines (from 1) that the provider does not take, and why; then it has tried none of the others."""


class Batches(ABC):
    """A provider's batch API at one endpoint."""

    provider: str = ""
    max_requests: int = 50_000
    max_bytes: int = 200_000_000
    """Of one batch."""
    price_share: float = 1.0
    """What requests in a batch cost, as a share of the usual price."""

    def __init__(self, endpoint: HTTPEndpoint, price_share: float | None = None):
        self.endpoint = endpoint
        if price_share is not None:
            self.price_share = price_share

    @property
    def address(self) -> str:
        """Tells providers apart; without credentials."""
        return self.endpoint.public_url

    @abstractmethod
    def line(self, item: BatchItem) -> bytes:
        """One line of JSON, as it is sent."""

    @abstractmethod
    def group(self, item: BatchItem) -> str:
        """Only items of one group can share a batch."""

    @abstractmethod
    def upload(self, key: str, path: str) -> str | None:
        """Send the file of requests; returns the provider's name of it, or None where files are not sent beforehand.

        `key` is our name of the batch. Raises: RequestFailure.
        """

    @abstractmethod
    def create(self, key: str, path: str, group: str, file_id: str | None) -> str:
        """Make the batch, in one try; returns the provider's name of it. Raises: RequestFailure."""

    @abstractmethod
    def find(
        self, key: str, file_id: str | None, num_requests: int, made_after: float, taken: Sequence[str]
    ) -> str | None:
        """The provider's name of a batch whose making was begun, and maybe done, since `made_after`; None: there is none.

        `taken` are names of batches that are known to be others. Raises: RequestFailure.
        """

    @abstractmethod
    def poll(self, batch_id: str) -> BatchStatus:
        """Raises: RequestFailure."""

    @abstractmethod
    def download(self, batch_id: str, file: str) -> bytes:
        """The lines of one of `BatchStatus.files`. Raises: RequestFailure."""

    @abstractmethod
    def read_line(self, line: Mapping[str, Any]) -> LineAnswer:
        """Raises: KeyError, TypeError, ValueError when it is malformed."""

    @abstractmethod
    def cancel(self, batch_id: str) -> None:
        """Requests that are not answered yet are given up. Raises: RequestFailure."""

    # --- for subclasses -----------------------------------------------------------------------------------------------

    def _get(self, route: str) -> Any:
        return self.endpoint.send("GET", route, None, self._check_object, is_paid=False).value

    def _post(self, route: str, body: Mapping[str, Any], is_retried: bool) -> Any:
        data = json.dumps(body).encode("ascii")
        sent = self.endpoint.send("POST", route, data, self._check_object, is_retried=is_retried, is_paid=False)
        return sent.value

    def _download(self, route: str) -> bytes:
        read = lambda data, kind: data  # noqa: E731
        return self.endpoint.send("GET", route, read=read, is_paid=False, max_bytes=_MAX_RESULTS_BYTES).value

    def _check_object(self, value: Any) -> None:
        if not isinstance(value, dict):
            quoted = shortened(json.dumps(value), self.endpoint.secret)
            raise self.endpoint.failure(MALFORMED, "", f"the answer is no object: {quoted}")

    def _name(self, route: str, answer: Mapping[str, Any]) -> str:
        name = answer.get("id")
        if not isinstance(name, str) or not name:
            quoted = shortened(json.dumps(answer), self.endpoint.secret)
            raise self.endpoint.failure(MALFORMED, route, f"the answer has no id: {quoted}")
        return name

    def _pages(self, route: str, cursor: str, limit: int) -> Iterator[Mapping[str, Any]]:
        """The objects of a list, page after page."""
        after = ""
        while True:
            joint = "&" if "?" in route else "?"
            page = self._get(f"{route}{joint}limit={limit}" + (f"&{cursor}={after}" if after else ""))
            entries: list[Any] = page["data"] if isinstance(page.get("data"), list) else []
            yield from (entry for entry in entries if isinstance(entry, dict))
            last = page.get("last_id") or (entries[-1].get("id") if entries else None)
            if not page.get("has_more") or not isinstance(last, str) or last == after:
                return
            after = last

    def too_large(self, item: BatchItem) -> RequestFailure:
        """A request that is more than a whole batch may be."""
        return self.endpoint.failure(REFUSED, item.route, f"a batch takes at most {self.max_bytes:,} bytes.")
