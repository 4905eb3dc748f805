"""One call to a language model: `Request` and `RequestResult`."""

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.request_options import OPTION_NAMES, RESPONSE_FORMAT, TOP_P, RequestOptions
from helm.common.response_format import ResponseFormat


@dataclass(frozen=True)
class Request:
    """A request to a language model: exactly one of `prompt`, `messages` and `multimodal_prompt`, and how to answer."""

    model_deployment: str = ""
    """The deployment that answers, for example `openai/gpt-4o-2024-11-20`. The part before the first `/` is the host."""

    model: str = ""
    """The model, for example `openai/gpt-4o-2024-11-20`."""

    embedding: bool = False
    """Whether to request an embedding of the prompt instead of completions."""

    prompt: str = ""

    temperature: float = 1.0

    num_completions: int = 1
    """The number of completions to sample."""

    top_k_per_token: int = 1
    """The number of most likely candidates per position that are considered."""

    max_tokens: int = 100
    """The largest number of tokens of one completion."""

    stop_sequences: list[str] = field(default_factory=list)
    """A completion ends before the first of these."""

    echo_prompt: bool = False
    """Whether the prompt (with its log-probabilities) precedes the completion."""

    top_p: float = 1
    """The threshold of nucleus sampling, from 0 to 1."""

    presence_penalty: float = 0

    frequency_penalty: float = 0

    random: str | None = None
    """Requests that differ here are separate draws. The value is part of the cache key and has no other effect."""

    messages: list[dict[str, str]] | None = None
    """The chat history: `{"role": ..., "content": ...}`."""

    multimodal_prompt: MultimediaObject | None = None

    image_generation_parameters: ImageGenerationParameters | None = None

    response_format: ResponseFormat | None = None

    tools: list[dict[str, Any]] | None = field(default=None, repr=False)
    """Functions that the model may call, in the format of OpenAI's chat protocol."""

    options: RequestOptions | None = field(default=None, repr=False)
    """Further options; None sends what HELM sends."""

    continuation: str | None = field(default=None, repr=False)
    """The text that a request is about, if only that matters. With `echo_prompt` it is the end of the prompt, and tokens before
    it are left out of the result; otherwise what a model writes may end where it differs from it. None if all matters."""

    @property
    def text(self) -> str:
        """The prompt, or the texts of the messages in lines of their own; media are left out."""
        if not self.messages:
            return self.prompt
        contents = [message.get("content") for message in self.messages]
        return "\n".join(content for content in contents if isinstance(content, str))

    @property
    def question(self) -> str:
        """The text that was asked: the prompt, or the last message of the user if there are messages."""
        if not self.messages:
            return self.prompt
        turns = [message.get("content") for message in self.messages if message.get("role") == "user"]
        return turns[-1] if turns and isinstance(turns[-1], str) else ""

    @property
    def option_names(self) -> list[str]:
        """The names (`helm.common.request_options.OPTION_NAMES`) of what this request asks for through its options."""
        if self.options is None:
            return []
        values = {name: getattr(self.options, name, None) for name in OPTION_NAMES}
        names = [name for name, value in values.items() if value is not None and value is not False]
        names += [TOP_P] if self.top_p != 1 else []
        return names + ([RESPONSE_FORMAT] if self.response_format is not None else [])

    def seed_of(self, completion: int) -> int | None:
        """Return the seed of a completion, counted from 0: that of the options, different for each repetition and completion.

        None if the options have no seed.
        """
        seed = self.options.seed if self.options is not None else None
        if seed is None:
            return None
        repetition = int(self.random) if self.random is not None and self.random.isdecimal() else 0
        return seed + repetition * self.num_completions + completion

    def validate(self) -> None:
        """Raise ValueError if more than one kind of prompt is given or a media object lacks its content."""
        if sum(bool(prompt) for prompt in (self.messages, self.prompt, self.multimodal_prompt)) > 1:
            raise ValueError("Exactly one of the messages, prompt, multimodal_prompt fields should be set")
        for media in self.multimodal_prompt.media_objects if self.multimodal_prompt else []:
            if media.content_type == TEXT_TYPE and media.text is None:
                raise ValueError("Media object with text content type must have text set")
            if media.content_type == IMAGE_TYPE and media.location is None:
                raise ValueError("Media object with image content type must have location set")

    @property
    def model_host(self) -> str:
        """The part of the deployment before its first slash."""
        return self.model_deployment.split("/")[0]

    @property
    def model_engine(self) -> str:
        """The second slash-separated part of the model. Raises IndexError without a slash."""
        return self.model.split("/")[1]


@dataclass(frozen=True)
class Token:
    """A piece of a completion."""

    text: str

    logprob: float
    """Natural logarithm of its probability."""

    def render_lines(self) -> list[str]:
        """Return a text for people."""
        return [f"{json.dumps(self.text)} logprob={self.logprob}"]


@dataclass(frozen=True)
class Thinking:
    """Reasoning that the model returned separately from its answer."""

    text: str | None = None


@dataclass(frozen=True)
class GeneratedOutput:
    """One completion."""

    text: str

    logprob: float
    """Sum of the token log-probabilities; 0 when unknown."""

    tokens: list[Token]

    finish_reason: dict[str, Any] | None = None
    """Usually `{"reason": "stop" | "length" | "endoftext" | ...}`."""

    multimodal_content: MultimediaObject | None = None

    thinking: Thinking | None = None

    tool_calls: list[dict[str, Any]] | None = None
    """The model's calls of `Request.tools`: `{"id", "name", "arguments"}`, with the arguments as an object, or as text if
    they are not JSON."""

    def __add__(self, other: "GeneratedOutput") -> "GeneratedOutput":
        return GeneratedOutput(self.text + other.text, self.logprob + other.logprob, self.tokens + other.tokens)

    def render_lines(self) -> list[str]:
        """Return a text for people."""
        tokens = [f"  {line}" for token in self.tokens for line in token.render_lines()]
        lines = [f"text: {self.text}", f"log_prob: {self.logprob}", "tokens {", *tokens, "}"]
        return lines + ([f"finish_reason: {self.finish_reason}"] if self.finish_reason else [])


