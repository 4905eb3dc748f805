from typing import NoReturn

from helm.benchmark.window_services.window_service import INT_MAX, EncodeResult, WindowService
from helm.common.tokenization_request import TokenizationToken


class NoTokenizerWindowService(WindowService):
    """For deployments with an unknown tokenizer: every text is one token and fits; nothing is truncated."""

    @property
    def tokenizer_name(self) -> str:
        self._refuse()

    @property
    def max_sequence_length(self) -> int:
        return INT_MAX

    @property
    def max_request_length(self) -> int:
        return INT_MAX

    @property
    def end_of_text_token(self) -> str:
        return ""

    @property
    def prefix_token(self) -> str:
        return ""

    def encode(self, text: str, truncation: bool = False, max_length: int | None = None) -> EncodeResult:
        self._refuse()

    def decode(self, tokens: list[TokenizationToken], normalized_text: str | None = None) -> str:
        self._refuse()

    @staticmethod
    def _refuse() -> NoReturn:
        raise NotImplementedError("Not supported")

    def tokenize(self, text: str) -> list[str]:
        return [text]

    def get_num_tokens(self, text: str) -> int:
        return 1

    def fits_within_context_window(self, text: str, expected_completion_token_length: int = 0) -> bool:
        return True

    def truncate_from_right(self, text: str, expected_completion_token_length: int = 0) -> str:
        return text
