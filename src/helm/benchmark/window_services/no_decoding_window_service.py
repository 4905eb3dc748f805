from helm.benchmark.window_services.local_window_service import LocalWindowService
from helm.benchmark.window_services.window_service import EncodeResult
from helm.common.tokenization_request import TokenizationRequest, TokenizationToken


class NoDecodingWindowService(LocalWindowService):
    """For tokenizers that cannot decode: tokens are strings, and decoding joins them."""

    def encode(self, text: str, truncation: bool = False, max_length: int | None = None) -> EncodeResult:
        # HELM: the tokenizer itself truncates, and there is no default length here.
        result = self._tokenize(
            TokenizationRequest(text, tokenizer=self.tokenizer_name, encode=False, truncation=truncation)
        )
        tokens = result.tokens[:max_length] if truncation else result.tokens
        return EncodeResult(text=result.text, tokens=tokens)

    def decode(self, tokens: list[TokenizationToken], normalized_text: str | None = None) -> str:
        return "".join(str(token.value) for token in tokens)
