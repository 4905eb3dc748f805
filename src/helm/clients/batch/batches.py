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

# Ten times the largest input file: answers may be longer than prompts, and log-probabilities multiply them.
_MAX_RESULTS_BYTES = 2 << 30
# Rules of thumb for budgets: English text has about four characters per token, and providers count roughly this many tokens
# for an image or a short recording.
_CHARACTERS_PER_TOKEN = 4
_TOKENS_PER_MEDIUM = 1000


@dataclass(frozen=True)
class BatchItem:
    """One request of a batch."""

    custom_id: str
    """The request's name in the batch: at most 64 letters, digits and hyphens."""

    route: str
    """The route to which the request would be posted by itself."""

    body: Mapping[str, Any]
    """The body that would be posted."""

    deployment: str
    """The deployment that the request is for."""

    @property
    def prompt_tokens(self) -> int:
        """Estimate the tokens of the prompt, for budgets."""
        texts, media = _measure(self.body)
        return texts // _CHARACTERS_PER_TOKEN + media * _TOKENS_PER_MEDIUM

    @property
    def allowed_tokens(self) -> tuple[int, int]:
        """Return the number of completions requested, and how many tokens each may have."""
        names = ("max_tokens", "max_completion_tokens", "max_output_tokens")
        most = next((self.body[name] for name in names if isinstance(self.body.get(name), int)), 0)
        return int(self.body.get("n") or 1), most


def _measure(value: Any) -> tuple[int, int]:
    """Return the number of characters and of media objects in a JSON value."""
    if isinstance(value, str):
        return (0, 1) if value.startswith("data:") else (len(value), 0)
    if isinstance(value, Mapping):
        if isinstance(value.get("data"), str):  # audio, or Anthropic's images
            return 0, 1
        value = list(value.values())
    if not isinstance(value, list):
        return 0, 0
    counts = [_measure(part) for part in value]
    return sum(texts for texts, _ in counts), sum(media for _, media in counts)


@dataclass(frozen=True)
class LineAnswer:
    """The outcome of one request of a batch."""

    custom_id: str

    status: int = 200
    """The HTTP status that the request by itself would have got."""

    body: Any = None
    """The answer, or an error object."""

    failure: RequestFailure | None = None
    """The failure if there is no answer at all."""

    @property
    def is_failure(self) -> bool:
        return self.failure is not None or not 200 <= self.status < 300 or find_error(self.body) is not None

    def value(self, endpoint: HTTPEndpoint, route: str, check: Callable[[Any], None] | None) -> Any:
        """Return the answer as if the request had been sent by itself. Raises RequestFailure."""
        if self.failure is not None:
            raise self.failure
        if self.is_failure:
            data = json.dumps(find_error(self.body) or self.body).encode()
            url = f"{endpoint.public_url}/{route}"
            failure = failure_from_response(url, self.status, {}, data, endpoint.secret)
            failure.stops_endpoint = False  # the key is valid, since the batch itself was accepted
            raise failure
        if check is not None:
            check(self.body)
        return self.body


@dataclass(frozen=True)
class BatchStatus:
    """The status of a batch as the provider reports it."""

    phase: str
    """`running` or `ended`."""

    said: str
    """The phase in the provider's words."""

    num_done: int = 0
    """The number of requests with an answer."""

    num_failed: int = 0

    began_at: int | None = None
    """In whole seconds since 1970."""

    ended_at: int | None = None
    """In whole seconds since 1970."""

    files: Sequence[str] = ()
    """The provider's names of the files that hold the answers."""

    problem: RequestFailure | None = None
    """Why none of the requests was tried."""

    bad_lines: Sequence[tuple[int, str]] = ()
    """Lines (from 1) that the provider rejects, with the reasons; if there are any, it has tried none of the others."""


class Batches(ABC):
    """A provider's batch API at one endpoint."""

    provider: str = ""
    max_requests: int = 50_000
    max_bytes: int = 200_000_000
    """The largest size of one batch."""
    price_share: float = 1.0
    """The price of requests in a batch as a share of the usual price."""

    def __init__(self, endpoint: HTTPEndpoint, price_share: float | None = None):
        self.endpoint = endpoint
        if price_share is not None:
            self.price_share = price_share

    @property
    def address(self) -> str:
        """The address that identifies the provider, without credentials."""
        return self.endpoint.public_url

    @abstractmethod
    def line(self, item: BatchItem) -> bytes:
        """Return the line of JSON that is sent for a request."""

    @abstractmethod
    def group(self, item: BatchItem) -> str:
        """Return the group of a request; only requests of one group can share a batch."""

    @abstractmethod
    def upload(self, key: str, path: str) -> str | None:
        """Upload the file of requests; return the provider's name of it, or None if the API takes no files.

        `key` is our name of the batch. Raises RequestFailure.
        """

    @abstractmethod
    def create(self, key: str, path: str, group: str, file_id: str | None) -> str:
        """Create the batch in a single attempt, and return the provider's name of it. Raises RequestFailure."""

    @abstractmethod
    def find(
        self, key: str, file_id: str | None, num_requests: int, made_after: float, taken: Sequence[str]
    ) -> str | None:
        """Return the provider's name of a batch that may have been created since `made_after`; None if it was not.

        `taken` are the names of batches that are known to be others. Raises RequestFailure.
        """

    @abstractmethod
    def poll(self, batch_id: str) -> BatchStatus:
        """Request the status of a batch. Raises RequestFailure."""

    @abstractmethod
    def download(self, batch_id: str, file: str) -> bytes:
        """Download one of `BatchStatus.files`. Raises RequestFailure."""

    @abstractmethod
    def read_line(self, line: Mapping[str, Any]) -> LineAnswer:
        """Read a line of the results. Raises KeyError, TypeError or ValueError if it is malformed."""

    @abstractmethod
    def cancel(self, batch_id: str) -> None:
        """Cancel the requests that have not been answered yet. Raises RequestFailure."""

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
            raise self.endpoint.failure(MALFORMED, "", f"the answer is not an object: {quoted}")

    def _name(self, route: str, answer: Mapping[str, Any]) -> str:
        name = answer.get("id")
        if not isinstance(name, str) or not name:
            quoted = shortened(json.dumps(answer), self.endpoint.secret)
            raise self.endpoint.failure(MALFORMED, route, f"the answer has no id: {quoted}")
        return name

    def _pages(self, route: str, cursor: str, limit: int) -> Iterator[Mapping[str, Any]]:
        """Yield the objects of a list, page by page."""
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
        """Return the failure of a request that exceeds the size of a batch."""
        return self.endpoint.failure(REFUSED, item.route, f"a batch takes at most {self.max_bytes:,} bytes.")
