"""OpenAI's models at Microsoft Azure."""

import os
from collections.abc import Mapping
from typing import Any

from helm.clients.batch.openai_batches import AzureBatches
from helm.clients.openai_client import OpenAIClient
from helm.clients.protocols.openai_protocol import CHAT_ROUTE
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError

ENDPOINT_VARIABLE = "AZURE_OPENAI_ENDPOINT"


class AzureOpenAIClient(OpenAIClient):
    """OpenAI's chat protocol at the address of the user's own deployment.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$AZURE_OPENAI_API_KEY`.
        endpoint: the resource, for example `https://mine.openai.azure.com`; None reads `$AZURE_OPENAI_ENDPOINT`.
        api_version: the version of Azure's API; None means API_VERSION.
        default_headers: additional headers of each request.
        base_url: the whole address up to `/chat/completions`, instead of `endpoint`.
        azure_openai_deployment_name: Azure's name of the deployment; None means the name of the model.
    """

    API_VERSION = "2024-07-01-preview"
    KEY_VARIABLE = "AZURE_OPENAI_API_KEY"
    CREDENTIAL = "azureApiKey"
    KEY_HEADER = ("api-key", "{key}")

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        endpoint: str | None = None,
        api_version: str | None = None,
        default_headers: dict[str, str] | None = None,
        base_url: str | None = None,
        azure_openai_deployment_name: str | None = None,
    ):
        address = base_url or endpoint or os.environ.get(ENDPOINT_VARIABLE)
        if not address:
            raise ConfigError(f"Azure needs the address of your resource: endpoint, or {ENDPOINT_VARIABLE}.")
        super().__init__(
            cache_config,
            api_key=api_key,
            base_url=address,
            openai_model_name=azure_openai_deployment_name,
            default_headers=default_headers,
        )
        self._has_whole_address = base_url is not None
        self._api_version = api_version or self.API_VERSION
        self.batches = None  # they belong to the resource, whose address is unknown if a deployment's is given
        if not self._has_whole_address:
            self.batches = AzureBatches(self.endpoint, None, "/", f"?api-version={self._api_version}", "openai/")

    def _path(self, raw: Mapping[str, Any]) -> str:
        prefix = "" if self._has_whole_address else f"openai/deployments/{raw['model']}/"
        return f"{prefix}{CHAT_ROUTE}?api-version={self._api_version}"
