"""The tokenizers of Aleph Alpha's models, through its API."""

from typing import Any

from helm.common.cache import CacheConfig
from helm.tokenizers.hosted_tokenizer import HostedTokenizer, field

_BASE_URL = "https://api.aleph-alpha.com"


class AlephAlphaTokenizer(HostedTokenizer):
    """`POST /tokenize` and `POST /detokenize`."""

    TOKENIZE_ENDPOINT = "tokenize"
    DETOKENIZE_ENDPOINT = "detokenize"

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, base_url: str = _BASE_URL):
        super().__init__(cache_config, api_key, base_url)

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {
            "model": self._get_tokenizer_name(name),
            "prompt": request["text"],
            "tokens": not request["encode"],
            "token_ids": request["encode"],
        }
        answer = self._call(self.TOKENIZE_ENDPOINT, name, payload)
        return {"tokens": field(answer, "token_ids" if request["encode"] else "tokens", list, name)}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {"model": self._get_tokenizer_name(name), "token_ids": request["tokens"]}
        return {"text": field(self._call(self.DETOKENIZE_ENDPOINT, name, payload), "result", str, name)}
