"""The tokenizers of AI21's models, from its package."""

from functools import cached_property
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.caching_tokenizer import CachingTokenizer


class AI21LocalTokenizer(CachingTokenizer):
    """A tokenizer given by the last part of the name, for example `j2-tokenizer` of `ai21/j2-tokenizer`.

    The tokenizer of Jurassic-2 comes with the package, which downloads those of Jamba on first use.
    """

    def __init__(self, cache_config: CacheConfig | None, tokenizer_name: str):
        super().__init__(cache_config)
        self._name = self._get_tokenizer_name(tokenizer_name)

    @cached_property
    def _tokenizer(self) -> Any:
        with needs_extra("ai21"):
            from ai21_tokenizer import Tokenizer
        return Tokenizer.get_tokenizer(self._name)

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        ids = self._tokenizer.encode(request["text"])
        if request["encode"]:
            return {"tokens": ids}
        return {"tokens": [token.replace("▁", " ") for token in self._tokenizer.convert_ids_to_tokens(ids)]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": self._tokenizer.decode(request["tokens"])}