@dataclass(frozen=True)
class ErrorFlags:
    """The consequences of a failed request for the caller; None counts as true."""

    is_retriable: bool | None = None
    """Whether the request is worth another try."""

    is_fatal: bool | None = None
    """Whether the run cannot continue."""


OK = "ok"
REFUSED = "refused"
FILTERED = "filtered"
TRUNCATED = "truncated"
RATE_LIMITED = "rate-limited"
TIMED_OUT = "timed-out"
MALFORMED = "malformed"
SERVER = "server"
AUTH = "auth"
CANCELLED = "cancelled"

OUTCOMES = {
    OK: "answered",
    REFUSED: "the provider does not take this request: unknown model, bad parameter, prompt too long",
    FILTERED: "a content filter withheld the prompt or the answer",
    TRUNCATED: "answered, and cut at the largest number of tokens allowed",
    RATE_LIMITED: "too many requests or tokens in too short a time, and no more time to wait",
    TIMED_OUT: "no answer in time",
    MALFORMED: "an answer that is not in the form of the protocol",
    SERVER: "the server failed, was overloaded, or could not be reached",
    AUTH: "the key is missing, not accepted, or has no credit left",
    CANCELLED: "not sent, because the command was to stop",
}
"""The possible outcomes of a request and their meanings. Only `ok` and `truncated` are answers."""


@dataclass(frozen=True)
class Usage:
    """The provider's token counts for all completions of a request together."""

    prompt_tokens: int

    completion_tokens: int
    """Includes hidden reasoning."""

    reasoning_tokens: int | None = None
    """The completion tokens that were reasoning; None if the provider does not report it."""

    cached_prompt_tokens: int | None = None
    """The prompt tokens read from the provider's cache; None if the provider does not report it."""

    cache_write_tokens: int | None = None
    """The prompt tokens written to the provider's cache, if that has a price of its own; None if the provider does not
    report it."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            _add_known(self.reasoning_tokens, other.reasoning_tokens),
            _add_known(self.cached_prompt_tokens, other.cached_prompt_tokens),
            _add_known(self.cache_write_tokens, other.cache_write_tokens),
        )


def _add_known(one: int | None, other: int | None) -> int | None:
    return None if one is None and other is None else (one or 0) + (other or 0)


@dataclass(frozen=False)
class RequestResult:
    """The result of a request. It is not frozen, because plugins assign to its fields; our own code never does."""

    success: bool

    embedding: list[float]

    completions: list[GeneratedOutput]

    cached: bool
    """Whether the result is from the response cache."""

    request_time: float | None = None
    """The duration of the original call, in seconds."""

    request_datetime: int | None = None
    """When the original call began, in whole seconds since 1970."""

    error: str | None = None
    """Why it failed, when `success` is false."""

    error_flags: ErrorFlags | None = None

    batch_size: int | None = None

    batch_request_time: float | None = None
    """The duration of the whole batch that this request was part of, in seconds."""

    outcome: str | None = None
    """One of `OUTCOMES`; None if the client does not set it, like those of plugins."""

    usage: Usage | None = None
    """The provider's token counts when the request was sent; None if it does not report them."""

    def render_lines(self) -> list[str]:
        """Return a text for people."""
        lines = [f"success: {self.success}", f"cached: {self.cached}"]
        lines += [
            f"{name}: {value}"
            for name, value in [
                ("request_time", self.request_time),
                ("request_datetime", self.request_datetime),
                ("error", self.error),
            ]
            if value
        ]
        lines.append("completions {")
        lines += [f"  {line}" for completion in self.completions for line in completion.render_lines()]
        return [*lines, "}"]


def with_echo_of(result: RequestResult, continuation: str) -> RequestResult:
    """Return the result of an echoed prompt without the tokens before those that spell its end."""
    return replace(result, completions=[_end_of(completion, continuation) for completion in result.completions])


def start_of_ending(texts: Sequence[str], ending: str) -> int:
    """Return the index of the first of the last tokens, given as texts, that are together at least as long as `ending`."""
    covered, start = 0, len(texts)
    while start and covered < len(ending):
        start -= 1
        covered += len(texts[start])
    return start


def _end_of(completion: GeneratedOutput, continuation: str) -> GeneratedOutput:
    start = start_of_ending([token.text for token in completion.tokens], continuation)
    if not start:
        return completion
    tokens = completion.tokens[start:]
    text = "".join(token.text for token in tokens)
    return replace(completion, text=text, logprob=sum(token.logprob for token in tokens), tokens=tokens)


EMBEDDING_UNAVAILABLE_REQUEST_RESULT = RequestResult(
    success=False,
    cached=False,
    error="Computing the embedding is unavailable in this client",
    completions=[],
    embedding=[],
)


def wrap_request_time(compute: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Wrap `compute` to add `request_time` (in seconds) and `request_datetime` (whole epoch seconds) to its response."""

    def wrapped() -> dict[str, Any]:
        started_at, started = time.time(), time.perf_counter()
        response = compute()
        response["request_time"] = time.perf_counter() - started
        response["request_datetime"] = int(started_at)
        return response

    return wrapped
