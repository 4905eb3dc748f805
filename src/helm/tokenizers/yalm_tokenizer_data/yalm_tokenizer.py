"""The vocabulary of YaLM 100B: SentencePiece with a piece of its own for line breaks."""

import os
from collections.abc import Iterable
from functools import cached_property

from helm.tokenizers.hosted_tokenizer import TokenizerUnavailableError
from helm.tokenizers.sentencepiece_tokenizer import SPACE, load_processor

YALM_TOKENIZER_PACKAGE = "helm.tokenizers.yalm_tokenizer_data"
YALM_TOKENIZER_VOCAB_FILENAME = "voc_100b.sp"


def convert_to_unicode(text: str | bytes) -> str:
    """Return a text; bytes are UTF-8, of which invalid parts are left out. Raises: TypeError."""
    if isinstance(text, bytes):
        return text.decode("utf-8", "ignore")
    if not isinstance(text, str):
        raise TypeError(f"Expected str or bytes, not {type(text).__name__}.")
    return text


def find_vocabulary() -> str | None:
    """Return the path of the vocabulary in this folder, None if there is no such file."""
    path = os.path.join(os.path.dirname(__file__), YALM_TOKENIZER_VOCAB_FILENAME)
    return path if os.path.isfile(path) else None


class YaLMTokenizer:
    """Converts between texts, pieces and their numbers.

    Args:
        vocab_path: the file `voc_100b.sp`, which comes with YaLM 100B. None means the one in this folder.

    Raises:
        TokenizerUnavailableError: There is no such file.
    """

    NEW_LINE = "[NL]"
    UNK, BOS, EOS = 0, 1, 2
    BOS_TOKEN = PAD_TOKEN = "<s>"
    EOS_TOKEN = "</s>"
    MASK_TOKEN = "[MASK]"
    MAX_SEQUENCE_LENGTH = 2048

    def __init__(self, vocab_path: str | None = None):
        path = vocab_path or find_vocabulary()
        if path is None:
            raise TokenizerUnavailableError(
                f"There is no file {YALM_TOKENIZER_VOCAB_FILENAME} in {os.path.dirname(__file__)}: take it from YaLM 100B, and "
                "put it there or give its path as vocab_path."
            )
        self._processor = load_processor(path, "YaLM's vocabulary")

    def _encode(self, line: str | bytes, out_type: type = str) -> list:
        return self._processor.encode(convert_to_unicode(line).replace("\n", self.NEW_LINE), out_type=out_type)

    def tokenize(self, line: str | bytes, out_type: type = int) -> list:
        """Return the numbers of a text's pieces, or the pieces with `out_type=str`, in which U+2581 is a space."""
        return self._encode(line, out_type)

    def convert_tokens_to_ids(self, tokens: Iterable[str]) -> list[int]:
        """Return the numbers of pieces; that of an unknown one is `UNK`."""
        return [self.vocab.get(token, self.UNK) for token in tokens]

    def convert_ids_to_tokens(self, ids: Iterable[int]) -> list[str]:
        """Return the pieces with these numbers."""
        return [self._vocab_words[int(number)] for number in ids]

    def convert_tokens_to_string(self, tokens: Iterable[str]) -> list[str]:
        """Return each piece without U+2581."""
        return [token.replace(SPACE, "") for token in tokens]

    def convert_ids_to_string(self, ids: Iterable[int]) -> list[str]:
        """Return the piece with each number, without U+2581."""
        return self.convert_tokens_to_string(self.convert_ids_to_tokens(ids))

    @cached_property
    def _vocab_words(self) -> list[str]:
        return self._get_vocab_words()

    def _get_vocab_words(self) -> list[str]:
        return [self._processor.id_to_piece(number) for number in range(self.vocab_size)]

    def get_tokens(self) -> list[str]:
        """Return all pieces in the order of their numbers."""
        return self._vocab_words

    @cached_property
    def vocab(self) -> dict[str, int]:
        """The number of each piece."""
        return {word: number for number, word in enumerate(self._vocab_words)}

    @property
    def inv_vocab(self) -> dict[int, str]:
        """The piece with each number."""
        return dict(enumerate(self._vocab_words))

    @property
    def vocab_size(self) -> int:
        """How many pieces there are."""
        return int(self._processor.get_piece_size())

    @property
    def cls(self) -> int:
        """The number that begins a sequence."""
        return self.BOS

    @property
    def eod(self) -> int:
        """The number that ends a document."""
        return self.EOS

    @property
    def mask(self) -> int:
        """The number of the masked piece."""
        return self.vocab[self.MASK_TOKEN]

    def detokenize(self, token_ids: Iterable[int]) -> str:
        """Return the text of pieces without the spaces before it; a line break is `NEW_LINE`."""
        return "".join(self.convert_ids_to_tokens(token_ids)).replace(SPACE, " ").lstrip(" ")

    def decode(self, token_ids: Iterable[int]) -> str:
        """Return the text of pieces, without the spaces before it."""
        return self.detokenize(token_ids).replace(self.NEW_LINE, "\n")
