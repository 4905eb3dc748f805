"""xAI's models."""

from typing import Any

from helm.clients.openai_client import OpenAIClient
from helm.common.cache import CacheConfig
from helm.common.request import Request


class GrokChatClient(OpenAIClient):
    """OpenAI's chat protocol without penalties, which xAI's reasoning models refuse."""

    BASE_URL = "https://api.x.ai/v1"
    KEY_VARIABLE = "XAI_API_KEY"
    CREDENTIAL = "xaiApiKey"
    BATCH_PRICE_SHARE = None

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, base_url: str | None = None):
        super().__init__(cache_config, api_key=api_key, base_url=base_url)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw = super()._raw_request(request)
        raw.pop("presence_penalty", None)
        raw.pop("frequency_penalty", None)
        return raw
