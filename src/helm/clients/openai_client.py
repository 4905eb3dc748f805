"""OpenAI's chat and (legacy) completions API."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from helm.clients.batch.openai_batches import OpenAIBatches
from helm.clients.client import WrappingClient, failed_result
from helm.clients.http.http_client import Answer, Call, HTTPClient, Reading, reject_unknown_arguments
from helm.clients.protocols.chat_completions_client import ChatCompletionsClient, is_reasoning_model
from helm.clients.protocols.openai_protocol import (
    COMPLETIONS_ROUTE,
    check_choices,
    cut_at_stop,
    read_json_or_stream,
    read_text_choice,
    read_usage,
    sorted_choices,
)
from helm.clients.protocols.openai_transcription import only_transcribes, transcription_call, why_not_options
from helm.common.cache import CacheConfig
from helm.common.errors import ConfigError
from helm.common.media_object import AUDIO_TYPE
from helm.common.request import (
    MALFORMED,
    REFUSED,
    Request,
    RequestResult,
)
from helm.common.request_options import EXTRA_BODY, PLAIN_PROMPT, REASONING_EFFORT, SEED, TOP_P

OPENAI_BASE_URL = "https://api.openai.com/v1"
_EMBEDDINGS_ROUTE = "embeddings"
_TEXT_AUDIO_MODELS = ("gpt-4o-audio-preview", "gpt-4o-mini-audio-preview")
_TAKES_NO_STOP = re.compile(r"o3(?!-mini)|o4|gpt-5(?!-chat)")


class OpenAIClient(ChatCompletionsClient):
    """OpenAI's chat models, embeddings and transcription.

    Reasoning models (`o1`, `o3`, ..., `gpt-5...`) get `max_completion_tokens` and no sampling parameters.

    Args:
        cache_config: where responses are cached.
        api_key: the key; None reads `$OPENAI_API_KEY`.
        org_id: the organization that pays.
        base_url: the address; None means OpenAI's own.
        reasoning_effort: the effort of reasoning models.
        openai_model_name: OpenAI's name of the model; None means the second part of the model's name.
        output_processor: full name of a function that is applied to every answer.
        kwargs: `timeout` in seconds and `default_headers`, as for OpenAI's own library; `ignores_texts`: whether models that only
            transcribe are sent the sound of a prompt with texts, which they cannot read, instead of refusing it.
    """

    BASE_URL = OPENAI_BASE_URL
    END_OF_TEXT = "<|endoftext|>"
    takes_options = ChatCompletionsClient.takes_options | {REASONING_EFFORT}
    IDEMPOTENCY_HEADER = "Idempotency-Key"
    BATCH_PRICE_SHARE: ClassVar[float | None] = 0.5
    """The price of requests in a batch at `BASE_URL` as a share of the usual price; None if there is no batch API."""

    def __init__(
        self,
        cache_config: CacheConfig | None,
        api_key: str | None = None,
        org_id: str | None = None,
        base_url: str | None = None,
        reasoning_effort: str | None = None,
        openai_model_name: str | None = None,
        output_processor: str | None = None,
        **kwargs: Any,
    ):
        reject_unknown_arguments(
            type(self).__name__, ("timeout", "default_headers", "needs_key", "ignores_texts"), kwargs
        )
        super().__init__(
            cache_config,
            api_key=api_key,
            base_url=base_url,
            model_name=openai_model_name,
            output_processor=output_processor,
            timeout_s=kwargs.get("timeout"),
            headers={**({"OpenAI-Organization": org_id} if org_id else {}), **(kwargs.get("default_headers") or {})},
            needs_key=kwargs.get("needs_key", True),
        )
        self.reasoning_effort = reasoning_effort
        self._ignores_texts = kwargs.get("ignores_texts", False)
        if self.BATCH_PRICE_SHARE is not None:
            # At other addresses the price of batches is unknown and assumed to be the usual one.
            self.batches = OpenAIBatches(self.endpoint, 1.0 if self._key_extras else self.BATCH_PRICE_SHARE)

    def why_not(self, request: Request) -> str | None:
        if only_transcribes(self._model_of(request)):
            return why_not_options(request)
        if request.top_p != 1 and is_reasoning_model(self._model_of(request)):
            return f"{request.model_deployment} is a reasoning model of OpenAI, which takes no {TOP_P}"
        return super().why_not(request)

    def _ask(self, request: Request, num_missing: int, num_there: int) -> Answer:
        engine = self._model_of(request)
        if only_transcribes(engine):
            call = transcription_call(self.endpoint, request, engine, self._cache_key, self._ignores_texts)
            return self._exchange(request, call)
        return super()._ask(request, num_missing, num_there)

    def ordinary_call(self, request: Request) -> Call | None:
        return None if only_transcribes(self._model_of(request)) else super().ordinary_call(request)

    def _raw_request(self, request: Request) -> dict[str, Any]:
        raw = super()._raw_request(request)
        engine = self._model_of(request)
        if is_reasoning_model(engine):
            if raw["max_tokens"]:
                raw["max_completion_tokens"] = raw["max_tokens"]
            for name in ("max_tokens", "temperature", "top_p", "presence_penalty", "frequency_penalty"):
                del raw[name]
            if self.reasoning_effort:
                raw["reasoning_effort"] = self.reasoning_effort
        if engine.startswith(_TEXT_AUDIO_MODELS):
            raw["modalities"] = ["text"]
        drops_stop = is_reasoning_model(engine) or engine.startswith(_TEXT_AUDIO_MODELS) or _is_vision(request.model)
        if drops_stop and raw["stop"] is None:
            del raw["stop"]
        return raw

    def _body(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Drop stop sequences that the model would refuse: the client applies them, and the cache key has them (HELM)."""
        body = super()._body(raw)
        if _TAKES_NO_STOP.match(str(raw.get("model"))):
            body.pop("stop", None)
        return body

    def _embed(self, request: Request) -> RequestResult:
        raw = {"input": request.prompt, "model": self._model_of(request)}
        key = self._cache_key(raw, request, 0)
        call = Call(_EMBEDDINGS_ROUTE, raw, key, self._read_embedding, lambda response: ([], None))
        answer = self._exchange(request, call)
        return RequestResult(
            success=True,
            cached=answer.cached,
            completions=[],
            embedding=self._read_embedding(answer.response),
            request_time=answer.response["request_time"],
            request_datetime=answer.response["request_datetime"],
        )

    def _read_embedding(self, response: Any) -> list[float]:
        try:
            return [float(number) for number in response["data"][0]["embedding"]]
        except (TypeError, KeyError, IndexError, ValueError) as e:
            raise self.endpoint.failure(MALFORMED, _EMBEDDINGS_ROUTE, f"the answer holds no embedding: {e!r}") from e


