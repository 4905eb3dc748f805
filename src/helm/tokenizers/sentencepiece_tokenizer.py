"""Tokenizers that consist of a SentencePiece model file."""

from functools import cached_property
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.caching_tokenizer import CachingTokenizer
from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError

SPACE = "\u2581"
"""What stands for a space in a piece."""


def load_processor(path: str, tokenizer: str) -> Any:
    """Load a model file. Raises: TokenizerUnavailableError that names the tokenizer if that is not possible."""
    with needs_extra("sentencepiece"):
        from sentencepiece import SentencePieceProcessor
    try:
        return SentencePieceProcessor(model_file=path)
    except (OSError, RuntimeError) as e:
        raise TokenizerUnavailableError(f"{tokenizer}: {path} cannot be read as a SentencePiece model: {e}") from e


class SentencePieceTokenizer(CachingTokenizer):
    """A tokenizer whose tokens are the pieces of the model, with spaces in place of U+2581.

    Args:
        model_path: the model file; None causes an error on first use that names the file.
    """

    file_hint = "the file of the SentencePiece model"

    def __init__(self, cache_config: CacheConfig | None, tokenizer_name: str, model_path: str | None = None):
        super().__init__(cache_config)
        self._tokenizer_name = tokenizer_name
        self._model_path = model_path

    def _get_model_path(self) -> str:
        if self._model_path is None:
            raise TokenizerUnavailableError(
                f"Tokenizer '{self._tokenizer_name}' needs {self.file_hint}: give its path as args: {{model_path: ...}} of "
                "tokenizer_spec, in tokenizer_configs.yaml of the folder named with --local-path."
            )
        return self._model_path

    @cached_property
    def _processor(self) -> Any:
        return load_processor(self._get_model_path(), f"Tokenizer '{self._tokenizer_name}'")

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["encode"]:
            return {"tokens": self._processor.encode(request["text"], out_type=int)}
        pieces = self._processor.encode(request["text"], out_type=str)
        return {"tokens": [piece.replace(SPACE, " ") for piece in pieces]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": self._processor.decode(request["tokens"])}
