"""The tokenizer of YaLM 100B."""

from functools import cached_property
from typing import Any

from helm.common.cache import CacheConfig
from helm.tokenizers.sentencepiece_tokenizer import SPACE, SentencePieceTokenizer
from helm.tokenizers.yalm_tokenizer_data import yalm_tokenizer


class YaLMTokenizer(SentencePieceTokenizer):
    """The tokenizer of YaLM 100B, in which a line break is the token `[NL]`.

    Args:
        model_path: the file `voc_100b.sp`; None means the one in the folder of `helm.tokenizers.yalm_tokenizer_data`.
    """

    file_hint = "voc_100b.sp, which comes with YaLM 100B"

    def __init__(self, cache_config: CacheConfig | None, tokenizer_name: str, model_path: str | None = None):
        super().__init__(cache_config, tokenizer_name, model_path or yalm_tokenizer.find_vocabulary())

    @cached_property
    def _vocabulary(self) -> yalm_tokenizer.YaLMTokenizer:
        return yalm_tokenizer.YaLMTokenizer(self._get_model_path())

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["encode"]:
            return {"tokens": self._vocabulary.tokenize(request["text"])}
        return {"tokens": [piece.replace(SPACE, " ") for piece in self._vocabulary.tokenize(request["text"], str)]}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        return {"text": self._vocabulary.decode(request["tokens"])}
