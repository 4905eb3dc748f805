"""A model behind a small server of your own: `POST /process`."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import BlackHoleCacheConfig, CacheConfig
from helm.common.request import GeneratedOutput, Request, Token

BASE_URL_VARIABLE = "HELM_HTTP_MODEL_BASE_URL"
# Samplers divide by the temperature, so not every server accepts 0; HELM sends this value as well.
_SMALLEST_TEMPERATURE = 1e-7


class HTTPModelClient(TextAPIClient):
    """A client of a server that answers `{"text", "logprob", "tokens": [{"text", "logprob"}], "request_time"}`.

    Args:
        cache_config: where responses are cached.
        base_url: the server's address; `$HELM_HTTP_MODEL_BASE_URL` takes precedence.
        timeout: the longest silence of the server, in seconds.
        do_cache: whether responses are cached at all.
    """

    KEY_VARIABLE = "HELM_HTTP_MODEL_API_KEY"
    GIVES_MANY = False
    TOP_K_FIELD = "top_k_per_token"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        base_url: str | None = "http://localhost:8080",
        timeout: int = 3000,
        do_cache: bool = False,
    ):
        address = os.environ.get(BASE_URL_VARIABLE) or base_url or "http://localhost:8080"
        cache = cache_config if do_cache else BlackHoleCacheConfig()
        super().__init__(cache, None, address, needs_key=False, timeout_s=timeout)

    def _path(self, request: Request) -> str:
        return "process"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        return {
            "prompt": self._text_prompt(request),
            "temperature": request.temperature or _SMALLEST_TEMPERATURE,
            "num_return_sequences": request.num_completions,
            "max_new_tokens": request.max_tokens,
            "top_p": request.top_p,
            "echo_prompt": request.echo_prompt,
            "top_k_per_token": request.top_k_per_token,
            "stop_sequences": request.stop_sequences,
        }

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        """Return the cache key. HELM: it consists of all fields of the request."""
        key = asdict(request)
        for name in ("tools", "options"):
            if key[name] is None:
                del key[name]
        return {**key, "completion_index": num_there} if num_there else key

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        tokens = [Token(text=token["text"], logprob=token["logprob"]) for token in response["tokens"]]
        return [GeneratedOutput(text=response["text"], logprob=response["logprob"], tokens=tokens)]
