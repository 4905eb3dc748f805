"""The tokenizer of a model on a vLLM server, through the server's API, so that no local file is needed."""

import os
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.tokenizers.hosted_tokenizer import HostedTokenizer, TokenizerServerError, field

BASE_URL_VARIABLE = "VLLM_BASE_URL"


def _shown(token: str) -> str:
    """Restore spaces and line breaks, which vocabularies represent by other characters."""
    return token.replace("Ġ", " ").replace("▁", " ").replace("Ċ", "\n")


class VLLMTokenizer(HostedTokenizer):
    """`POST /tokenize` and `POST /detokenize`, next to the server's `/v1`. Special tokens are not added.

    Args:
        cache_config: where answers are cached.
        base_url: the deployment's address, for example `http://localhost:8000/v1`; None reads `$VLLM_BASE_URL`.
        model: the server's name of the model; None means the last part of the tokenizer's name.
        api_key: the key, which self-hosted servers rarely require.

    Raises:
        ConfigError: There is no address.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        base_url: str | None = None,
        model: str | None = None,
        api_key: str | None = None,
    ):
        address = base_url or os.environ.get(BASE_URL_VARIABLE)
        if not address:
            raise ConfigError(
                f"VLLMTokenizer needs base_url in the args of tokenizer_spec, or the environment variable {BASE_URL_VARIABLE}."
            )
        super().__init__(cache_config, api_key, address.rstrip("/").removesuffix("/v1"))
        self._model = model

    def _headers(self, tokenizer: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {"model": self._model_of(name), "prompt": request["text"], "add_special_tokens": False}
        if request["encode"]:
            ids: list[Any] = field(self._call("tokenize", name, payload), "tokens", list, name)
            if not all(isinstance(token, int) for token in ids):
                raise TokenizerServerError(f"{name}: expected ids of tokens, got {ids!r}"[:300])
            return {"tokens": ids}
        texts = field(self._call("tokenize", name, {**payload, "return_token_strs": True}), "token_strs", list, name)
        return {"tokens": [_shown(str(text)) for text in texts]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {"model": self._model_of(name), "tokens": request["tokens"]}
        return {"text": field(self._call("detokenize", name, payload), "prompt", str, name)}

    def _model_of(self, tokenizer: str) -> str:
        return self._model or self._get_tokenizer_name(tokenizer)
