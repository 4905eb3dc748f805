"""OpenAI's models behind the gateway of Stanford Health Care."""

from collections.abc import Mapping
from typing import Any

from helm.clients.azure_openai_client import AzureOpenAIClient
from helm.clients.protocols.openai_protocol import CHAT_ROUTE
from helm.clients.stanfordhealthcare_endpoint import (
    CREDENTIAL,
    KEY_HEADER,
    KEY_VARIABLE,
    address_of,
    check_endpoint,
    fill_endpoint,
)
from helm.common.cache import CacheConfig


class StanfordHealthCareAzureOpenAIClient(AzureOpenAIClient):
    """Azure's protocol, with the key in one more header.

    Args:
        cache_config: where responses are cached.
        openai_model_name: the gateway's name of the model.
        api_version: the version of Azure's API.
        api_key: the key; None reads `$STANFORDHEALTHCARE_API_KEY`.
        endpoint: the address of the gateway.
        base_url: the address up to `/deployments`, in which `{endpoint}` stands for that of the gateway; None means
            `{endpoint}/openai`.
    """

    CREDENTIAL_HEADER_NAME = KEY_HEADER
    KEY_VARIABLE = KEY_VARIABLE
    CREDENTIAL = CREDENTIAL

    def __init__(
        self,
        cache_config: CacheConfig | None,
        openai_model_name: str,
        api_version: str,
        api_key: str | None = None,
        endpoint: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(
            cache_config,
            api_key=api_key,
            api_version=api_version,
            default_headers={KEY_HEADER: api_key} if api_key else None,
            base_url=fill_endpoint(base_url, endpoint) or f"{address_of(endpoint)}/openai",
            azure_openai_deployment_name=openai_model_name,
        )
        check_endpoint(self, endpoint)

    def _path(self, raw: Mapping[str, Any]) -> str:
        return f"deployments/{raw['model']}/{CHAT_ROUTE}?api-version={self._api_version}"
