"""The contract of tokenizers, and the cleanup of their string tokens."""

from abc import ABC, abstractmethod

from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)

_LOWER_BLOCK_NAMES = frozenset(
    {
        "TsinghuaKEG/ice",
        "bigscience/T0pp",
        "google/t5-11b",
        "google/flan-t5-xxl",
        "google/ul2",
        "Yandex/yalm",
        "ai21/j1",
        "together",
    }
)
"""Tokenizers that represent a space as U+2581."""


class Tokenizer(ABC):
    """Converts text to tokens and back."""

    waits_on_io: bool = False
    """Whether it calls another machine or process, so that several threads are faster than one."""

    @abstractmethod
    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        """Tokenize a text. Token values are ints with `request.encode`, else strings."""

    @abstractmethod
    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        """Return the text of token ids."""

    def count_tokens(self, text: str) -> int | None:
        """Return the number of tokens of `text` without creating them; None (for every text) if that is not possible.

        This is only for tokenizers whose decoding restores the text, and whose counts never decrease as a text gets longer.
        """
        return None


def cleanup_str(token: str, tokenizer_name: str | None = None) -> str:
    """Restore the spaces of a string token."""
    if tokenizer_name in _LOWER_BLOCK_NAMES:
        return token.replace("▁", " ")
    if tokenizer_name is not None and (
        tokenizer_name.startswith("huggingface") or tokenizer_name == "anthropic/claude"
    ):
        return token.replace("Ġ", " ")
    return token


def cleanup_tokens(tokens: list[str], tokenizer_name: str | None = None) -> list[str]:
    return [cleanup_str(token, tokenizer_name) for token in tokens]
