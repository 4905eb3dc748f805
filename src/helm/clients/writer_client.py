"""Writer's API."""

from typing import Any

from helm.clients.protocols.chat_completions_client import ChatCompletionsClient
from helm.clients.protocols.openai_protocol import CHAT_ROUTE
from helm.common.cache import CacheConfig
from helm.common.request import Request
from helm.common.request_options import EXTRA_BODY, RESPONSE_FORMAT, TOP_P


class WriterClient(ChatCompletionsClient):
    """Writer's chat models, with log-probabilities."""

    BASE_URL = "https://api.writer.com/v1"
    KEY_VARIABLE = "WRITER_API_KEY"
    CREDENTIAL = "writerApiKey"
    STRICT_SCHEMAS = False
    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, EXTRA_BODY))

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, base_url: str | None = None):
        super().__init__(cache_config, api_key=api_key, base_url=base_url)
        self._route = "chat" if base_url is None else CHAT_ROUTE

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "messages": self._messages(request),
            "model": self._model_of(request),
            "logprobs": True,
            "max_tokens": request.max_tokens,
            "n": request.num_completions,
            "stop": request.stop_sequences,
            "temperature": request.temperature,
            "top_p": request.top_p,
        }
        return {**raw, **self._extras(request)}
