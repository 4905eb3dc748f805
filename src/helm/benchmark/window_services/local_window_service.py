"""Window services that count with a tokenizer."""

from functools import cached_property
from typing import TYPE_CHECKING

from helm.benchmark.window_services.tokenizer_service import TokenizerService
from helm.benchmark.window_services.window_service import ConfigurableWindowService, EncodeResult
from helm.clients.client import cleanup_tokens
from helm.common.errors import ConfigError
from helm.common.tokenization_request import (
    DecodeRequest,
    TokenizationRequest,
    TokenizationRequestResult,
    TokenizationToken,
)

if TYPE_CHECKING:
    from helm.tokenizers.tokenizer import Tokenizer


class LocalWindowService(ConfigurableWindowService):
    """Counts with the tokenizer of a given name, through a tokenizer service."""

    def __init__(
        self,
        service: TokenizerService,
        tokenizer_name: str,
        max_sequence_length: int,
        max_request_length: int | None = None,
        max_sequence_and_generated_tokens_length: int | None = None,
        end_of_text_token: str | None = None,
        prefix_token: str | None = None,
    ):
        super().__init__(
            tokenizer_name=tokenizer_name,
            max_sequence_length=max_sequence_length,
            max_request_length=max_request_length,
            max_sequence_and_generated_tokens_length=max_sequence_and_generated_tokens_length,
            end_of_text_token=end_of_text_token,
            prefix_token=prefix_token,
        )
        self.service = service

    @cached_property
    def _tokenizer(self) -> "Tokenizer | None":
        return self.service.get_tokenizer(self.tokenizer_name)

    @property
    def waits_on_io(self) -> bool:  # type: ignore[override]
        return self._tokenizer is None or self._tokenizer.waits_on_io

    def encode(self, text: str, truncation: bool = False, max_length: int | None = None) -> EncodeResult:
        """Return token ids; with `truncation`, at most `max_length` of them (by default the maximum of a request)."""
        if max_length is None:
            max_length = self.max_request_length
        result = self._tokenize(
            TokenizationRequest(
                text, tokenizer=self.tokenizer_name, encode=True, truncation=truncation, max_length=max_length
            )
        )
        return EncodeResult(text=result.text, tokens=result.tokens)

    def decode(self, tokens: list[TokenizationToken], normalized_text: str | None = None) -> str:
        request = DecodeRequest(
            [token.value for token in tokens],  # type: ignore[misc]
            tokenizer=self.tokenizer_name,
            clean_up_tokenization_spaces=False,
        )
        result = self.service.decode(request)
        if not result.success:
            raise ConfigError(
                f"Tokenizer '{self.tokenizer_name}' could not decode {len(tokens)} tokens: {result.error}"
            )
        return result.text

    def tokenize(self, text: str) -> list[str]:
        result = self._tokenize(TokenizationRequest(text, tokenizer=self.tokenizer_name))
        return cleanup_tokens(result.raw_tokens, self.tokenizer_name)  # type: ignore[arg-type]

    def _tokenize(self, request: TokenizationRequest) -> TokenizationRequestResult:
        result = self.service.tokenize(request)
        if not result.success:
            raise ConfigError(
                f"Tokenizer '{self.tokenizer_name}' could not tokenize a text of {len(request.text)} characters: "
                f"{result.error}"
            )
        return result

    def _cheap_count(self, text: str) -> int | None:
        return None if self._tokenizer is None else self._tokenizer.count_tokens(text)

    def get_num_tokens(self, text: str) -> int:
        count = self._cheap_count(text)
        return len(self.encode(text).tokens) if count is None else count

    def fits_within_context_window(self, text: str, expected_completion_token_length: int = 0) -> bool:
        return self.get_num_tokens(text) + expected_completion_token_length <= self.max_request_length

    def truncate_from_right(self, text: str, expected_completion_token_length: int = 0) -> str:
        """Truncate a text. Raises: ConfigError if the completion alone exceeds the length of a request."""
        self._check_room(expected_completion_token_length)
        return self._truncate(text, expected_completion_token_length)

    def _check_room(self, expected_completion_token_length: int) -> None:
        if expected_completion_token_length > self.max_request_length:
            raise ConfigError(
                f"max_tokens={expected_completion_token_length} does not fit into the window of "
                f"{self.max_request_length} tokens (tokenizer '{self.tokenizer_name}'). Lower max_tokens."
            )

    def _truncate(self, text: str, completion_length: int) -> str:
        if self._cheap_count("") is not None:
            return self._longest_fitting_beginning(text, completion_length)
        tokens = self.encode(text, truncation=True, max_length=self.max_request_length - completion_length).tokens
        result = self.decode(tokens)
        while not self.fits_within_context_window(result, completion_length):
            if not result:
                raise ConfigError(
                    f"Tokenizer '{self.tokenizer_name}': even an empty text does not fit into the window."
                )
            result = result[:-1]
        return result

    def _longest_fitting_beginning(self, text: str, completion_length: int) -> str:
        """Find the longest prefix that fits by bisection.

        For tokenizers whose counts are cheap and never decrease as a text grows.
        """
        if self.fits_within_context_window(text, completion_length):
            return text
        fitting, too_long = 0, len(text)
        while too_long - fitting > 1:
            middle = (fitting + too_long) // 2
            if self.fits_within_context_window(text[:middle], completion_length):
                fitting = middle
            else:
                too_long = middle
        return text[:fitting]
