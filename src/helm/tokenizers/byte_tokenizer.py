"""A tokenizer with one token per byte of the UTF-8 text."""

from helm.common.tokenization_request import (
    DecodeRequest,
    DecodeRequestResult,
    TokenizationRequest,
    TokenizationRequestResult,
    TokenizationToken,
)
from helm.tokenizers.tokenizer import Tokenizer

_IDS = [TokenizationToken(byte) for byte in range(256)]
_STRINGS = [TokenizationToken(bytes([byte]).decode("utf-8", errors="replace")) for byte in range(256)]


def encode_text(text: str) -> bytes:
    """Encode a text as UTF-8; lone surrogates, which UTF-8 cannot represent, become three bytes each."""
    return text.encode("utf-8", errors="surrogatepass")


class ByteTokenizer(Tokenizer):
    """Uses ids from 0 to 255. As strings, bytes outside ASCII are U+FFFD; decoding gives U+FFFD for invalid UTF-8."""

    def tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        data = encode_text(request.text)
        if request.truncation:
            data = data[: max(request.max_length, 0)]
        table = _IDS if request.encode else _STRINGS
        return TokenizationRequestResult(
            success=True, cached=False, text=request.text, tokens=[table[byte] for byte in data]
        )

    def decode(self, request: DecodeRequest) -> DecodeRequestResult:
        return DecodeRequestResult(
            success=True, cached=False, text=bytes(request.tokens).decode("utf-8", errors="replace")
        )

    def count_tokens(self, text: str) -> int | None:
        return len(text) if text.isascii() else len(encode_text(text))
