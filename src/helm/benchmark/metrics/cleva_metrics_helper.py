"""The tokenizer of CLEVA's metrics, for plugins that compute ROUGE of Chinese texts."""


class ChineseTokenizer:
    """Splits a text into characters, in the form that `rouge_score` takes as `tokenizer`."""

    def tokenize(self, text: str) -> list[str]:
        """Return the characters, white space included."""
        return list(text)
