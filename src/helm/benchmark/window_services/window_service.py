"""The interface of window services: counting the tokens of a text, and truncating it to a model's window."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from helm.common.tokenization_request import TokenizationToken

INT_MAX: int = 2**31 - 1


@dataclass(frozen=True)
class EncodeResult:
    """A text and its tokens."""

    text: str
    """The text as normalized by the tokenizer."""

    tokens: list[TokenizationToken]

    @property
    def token_values(self) -> list[int | str]:
        return [token.value for token in self.tokens]


class WindowService(ABC):
    """Counts tokens and truncates texts for one deployment. All lengths are in tokens."""

    waits_on_io: bool = False
    """Whether counting waits for another machine or process, so that threads help."""

    @property
    @abstractmethod
    def tokenizer_name(self) -> str:
        pass

    @property
    @abstractmethod
    def max_sequence_length(self) -> int:
        """Maximum length of a prompt."""

    @property
    @abstractmethod
    def max_request_length(self) -> int:
        """Maximum length of prompt plus completion that the deployment accepts."""

    @property
    def max_sequence_and_generated_tokens_length(self) -> int:
        """Maximum length of prompt plus completion that the model's positions allow."""
        return INT_MAX

    @property
    @abstractmethod
    def end_of_text_token(self) -> str:
        pass

    @property
    @abstractmethod
    def prefix_token(self) -> str:
        """Prepended to texts whose complete log-probability is wanted."""

    @abstractmethod
    def encode(self, text: str, truncation: bool = False, max_length: int | None = None) -> EncodeResult:
        pass

    @abstractmethod
    def decode(self, tokens: list[TokenizationToken], normalized_text: str | None = None) -> str:
        pass

    @abstractmethod
    def tokenize(self, text: str) -> list[str]:
        """Return the tokens as strings."""

    @abstractmethod
    def get_num_tokens(self, text: str) -> int:
        pass

    @abstractmethod
    def fits_within_context_window(self, text: str, expected_completion_token_length: int = 0) -> bool:
        """Whether the text and a completion of the given length fit into a request."""

    @abstractmethod
    def truncate_from_right(self, text: str, expected_completion_token_length: int = 0) -> str:
        """Return the longest prefix of the text that fits with a completion of the given length."""


class ConfigurableWindowService(WindowService, ABC):
    """A window service whose numbers come from its constructor."""

    def __init__(
        self,
        tokenizer_name: str,
        max_sequence_length: int,
        max_request_length: int | None = None,
        max_sequence_and_generated_tokens_length: int | None = None,
        end_of_text_token: str | None = None,
        prefix_token: str | None = None,
    ):
        self._tokenizer_name = tokenizer_name
        self._max_sequence_length = max_sequence_length
        self._max_request_length = max_request_length or max_sequence_length
        self._max_sequence_and_generated_tokens_length = max_sequence_and_generated_tokens_length or INT_MAX
        self._end_of_text_token = end_of_text_token or ""
        self._prefix_token = prefix_token or ""

    @property
    def tokenizer_name(self) -> str:
        return self._tokenizer_name

    @property
    def max_sequence_length(self) -> int:
        return self._max_sequence_length

    @property
    def max_request_length(self) -> int:
        return self._max_request_length

    @property
    def max_sequence_and_generated_tokens_length(self) -> int:
        return self._max_sequence_and_generated_tokens_length

    @property
    def end_of_text_token(self) -> str:
        return self._end_of_text_token

    @property
    def prefix_token(self) -> str:
        return self._prefix_token
