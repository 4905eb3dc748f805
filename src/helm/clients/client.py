"""The contract of clients, each of which talks to one provider, and what they share."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from helm.common.cache import Cache, CacheConfig
from helm.common.hierarchical_logger import hwarn
from helm.common.media_object import TEXT_TYPE, MultimediaObject
from helm.common.request import ErrorFlags, GeneratedOutput, Request, RequestResult, Token
from helm.common.request_options import EXTRA_BODY, OPTION_NAMES, PLAIN_PROMPT
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.tokenizers.tokenizer import _LOWER_BLOCK_NAMES, Tokenizer

if TYPE_CHECKING:
    from helm.clients.batch.batches import Batches
    from helm.clients.pacing.limiter import Limiter


class Client(ABC):
    """Maps one request to one result.

    A client must define `make_request` and nothing else. The attributes below declare what else it can do; executors,
    estimates and judges rely on these alone. A subclass sets those whose default is wrong for it, on the class or in its
    constructor; a constructor that does not call this one keeps the defaults.
    """

    waits_for_endpoint: ClassVar[bool] = False
    """Whether requests go to a server that sets the pace, so that `limiter` is not None. This is a class attribute because
    runs are planned and prices are checked before any client is created."""

    limiter: "Limiter | None" = None
    """Decides how many requests may be in flight to the server now; None leaves that to the caller."""

    useful_concurrency: int | None = None
    """More concurrent requests than this are of no use, for example to a model that computes in batches; None if unknown."""

    batches: "Batches | None" = None
    """The provider's batch API; None if it has none."""

    caches_prompts: bool = False
    """Whether the provider caches prompt prefixes, so that the first request with a long common prefix should go first."""

    retries_requests: bool = False
    """Whether `make_request` itself retries transient failures; otherwise the caller does."""

    missing_key: str | None = None
    """The message to the user about a required key that was not found; None if no key is missing."""

    lacks: Mapping[str, str] = {}
    """The capabilities that the model or its API lacks, named as in `helm.clients.capabilities`, with the reason. Requests
    that need one are not sent."""

    takes_options: frozenset[str] = frozenset()
    """The options (`helm.common.request_options.OPTION_NAMES`) that can be sent. Requests with others are refused."""

    sends_messages: bool = False
    """Whether `Request.messages` reach the model as a conversation, so that prompts may be sent as messages."""

    def takes_messages(self, model: str) -> bool:
        """Return whether messages can be sent to a model. This may load a tokenizer."""
        return self.sends_messages

    def why_not(self, request: Request) -> str | None:
        """Return why the options of a request cannot be sent; None if they can."""
        names = [name for name in request.option_names if name not in self.takes_options]
        if not names:
            return None
        if names == [PLAIN_PROMPT] and self.sends_messages:
            return f"{request.model_deployment} takes chat messages only, so chat=off is not possible"
        other = f" Fields that only this provider has go into {EXTRA_BODY}." if EXTRA_BODY in self.takes_options else ""
        taken = [name for name in OPTION_NAMES if name in self.takes_options and name != PLAIN_PROMPT]
        takes = f"; it takes {', '.join(taken)}" if taken else ""
        return (
            f"{request.model_deployment} ({type(self).__name__}) takes no {' or '.join(names)}{takes}.{other}".rstrip(
                "."
            )
        )

    @abstractmethod
    def make_request(self, request: Request) -> RequestResult:
        """Send one request to the model. A refused request is a result with `success=False` whose `error` says why."""


class WrappingClient(Client):
    """A client that delegates to another client and has the same abilities. A subclass defines `make_request`.

    Args:
        client: the client that makes the requests.
    """

    def __init__(self, client: Client):
        self.client = client
        self.limiter = client.limiter
        self.useful_concurrency = client.useful_concurrency
        self.batches = client.batches
        self.caches_prompts = client.caches_prompts
        self.retries_requests = client.retries_requests
        self.missing_key = client.missing_key
        self.lacks = client.lacks
        self.takes_options = client.takes_options
        self.sends_messages = client.sends_messages

    def takes_messages(self, model: str) -> bool:
        return self.client.takes_messages(model)

    def why_not(self, request: Request) -> str | None:
        return self.client.why_not(request)


class CachingClient(Client):
    """A client with a response cache. The cache key is exactly the raw request; only successes are cached."""

    reads_keys_without_address: bool = False
    """Whether cached answers to the same request without `base_url`, as HELM's caches hold them, count as this endpoint's.
    AutoClient sets it, because it depends on which other deployments exist."""

    def __init__(self, cache_config: CacheConfig | None):
        self.cache: Cache = Cache(cache_config) if cache_config is not None else None  # type: ignore[assignment]

    @staticmethod
    def make_cache_key(raw_request: Mapping, request: Request) -> dict[str, Any]:
        """Return the raw request as a cache key, with `random` if the request has it."""
        key = dict(raw_request)
        if request.random is not None:
            assert "random" not in key, "A raw request must not have the key `random`"
            key["random"] = request.random
        return key


