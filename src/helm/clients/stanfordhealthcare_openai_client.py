"""Models with OpenAI's chat protocol behind the gateway of Stanford Health Care."""

from helm.clients.openai_client import OpenAIClient
from helm.clients.stanfordhealthcare_endpoint import (
    CREDENTIAL,
    KEY_HEADER,
    KEY_VARIABLE,
    address_of,
    check_endpoint,
    fill_endpoint,
)
from helm.common.cache import CacheConfig


class StanfordHealthCareOpenAIClient(OpenAIClient):
    """OpenAI's chat protocol, with the key in the gateway's header.

    Args:
        cache_config: where responses are cached.
        model_name: HELM's name of the model; the gateway's is `openai_model_name`.
        api_key: the key; None reads `$STANFORDHEALTHCARE_API_KEY`.
        endpoint: the address of the gateway.
        base_url: the address up to `/chat/completions`, in which `{endpoint}` stands for that of the gateway.
        openai_model_name: the gateway's name of the model; None means the second part of the model's name.
        output_processor: full name of a function that is applied to every answer.
    """

    CREDENTIAL_HEADER_NAME = KEY_HEADER
    KEY_VARIABLE = KEY_VARIABLE
    CREDENTIAL = CREDENTIAL
    KEY_HEADER = (KEY_HEADER, "{key}")
    BATCH_PRICE_SHARE = None

    def __init__(
        self,
        cache_config: CacheConfig | None,
        model_name: str,
        api_key: str | None = None,
        endpoint: str | None = None,
        base_url: str | None = None,
        openai_model_name: str | None = None,
        output_processor: str | None = None,
    ):
        super().__init__(
            cache_config,
            api_key=api_key,
            base_url=fill_endpoint(base_url, endpoint) or address_of(endpoint),
            openai_model_name=openai_model_name,
            output_processor=output_processor,
            default_headers={"Authorization": "Bearer dummy"},  # HELM: the library sends it, the gateway ignores it
        )
        check_endpoint(self, endpoint)
