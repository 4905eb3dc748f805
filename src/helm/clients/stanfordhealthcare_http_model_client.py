"""The base class of clients for models that the gateway of Stanford Health Care has under a path of their own."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.protocols.text_api_client import TextAPIClient
from helm.clients.stanfordhealthcare_endpoint import CREDENTIAL, KEY_HEADER, KEY_VARIABLE, address_of, check_endpoint
from helm.common.cache import BlackHoleCacheConfig, CacheConfig
from helm.common.request import GeneratedOutput, Request


class StanfordHealthCareHTTPModelClient(TextAPIClient):
    """`POST {endpoint}/{deployment}`; subclasses define the request and read the answer.

    Args:
        cache_config: where responses are cached.
        deployment: the path of the model.
        endpoint: the address of the gateway.
        do_cache: whether responses are cached at all.
        timeout: the longest silence of the gateway, in seconds.
        api_key: the key; None reads `$STANFORDHEALTHCARE_API_KEY`.
        model: the gateway's name of the model, for those that ask for it.
    """

    CREDENTIAL_HEADER_NAME = KEY_HEADER
    KEY_VARIABLE = KEY_VARIABLE
    CREDENTIAL = CREDENTIAL
    KEY_HEADER = (KEY_HEADER, "{key}")
    GIVES_MANY = False

    def __init__(
        self,
        cache_config: CacheConfig | None,
        deployment: str,
        endpoint: str | None = "http://localhost:8080",
        do_cache: bool = False,
        timeout: int = 3000,
        api_key: str | None = None,
        model: str | None = None,
    ):
        cache = cache_config if do_cache else BlackHoleCacheConfig()
        super().__init__(cache, api_key, address_of(endpoint), timeout_s=timeout)
        check_endpoint(self, endpoint)
        self.deployment = deployment
        self.model = model

    def _path(self, request: Request) -> str:
        return self.deployment

    @abstractmethod
    def get_request(self, request: Request) -> dict[str, Any]:
        """Return the body of the gateway's request."""

    @abstractmethod
    def parse_response(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        """Return the completions in the gateway's answer; a missing part may raise what it raises."""

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        return self.get_request(request)

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        return self.parse_response(response)
