"""Models behind a LiteLLM proxy, which gives many providers one address."""

import os
from typing import Any

from helm.clients.protocols.chat_completions_client import ChatCompletionsClient
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.request import Request
from helm.common.request_options import REASONING_EFFORT

BASE_URL_VARIABLE = "LITELLM_BASE_URL"


class LiteLLMCompletionClient(ChatCompletionsClient):
    """OpenAI's chat protocol at a proxy that you run (`litellm --config ...`).

    Args:
        cache_config: where responses are cached.
        litellm_model: the proxy's name of the model; None means the name in the catalogue.
        api_key: the key; None reads `$LITELLM_API_KEY`.
        base_url: the proxy's address; None reads `$LITELLM_BASE_URL`.
    """

    KEY_VARIABLE = "LITELLM_API_KEY"
    CREDENTIAL = "litellmApiKey"
    NAMES_WHOLE_MODEL = True
    STRICT_SCHEMAS = False
    takes_options = ChatCompletionsClient.takes_options | {REASONING_EFFORT}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        litellm_model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
    ):
        address = base_url or os.environ.get(BASE_URL_VARIABLE)
        if not address:
            raise ConfigError(
                f"Models litellm/... are reached through a LiteLLM proxy: set {BASE_URL_VARIABLE} to its address, for "
                "example http://localhost:4000."
            )
        super().__init__(cache_config, api_key=api_key, base_url=address, model_name=litellm_model, needs_key=False)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "model": self._model_of(request),
            "messages": self._messages(request),
            "temperature": request.temperature,
            "top_p": None if request.options is None else request.top_p,
            "n": request.num_completions,
            "stop": request.stop_sequences,
            "max_tokens": request.max_tokens,
            "logprobs": False,
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
        }
        return {**raw, **self._extras(request)}
