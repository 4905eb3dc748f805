"""Text normalization shared by the quasi-exact metrics and the classification metrics."""

import re
import string
from functools import lru_cache

_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE_WORDS = frozenset(("a", "an", "the"))
_ARTICLES = re.compile(r"\b(a|an|the)\b")


@lru_cache(maxsize=2048)
def normalize_text(text: str, should_remove_articles: bool = True) -> str:
    """Convert to lower case, remove ASCII punctuation and the words a, an and the, collapse and strip whitespace.

    Punctuation is deleted, not replaced, before the articles: `a-the` becomes `athe`, which is not an article. Unicode
    is not normalized. The latest results are cached, because several metrics normalize the same two texts.
    """
    text = text.lower().translate(_DELETE_PUNCTUATION)
    words = text.split()
    if should_remove_articles:
        joined = "".join(words)
        if joined.isascii() and joined.isalnum():  # words are what is between spaces
            return " ".join([word for word in words if word not in _ARTICLE_WORDS])
        words = _ARTICLES.sub(" ", text).split()
    return " ".join(words)
