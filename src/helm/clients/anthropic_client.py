"""Anthropic's messages API."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from helm.clients.batch.anthropic_batches import AnthropicBatches
from helm.clients.http.http_client import NO_PROMPT_LOGPROBS, Call, ProviderClient, Reading
from helm.clients.protocols.message_parts import CALL, IMAGE, RESULT, TEXT, Part, read_messages
from helm.clients.protocols.openai_protocol import base64_of, cut_at_stop, mime_type, stream_events
from helm.clients.protocols.thinking import thinking_budget, why_no_budget
from helm.common.cache import CacheConfig
from helm.common.formats.json_reading import read_json
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request import (
    FILTERED,
    REFUSED,
    GeneratedOutput,
    Request,
    Thinking,
    Usage,
)
from helm.common.request_options import (
    EXTRA_BODY,
    PLAIN_PROMPT,
    REASONING_EFFORT,
    RESPONSE_FORMAT,
    TOP_P,
    RequestOptions,
)

BASE_URL = "https://api.anthropic.com"
MESSAGES_ROUTE = "v1/messages"
COMPLETE_ROUTE = "v1/complete"
_API_VERSION = "2023-06-01"
_MOST_TOKENS = 64000
# About 1,024 tokens, the shortest prefix that Anthropic caches; marks on shorter ones have no effect.
_WORTH_CACHING_CHARACTERS = 4096
_OPENAI_PARTS = {"image_url", "input_audio"}
_FINISH_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
}


class _AnthropicClient(ProviderClient):
    """The common parts of the two APIs: the key, the version, and one completion per request."""

    BASE_URL = BASE_URL
    KEY_VARIABLE = "ANTHROPIC_API_KEY"
    CREDENTIAL = "anthropicApiKey"
    KEY_HEADER = ("x-api-key", "{key}")
    MEDIA_FIELD = "messages"
    lacks = NO_PROMPT_LOGPROBS
    takes_options = frozenset((TOP_P, PLAIN_PROMPT, EXTRA_BODY))
    OPTION_FIELDS = {}
    TOP_K_FIELD = "top_k"

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None, base_url: str | None):
        super().__init__(cache_config, api_key, base_url, {"anthropic-version": _API_VERSION})

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        """Return the cache key. HELM: the first completion is numbered, too."""
        return {"completion_index": num_there, **super()._cache_key(raw, request, num_there)}


class AnthropicMessagesClient(_AnthropicClient):
    """`POST /v1/messages`, once for each completion.

    Args:
        cache_config: where responses are cached.
        thinking_budget_tokens: let the model think first, with at most this many tokens.
        anthropic_model_name: Anthropic's name of the model; None means the second part of the model's name.
        api_key: the key; None reads `$ANTHROPIC_API_KEY`.
        stream: whether the answer arrives in pieces, so that connections do not idle through long thinking.
        base_url: the address; None means Anthropic's own.
        cache_prompts: let the provider cache what requests have in common, which costs a quarter more the first time and
            a tenth after that: everything before the last blank line of a long prompt, and a long system prompt.
    """

    def __init__(
        self,
        cache_config: CacheConfig | None,
        thinking_budget_tokens: int | None = None,
        anthropic_model_name: str | None = None,
        api_key: str | None = None,
        stream: bool | None = None,
        base_url: str | None = None,
        cache_prompts: bool = False,
    ):
        super().__init__(cache_config, api_key, base_url)
        self.batches = AnthropicBatches(self.endpoint, 1.0 if self._key_extras else None)
        self.caches_prompts = cache_prompts
        self._thinking_budget_tokens = thinking_budget_tokens
        self._model = anthropic_model_name
        self._streams = bool(stream)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        if request.max_tokens > _MOST_TOKENS:
            raise self._refusal(f"at most {_MOST_TOKENS} tokens can be requested, not {request.max_tokens}")
        system, messages = self._messages(request)
        if self.caches_prompts:
            system, messages = mark_for_cache(system, messages)
        model = self._model or request.model_engine
        raw: dict[str, Any] = {
            "messages": messages,
            "model": model,
            "stop_sequences": request.stop_sequences,
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "top_k": request.top_k_per_token,
        }
        if system is not None:
            raw["system"] = system
        if self._thinking_budget_tokens:
            raw["thinking"] = {"type": "enabled", "budget_tokens": self._thinking_budget_tokens}
            del raw["top_k"]
        if request.tools:
            raw["tools"] = [_tool(tool) for tool in request.tools]
        for name in _unsupported(model):
            raw.pop(name, None)
        return raw

    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, REASONING_EFFORT, EXTRA_BODY))
    sends_messages = True

    def why_not(self, request: Request) -> str | None:
        reason = super().why_not(request)
        if reason is not None or request.options is None:
            return reason
        model, effort = self._model or request.model_engine, request.options.reasoning_effort
        if request.top_p != 1 and "top_p" in _unsupported(model):
            return f"{request.model_deployment}: {model} takes no {TOP_P} besides a temperature"
        if effort is None or effort == "none" or _thinks_adaptively(model):
            return None
        return why_no_budget(request)

    def _adjust(self, raw: dict[str, Any], request: Request, options: RequestOptions) -> dict[str, Any]:
        config: dict[str, Any] = {}
        if request.response_format is not None and request.response_format.json_schema is not None:
            schema = {"additionalProperties": False, **request.response_format.json_schema}
            config["format"] = {"type": "json_schema", "schema": schema}
        effort = options.reasoning_effort
        if effort == "none":
            raw = {name: value for name, value in raw.items() if name != "thinking"}
        elif effort is not None and _thinks_adaptively(raw["model"]):
            config["effort"] = effort
            raw = {**raw, "thinking": {"type": "adaptive", "display": "summarized"}}
        elif effort is not None:
            budget = thinking_budget(effort, request.max_tokens)
            raw = {**raw, "thinking": {"type": "enabled", "budget_tokens": budget}}
        if "thinking" in raw:  # Claude thinks at its own temperature only.
            raw = {name: value for name, value in raw.items() if name not in ("temperature", "top_p", "top_k")}
        return {**raw, "output_config": config} if config else raw

    def _messages(self, request: Request) -> tuple[Any | None, list[Any]]:
        """Return the system prompt and the other messages."""
        if request.messages:
            messages = self._translated(request.messages)
            if messages[0].get("role") == "system":
                return messages[0]["content"], messages[1:]
            return None, messages
        if request.multimodal_prompt is not None:
            return None, [{"role": "user", "content": self._blocks(request.multimodal_prompt)}]
        return None, [{"role": "user", "content": request.prompt}]

    def _translated(self, messages: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Keep messages that are texts or Anthropic's blocks as they are, and convert others from OpenAI's format."""
        if not any(_is_openai_like(message) for message in messages):
            return list(messages)
        if any(_kinds(message) - _OPENAI_PARTS - {"text"} for message in messages):
            raise self._refusal("the messages mix blocks of Anthropic's form with parts of OpenAI's")
        translated: list[Any] = []
        for message in read_messages(messages, self._refusal):
            translated.append({"role": message.role, "content": [self._block(part) for part in message.parts]})
        return translated

    def _block(self, part: Part) -> dict[str, Any]:
        if part.kind == TEXT:
            return {"type": "text", "text": part.text}
        if part.kind == CALL:
            return {"type": "tool_use", "id": part.id, "name": part.name, "input": part.arguments or {}}
        if part.kind == RESULT:
            return {"type": "tool_result", "tool_use_id": part.id, "content": part.text}
        if part.kind == IMAGE:
            source = {"type": "url", "url": part.url}
            if part.data is not None:
                source = {"type": "base64", "media_type": part.mime_type, "data": part.data}
            return {"type": "image", "source": source}
        raise self._refusal(f"a message holds {part.mime_type}, which cannot be sent there")

    def _blocks(self, prompt: MultimediaObject) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = []
        for media in prompt.media_objects:
            if media.is_type(TEXT_TYPE):
                if media.text and media.text.strip():  # blank texts are refused
                    blocks.append({"type": "text", "text": media.text})
            elif media.is_type(IMAGE_TYPE):
                source: dict[str, Any] = {"type": "url", "url": media.location}
                if media.is_local_file:
                    source = {"type": "base64", "media_type": mime_type(media), "data": base64_of(media)}
                blocks.append({"type": "image", "source": source})
            else:
                raise self._refusal(f"the prompt holds {media.content_type}, which cannot be sent there")
        return blocks

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        raw = self._add_options(self._raw_request(request), request, num_there)
        key = self._cache_key(raw, request, num_there)
        return Call(MESSAGES_ROUTE, raw, key, self._check, partial(self._read, request), decode=_read_body)

    def _body(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Drop blank stop sequences, which Anthropic refuses. The client applies them, and the cache key has them (HELM)."""
        body = {**raw, "stream": True} if self._streams else dict(raw)
        body["stop_sequences"] = [stop for stop in raw["stop_sequences"] if stop.strip()]
        return body

    def _check(self, response: Any) -> None:
        content = response.get("content") if isinstance(response, dict) else None
        if not isinstance(content, list) or not all(isinstance(block, dict) for block in content):
            raise self._malformed(MESSAGES_ROUTE, "the answer holds no list of content", response)
        has_answer = any(block.get("type") in ("text", "tool_use") for block in content)
        if response.get("stop_reason") == "refusal" and not has_answer:
            raise self.endpoint.failure(FILTERED, MESSAGES_ROUTE, "the server's content filter withheld the answer.")
        if not has_answer and response.get("stop_reason") not in ("max_tokens", "end_turn", "stop_sequence"):
            raise self._malformed(MESSAGES_ROUTE, "the answer holds no text", response)

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        content = response["content"]
        thoughts = [block.get("thinking") for block in content if block.get("type") == "thinking"]
        calls = [
            {"id": block.get("id"), "name": block.get("name"), "arguments": block.get("input")}
            for block in content
            if block.get("type") == "tool_use"
        ]
        stop_reason = response.get("stop_reason")
        output = GeneratedOutput(
            text="".join(str(block.get("text")) for block in content if block.get("type") == "text"),
            logprob=0,
            tokens=[],
            finish_reason={"reason": _FINISH_REASONS.get(stop_reason, stop_reason)} if stop_reason else None,
            thinking=Thinking("\n\n".join(str(thought) for thought in thoughts)) if thoughts else None,
            tool_calls=calls or None,
        )
        return [cut_at_stop(output, request.stop_sequences)], _read_usage(response)


def mark_for_cache(system: Any | None, messages: Sequence[Any]) -> tuple[Any | None, list[Any]]:
    """Mark a long system prompt, and all but the last paragraph of a long first message, for the provider's cache.

    Where a text is split depends on that text alone, so that equal requests stay equal. The joined blocks equal the text.
    """
    mark = {"cache_control": {"type": "ephemeral"}}
    if isinstance(system, str) and len(system) >= _WORTH_CACHING_CHARACTERS:
        system = [{"type": "text", "text": system, **mark}]
    marked = list(messages)
    text = marked[0].get("content") if marked else None
    if isinstance(text, str):
        end = text.rstrip().rfind("\n\n") + 2
        head, tail = text[:end], text[end:]
        if len(head) >= _WORTH_CACHING_CHARACTERS and tail.strip():
            blocks = [{"type": "text", "text": head, **mark}, {"type": "text", "text": tail}]
            marked[0] = {**marked[0], "content": blocks}
    return system, marked


def _kinds(message: Mapping[str, Any]) -> set[str]:
    """Return the kinds of a message's parts; none if it is a text."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    return {str(part.get("type")) if isinstance(part, dict) else "" for part in parts}


def _is_openai_like(message: Mapping[str, Any]) -> bool:
    """Return whether a message contains something in OpenAI's format that differs from Anthropic's."""
    is_about_tools = message.get("role") == "tool" or bool(message.get("tool_calls"))
    return is_about_tools or bool(_kinds(message) & _OPENAI_PARTS)


def _version_of(model: str) -> tuple[int, int] | None:
    """Return the version of a model whose name says it as those since Claude 4 do."""
    version = re.match(r"claude-[a-z]+-(\d+)(?:-(\d{1,2}))?(?!\d)", model)
    return (int(version[1]), int(version[2] or 0)) if version is not None else None


def _thinks_adaptively(model: str) -> bool:
    """Return whether a model takes an effort instead of a number of thinking tokens."""
    return (_version_of(model) or (0, 0)) >= (4, 7)


def _unsupported(model: str) -> Sequence[str]:
    """Return the sampling parameters that a model refuses (in combination)."""
    number = _version_of(model)
    if number is None:
        return ()
    if number >= (4, 7):
        return ("temperature", "top_p", "top_k")
    return ("top_p",) if number >= (4, 5) else ()


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    """Convert OpenAI's description of a tool to Anthropic's."""
    function = tool.get("function", tool)
    described = {"name": function.get("name"), "input_schema": function.get("parameters") or {"type": "object"}}
    return {**described, **({"description": function["description"]} if "description" in function else {})}


def _read_usage(response: Mapping[str, Any]) -> Usage | None:
    """Read the token counts: Anthropic counts cached tokens separately from `input_tokens`, and thinking as output."""
    usage = response.get("usage")
    if not isinstance(usage, dict) or not all(isinstance(usage.get(f"{k}_tokens"), int) for k in ("input", "output")):
        return None
    read, written = (usage.get(f"cache_{k}_input_tokens") or 0 for k in ("read", "creation"))
    return Usage(usage["input_tokens"] + read + written, usage["output_tokens"], None, read or None, written or None)


def _read_body(data: bytes, content_type: str) -> Any:
    if not content_type.startswith("text/event-stream"):
        return read_json(data)
    return join_events(stream_events(data))


def join_events(events: Sequence[Any]) -> dict[str, Any]:
    """Join the events of a stream to a message. Raises ValueError if it broke off."""
    message: dict[str, Any] = {}
    blocks: dict[int, dict[str, Any]] = {}
    is_complete = False
    for event in events:
        kind = event.get("type")
        if kind == "error" or event.get("error"):
            return {"error": event.get("error") or {"type": "api_error"}}
        if kind == "message_start":
            message = dict(event["message"])
        elif kind == "content_block_start":
            blocks[event["index"]] = dict(event["content_block"])
        elif kind == "content_block_delta":
            block, delta = blocks[event["index"]], event["delta"]
            for name in ("text", "thinking", "signature"):
                if name in delta:
                    block[name] = block.get(name, "") + delta[name]
            if "partial_json" in delta:
                block["partial_json"] = block.get("partial_json", "") + delta["partial_json"]
        elif kind == "message_delta":
            message.update(event["delta"])
            message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}
        elif kind == "message_stop":
            is_complete = True
    if not is_complete:
        raise ValueError("a stream that broke off")
    for block in blocks.values():
        if "partial_json" in block:
            block["input"] = read_json(block.pop("partial_json") or "{}")
    return {**message, "content": [blocks[index] for index in sorted(blocks)]}


