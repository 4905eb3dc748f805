"""Text normalization shared by the quasi-exact metrics and the classification metrics."""

import re
import string
from functools import lru_cache

_DELETE_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


@lru_cache(maxsize=2048)
def normalize_text(text: str, should_remove_articles: bool = True) -> str:
    """Convert to lower case, remove ASCII punctuation and the words a, an and the, collapse and strip whitespace.

    Punctuation is deleted, not replaced, before the articles: `a-the` becomes `athe`, which is not an article. Unicode
    is not normalized. The latest results are cached, because several metrics normalize the same two texts.
    """
    text = text.lower().translate(_DELETE_PUNCTUATION)
    if should_remove_articles:
        text = _ARTICLES.sub(" ", text)
    return " ".join(text.split())
