"""Clients of vLLM's server, which implements OpenAI's protocols."""

import os
from typing import Any

from helm.clients.openai_client import OpenAIClient, OpenAILegacyCompletionsClient
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.request import Request
from helm.common.request_options import CHAT_TEMPLATE_KWARGS

BASE_URL_VARIABLE = "VLLM_BASE_URL"
_NO_KEY = "EMPTY"


def _address(base_url: str | None) -> str:
    address = base_url or os.environ.get(BASE_URL_VARIABLE) or os.environ.get("OPENAI_BASE_URL")
    if not address:
        raise ConfigError(
            "A vLLM server needs its address: base_url in the args of the deployment, or the environment variable "
            f"{BASE_URL_VARIABLE}, for example http://localhost:8000/v1."
        )
    return address


class VLLMChatClient(OpenAIClient):
    """The chat route.

    Args:
        cache_config: where responses are cached.
        base_url: the address, for example `http://localhost:8000/v1`; None reads `$VLLM_BASE_URL`.
        vllm_model_name: the server's name of the model; None means the second part of the model's name.
        kwargs: see OpenAIClient.
    """

    BATCH_PRICE_SHARE = None
    takes_options = OpenAIClient.takes_options | {CHAT_TEMPLATE_KWARGS}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        base_url: str | None = None,
        vllm_model_name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(
            cache_config, api_key=_NO_KEY, base_url=_address(base_url), openai_model_name=vllm_model_name, **kwargs
        )


class VLLMClient(OpenAILegacyCompletionsClient):
    """The completions route, which continues texts and returns the log-probabilities of prompts.

    Args:
        tokenizer, tokenizer_name: not needed; HELM passes them.
        cache_config: where responses are cached.
        base_url: the address, for example `http://localhost:8000/v1`; None reads `$VLLM_BASE_URL`.
        vllm_model_name: the server's name of the model; None means the second part of the model's name.
        kwargs: see OpenAIClient.
    """

    BATCH_PRICE_SHARE = None

    def __init__(
        self,
        tokenizer: Any = None,
        tokenizer_name: str | None = None,
        cache_config: CacheConfig | None = None,
        base_url: str | None = None,
        vllm_model_name: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(
            cache_config, api_key=_NO_KEY, base_url=_address(base_url), openai_model_name=vllm_model_name, **kwargs
        )

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw = super()._raw_request(request)
        del raw["best_of"]  # vLLM no longer supports it
        raw["logprobs"] = request.top_k_per_token
        return raw
