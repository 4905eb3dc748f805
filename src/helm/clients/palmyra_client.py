"""Writer's older models, and its chat models at their own address."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS
from helm.clients.protocols.openai_hosts import PalmyraChatClient
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request

__all__ = ["PalmyraChatClient", "PalmyraClient"]


class PalmyraClient(TextAPIClient):
    """`POST .../model/MODEL/completions`, once for each completion."""

    BASE_URL = "https://enterprise-api.writer.com/llm/organization/3002"
    KEY_VARIABLE = "WRITER_API_KEY"
    CREDENTIAL = "writerApiKey"
    GIVES_MANY = False
    lacks = NO_PROMPT_LOGPROBS

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, base_url: str | None = None):
        super().__init__(cache_config, api_key, base_url)

    def _path(self, request: Request) -> str:
        return f"model/{request.model_engine}/completions"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "prompt": self._text_prompt(request),
            "maxTokens": request.max_tokens,
            "temperature": request.temperature,
            "topP": request.top_p,
            "bestOf": request.top_k_per_token,
        }
        return {**raw, "stop": request.stop_sequences} if request.stop_sequences else raw

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        key = super()._cache_key({"engine": request.model_engine, **raw}, request, 0)
        return {**key, "completion_index": num_there}

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        return [GeneratedOutput(choice["text"], logprob=0, tokens=[]) for choice in response["choices"]]
