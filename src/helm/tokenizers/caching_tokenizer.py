"""The base class of tokenizers that are slow enough to cache."""

from abc import abstractmethod
from dataclasses import asdict
from typing import Any

from helm.common.cache import Cache, CacheConfig
from helm.common.errors import HelmError
from helm.common.request import wrap_request_time
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
    TokenizationToken,
)
from helm.proxy.retry import NonRetriableException
from helm.tokenizers.tokenizer import Tokenizer


class CachingTokenizer(Tokenizer):
    """A tokenizer whose subclasses implement `_tokenize_do_it` and `_decode_do_it`; hooks adapt requests and responses."""

    def __init__(self, cache_config: CacheConfig | None):
        self.cache: Cache | None = None if cache_config is None else Cache(cache_config)

    @property
    def use_encode_in_cache_key(self) -> bool:
        return True

    @staticmethod
    def _get_tokenizer_name(tokenizer: str) -> str:
        """Return the provider's name of the tokenizer: the last part of the name."""
        return tokenizer.split("/")[-1]

    def _tokenization_request_to_cache_key(self, request: TokenizationRequest) -> dict[str, Any]:
        """Return the raw request, which is also the cache key."""
        return asdict(request)

    def _decode_request_to_cache_key(self, request: DecodeRequest) -> dict[str, Any]:
        return asdict(request)

    @abstractmethod
    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a response with `tokens`: a list of ints with `request["encode"]`, else of strings."""

    @abstractmethod
    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a response with `text`."""

    def _tokenization_raw_response_to_tokens(
        self, response: dict[str, Any], request: TokenizationRequest
    ) -> list[TokenizationToken]:
        return [TokenizationToken(value) for value in response["tokens"]]

    def _decode_raw_response_to_text(self, response: dict[str, Any], request: DecodeRequest) -> str:
        return response["text"]

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        """Tokenize a text. Raises ValueError that names the class if that is not possible."""
        raw_request = self._tokenization_request_to_cache_key(request)
        try:
            response, cached = self._get(raw_request, lambda: self._tokenize_do_it(raw_request))
            tokens = self._tokenization_raw_response_to_tokens(response, request)
        except (NonRetriableException, HelmError):
            raise
        except Exception as e:
            raise ValueError(f"Failed to tokenize text with {type(self).__name__} tokenizer: {e}") from e
        if request.truncation:
            tokens = tokens[: request.max_length]
        expected = int if request.encode else str
        if tokens and not isinstance(tokens[0].value, expected):
            raise ValueError(
                f"{type(self).__name__} gave a token of type {type(tokens[0].value).__name__}, "
                f"expected {expected.__name__} with encode={request.encode}."
            )
        return TokenizationRequestResult(
            success=True, cached=cached, text=request.text, tokens=tokens, request_time=response["request_time"]
        )

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        raw_request = self._decode_request_to_cache_key(request)
        try:
            response, cached = self._get(raw_request, lambda: self._decode_do_it(raw_request))
            text = self._decode_raw_response_to_text(response, request)
        except (NonRetriableException, HelmError):
            raise
        except Exception as e:
            raise ValueError(f"Failed to decode tokens with {type(self).__name__} tokenizer: {e}") from e
        return DecodeRequestResult(success=True, cached=cached, text=text, request_time=response["request_time"])

    def _get(self, raw_request: dict[str, Any], compute: Any) -> Any:
        timed = wrap_request_time(compute)
        return (timed(), False) if self.cache is None else self.cache.get(raw_request, timed)
