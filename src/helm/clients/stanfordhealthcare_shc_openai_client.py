"""OpenAI's models at Azure, as the hospital of Stanford Health Care reaches them."""

from helm.clients.azure_openai_client import AzureOpenAIClient
from helm.clients.stanfordhealthcare_endpoint import address_of, check_endpoint
from helm.common.cache import CacheConfig


class StanfordHealthCareSHCOpenAIClient(AzureOpenAIClient):
    """Azure's protocol in a version of its own.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$STANFORDHEALTHCARE_SHC_API_KEY`.
        endpoint: the address of the resource.
        default_headers: additional headers of each request.
    """

    API_VERSION = "2024-08-01-preview"
    KEY_VARIABLE = "STANFORDHEALTHCARE_SHC_API_KEY"
    CREDENTIAL = "stanfordhealthcare_shcApiKey"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        endpoint: str | None = None,
        default_headers: dict[str, str] | None = None,
    ):
        super().__init__(
            cache_config,
            api_key=api_key,
            endpoint=address_of(endpoint),
            default_headers=default_headers,
        )
        check_endpoint(self, endpoint, "stanfordhealthcare_shc")
