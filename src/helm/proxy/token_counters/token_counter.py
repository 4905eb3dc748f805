"""Counts what a request uses of a quota."""

from abc import ABC, abstractmethod

from helm.common.request import GeneratedOutput, Request


class TokenCounter(ABC):
    """Counts the tokens of requests."""

    @abstractmethod
    def count_tokens(self, request: Request, completions: list[GeneratedOutput]) -> int:
        """Return the number of tokens of the prompt and of all completions together."""


class EstimatingTokenCounter(TokenCounter):
    """Counts four characters as a token, so that no tokenizer has to be downloaded."""

    def count_tokens(self, request: Request, completions: list[GeneratedOutput]) -> int:
        """Return the estimate, at least 1."""
        texts = [request.text, *(completion.text for completion in completions)]
        return max(1, sum(len(text) for text in texts) // 4)
