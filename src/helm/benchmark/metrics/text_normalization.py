"""Text normalisation that the quasi-exact metrics and the classification metrics share."""

import re
import string
from functools import lru_cache

_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


@lru_cache(maxsize=2048)
def normalize_text(text: str, should_remove_articles: bool = True) -> str:
    """Lower case, without ASCII punctuation, without the words a, an and the, whitespace collapsed and stripped.

    Punctuation is deleted, not replaced, and goes before the articles: `a-the` becomes `athe`, which is no article.
    Unicode is not normalised. The last results are remembered, because several metrics ask for the same two texts.
    """
    text = text.lower().translate(_DELETE_PUNCTUATION)
    if should_remove_articles:
        text = _ARTICLES.sub(" ", text)
    return " ".join(text.split())
