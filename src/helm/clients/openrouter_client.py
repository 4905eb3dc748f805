"""OpenRouter, which passes requests on to many providers."""

from helm.clients.openai_client import OpenAIClient
from helm.common.cache import CacheConfig


class OpenRouterClient(OpenAIClient):
    """OpenAI's chat protocol.

    Args:
        model_name: the model as the catalogue names it, which is sent. HELM: it goes before `openrouter_model_name`.
        openrouter_model_name: sent when there is no `model_name`.
        output_processor: full name of a function that every answer passes through.
    """

    BASE_URL = "https://openrouter.ai/api/v1"
    KEY_VARIABLE = "OPENROUTER_API_KEY"
    CREDENTIAL = "openrouterApiKey"
    NAMES_WHOLE_MODEL = True
    BATCH_PRICE_SHARE = None

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        model_name: str | None = None,
        output_processor: str | None = None,
        openrouter_model_name: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(
            cache_config,
            api_key=api_key,
            base_url=base_url,
            openai_model_name=model_name or openrouter_model_name,
            output_processor=output_processor,
        )