def _is_vision(model: str) -> bool:
    from helm.benchmark.model_metadata_registry import is_vlm

    return is_vlm(model)


class OpenAILegacyCompletionsClient(OpenAIClient):
    """The completions API, which continues a text and can give the log-probabilities of the prompt."""

    lacks = {}
    TAKES_TOOLS = False
    takes_options = frozenset((TOP_P, SEED, PLAIN_PROMPT, EXTRA_BODY))
    sends_messages = False

    def _raw_request(self, request: Request) -> dict[str, Any]:
        if request.messages or request.multimodal_prompt is not None:
            raise self._refusal("the completions API takes a text, not messages or media", COMPLETIONS_ROUTE)
        num_best = max(request.top_k_per_token, request.num_completions)
        return {
            "model": self._model_of(request),
            "prompt": request.prompt,
            "temperature": request.temperature,
            "n": request.num_completions,
            "max_tokens": request.max_tokens,
            "best_of": num_best,
            "logprobs": num_best,
            "stop": request.stop_sequences or None,
            "top_p": request.top_p,
            "presence_penalty": request.presence_penalty,
            "frequency_penalty": request.frequency_penalty,
            "echo": request.echo_prompt,
        }

    _ask = HTTPClient._ask  # skips what only the chat API needs
    ordinary_call = HTTPClient.ordinary_call

    def _build(self, request: Request, num_missing: int, num_there: int) -> Call:
        raw = self._raw_request(request)
        if num_there:
            raw["n"] = num_missing
        raw = self._add_options(raw, request, num_there)
        return Call(
            COMPLETIONS_ROUTE,
            raw,
            self._cache_key(raw, request, num_there),
            partial(check_choices, self.endpoint, COMPLETIONS_ROUTE),
            partial(self._read, request),
            decode=read_json_or_stream,
        )

    def _read(self, request: Request, response: Mapping[str, Any]) -> Reading:
        outputs = [read_text_choice(choice) for choice in sorted_choices(response)]
        if request.echo_prompt and not all(output.tokens for output in outputs):
            cause = "the server gives no log-probabilities of the prompt (echo)."
            raise self.endpoint.failure(MALFORMED, COMPLETIONS_ROUTE, cause)
        if not request.echo_prompt:
            outputs = [cut_at_stop(output, [*request.stop_sequences, self.END_OF_TEXT]) for output in outputs]
        return outputs, read_usage(response)


