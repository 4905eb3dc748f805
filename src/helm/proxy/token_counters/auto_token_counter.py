"""Counts tokens with the tokenizer of each deployment."""

from helm.common.request import GeneratedOutput, Request
from helm.common.tokenization_request import TokenizationRequest
from helm.proxy.token_counters.token_counter import TokenCounter
from helm.tokenizers.tokenizer import Tokenizer


class AutoTokenCounter(TokenCounter):
    """Counts tokens with the tokenizer that the request's deployment names.

    Args:
        auto_tokenizer: finds tokenizers by name.
    """

    def __init__(self, auto_tokenizer: Tokenizer):
        self.auto_tokenizer = auto_tokenizer

    def count_tokens(self, request: Request, completions: list[GeneratedOutput]) -> int:
        """Return the number of tokens of the prompt and of all completions together.

        Raises: ConfigError if there is no such deployment or tokenizer.
        """
        from helm.benchmark.model_deployment_registry import get_model_deployment

        name = get_model_deployment(request.model_deployment).tokenizer_name or request.model_deployment
        texts = [request.text, *(completion.text for completion in completions)]
        return sum(len(self.auto_tokenizer.tokenize(TokenizationRequest(text, name)).tokens) for text in texts if text)
