"""Models at OpenRouter, which forwards requests to many providers."""

from helm.clients.openai_client import OpenAIClient
from helm.common.cache import CacheConfig
from helm.common.request_options import REASONING_EFFORT


class OpenRouterClient(OpenAIClient):
    """OpenAI's chat protocol.

    Args:
        model_name: the catalogue's name of the model, which is sent. HELM: it takes precedence over `openrouter_model_name`.
        openrouter_model_name: the name that is sent if there is no `model_name`.
        output_processor: full name of a function that is applied to every answer.
    """

    BASE_URL = "https://openrouter.ai/api/v1"
    KEY_VARIABLE = "OPENROUTER_API_KEY"
    CREDENTIAL = "openrouterApiKey"
    NAMES_WHOLE_MODEL = True
    BATCH_PRICE_SHARE = None
    OPTION_FIELDS = {**OpenAIClient.OPTION_FIELDS, REASONING_EFFORT: "reasoning.effort"}

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