def failed_result(error: str, outcome: str) -> RequestResult:
    """Return the result of a request that failed and would fail again; `outcome` as in `RequestResult.outcome`."""
    return RequestResult(
        success=False,
        cached=False,
        completions=[],
        embedding=[],
        error=error,
        error_flags=ErrorFlags(is_retriable=False, is_fatal=True),
        outcome=outcome,
    )


def truncate_sequence(
    sequence: GeneratedOutput, request: Request, end_of_text_token: str | None = None, print_warning: bool = True
) -> GeneratedOutput:
    """Cut a completion at the first stop sequence and to `max_tokens`, for providers that do not do so themselves.

    With `echo_prompt` nothing is cut. HELM: as soon as there is one stop sequence, found or not, or too many tokens,
    only text, logprob and tokens are kept.
    """

    def warn(message: str) -> None:
        if print_warning:
            hwarn(f"truncate_sequence: {message}")

    if request.echo_prompt:
        if request.max_tokens != 0:
            warn("a completion behind an echoed prompt is not cut")
        return sequence
    stops = request.stop_sequences + ([end_of_text_token] if end_of_text_token is not None else [])
    for stop in stops:
        sequence = _cut_at_stop(sequence, stop, warn)
    if len(sequence.tokens) > request.max_tokens:
        tokens = sequence.tokens[: request.max_tokens]
        text = "".join(token.text for token in tokens)
        if not sequence.text.startswith(text):
            warn(f"the first {request.max_tokens} tokens {text!r} are not the beginning of the text {sequence.text!r}")
        sequence = GeneratedOutput(text=text, logprob=_sum_logprobs(tokens), tokens=tokens)
    return sequence


def _sum_logprobs(tokens: list[Token]) -> float:
    return sum(token.logprob for token in tokens)


def _cut_at_stop(sequence: GeneratedOutput, stop: str, warn: Any) -> GeneratedOutput:
    position = sequence.text.find(stop)
    text = sequence.text if position < 0 else sequence.text[:position]
    tokens = sequence.tokens
    for i, token in enumerate(tokens):
        if token.text.startswith(stop):
            tokens = tokens[:i]
            break
    if sequence.tokens:
        if position >= 0 and len(tokens) == len(sequence.tokens):
            warn(f"stop sequence {stop!r} is in the text, but no token begins with it")
        elif position < 0 and len(tokens) < len(sequence.tokens):
            warn(f"stop sequence {stop!r} begins a token, but is not in the text")
    return GeneratedOutput(text=text, logprob=_sum_logprobs(tokens), tokens=tokens)


def truncate_and_tokenize_response_text(
    text: str,
    request: Request,
    tokenizer: Tokenizer,
    tokenizer_name: str,
    end_of_text_token: str | None = None,
    original_finish_reason: str = "endoftext",
) -> GeneratedOutput:
    """Make a completion from bare text: cut at stop sequences, tokenized, cut to `max_tokens`; log-probabilities are 0."""
    if request.echo_prompt:
        raise Exception("truncate_and_tokenize_response_text() does not support requests with echo_prompt = True")
    finish_reason = original_finish_reason
    for stop in request.stop_sequences + ([end_of_text_token] if end_of_text_token else []):
        position = text.find(stop)
        if position >= 0:
            text, finish_reason = text[:position], "stop"
    tokens = tokenizer.tokenize(TokenizationRequest(text, tokenizer=tokenizer_name)).raw_tokens
    if len(tokens) > request.max_tokens:
        encoded = tokenizer.tokenize(
            TokenizationRequest(
                text, tokenizer=tokenizer_name, encode=True, truncation=True, max_length=request.max_tokens
            )
        )
        text = tokenizer.decode(DecodeRequest(encoded.raw_tokens, tokenizer_name)).text  # type: ignore[arg-type]
        tokens = tokenizer.tokenize(TokenizationRequest(text, tokenizer=tokenizer_name)).raw_tokens
        finish_reason = "length"
    return GeneratedOutput(
        text=text,
        logprob=0.0,
        tokens=[Token(text=str(token), logprob=0.0) for token in tokens],
        finish_reason={"reason": finish_reason},
    )


def cleanup_str(token: str, tokenizer_name: str | None = None) -> str:
    """Restore the spaces of a string token. HELM: this differs slightly from `helm.tokenizers.tokenizer`."""
    if tokenizer_name in _LOWER_BLOCK_NAMES:
        return token.replace("▁", " ")
    if tokenizer_name is not None and (tokenizer_name.startswith("huggingface") or tokenizer_name.endswith("gpt2")):
        return token.replace("Ġ", " ")
    return token


def cleanup_tokens(tokens: list[str], tokenizer_name: str | None = None) -> list[str]:
    return [cleanup_str(token, tokenizer_name) for token in tokens]


def generate_uid_for_multimodal_prompt(prompt: MultimediaObject) -> str:
    """Return the texts and locations of all media objects, concatenated: the prompt's identity in a cache key."""
    return "".join(
        (media.text or "") if media.is_type(TEXT_TYPE) else str(media.location) for media in prompt.media_objects
    )
