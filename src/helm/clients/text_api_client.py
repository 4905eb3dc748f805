"""The base of clients whose provider has a protocol of its own: one route, one way to write, one way to read."""

import json
from functools import partial
from typing import Any, ClassVar, Dict, Mapping, Optional, Sequence, Tuple

from helm.clients.http_client import Answer, HTTPClient, find_key
from helm.clients.http_endpoint import Headers, HTTPEndpoint
from helm.clients.openai_protocol import cut_at_stop
from helm.clients.request_failure import RequestFailure, shortened
from helm.common.cache import CacheConfig
from helm.common.request import MALFORMED, GeneratedOutput, Request, RequestResult, Usage


class TextAPIClient(HTTPClient):
    """A subclass says what is sent (`_raw_request`, `_path`) and how an answer is read (`_outputs`, `_usage`).

    `_outputs` raises RequestFailure for what was withheld; where it meets another shape than it expects it may raise
    TypeError, KeyError, ValueError, IndexError or AttributeError, which make the answer malformed.

    Args:
        cache_config: where responses are cached.
        api_key: None: the environment variable `KEY_VARIABLE`.
        base_url: None: `BASE_URL`.
    """

    BASE_URL: ClassVar[str] = ""
    KEY_VARIABLE: ClassVar[str] = ""
    CREDENTIAL: ClassVar[str] = ""
    KEY_HEADER: ClassVar[Tuple[str, str]] = ("Authorization", "Bearer {key}")
    TAKES_TOOLS = False
    GIVES_MANY: ClassVar[bool] = True
    """One request can bring several completions."""

    def __init__(
        self,
        cache_config: Optional[CacheConfig],
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        headers: Optional[Mapping[str, str]] = None,
        needs_key: bool = True,
    ):
        key, missing = find_key(api_key, self.KEY_VARIABLE, self.CREDENTIAL)
        name, value = self.KEY_HEADER
        sent = {**({name: value.format(key=key)} if key else {}), **(headers or {})}
        super().__init__(
            cache_config,
            HTTPEndpoint(base_url or self.BASE_URL, sent, secret=key or ""),
            missing if needs_key else None,
        )
        is_usual = not base_url or base_url.rstrip("/") == self.BASE_URL.rstrip("/")
        self._key_extras = {} if is_usual else {"base_url": self.endpoint.public_url}

    def _path(self, request: Request) -> str:
        raise NotImplementedError

    def _raw_request(self, request: Request, num_completions: int) -> Dict[str, Any]:
        raise NotImplementedError

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        raise NotImplementedError

    def _usage(self, response: Mapping[str, Any]) -> Optional[Usage]:
        return None

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> Dict[str, Any]:
        key = {**self.make_cache_key(raw, request), **self._key_extras}
        if num_there:
            key["completion_index"] = num_there
        return key

    def _headers(self, path: str, raw: Mapping[str, Any]) -> Headers:
        """Those that change from request to request."""
        return None

    def _complete(self, request: Request) -> RequestResult:
        path = self._path(request)

        def ask(num_missing: int, num_there: int) -> Answer:
            raw = self._raw_request(request, num_missing if self.GIVES_MANY else 1)
            return self._ask(
                self._cache_key(raw, request, num_there), partial(self._send, path, raw), partial(self._read, request)
            )

        return self._collect(request, ask)

    def _send(self, path: str, raw: Mapping[str, Any]) -> Dict[str, Any]:
        return self.endpoint.post(path, raw, partial(self._check, path), self._headers(path, raw))

    def _check(self, path: str, response: Any) -> None:
        try:
            outputs = self._outputs(response)
            is_answer = bool(outputs) and all(isinstance(output.text, str) for output in outputs)
        except RequestFailure:
            raise
        except (TypeError, KeyError, ValueError, IndexError, AttributeError):
            is_answer = False
        if not is_answer:
            quoted = shortened(json.dumps(response), self.endpoint.secret)
            raise self.endpoint.failure(MALFORMED, path, f"the answer holds no text: {quoted}")

    def _read(self, request: Request, response: Mapping[str, Any]) -> Tuple[Sequence[GeneratedOutput], Optional[Usage]]:
        outputs = self._outputs(response)
        if not request.echo_prompt:
            outputs = [cut_at_stop(output, request.stop_sequences) for output in outputs]
        return outputs, self._usage(response)

    def _text_prompt(self, request: Request) -> str:
        if request.messages or request.multimodal_prompt is not None:
            raise self._refusal("this API takes a text, not messages or media", self._path(request))
        return request.prompt
