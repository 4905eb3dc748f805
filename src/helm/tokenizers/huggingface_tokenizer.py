"""Tokenizers of the transformers library."""

import os
import threading
from typing import Any

from helm.common.cache import CacheConfig
from helm.common.concurrency import ThreadSafeWrapper
from helm.common.hierarchical_logger import hlog
from helm.common.optional_dependencies import needs_extra
from helm.tokenizers.caching_tokenizer import CachingTokenizer
from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError
from helm.tokenizers.tokenizer import cleanup_tokens

WrappedPreTrainedTokenizer = ThreadSafeWrapper[Any]
"""A tokenizer of transformers, which needs a lock because it is not thread-safe."""

_CONVERT_EACH_TOKEN = ("bigscience/bloom", "Writer/palmyra-base", "facebook/opt-66b")


class HuggingFaceTokenizer(CachingTokenizer):
    """Loads a tokenizer once per process: from local files, or else from the hub.

    Args:
        cache_config: where tokenizations are cached.
        tokenizer_name: the name in the catalogue.
        pretrained_model_name_or_path: the name on the hub, or a local folder; None means `tokenizer_name`.
        kwargs: arguments of `AutoTokenizer.from_pretrained`.
    """

    _tokenizers: dict[str, WrappedPreTrainedTokenizer] = {}
    _failures: dict[str, str] = {}
    """The reasons why tokenizers could not be loaded, since another attempt takes half a minute without a network."""

    _tokenizers_lock = threading.Lock()

    def __init__(
        self,
        cache_config: CacheConfig | None,
        tokenizer_name: str,
        pretrained_model_name_or_path: str | None = None,
        **kwargs: Any,
    ):
        super().__init__(cache_config)
        self._tokenizer_name = tokenizer_name
        self._pretrained_model_name_or_path = pretrained_model_name_or_path or tokenizer_name
        self._kwargs = kwargs

    @staticmethod
    def create_tokenizer(pretrained_model_name_or_path: str, **kwargs: Any) -> WrappedPreTrainedTokenizer:
        """Load a tokenizer. Raises TokenizerUnavailableError if neither local files nor the hub have it."""
        os.environ["TOKENIZERS_PARALLELISM"] = "False"  # tokenizers' own threads do not survive a fork
        with needs_extra("huggingface"):
            from transformers import AutoTokenizer
        kwargs.setdefault("use_fast", True)
        try:
            tokenizer = AutoTokenizer.from_pretrained(pretrained_model_name_or_path, local_files_only=True, **kwargs)
        except (OSError, ValueError):  # which of the two depends on the version
            hlog(f"Tokenizer {pretrained_model_name_or_path} is not on this machine; downloading it")
            try:
                tokenizer = AutoTokenizer.from_pretrained(pretrained_model_name_or_path, **kwargs)
            except (OSError, ValueError) as e:
                raise TokenizerUnavailableError(
                    f"The tokenizer '{pretrained_model_name_or_path}' is neither on this machine nor could it be "
                    f"downloaded from the Hugging Face hub: {str(e).strip().splitlines()[0]}"
                ) from e
        return ThreadSafeWrapper(tokenizer)

    @staticmethod
    def get_tokenizer(
        helm_tokenizer_name: str, pretrained_model_name_or_path: str, **kwargs: Any
    ) -> WrappedPreTrainedTokenizer:
        """Return the tokenizer of a name, which is loaded on first use. Raises TokenizerUnavailableError."""
        cls = HuggingFaceTokenizer
        with cls._tokenizers_lock:
            tokenizer = cls._tokenizers.get(helm_tokenizer_name)
            if tokenizer is None:
                if helm_tokenizer_name in cls._failures:
                    raise TokenizerUnavailableError(cls._failures[helm_tokenizer_name])
                try:
                    tokenizer = cls.create_tokenizer(pretrained_model_name_or_path, **kwargs)
                except TokenizerUnavailableError as e:
                    cls._failures[helm_tokenizer_name] = str(e)
                    raise
                cls._tokenizers[helm_tokenizer_name] = tokenizer
            return tokenizer

    def get_wrapped_tokenizer(self) -> WrappedPreTrainedTokenizer:
        return self.get_tokenizer(self._tokenizer_name, self._pretrained_model_name_or_path, **self._kwargs)

    def _tokenize_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        name = self._tokenizer_name
        with self.get_wrapped_tokenizer() as tokenizer:
            if request["encode"]:
                options: dict[str, Any] = {"add_special_tokens": False}
                if request["truncation"]:
                    options.update(truncation=True, max_length=max(request["max_length"], 0))
                return {"tokens": tokenizer.encode(request["text"], **options)}
            tokens = tokenizer.tokenize(request["text"])
            if "gpt" in name or name in _CONVERT_EACH_TOKEN:
                return {"tokens": [tokenizer.convert_tokens_to_string([token]) for token in tokens]}
            return {"tokens": cleanup_tokens(tokens, name)}

    def _decode_do_it(self, request: dict[str, Any]) -> dict[str, Any]:
        with self.get_wrapped_tokenizer() as tokenizer:
            text = tokenizer.decode(
                request["tokens"], clean_up_tokenization_spaces=request["clean_up_tokenization_spaces"]
            )
            return {"text": text}
