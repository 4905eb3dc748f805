"""The contract of clients, which ask one provider, and what they share."""

from abc import ABC, abstractmethod
from typing import Any, Dict, List, Mapping, Optional

from helm.common.cache import Cache, CacheConfig
from helm.common.hierarchical_logger import hwarn
from helm.common.media_object import TEXT_TYPE, MultimediaObject
from helm.common.request import GeneratedOutput, Request, RequestResult, Token
from helm.common.tokenization_request import DecodeRequest, TokenizationRequest
from helm.tokenizers.tokenizer import _LOWER_BLOCK_NAMES, Tokenizer


class Client(ABC):
    """Maps one request to one result."""

    @abstractmethod
    def make_request(self, request: Request) -> RequestResult:
        """Ask the model. What the provider refuses is a result with `success=False`, whose `error` says why."""


class CachingClient(Client):
    """A client with a response cache. The cache key is exactly what is sent; only successes are cached."""

    def __init__(self, cache_config: Optional[CacheConfig]):
        self.cache: Cache = Cache(cache_config) if cache_config is not None else None  # type: ignore[assignment]

    @staticmethod
    def make_cache_key(raw_request: Mapping, request: Request) -> Dict[str, Any]:
        """The raw request, with `random` when the request has it."""
        key = dict(raw_request)
        if request.random is not None:
            assert "random" not in key, "A raw request must not have the key `random`"
            key["random"] = request.random
        return key


def truncate_sequence(
    sequence: GeneratedOutput, request: Request, end_of_text_token: Optional[str] = None, print_warning: bool = True
) -> GeneratedOutput:
    """Cut a completion at the first stop sequence and to `max_tokens`, for providers that do not.

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


def _sum_logprobs(tokens: List[Token]) -> float:
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
    end_of_text_token: Optional[str] = None,
    original_finish_reason: str = "endoftext",
) -> GeneratedOutput:
    """A completion from bare text: cut at stop sequences, tokenized, cut to `max_tokens`; log-probabilities are 0."""
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


def cleanup_str(token: str, tokenizer_name: Optional[str] = None) -> str:
    """Give a string token its spaces back. HELM: not quite what `helm.tokenizers.tokenizer` does."""
    if tokenizer_name in _LOWER_BLOCK_NAMES:
        return token.replace("▁", " ")
    if tokenizer_name is not None and (tokenizer_name.startswith("huggingface") or tokenizer_name.endswith("gpt2")):
        return token.replace("Ġ", " ")
    return token


def cleanup_tokens(tokens: List[str], tokenizer_name: Optional[str] = None) -> List[str]:
    return [cleanup_str(token, tokenizer_name) for token in tokens]


def generate_uid_for_multimodal_prompt(prompt: MultimediaObject) -> str:
    """Texts and locations of all media objects in a row: what stands for the prompt in a cache key."""
    return "".join(
        (media.text or "") if media.is_type(TEXT_TYPE) else str(media.location) for media in prompt.media_objects
    )