class AnthropicClient(_AnthropicClient):
    r"""The older text API, `POST /v1/complete`; prompts are `\n\nHuman: ...\n\nAssistant:`.

    Args:
        tokenizer, tokenizer_name: not needed; HELM passes them.
        cache_config: where responses are cached.
        api_key: the key; None reads `$ANTHROPIC_API_KEY`.
        base_url: the address; None means Anthropic's own.
    """

    TAKES_TOOLS = False

    def __init__(
        self,
        tokenizer: Any = None,
        tokenizer_name: str | None = None,
        cache_config: CacheConfig | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
    ):
        super().__init__(cache_config, api_key, base_url)

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        if request.echo_prompt or request.max_tokens == 0 or request.messages or request.multimodal_prompt:
            raise self._refusal("this API completes texts; it has no echo, messages or media", COMPLETE_ROUTE)
        raw: dict[str, Any] = {
            "prompt": request.prompt,
            "stop_sequences": request.stop_sequences,
            "model": request.model_engine,
            "max_tokens_to_sample": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "top_k": request.top_k_per_token,
        }
        raw = self._add_options(raw, request, num_there)
        key = self._cache_key(raw, request, num_there)
        return Call(COMPLETE_ROUTE, raw, key, self._check, partial(self._read, request))

    def _check(self, response: Any) -> None:
        if not isinstance(response, dict) or not isinstance(response.get("completion"), str):
            raise self._malformed(COMPLETE_ROUTE, "the answer holds no completion", response)

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        reason = _FINISH_REASONS.get(str(response.get("stop_reason")), "stop")
        output = GeneratedOutput(response["completion"], logprob=0, tokens=[], finish_reason={"reason": reason})
        return [cut_at_stop(output, request.stop_sequences)], None


class AnthropicLegacyClient(_AnthropicClient):
    """A model of 2022 that was served over web sockets and is gone; every request is refused."""

    def __init__(self, api_key: str | None = None, cache_config: CacheConfig | None = None):
        super().__init__(cache_config, api_key, None)

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        raise self.endpoint.failure(REFUSED, "", f"Anthropic no longer serves {request.model}.")
