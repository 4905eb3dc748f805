"""Tokenizers of the tiktoken library."""

from functools import cached_property
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.errors import suggest
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.caching_tokenizer import CachingTokenizer
from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError


class TiktokenTokenizer(CachingTokenizer):
    """A tokenizer with the encoding in the last part of its name, for example `cl100k_base` of `openai/cl100k_base`."""

    def __init__(self, cache_config: CacheConfig, tokenizer_name: str):
        super().__init__(cache_config)
        self._encoding_name = self._get_tokenizer_name(tokenizer_name)

    @cached_property
    def _encoding(self) -> Any:
        with needs_extra("openai"):
            import tiktoken
        try:
            return tiktoken.get_encoding(self._encoding_name)
        except ValueError as e:
            known = tiktoken.list_encoding_names()
            raise TokenizerUnavailableError(
                f"tiktoken has no encoding '{self._encoding_name}'.{suggest(self._encoding_name, known)} "
                f"It has: {', '.join(known)}."
            ) from e
        except OSError as e:  # tiktoken downloads the file of an encoding on first use
            raise TokenizerUnavailableError(
                f"The file of tiktoken's encoding '{self._encoding_name}' is neither on this machine nor could it be "
                f"downloaded: {str(e)[:200]} Put it into the folder that the environment variable TIKTOKEN_CACHE_DIR names."
            ) from e

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        tokens = self._encoding.encode(request["text"], disallowed_special=())
        if request["truncation"]:
            tokens = tokens[: max(request["max_length"], 0)]
        if not request["encode"]:
            pieces = [self._encoding.decode_single_token_bytes(token) for token in tokens]
            return {"tokens": [piece.decode("utf-8", errors="replace") for piece in pieces]}
        return {"tokens": tokens}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": self._encoding.decode(request["tokens"])}
