"""The tokenizers of xAI's models, through its API."""

from typing import Any

from helm.common.cache import CacheConfig
from helm.tokenizers.hosted_tokenizer import HostedTokenizer, TokenizerUnavailableError, field

_BASE_URL = "https://api.x.ai/v1"


class GrokAPITokenizer(HostedTokenizer):
    """`POST /tokenize-text`, which gives ids and strings. Decoding is not possible: use NoDecodingWindowService."""

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, base_url: str = _BASE_URL):
        super().__init__(cache_config, api_key, base_url)

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {"text": request["text"], "model": self._get_tokenizer_name(name)}
        tokens = field(self._call("tokenize-text", name, payload), "token_ids", list, name)
        if request["encode"]:
            return {"tokens": [field(token, "token_id", int, name) for token in tokens]}
        return {"tokens": [field(token, "string_token", str, name) for token in tokens]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        raise TokenizerUnavailableError(
            f"Tokenizer '{request['tokenizer']}': xAI's API cannot decode tokens. Set window_service_spec of the "
            "deployment to helm.benchmark.window_services.no_decoding_window_service.NoDecodingWindowService."
        )
