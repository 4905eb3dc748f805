"""Mistral AI's models."""

from collections.abc import Mapping
from typing import Any

from helm.clients.protocols.chat_completions_client import ChatCompletionsClient
from helm.clients.protocols.openai_protocol import content_parts
from helm.common.cache import CacheConfig
from helm.common.request import Request
from helm.common.request_options import SEED


class MistralAIClient(ChatCompletionsClient):
    """OpenAI's chat protocol with `random_seed`.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$MISTRAL_API_KEY`.
        mistral_model: Mistral's name of the model; None means the second part of the model's name.
        base_url: the address; None means Mistral's own.
    """

    BASE_URL = "https://api.mistral.ai/v1"
    KEY_VARIABLE = "MISTRAL_API_KEY"
    CREDENTIAL = "mistralaiApiKey"
    STRICT_SCHEMAS = False
    OPTION_FIELDS = {SEED: "random_seed"}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        mistral_model: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key=api_key, base_url=base_url, model_name=mistral_model)

    def _messages(self, request: Request) -> list[Any]:
        if request.messages or request.multimodal_prompt is None:
            return super()._messages(request)
        parts = content_parts(request.multimodal_prompt, self.endpoint)
        for part in parts:
            if part["type"] == "image_url":
                part["image_url"] = part["image_url"]["url"]  # Mistral's own form, which HELM sends
        return [{"role": "user", "content": parts}]

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "model": self._model_of(request),
            "messages": self._messages(request),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "random_seed": _seed(request),
            "stop": request.stop_sequences or None,
        }
        return {**raw, **self._extras(request)}

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        """Return the cache key. HELM: prompts and messages have separate fields."""
        key = super()._cache_key(raw, request, num_there)
        if "messages" in key:
            messages = key.pop("messages")
            key.update(prompt=None if request.messages else request.prompt)
            key.update(messages=messages if request.messages else None)
        return key


def _seed(request: Request) -> int | None:
    """Return `Request.random` if it is a number; without a seed, further draws differ by chance."""
    return int(request.random) if request.random is not None and request.random.isdigit() else None
