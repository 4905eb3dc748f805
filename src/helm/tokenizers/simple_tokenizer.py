"""A tokenizer with one token per character."""

from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
    TokenizationToken,
)
from helm.tokenizers.tokenizer import Tokenizer


class SimpleTokenizer(Tokenizer):
    """A tokenizer whose tokens are characters and whose ids are code points. HELM: `truncation` is ignored."""

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        values = map(ord, request.text) if request.encode else request.text
        tokens = [TokenizationToken(value) for value in values]
        return TokenizationRequestResult(success=True, cached=False, text=request.text, tokens=tokens)

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        return DecodeRequestResult(success=True, cached=False, text="".join(map(chr, request.tokens)))

    def count_tokens(self, text: str) -> int | None:
        return len(text)
