"""Measures how much of a summary is copied from its article: coverage, density, compression."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from helm.common.optional_dependencies import needs_extra


@dataclass(frozen=True)
class Extractiveness:
    coverage: float
    """Fraction of the summary's words that are in fragments of the article, 0 to 1."""

    density: float
    """Mean length of the fragment that contains a word of the summary (0 for none)."""

    compression: float
    """Words of the article per word of the summary."""


def compute_extractiveness(article: str, summary: str) -> Extractiveness:
    """Compare two English texts, ignoring case. All values are 0.0 if the summary has no words.

    Source: Grusky, Naaman, Artzi, "Newsroom: A Dataset of 1.3 Million Summaries with Diverse Extractive Strategies", 2018.
    """
    article_words, summary_words = tokenize(article.lower()), tokenize(summary.lower())
    if not summary_words:
        return Extractiveness(0.0, 0.0, 0.0)
    lengths = find_fragments(article_words, summary_words)
    size = len(summary_words)
    return Extractiveness(sum(lengths) / size, sum(length**2 for length in lengths) / size, len(article_words) / size)


def find_fragments(article: Sequence[str], summary: Sequence[str]) -> list[int]:
    """Return the lengths of the fragments: from left to right, the longest match at each position of the summary.

    As in the publication, the search continues after a match in the article, even if a longer one begins inside it.
    """
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(article):
        positions.setdefault(word, []).append(position)
    lengths: list[int] = []
    start = 0
    while start < len(summary):
        longest, next_position = 0, 0
        for position in positions.get(summary[start], []):
            if position < next_position:
                continue
            length = 0
            while (
                start + length < len(summary)
                and position + length < len(article)
                and summary[start + length] == article[position + length]
            ):
                length += 1
            longest = max(longest, length)
            next_position = position + length
        if longest:
            lengths.append(longest)
        start += max(longest, 1)
    return lengths


def tokenize(text: str) -> list[str]:
    """Split into words and punctuation like spaCy's English pipelines; the splitting itself needs no trained model."""
    text = text.encode("utf-8", "replace").decode("utf-8")  # spaCy rejects unpaired surrogates
    return [token.text for token in _load_spacy()(text)]


@cache
def _load_spacy() -> Any:
    with needs_extra("summarization"):
        import spacy
    return spacy.blank("en").tokenizer
