from helm.common.context import Context
from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
)


class TokenizerService:
    """Tokenizes through a context."""

    def __init__(self, context: Context):
        self._context = context

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        return self._context.tokenize(request)

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        return self._context.decode(request)
