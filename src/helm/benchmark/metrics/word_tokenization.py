"""Word tokens as NLTK's `word_tokenize` gives them, without its downloaded data where that cannot matter."""

import re
from functools import lru_cache
from typing import Any

from helm.common.errors import MetricError
from helm.common.optional_dependencies import needs_extra

_CLOSING = "\"')\\]}\u2018\u2019\u201c\u201d\u00ab\u00bb"
_END_OF_TEXT = re.compile(f"[.?!][{_CLOSING}]*\\s*\\Z")
"""Closing marks behind the last sentence end belong to that sentence."""

_NEXT = f"(?=[{_CLOSING};*:@({{\\[?!]|\\s+\\S)"
_PERIOD = re.compile("\\." + _NEXT)
"""Where Punkt considers a sentence end, the final one aside: before punctuation, or before white space and a token."""

_MARK = re.compile("[?!]" + _NEXT)
_QUOTE = re.compile("[\"'`\u2018\u2019\u201c\u201d\u00ab\u00bb]")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e)\.(?=\s+[a-z])")
"""Known to Punkt, and before a small letter never the end of a sentence."""


def word_tokenize(text: str) -> list[str]:
    """English words and punctuation: sentences are split by Punkt, each is tokenized in the style of the Penn Treebank.

    Punkt's data is asked only where the split can change the tokens. Raises MetricError when it is needed and not
    installed.
    """
    tokenizer = _load_word_tokenizer()
    if not _depends_on_sentences(text):
        return tokenizer.tokenize(text)
    return [token for sentence in split_sentences(text) for token in tokenizer.tokenize(sentence)]


def _depends_on_sentences(text: str) -> bool:
    """Whether the tokens depend on where sentences end.

    They do when a period may end a sentence inside the text: only the last period of a sentence is a token. Question
    and exclamation marks are tokens everywhere, so a split behind one shows only in quotes at the start of a sentence.
    """
    text = _ABBREVIATION.sub(r"\1", _END_OF_TEXT.sub("", text))
    return bool(_PERIOD.search(text) or (_MARK.search(text) and _QUOTE.search(text)))


def split_sentences(text: str) -> list[str]:
    """English sentences, as NLTK's Punkt finds them. Raises MetricError when its data is not installed."""
    with needs_extra("metrics"):
        import nltk
    try:
        return nltk.sent_tokenize(text)
    except LookupError as error:
        raise MetricError(
            "To split a text of several sentences (as for BLEU) NLTK's data 'punkt_tab' is needed. "
            "Install it with: python -m nltk.downloader punkt_tab"
        ) from error


@lru_cache(maxsize=1)
def _load_word_tokenizer() -> Any:
    with needs_extra("metrics"):
        from nltk.tokenize.destructive import NLTKWordTokenizer
    return NLTKWordTokenizer()
