"""A client of any OpenAI-compatible server: vLLM, llama.cpp, Ollama, LM Studio, SGLang, a gateway, or OpenAI itself."""

import os
import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from helm.clients.batch.openai_batches import OpenAIBatches
from helm.clients.client import generate_uid_for_multimodal_prompt
from helm.clients.http.address_keys import BASE_URL_VARIABLE, OPENAI_KEY_VARIABLE, withheld_key
from helm.clients.http.http_client import Answer, Call, HTTPClient, Reading
from helm.clients.http.http_endpoint import TIMEOUT_VARIABLE, HTTPEndpoint
from helm.clients.http.request_failure import RequestFailure
from helm.clients.protocols.openai_protocol import (
    CHAT_ROUTE,
    COMPLETIONS_ROUTE,
    check_choices,
    content_parts,
    cut_at_stop,
    json_schema_format,
    read_chat_choice,
    read_json_or_stream,
    read_text_choice,
    read_usage,
    sorted_choices,
)
from helm.clients.protocols.openai_transcription import (
    TRANSCRIPTIONS_ROUTE,
    only_transcribes,
    transcription_call,
    why_not_options,
)
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hwarn, tell_once
from helm.common.media_object import TEXT_TYPE
from helm.common.request import AUTH, MALFORMED, REFUSED, GeneratedOutput, Request, RequestResult
from helm.common.request_options import CHAT_TEMPLATE_KWARGS, OPTION_NAMES, PLAIN_PROMPT, REASONING_EFFORT
from helm.common.sending import BatchSlot, Sent

__all__ = ["API_KEY_VARIABLE", "BASE_URL_VARIABLE", "TIMEOUT_VARIABLE", "OpenAICompatibleClient"]

API_KEY_VARIABLE = OPENAI_KEY_VARIABLE


_CHAT_OPTIONS = frozenset((REASONING_EFFORT, CHAT_TEMPLATE_KWARGS))
"""Options that only the chat route has."""


