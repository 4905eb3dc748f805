from typing import TYPE_CHECKING

from helm.common.context import Context

if TYPE_CHECKING:
    from helm.common.tokenization_request import (
        DecodeRequest,
        DecodeRequestResult,
        TokenizationRequest,
        TokenizationRequestResult,
    )
    from helm.tokenizers.tokenizer import Tokenizer


class TokenizerService:
    """Tokenizes through a context."""

    def __init__(self, context: Context):
        self._context = context

    def tokenize(self, request: "TokenizationRequest") -> "TokenizationRequestResult":
        return self._context.tokenize(request)

    def decode(self, request: "DecodeRequest") -> "DecodeRequestResult":
        return self._context.decode(request)

    def get_tokenizer(self, tokenizer_name: str) -> "Tokenizer | None":
        """Return the tokenizer itself if it is in this process, so that counting needs no requests; else None."""
        return self._context.get_tokenizer(tokenizer_name)
