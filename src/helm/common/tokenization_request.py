"""One call to a tokenizer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class TokenizationRequest:
    text: str

    tokenizer: str
    """Name of the tokenizer, for example `simple/tokenizer1`."""

    encode: bool = False
    """Whether token values are ids (true) or strings (false)."""

    truncation: bool = False
    """Whether to keep at most `max_length` tokens."""

    max_length: int = 2048

    @property
    def tokenizer_organization(self) -> str:
        return self.tokenizer.split("/")[0]

    @property
    def tokenizer_name(self) -> str:
        return self.tokenizer.split("/")[1]


@dataclass(frozen=True)
class TextRange:
    """A half-open range of characters."""

    start: int
    end: int


@dataclass(frozen=True)
class TokenizationToken:
    value: str | int
    text_range: TextRange | None = None


@dataclass(frozen=True)
class TokenizationRequestResult:
    success: bool
    cached: bool
    text: str
    """The text that was tokenized, perhaps normalized by the tokenizer."""

    tokens: list[TokenizationToken]
    request_time: float | None = None
    error: str | None = None

    @property
    def num_tokens(self) -> int:
        return len(self.tokens)

    @property
    def raw_tokens(self) -> list[str | int]:
        return [token.value for token in self.tokens]


@dataclass(frozen=True)
class DecodeRequest:
    tokens: list[int]
    tokenizer: str
    clean_up_tokenization_spaces: bool = False

    @property
    def tokenizer_organization(self) -> str:
        return self.tokenizer.split("/")[0]

    @property
    def tokenizer_name(self) -> str:
        return self.tokenizer.split("/")[1]


@dataclass(frozen=True)
class DecodeRequestResult:
    success: bool
    cached: bool
    text: str
    request_time: float | None = None
    error: str | None = None