class OpenAITranscriptionThenCompletionClient(WrappingClient):
    """Transcribes the audio of a prompt with one model, then sends the text to another one.

    The model is `TRANSCRIBER_CHAT`, for example `openai/whisper-1_gpt-4o-2024-11-20`. Transcripts stand between HELM's two
    marks, and completions hold the whole text as their media. Prompts with pictures or videos are refused.

    HELM asks the chat model with default parameters (temperature 1, 100 tokens, no stop sequences) once a prompt has a sound,
    and takes a failed transcription for an empty one. Here the request's own parameters count, and a failure is a failure.
    """

    waits_for_endpoint = True

    def __init__(self, cache_config: CacheConfig | None, api_key: str | None = None, org_id: str | None = None):
        super().__init__(OpenAIClient(cache_config, api_key=api_key, org_id=org_id))
        self.batches = None  # the text is needed before the second request can be made

    @staticmethod
    def wrap_transcribed_indicator(transcription: str) -> str:
        """Return a transcript between the marks that tell the chat model what it is."""
        return f"\n[TRANSCRIBED AUDIO START]\n{transcription}\n[TRANSCRIBED AUDIO END]\n"

    @staticmethod
    def split_model_name(model: str) -> tuple[str, str]:
        """Split `openai/whisper-1_gpt-4o` into `openai/whisper-1` and `openai/gpt-4o`. Raises ConfigError if it cannot."""
        host, _, engine = model.partition("/")
        transcriber, _, chat = engine.partition("_")
        if not transcriber or not chat:
            raise ConfigError(
                f"{model}: expected a model for transcription and one for chat, such as whisper-1_gpt-4o."
            )
        return f"{host}/{transcriber}", f"{host}/{chat}"

    def why_not(self, request: Request) -> str | None:
        _, chat = self.split_model_name(request.model)
        return self.client.why_not(replace(request, model=chat))

    def make_request(self, request: Request) -> RequestResult:
        from helm.common.media_object import TEXT_TYPE, MediaObject, MultimediaObject

        transcriber, chat = self.split_model_name(request.model)
        texts, seconds, cached = [], 0.0, True
        for media in request.multimodal_prompt.media_objects if request.multimodal_prompt else []:
            if media.is_type(TEXT_TYPE):
                texts.append(str(media.text))
                continue
            if not media.is_type(AUDIO_TYPE):
                reason = f"{request.model_deployment}: a transcriber takes sounds and texts, not {media.content_type}."
                return failed_result(reason, REFUSED)
            heard = self.client.make_request(
                replace(request, model=transcriber, multimodal_prompt=MultimediaObject([media]), num_completions=1)
            )
            if not heard.success:
                return heard
            texts.append(self.wrap_transcribed_indicator(heard.completions[0].text))
            seconds, cached = seconds + (heard.request_time or 0.0), cached and heard.cached
        prompt = "\n".join(texts) if texts else request.prompt
        result = self.client.make_request(replace(request, model=chat, prompt=prompt, multimodal_prompt=None))
        asked = MultimediaObject([MediaObject("text/plain", text=prompt)]) if texts else None
        return replace(
            result,
            completions=[replace(completion, multimodal_content=asked) for completion in result.completions],
            cached=cached and result.cached,
            request_time=seconds + (result.request_time or 0.0),
        )
