from helm.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer


class YaLMTokenizer(SentencePieceTokenizer):
    """The tokenizer of YaLM 100B."""

    file_hint = "voc_100b.sp, which comes with YaLM 100B"
