"""The base class of clients for providers with a protocol of their own: one route, one request and one response format."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from helm.clients.http.http_client import Call, ProviderClient, Reading
from helm.clients.http.http_endpoint import Headers
from helm.clients.http.request_failure import RequestFailure
from helm.clients.protocols.openai_protocol import cut_at_stop
from helm.common.request import GeneratedOutput, Request, Usage
from helm.common.request_options import EXTRA_BODY, PLAIN_PROMPT, TOP_P


class TextAPIClient(ProviderClient):
    """A client whose subclasses define the request (`_raw_request`, `_path`) and read the answer (`_outputs`, `_usage`).

    `_outputs` raises RequestFailure for withheld answers. If an answer has an unexpected shape, it may raise TypeError,
    KeyError, ValueError, IndexError or AttributeError, and the answer counts as malformed. For the arguments, see
    ProviderClient.
    """

    TAKES_TOOLS = False
    takes_options = frozenset((TOP_P, PLAIN_PROMPT, EXTRA_BODY))
    GIVES_MANY: ClassVar[bool] = True
    """Whether one request can return several completions."""

    def _path(self, request: Request) -> str:
        raise NotImplementedError

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        raise NotImplementedError

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        raise NotImplementedError

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        return None

    def _headers(self, path: str, raw: Mapping[str, Any]) -> Headers:
        """Return the headers that differ between requests."""
        return None

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        path = self._path(request)
        raw = self._raw_request(request, num_missing if self.GIVES_MANY else 1)
        raw = self._add_options(raw, request, num_there)
        key = self._cache_key(raw, request, num_there)
        return Call(path, raw, key, partial(self._check, path), partial(self._read, request), self._headers(path, raw))

    def _check(self, path: str, response: Any) -> None:
        try:
            outputs = self._outputs(response)
            is_answer = bool(outputs) and all(isinstance(output.text, str) for output in outputs)
        except RequestFailure:
            raise
        except (TypeError, KeyError, ValueError, IndexError, AttributeError):
            is_answer = False
        if not is_answer:
            raise self._malformed(path, "the answer holds no text", response)

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        outputs = self._outputs(response)
        if not request.echo_prompt:
            outputs = [cut_at_stop(output, request.stop_sequences) for output in outputs]
        return outputs, self._usage(response)

    def _text_prompt(self, request: Request) -> str:
        if request.messages or request.multimodal_prompt is not None:
            raise self._refusal("this API takes a text, not messages or media", self._path(request))
        return request.prompt
