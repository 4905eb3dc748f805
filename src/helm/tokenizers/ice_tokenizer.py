from helm.tokenizers.sentencepiece_tokenizer import SentencePieceTokenizer


class ICETokenizer(SentencePieceTokenizer):
    """The text tokenizer of GLM 130B."""

    file_hint = "ice_text.model, which comes with GLM 130B"
