"""AI21's models."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS
from helm.clients.protocols.chat_completions_client import ChatCompletionsClient
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.common.cache import CacheConfig
from helm.common.request import GeneratedOutput, Request, Token
from helm.common.request_options import EXTRA_BODY, RESPONSE_FORMAT, TOP_P

_BASE_URL = "https://api.ai21.com/studio/v1"


class AI21Client(TextAPIClient):
    """The older text API, `POST /MODEL/complete`.

    Args:
        url: the base address; None means AI21's own.
    """

    BASE_URL = _BASE_URL
    KEY_VARIABLE = "AI21_API_KEY"
    CREDENTIAL = "ai21ApiKey"
    lacks = NO_PROMPT_LOGPROBS

    def __init__(self, api_key: str | None = None, cache_config: CacheConfig | None = None, url: str | None = None):
        super().__init__(cache_config, api_key, url)

    def _path(self, request: Request) -> str:
        return f"{request.model_engine}/complete"

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        return {
            "prompt": self._text_prompt(request),
            "temperature": request.temperature,
            "numResults": num_completions,
            "topKReturn": request.top_k_per_token,
            "topP": request.top_p,
            "maxTokens": request.max_tokens,
            "stopSequences": request.stop_sequences,
        }

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        return super()._cache_key({"engine": request.model_engine, **raw}, request, num_there)

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        outputs = []
        for completion in response["completions"]:
            data = completion["data"]
            generated = [token["generatedToken"] for token in data.get("tokens") or []]
            tokens = [Token(text=t["token"].replace("▁", " "), logprob=float(t["raw_logprob"])) for t in generated]
            reason = completion.get("finishReason")
            outputs.append(
                GeneratedOutput(
                    text=data["text"],
                    logprob=sum([token.logprob for token in tokens]),
                    tokens=tokens,
                    finish_reason=dict(reason) if isinstance(reason, dict) else None,
                )
            )
        return outputs


class AI21ChatClient(ChatCompletionsClient):
    """The Jamba models."""

    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, EXTRA_BODY))

    BASE_URL = _BASE_URL
    KEY_VARIABLE = "AI21_API_KEY"
    CREDENTIAL = "ai21ApiKey"

    def __init__(
        self, api_key: str | None = None, cache_config: CacheConfig | None = None, base_url: str | None = None
    ):
        super().__init__(cache_config, api_key=api_key, base_url=base_url)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw: dict[str, Any] = {
            "model": self._model_of(request),
            "messages": self._messages(request),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stop": request.stop_sequences,
            "n": request.num_completions,
            "top_p": request.top_p,
        }
        return {**raw, **self._extras(request)}