class OpenAICompatibleClient(HTTPClient):
    """Client for servers with `POST {base_url}/chat/completions`, `.../completions` or `.../audio/transcriptions`.

    Prompts and chat messages go to the chat route. The other route is used for `echo_prompt`, which needs the
    log-probabilities of the prompt, and for servers without a chat route. Models with `whisper` or `transcribe` in their name get
    the one sound of a prompt at the route for transcriptions. The cache key is the raw request and the server's
    address without credentials, because two servers may use the same name for different models.

    Every failure is a result with `success=False` whose error names the URL and the cause. If a server ignores `n`, further
    requests are sent until there are enough completions. Reasoning, in a field of its own or inside `<think>` tags, is kept
    separate from the answer; if a stop sequence ended the reasoning, the request is sent again without stop sequences, which
    are then applied to the answer. `top_k_per_token` has no effect.

    Args:
        cache_config: where responses are cached.
        base_url: the URL of the routes, for example `http://localhost:8000/v1`; None reads `$OPENAI_BASE_URL`.
        api_key: the bearer token; None reads `$OPENAI_API_KEY`; empty sends none, as most local servers require.
        model_name: the catalogue's name of the model, `org/name`; `name` is sent to the server.
        openai_model_name: the server's name of the model; takes precedence over `model_name`.
        timeout_s: the longest silence of the server, in seconds; None means `$HELM_REQUEST_TIMEOUT_S`, or else 300.
        route: `chat/completions`, `completions` or `audio/transcriptions` for all requests; None chooses as described above.
        ignores_texts: whether texts beside the sound, such as the instruction to transcribe it, are left out at the route for
            transcriptions, which takes no texts. Otherwise such prompts are refused.

    Raises:
        ConfigError: There is no usable URL, route or timeout.
    """

    PROMPT_STANDS_ALONE = True
    takes_options = frozenset(OPTION_NAMES)
    sends_messages = True
    IDEMPOTENCY_HEADER = "Idempotency-Key"

    def __init__(
        self,
        cache_config: CacheConfig | None,
        base_url: str | None = None,
        api_key: str | None = None,
        model_name: str | None = None,
        openai_model_name: str | None = None,
        timeout_s: float | None = None,
        route: str | None = None,
        ignores_texts: bool = False,
    ):
        base_url = base_url or os.environ.get(BASE_URL_VARIABLE)
        if not base_url:
            raise ConfigError(
                f"An OpenAI-compatible server needs base_url, or the environment variable {BASE_URL_VARIABLE}."
            )
        if route not in (None, CHAT_ROUTE, COMPLETIONS_ROUTE, TRANSCRIPTIONS_ROUTE):
            routes = f"{CHAT_ROUTE}, {COMPLETIONS_ROUTE} or {TRANSCRIPTIONS_ROUTE}"
            raise ConfigError(f"route takes {routes}, not '{route}'.")
        key = (os.environ.get(API_KEY_VARIABLE) or "") if api_key is None else api_key
        self._withheld = None if key else withheld_key(base_url)
        if self._withheld:
            tell_once(self._withheld)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        super().__init__(cache_config, HTTPEndpoint(base_url, headers, secret=key, timeout_s=timeout_s))
        self._key_extras = {"base_url": self.endpoint.public_url}
        self.batches = OpenAIBatches(self.endpoint, 1.0)  # creating one shows whether the server has a batch API
        self._model = openai_model_name or (model_name.partition("/")[2] if model_name else None)
        self._route = route
        self._ignores_texts = ignores_texts
        self._lock = threading.Lock()
        self._lacks_chat_route = False
        self._needs_a_token = False

    @property
    def base_url(self) -> str:
        return self.endpoint.base_url

    @property
    def timeout_s(self) -> float:
        return self.endpoint.timeout_s

    # --- which route -------------------------------------------------------------------------------------------------

    def takes_messages(self, model: str) -> bool:
        return self._route in (None, CHAT_ROUTE) and not self._lacks_chat_route

    def why_not(self, request: Request) -> str | None:
        if self._transcribes(request):
            return why_not_options(request)
        is_plain = self._is_plain(request)
        if is_plain and self._route == CHAT_ROUTE:
            return f"{request.model_deployment} has route: {CHAT_ROUTE}, so {PLAIN_PROMPT} (chat=off) is not possible"
        names = [name for name in request.option_names if name in _CHAT_OPTIONS]
        if names and (is_plain or self._route == COMPLETIONS_ROUTE):
            verb = "needs" if len(names) == 1 else "need"
            return (
                f"{request.model_deployment}: {' and '.join(names)} {verb} the route /{CHAT_ROUTE}, not a plain prompt"
            )
        return super().why_not(request)

    @staticmethod
    def _is_plain(request: Request) -> bool:
        return bool(request.options is not None and request.options.plain_prompt)

    def _complete(self, request: Request) -> RequestResult:
        if self._transcribes(request):
            return self._collect(request, self._ask_to_transcribe)
        if self._route is not None:
            return self._complete_with(self._route, request)
        if self._is_plain(request):
            return self._complete_with(COMPLETIONS_ROUTE, request)
        if request.echo_prompt:
            try:
                return self._complete_with(COMPLETIONS_ROUTE, request)
            except RequestFailure as failure:
                if failure.is_missing_route:
                    failure.message += " (log-probabilities of prompts need this route; this server has none)"
                raise
        needs_chat = bool(request.messages) or _has_media(request) or not _CHAT_OPTIONS.isdisjoint(request.option_names)
        if self._lacks_chat_route and not needs_chat:
            return self._complete_with(COMPLETIONS_ROUTE, request)
        try:
            return self._complete_with(CHAT_ROUTE, request)
        except RequestFailure as failure:
            if not failure.is_missing_route or needs_chat:
                raise
            result = self._complete_with(COMPLETIONS_ROUTE, request)  # raises if this route fails, too
            with self._lock:
                if not self._lacks_chat_route:
                    hwarn(f"{self.base_url}/{CHAT_ROUTE} does not exist; using {self.base_url}/{COMPLETIONS_ROUTE}")
                    self._lacks_chat_route = True
            return result

    def ordinary_call(self, request: Request) -> Call | None:
        if self._transcribes(request) or (self._takes_no_stop and request.stop_sequences):
            return None
        if self._route is None and self._lacks_chat_route:
            return None
        route = self._route or CHAT_ROUTE
        return self._call(route, request, 0, self._raw_request(route, request, 1))

    def _transcribes(self, request: Request) -> bool:
        if self._route is not None:
            return self._route == TRANSCRIPTIONS_ROUTE
        return only_transcribes(self._model_of(request))

    def _ask_to_transcribe(self, request: Request, num_missing: int, num_there: int) -> Answer:
        name = self._model_of(request)
        call = transcription_call(self.endpoint, request, name, super()._cache_key, self._ignores_texts)
        return self._exchange(request, call)

    def _complete_with(self, route: str, request: Request) -> RequestResult:
        return self._collect(request, partial(self._ask_at, route))

    def _ask_at(self, route: str, request: Request, num_missing: int, num_there: int) -> Answer:
        if route == COMPLETIONS_ROUTE and request.echo_prompt and request.max_tokens == 0:
            return self._ask_prompt_only(request)
        raw = self._add_options(self._raw_request(route, request, num_missing), request, num_there)
        return self._ask_minding_stop(request, raw, partial(self._call, route, request, num_there))

    def _without_stop(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in raw.items() if name != "stop"}

    def _ask_prompt_only(self, request: Request) -> Answer:
        """Get only the log-probabilities of the prompt. Some servers insist on generating a token, which is dropped."""
        raw = self._raw_request(COMPLETIONS_ROUTE, request, request.num_completions)
        if not self._needs_a_token:
            try:
                return self._exchange(request, self._call(COMPLETIONS_ROUTE, request, 0, raw))
            except RequestFailure as failure:
                if failure.outcome != REFUSED or "max_tokens" not in failure.message:
                    raise
        answer = self._exchange(request, self._call(COMPLETIONS_ROUTE, request, 0, {**raw, "max_tokens": 1}))
        self._needs_a_token = True
        num_new = answer.usage.completion_tokens if answer.usage is not None else request.num_completions
        return replace(answer, outputs=[_without_last(o, num_new // len(answer.outputs)) for o in answer.outputs])

    # --- what is sent ------------------------------------------------------------------------------------------------

    def _model_of(self, request: Request) -> str:
        return self._model or request.model.partition("/")[2]

    def _raw_request(self, route: str, request: Request, num_completions: int) -> dict[str, Any]:
        raw_request: dict[str, Any] = {"model": self._model_of(request)}
        if route == CHAT_ROUTE:
            if request.echo_prompt:
                raise self._refusal(f"/{CHAT_ROUTE} cannot echo the prompt; leave route unset or {COMPLETIONS_ROUTE}")
            raw_request["messages"] = request.messages or [{"role": "user", "content": self._content(request)}]
        else:
            if request.messages:
                raise self._refusal(f"chat messages need the route /{CHAT_ROUTE}")
            if request.tools:
                raise self._refusal(f"tools need the route /{CHAT_ROUTE}")
            raw_request.update(prompt=self._text_prompt(request), logprobs=1)
            if request.echo_prompt:
                raw_request["echo"] = True
        raw_request.update(
            temperature=request.temperature,
            top_p=request.top_p,
            n=num_completions,
            max_tokens=request.max_tokens,
            presence_penalty=request.presence_penalty,
            frequency_penalty=request.frequency_penalty,
        )
        if request.stop_sequences:
            raw_request["stop"] = list(request.stop_sequences)
        if request.response_format is not None and request.response_format.json_schema is not None:
            raw_request["response_format"] = json_schema_format(request.response_format.json_schema, strict=False)
        if request.tools:
            raw_request["tools"] = request.tools
        return raw_request

    def _content(self, request: Request) -> Any:
        if request.multimodal_prompt is not None and _has_media(request):
            return content_parts(request.multimodal_prompt, self.endpoint)
        return self._text_prompt(request)

    def _text_prompt(self, request: Request) -> str:
        if request.multimodal_prompt is None:
            return request.prompt
        for media in request.multimodal_prompt.media_objects:
            if not media.is_type(TEXT_TYPE):
                raise self._refusal(f"this route takes text only, and the prompt holds {media.content_type}")
        return request.multimodal_prompt.text

    # --- the exchange ------------------------------------------------------------------------------------------------

    def _call(self, route: str, request: Request, num_there: int, raw: Mapping[str, Any]) -> Call:
        return Call(
            route,
            raw,
            self._cache_key(raw, request, num_there),
            partial(check_choices, self.endpoint, route),
            partial(self._read, route, request, raw.get("max_tokens") == 0),
            decode=read_json_or_stream,
        )

    def _cache_key(self, raw: Mapping[str, Any], request: Request, num_there: int) -> dict[str, Any]:
        key = super()._cache_key(raw, request, num_there)
        if request.multimodal_prompt is not None and _has_media(request):
            del key["messages"]
            key["multimodal_prompt"] = generate_uid_for_multimodal_prompt(request.multimodal_prompt)
        return key

    def _send(self, call: Call, slot: BatchSlot | None) -> Sent:
        try:
            return super()._send(call, slot)
        except RequestFailure as failure:
            if failure.outcome == AUTH and self._withheld and self._withheld not in failure.message:
                failure.message += f" {self._withheld}"
            raise

    def _read(self, route: str, request: Request, is_prompt_only: bool, response: Mapping[str, Any]) -> Reading:
        outputs = []
        ending = (request.continuation or None) if request.echo_prompt and is_prompt_only else None
        for choice in sorted_choices(response):
            if route == CHAT_ROUTE:
                output = read_chat_choice(choice, splits_thinking=True)
            else:
                output = read_text_choice(choice, ending)
                if request.echo_prompt and not output.tokens:
                    cause = "the server gives no log-probabilities of the prompt (echo)."
                    raise self.endpoint.failure(MALFORMED, COMPLETIONS_ROUTE, cause)
            outputs.append(output if request.echo_prompt else cut_at_stop(output, request.stop_sequences))
        return outputs, read_usage(response)


def _has_media(request: Request) -> bool:
    prompt = request.multimodal_prompt
    return prompt is not None and any(not media.is_type(TEXT_TYPE) for media in prompt.media_objects)


def _without_last(output: GeneratedOutput, number: int) -> GeneratedOutput:
    tokens = output.tokens[: len(output.tokens) - number]
    return replace(
        output,
        text="".join(token.text for token in tokens),
        tokens=tokens,
        logprob=sum([token.logprob for token in tokens]),
    )
