"""A tokenizer behind a user's own small HTTP server."""

from typing import Any

from helm.common.answer_limits import AnswerTooLong, read_body
from helm.common.cache import Cache, CacheConfig
from helm.common.errors import ConfigError
from helm.common.formats.json_reading import read_json
from helm.common.request import wrap_request_time
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
    TokenizationToken,
)
from helm.proxy.retry import NonRetriableException
from helm.tokenizers.tokenizer import Tokenizer

_TIMEOUT_S = 60.0


class TokenIdsUnavailableError(NonRetriableException, ConfigError):
    """Token ids were requested, which are unavailable."""


class HTTPModelTokenizer(Tokenizer):
    """Uses `POST <base_url>/tokenize` and `POST <base_url>/decode`, with string tokens only.

    The server answers `{"text", "truncation", "max_length"}` with `{"tokens": [...]}`, and `{"tokens"}` with `{"text"}`.

    Args:
        do_cache: whether answers are cached.
    """

    waits_on_io = True

    def __init__(self, cache_config: CacheConfig, base_url: str = "http://localhost:8080", do_cache: bool = False):
        self.cache: Cache | None = Cache(cache_config) if do_cache else None
        self.base_url = base_url.rstrip("/")

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        if request.encode:
            raise TokenIdsUnavailableError(
                f"Tokenizer '{request.tokenizer}': HTTPModelTokenizer gives no token ids. Set window_service_spec of "
                "the deployment to "
                "helm.benchmark.window_services.no_decoding_window_service.NoDecodingWindowService."
            )
        payload = {"text": request.text, "truncation": request.truncation, "max_length": request.max_length}
        try:
            response, cached = self._get("tokenize", payload)
            values: list[str] = response["tokens"]
            tokens = [TokenizationToken(value) for value in values]
        except _BadResponse as e:
            return TokenizationRequestResult(success=False, cached=False, text=request.text, tokens=[], error=str(e))
        return TokenizationRequestResult(
            success=True, cached=cached, text=request.text, tokens=tokens, request_time=response["request_time"]
        )

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        try:
            response, cached = self._get("decode", {"tokens": request.tokens})
        except _BadResponse as e:
            return DecodeRequestResult(success=False, cached=False, text="", error=str(e))
        return DecodeRequestResult(
            success=True, cached=cached, text=response["text"], request_time=response["request_time"]
        )

    def _get(self, route: str, payload: dict[str, Any]) -> Any:
        compute = wrap_request_time(lambda: self._post(route, payload))
        return (compute(), False) if self.cache is None else self.cache.get(payload, compute)

    def _post(self, route: str, payload: dict[str, Any]) -> dict[str, Any]:
        import urllib3

        url, key = f"{self.base_url}/{route}", {"tokenize": "tokens", "decode": "text"}[route]
        try:
            response = urllib3.request(
                "POST", url, json=payload, timeout=_TIMEOUT_S, retries=False, preload_content=False
            )
            data = read_body(response)
            answer = read_json(data) if response.status == 200 else None
        except (urllib3.exceptions.HTTPError, ValueError, AnswerTooLong) as e:
            raise _BadResponse(f"{url}: {e}") from e
        if response.status != 200:
            raise _BadResponse(f"{url}: HTTP status {response.status}: {data[:200]!r}")
        expected = list if key == "tokens" else str
        if not isinstance(answer, dict) or not isinstance(answer.get(key), expected):
            raise _BadResponse(f"{url}: expected a JSON object with '{key}', got {data[:200]!r}")
        return {key: answer[key]}


class _BadResponse(Exception):
    """The server could not be reached, refused the request, or sent an invalid answer."""
