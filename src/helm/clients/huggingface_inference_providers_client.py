"""Models that Hugging Face's router forwards to its partners."""

from typing import Any

from helm.clients.protocols.chat_completions_client import ChatCompletionsClient
from helm.common.cache import CacheConfig
from helm.common.request import Request
from helm.common.request_options import REASONING_EFFORT


class HuggingFaceInferenceProvidersClient(ChatCompletionsClient):
    """OpenAI's chat protocol. `MODEL:PROVIDER` chooses the partner.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$HF_TOKEN`.
        base_url: the address; None means Hugging Face's own.
        huggingface_model_name: the name on the hub; None means the name in the catalogue.
    """

    BASE_URL = "https://router.huggingface.co/v1"
    KEY_VARIABLE = "HF_TOKEN"
    CREDENTIAL = "huggingface-inference-providersApiKey"
    NAMES_WHOLE_MODEL = True
    STRICT_SCHEMAS = False
    takes_options = ChatCompletionsClient.takes_options | {REASONING_EFFORT}

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        base_url: str | None = None,
        huggingface_model_name: str | None = None,
    ):
        super().__init__(cache_config, api_key=api_key, base_url=base_url, model_name=huggingface_model_name)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "model": self._model_of(request),
            "messages": self._messages(request),
            "frequency_penalty": request.frequency_penalty,
            "logprobs": False,
            "max_tokens": request.max_tokens,
            "n": request.num_completions,
            "presence_penalty": request.presence_penalty,
            "stop": request.stop_sequences,
            "temperature": request.temperature,
            "top_p": request.top_p,
        }
        return {**raw, **self._extras(request)}
