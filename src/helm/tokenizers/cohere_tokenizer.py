"""The tokenizers of Cohere's models: through its API, or downloaded from it and run here."""

import threading
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.hosted_tokenizer import HostedTokenizer, field, json_object

_BASE_URL = "https://api.cohere.com/v1"


class CohereTokenizer(HostedTokenizer):
    """`POST /tokenize` and `POST /detokenize`."""

    def __init__(self, api_key: str | None, cache_config: CacheConfig | None, base_url: str = _BASE_URL):
        super().__init__(cache_config, api_key, base_url)

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {"text": request["text"], "model": self._get_tokenizer_name(name)}
        key = "tokens" if request["encode"] else "token_strings"
        return {"tokens": field(self._call("tokenize", name, payload), key, list, name)}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = request["tokenizer"]
        payload = {"tokens": request["tokens"], "model": self._get_tokenizer_name(name)}
        return {"text": field(self._call("detokenize", name, payload), "text", str, name)}


class CohereLocalTokenizer(HostedTokenizer):
    """Finds the tokenizer's file with one `GET /models/MODEL`, downloads it, and tokenizes in this process."""

    def __init__(self, api_key: str | None, cache_config: CacheConfig | None, base_url: str = _BASE_URL):
        super().__init__(cache_config, api_key, base_url)
        self._loaded: dict[str, Any] = {}
        self._lock = threading.Lock()

    def _tokenizer(self, name: str) -> Any:
        with self._lock:
            if name not in self._loaded:
                self._loaded[name] = self._load(name)
            return self._loaded[name]

    def _load(self, name: str) -> Any:
        with needs_extra("huggingface"):
            from tokenizers import Tokenizer
        import json

        model = self._call(f"models/{self._get_tokenizer_name(name)}", name)
        url = field(model, "tokenizer_url", str, name)
        return Tokenizer.from_str(json.dumps(json_object(url, {})))

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        tokenizer = self._tokenizer(request["tokenizer"])
        ids = tokenizer.encode(request["text"], add_special_tokens=False).ids
        return {"tokens": ids if request["encode"] else [tokenizer.decode([id]) for id in ids]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": self._tokenizer(request["tokenizer"]).decode(request["tokens"])}
