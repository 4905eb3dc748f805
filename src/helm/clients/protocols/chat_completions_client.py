"""The base class of clients for providers with a variant of OpenAI's chat protocol."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from helm.clients.http.http_client import NO_PROMPT_LOGPROBS, Answer, Call, ProviderClient, Reading
from helm.clients.protocols.openai_protocol import (
    CHAT_ROUTE,
    check_choices,
    content_parts,
    cut_at_stop,
    json_schema_format,
    read_chat_choice,
    read_json_or_stream,
    read_usage,
    sorted_choices,
)
from helm.common.cache import CacheConfig
from helm.common.object_spec import get_class_by_name
from helm.common.request import GeneratedOutput, Request
from helm.common.request_options import EXTRA_BODY, RESPONSE_FORMAT, SEED, TOP_P


class ChatCompletionsClient(ProviderClient):
    """`POST {base_url}/chat/completions`.

    Providers differ in the attributes below and in `_raw_request`. The cache key is the raw request, of which fields without
    a value are not sent.

    Args:
        cache_config, api_key, base_url, headers, needs_key, timeout_s: see ProviderClient.
        model_name: the provider's name of the model; None means the second part of `Request.model`.
        output_processor: full name of a function that is applied to every answer.
        splits_thinking: whether the contents of `<think>` tags are removed from the answer.
    """

    KEY_VARIABLE = "OPENAI_API_KEY"
    CREDENTIAL = "openaiApiKey"
    NAMES_WHOLE_MODEL: ClassVar[bool] = False
    """Whether the provider's name of a model is the whole `Request.model`, not only its second part."""
    STRICT_SCHEMAS: ClassVar[bool] = True
    MEDIA_FIELD = "messages"
    lacks = NO_PROMPT_LOGPROBS
    takes_options = frozenset((TOP_P, RESPONSE_FORMAT, SEED, EXTRA_BODY))
    sends_messages = True
    NOT_SENT: ClassVar[frozenset[str]] = frozenset()
    """Fields that the provider does not accept. HELM's requests, and so its cache keys, contain them."""

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        base_url: str | None = None,
        model_name: str | None = None,
        output_processor: str | None = None,
        splits_thinking: bool = False,
        timeout_s: float | None = None,
        headers: Mapping[str, str] | None = None,
        needs_key: bool = True,
    ):
        super().__init__(cache_config, api_key, base_url, headers, needs_key, timeout_s)
        self._model = model_name
        self._splits_thinking = splits_thinking
        self._route = CHAT_ROUTE
        self._process: Callable[[str], str] = get_class_by_name(output_processor) if output_processor else str

    # --- what is sent -------------------------------------------------------------------------------------------------

    def _model_of(self, request: Request) -> str:
        if self._model:
            return self._model
        return request.model if self.NAMES_WHOLE_MODEL else request.model_engine

    def _messages(self, request: Request) -> list[Any]:
        if request.messages:
            self._check_messages(request.messages)
            return request.messages
        if request.multimodal_prompt is not None:
            return [{"role": "user", "content": content_parts(request.multimodal_prompt, self.endpoint)}]
        return [{"role": "user", "content": request.prompt}]

    def _check_messages(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Check, like HELM, that every message has a role and content, and that the last is from the user or a tool."""
        for message in messages:
            if "role" not in message or ("content" not in message and "tool_calls" not in message):
                raise self._refusal(
                    f"a message needs the keys role and content, and has {', '.join(message) or 'none'}"
                )
        if messages[-1]["role"] not in ("user", "tool"):
            raise self._refusal(f"the last message must have the role user, not {messages[-1]['role']}")

    def _raw_request(self, request: Request) -> dict[str, Any]:
        """Return the raw request."""
        raw: dict[str, Any] = {
            "model": self._model_of(request),
            "messages": self._messages(request),
            "temperature": request.temperature,
            "top_p": request.top_p,
            "n": request.num_completions,
            "stop": request.stop_sequences or None,
            "max_tokens": request.max_tokens,
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
        }
        return {**raw, **self._extras(request)}

    def _extras(self, request: Request) -> dict[str, Any]:
        """Return the fields that are only sent if the request needs them."""
        extras: dict[str, Any] = {}
        if request.response_format is not None and request.response_format.json_schema is not None:
            schema = request.response_format.json_schema
            extras["response_format"] = json_schema_format(schema, strict=self.STRICT_SCHEMAS)
        if request.tools:
            extras["tools"] = request.tools
        return extras

    # --- the exchange -------------------------------------------------------------------------------------------------

    def _ask(self, request: Request, num_missing: int, num_there: int) -> Answer:
        raw = self._raw_request(request)
        if num_there and "n" in raw:
            raw["n"] = num_missing
        raw = self._add_options(raw, request, num_there)
        return self._ask_minding_stop(request, raw, partial(self._call, request, num_there))

    def ordinary_call(self, request: Request) -> Call | None:
        if self._takes_no_stop and request.stop_sequences:
            return None
        return self._call(request, 0, self._add_options(self._raw_request(request), request, 0))

    def _call(self, request: Request, num_there: int, raw: Mapping[str, Any]) -> Call:
        return Call(
            self._path(raw),
            raw,
            self._cache_key(raw, request, num_there),
            partial(check_choices, self.endpoint, self._route),
            partial(self._read, request),
            decode=read_json_or_stream,
        )

    def _path(self, raw: Mapping[str, Any]) -> str:
        return self._route

    def _body(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return a raw request without its unset fields: not every provider accepts null."""
        return {name: value for name, value in raw.items() if value is not None and name not in self.NOT_SENT}

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        outputs = [self._read_choice(request, choice) for choice in sorted_choices(response)]
        return outputs, read_usage(response)

    def _read_choice(self, request: Request, choice: Mapping[str, Any]) -> GeneratedOutput:
        from dataclasses import replace

        splits = bool(request.options is not None and request.options.split_thinking)
        output = read_chat_choice(choice, self._splits_thinking or splits)
        if self._process is not str:
            output = replace(output, text=self._process(output.text))
        if request.echo_prompt:  # HELM: the prompt is put in front, without log-probabilities.
            return replace(output, text=request.prompt + output.text)
        return cut_at_stop(output, request.stop_sequences)


def is_reasoning_model(engine: str) -> bool:
    """Models of OpenAI that take no sampling parameters."""
    return re.match(r"o\d+", engine) is not None or engine.startswith("gpt-5")
