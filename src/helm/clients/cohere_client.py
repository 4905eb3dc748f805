"""Cohere's models."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS
from helm.clients.protocols.openai_protocol import read_tool_calls
from helm.clients.protocols.text_api_client import TextAPIClient
from helm.clients.protocols.thinking import thinking_budget, why_no_budget
from helm.common.cache import CacheConfig
from helm.common.media_object import AUDIO_TYPE
from helm.common.request import FILTERED, GeneratedOutput, Request, Thinking, Token, Usage
from helm.common.request_options import EXTRA_BODY, REASONING_EFFORT, RESPONSE_FORMAT, SEED, TOP_P, RequestOptions

DEFAULT_COHERE_API_VERSION = "2021-11-08"
_BASE_URL = "https://api.cohere.ai"
_FINISH_REASONS = {"COMPLETE": "stop", "STOP_SEQUENCE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}


def get_cohere_url(endpoint: str) -> str:
    """Return the address of a route of the older API, such as `generate`."""
    return f"{_BASE_URL}/{endpoint}"


class CohereClient(TextAPIClient):
    """The older text API, `POST /generate`, with log-probabilities (also of the prompt)."""

    BASE_URL = _BASE_URL
    GENERATE_ENDPOINT = "generate"
    KEY_VARIABLE = "COHERE_API_KEY"
    CREDENTIAL = "cohereApiKey"

    def __init__(
        self, api_key: str | None = None, cache_config: CacheConfig | None = None, base_url: str | None = None
    ):
        super().__init__(cache_config, api_key, base_url, headers={"Cohere-Version": DEFAULT_COHERE_API_VERSION})

    TOP_K_FIELD = "k"

    def _path(self, request: Request) -> str:
        return self.GENERATE_ENDPOINT

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        likelihoods = "ALL" if request.echo_prompt else "GENERATION"
        return {
            "prompt": self._text_prompt(request),
            "max_tokens": request.max_tokens,
            "model": request.model_engine,
            "temperature": request.temperature,
            "num_generations": num_completions,
            "k": request.top_k_per_token,
            "p": request.top_p,
            "frequency_penalty": request.frequency_penalty,
            "presence_penalty": request.presence_penalty,
            "stop_sequences": request.stop_sequences,
            "return_likelihoods": likelihoods,
        }

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        outputs = []
        for generation in response["generations"]:
            likelihoods = generation.get("token_likelihoods") or []
            tokens = [Token(text=str(t["token"]), logprob=float(t.get("likelihood") or 0.0)) for t in likelihoods]
            reason = str(generation.get("finish_reason") or "COMPLETE")
            if reason == "ERROR_TOXIC" and not generation["text"]:
                raise self.endpoint.failure(FILTERED, "generate", "the content filter withheld the answer.")
            outputs.append(
                GeneratedOutput(
                    text=generation["text"],
                    logprob=sum([token.logprob for token in tokens]),
                    tokens=tokens,
                    finish_reason={"reason": _FINISH_REASONS.get(reason, reason.lower())},
                )
            )
        return outputs


class CohereChatClient(TextAPIClient):
    """`POST /v2/chat`, once for each completion."""

    takes_options = frozenset((TOP_P, SEED, RESPONSE_FORMAT, REASONING_EFFORT, EXTRA_BODY))
    sends_messages = True
    OPTION_FIELDS = {SEED: "seed"}
    TOP_K_FIELD = "k"

    BASE_URL = "https://api.cohere.com"
    KEY_VARIABLE = "COHERE_API_KEY"
    CREDENTIAL = "cohereApiKey"
    GIVES_MANY = False
    lacks = NO_PROMPT_LOGPROBS
    TAKES_TOOLS = True

    def __init__(
        self, api_key: str | None = None, cache_config: CacheConfig | None = None, base_url: str | None = None
    ):
        super().__init__(cache_config, api_key, base_url)

    def _path(self, request: Request) -> str:
        return "v2/chat"

    def why_not(self, request: Request) -> str | None:
        return super().why_not(request) or why_no_budget(request)

    def _adjust(self, raw: dict[str, Any], request: Request, options: RequestOptions) -> dict[str, Any]:
        if options.reasoning_effort is None:
            return raw
        budget = thinking_budget(options.reasoning_effort, request.max_tokens)
        thinking = {"type": "enabled", "token_budget": budget} if budget else {"type": "disabled"}
        return {**raw, "thinking": thinking}

    def _raw_request(self, request: Request, num_completions: int) -> dict[str, Any]:
        messages: list[Any] = request.messages or [{"role": "user", "content": request.prompt}]
        if request.multimodal_prompt is not None:
            from helm.clients.protocols.openai_protocol import content_parts

            for media in request.multimodal_prompt.media_objects:
                if media.is_type(AUDIO_TYPE):
                    raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there", "v2/chat")
            messages = [{"role": "user", "content": content_parts(request.multimodal_prompt, self.endpoint)}]
        raw: dict[str, Any] = {
            "model": request.model_engine,
            "messages": messages,
            "temperature": request.temperature,
            "max_tokens": request.max_tokens,
            "k": request.top_k_per_token,
            "p": request.top_p,
            "stop_sequences": request.stop_sequences,
            "frequency_penalty": request.frequency_penalty,
            "presence_penalty": request.presence_penalty,
        }
        if request.random is not None and request.random.isdigit():
            raw["seed"] = int(request.random)
        if request.response_format is not None and request.response_format.json_schema is not None:
            raw["response_format"] = {"type": "json_object", "json_schema": request.response_format.json_schema}
        if request.tools:
            raw["tools"] = request.tools
        return raw

    def _outputs(self, response: Mapping[str, Any]) -> Sequence[GeneratedOutput]:
        message, reason = response["message"], str(response.get("finish_reason"))
        calls = read_tool_calls(message)
        parts = message["content"] if "content" in message or calls is None else []
        if not parts and reason == "ERROR_TOXIC":
            raise self.endpoint.failure(FILTERED, "v2/chat", "the content filter withheld the answer.")
        thoughts = [part["thinking"] for part in parts if part.get("type") == "thinking"]
        text = "".join(part["text"] for part in parts if part.get("type") == "text")
        if not parts and calls is None and reason != "MAX_TOKENS":
            raise ValueError("no content")
        return [
            GeneratedOutput(
                text=text,
                logprob=0,
                tokens=[],
                finish_reason={"reason": _FINISH_REASONS.get(reason, reason.lower())},
                thinking=Thinking("".join(thoughts)) if thoughts else None,
                tool_calls=calls,
            )
        ]

    def _usage(self, response: Mapping[str, Any]) -> Usage | None:
        tokens = (response.get("usage") or {}).get("tokens") or {}
        if not all(isinstance(tokens.get(f"{kind}_tokens"), (int, float)) for kind in ("input", "output")):
            return None
        cached = (response.get("usage") or {}).get("cached_tokens")
        cached = int(cached) if isinstance(cached, (int, float)) else None
        return Usage(int(tokens["input_tokens"]), int(tokens["output_tokens"]), None, cached)
