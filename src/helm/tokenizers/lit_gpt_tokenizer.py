"""The tokenizer in the folder of a LitGPT checkpoint."""

import os
from functools import cached_property
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.caching_tokenizer import CachingTokenizer
from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError


class LitGPTTokenizer(CachingTokenizer):
    """Reads `tokenizer.json` of a checkpoint's folder.

    Args:
        checkpoint_dir: the folder; None causes an error on first use that asks for it.
        device: not needed; HELM passes it.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        checkpoint_dir: str | None = None,
        device: str | None = None,
        tokenizer_name: str = "lit-gpt",
    ):
        super().__init__(cache_config)
        self._tokenizer_name = tokenizer_name
        self._checkpoint_dir = checkpoint_dir

    @cached_property
    def _tokenizer(self) -> Any:
        path = os.path.join(self._checkpoint_dir or "", "tokenizer.json")
        if not self._checkpoint_dir or not os.path.isfile(path):
            raise TokenizerUnavailableError(
                f"Tokenizer '{self._tokenizer_name}' needs the folder of a checkpoint with tokenizer.json: give it as args: "
                "{checkpoint_dir: ...} of tokenizer_spec, in tokenizer_configs.yaml of the folder named with --local-path"
                f"{f'; there is none in {self._checkpoint_dir}' if self._checkpoint_dir else ''}."
            )
        with needs_extra("huggingface"):
            from tokenizers import Tokenizer
        return Tokenizer.from_file(path)

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        ids = self._tokenizer.encode(request["text"], add_special_tokens=False).ids
        return {"tokens": ids if request["encode"] else [self._tokenizer.decode([id]) for id in ids]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": self._tokenizer.decode(request["tokens"])}
