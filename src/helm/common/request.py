"""One call to a language model: `Request` and `RequestResult`."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from helm.common.image_generation_parameters import ImageGenerationParameters
from helm.common.media_object import IMAGE_TYPE, TEXT_TYPE, MultimediaObject
from helm.common.response_format import ResponseFormat


@dataclass(frozen=True)
class Request:
    """What is asked of a language model: exactly one of `prompt`, `messages`, `multimodal_prompt`, and how to answer."""

    model_deployment: str = ""
    """Which deployment answers, for example `openai/gpt-4o-2024-11-20`. The part before the first `/` is the host."""

    model: str = ""
    """Which model it is, for example `openai/gpt-4o-2024-11-20`."""

    embedding: bool = False
    """Ask for an embedding of the prompt instead of completions."""

    prompt: str = ""

    temperature: float = 1.0

    num_completions: int = 1
    """How many completions to sample."""

    top_k_per_token: int = 1
    """How many of the most likely candidates per position are taken into account."""

    max_tokens: int = 100
    """Largest number of tokens of one completion."""

    stop_sequences: list[str] = field(default_factory=list)
    """A completion ends before the first of these."""

    echo_prompt: bool = False
    """Give the prompt (with its log-probabilities) in front of the completion."""

    top_p: float = 1
    """Nucleus sampling threshold."""

    presence_penalty: float = 0

    frequency_penalty: float = 0

    random: str | None = None
    """Requests that differ here are separate draws: it enters the cache key and nothing else."""

    messages: list[dict[str, str]] | None = None
    """Chat history: `{"role": ..., "content": ...}`."""

    multimodal_prompt: MultimediaObject | None = None

    image_generation_parameters: ImageGenerationParameters | None = None

    response_format: ResponseFormat | None = None

    tools: list[dict[str, Any]] | None = field(default=None, repr=False)
    """Functions that the model may ask to be called, as OpenAI's chat protocol describes them."""

    def validate(self) -> None:
        """Raises ValueError when more than one kind of prompt is given or a media object lacks its content."""
        if sum(bool(prompt) for prompt in (self.messages, self.prompt, self.multimodal_prompt)) > 1:
            raise ValueError("Exactly one of the messages, prompt, multimodal_prompt fields should be set")
        for media in self.multimodal_prompt.media_objects if self.multimodal_prompt else []:
            if media.content_type == TEXT_TYPE and media.text is None:
                raise ValueError("Media object with text content type must have text set")
            if media.content_type == IMAGE_TYPE and media.location is None:
                raise ValueError("Media object with image content type must have location set")

    @property
    def model_host(self) -> str:
        """The deployment up to its first slash."""
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


@dataclass(frozen=True)
class Thinking:
    """Reasoning that the model gave apart from its answer."""

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
    """The calls of `Request.tools` that the model asks for: `{"id", "name", "arguments"}`, arguments as an object, or as
    text where it is no JSON."""

    def __add__(self, other: "GeneratedOutput") -> "GeneratedOutput":
        return GeneratedOutput(self.text + other.text, self.logprob + other.logprob, self.tokens + other.tokens)


@dataclass(frozen=True)
class ErrorFlags:
    """What a failed request means for the caller; None counts as true."""

    is_retriable: bool | None = None
    """Worth another try."""

    is_fatal: bool | None = None
    """The run cannot go on."""


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
"""What can become of a request, and what it means. Only `ok` and `truncated` are answers."""


@dataclass(frozen=True)
class Usage:
    """What a provider counted, for all completions of a request together."""

    prompt_tokens: int

    completion_tokens: int
    """With hidden reasoning."""

    reasoning_tokens: int | None = None
    """How many of them were reasoning; None: the provider does not say."""

    cached_prompt_tokens: int | None = None
    """How much of the prompt the provider had seen before; None: it does not say."""

    cache_write_tokens: int | None = None
    """How much of the prompt the provider remembers from now on, where that has a price of its own; None: it does not
    say."""

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
    """What came back. Plugins assign to it, so it is not frozen; our own code never does."""

    success: bool

    embedding: list[float]

    completions: list[GeneratedOutput]

    cached: bool
    """Answered from the response cache."""

    request_time: float | None = None
    """Seconds that the original call took."""

    request_datetime: int | None = None
    """When the original call began, in whole seconds since 1970."""

    error: str | None = None
    """Why it failed, when `success` is false."""

    error_flags: ErrorFlags | None = None

    batch_size: int | None = None

    batch_request_time: float | None = None
    """Seconds for the whole batch that this request was part of."""

    outcome: str | None = None
    """One of `OUTCOMES`; None: the client does not say (those of plugins)."""

    usage: Usage | None = None
    """Tokens as the provider counted them, when the request was sent; None: it does not say."""


EMBEDDING_UNAVAILABLE_REQUEST_RESULT = RequestResult(
    success=False,
    cached=False,
    error="Computing the embedding is unavailable in this client",
    completions=[],
    embedding=[],
)


def wrap_request_time(compute: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """Wrap `compute` so that its response also holds `request_time` (s) and `request_datetime` (whole epoch seconds)."""

    def wrapped() -> dict[str, Any]:
        started_at, started = time.time(), time.perf_counter()
        response = compute()
        response["request_time"] = time.perf_counter() - started
        response["request_datetime"] = int(started_at)
        return response

    return wrapped
