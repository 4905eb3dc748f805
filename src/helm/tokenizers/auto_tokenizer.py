"""Finds the tokenizer that a request names."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from helm.common.cache_backend_config import CacheBackendConfig
from helm.common.credentials_utils import provide_api_key
from helm.common.errors import ConfigError, HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.object_spec import create_object, inject_object_spec_args
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)
from helm.proxy.retry import NonRetriableException, RetryError, retry_tokenizer_request
from helm.tokenizers.tokenizer import Tokenizer


class UnknownTokenizerError(NonRetriableException, ConfigError):
    """No tokenizer config has that name."""


class AutoTokenizer(Tokenizer):
    """Creates one tokenizer per name from its tokenizer config on first use, and retries calls.

    Args:
        credentials: read only when a tokenizer needs one of them.
        cache_backend_config: where tokenizations are cached, in one shard per organization.
    """

    def __init__(self, credentials: Mapping[str, Any], cache_backend_config: CacheBackendConfig):
        self.credentials = credentials
        self.cache_backend_config = cache_backend_config
        self.tokenizers: dict[str, Tokenizer] = {}
        self._lock = threading.RLock()

    def get_tokenizer(self, tokenizer_name: str) -> Tokenizer:
        """Return the tokenizer of a name.

        Raises:
            UnknownTokenizerError: There is no such tokenizer.
            ConfigError: The tokenizer cannot be created.
        """
        tokenizer = self.tokenizers.get(tokenizer_name)
        if tokenizer is None:
            with self._lock:
                tokenizer = self.tokenizers.get(tokenizer_name)
                if tokenizer is None:
                    tokenizer = self.tokenizers[tokenizer_name] = self._create(tokenizer_name)
        return tokenizer

    _get_tokenizer = get_tokenizer

    def _create(self, tokenizer_name: str) -> Tokenizer:
        from helm.benchmark.tokenizer_config_registry import get_tokenizer_config

        config = get_tokenizer_config(tokenizer_name)
        if config is None:
            raise UnknownTokenizerError(f"Could not find tokenizer config for {tokenizer_name}")
        organization = tokenizer_name.split("/")[0]
        constants = {
            "cache_config": self.cache_backend_config.get_cache_config(organization),
            "tokenizer_name": tokenizer_name,
        }
        providers = {
            "api_key": lambda: provide_api_key(self.credentials, organization),
            "project_id": lambda: self.credentials.get(f"{organization}ProjectId"),
            "location": lambda: self.credentials.get(f"{organization}Location"),
        }
        try:
            return create_object(inject_object_spec_args(config.tokenizer_spec, constants, providers))
        except HelmError:
            raise
        except (ImportError, AttributeError, TypeError, ValueError) as e:
            raise ConfigError(
                f"Tokenizer '{tokenizer_name}': cannot make {config.tokenizer_spec.class_name}: {e}"
            ) from e

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        tokenizer = self.get_tokenizer(request.tokenizer)
        try:
            return retry_tokenizer_request(tokenizer.tokenize)(request)
        except RetryError as e:
            return self._last("tokenize", e)

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        tokenizer = self.get_tokenizer(request.tokenizer)
        try:
            return retry_tokenizer_request(tokenizer.decode)(request)
        except RetryError as e:
            return self._last("decode", e)

    @staticmethod
    def _last(verb: str, error: RetryError) -> Any:
        message = f"Failed to {verb} after retrying {error.attempts} times. Error: {error.last_result.error}"
        hwarn(message)
        return replace(error.last_result, error=message)
