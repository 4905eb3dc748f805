"""CIDEr-D: how much a caption shares with human captions, with higher weight for rare word sequences."""

import math
from collections import Counter
from collections.abc import Sequence

_MAX_ORDER = 4
_SIGMA = 6.0
"""Width of the Gaussian penalty for a different caption length."""

_NGrams = Counter[tuple[str, ...]]
_Vector = dict[tuple[str, ...], float]


def compute_cider(references: Sequence[Sequence[str]], candidates: Sequence[str]) -> list[float]:
    """Return a score from 0 to 10 per candidate, against its references; rarity is counted over all given references.

    Words are separated by whitespace. Source: R. Vedantam, C. L. Zitnick, D. Parikh, "CIDEr: Consensus-based Image
    Description Evaluation", 2015, in the variant CIDEr-D (clipped counts, Gaussian length penalty).
    """
    reference_counts = [[_count_ngrams(text) for text in texts] for texts in references]
    document_frequency: Counter[tuple[str, ...]] = Counter()
    for texts in reference_counts:
        document_frequency.update({ngram for text in texts for ngram in text})
    log_num_documents = math.log(len(references)) if references else 0.0

    def weigh(counts: _NGrams) -> list[_Vector]:
        vectors: list[_Vector] = [{} for _ in range(_MAX_ORDER)]
        for ngram, count in counts.items():
            rarity = log_num_documents - math.log(max(1, document_frequency[ngram]))
            vectors[len(ngram) - 1][ngram] = count * rarity
        return vectors

    scores = []
    for texts, candidate in zip(reference_counts, candidates, strict=True):
        counts = _count_ngrams(candidate)
        vectors = weigh(counts)
        total = 0.0
        for reference in texts:
            difference = _length(counts) - _length(reference)
            penalty = math.exp(-(difference**2) / (2 * _SIGMA**2))
            pairs = zip(vectors, weigh(reference), strict=True)
            total += penalty * sum(_similarity(a, b) for a, b in pairs) / _MAX_ORDER
        scores.append(10 * total / len(texts) if texts else 0.0)
    return scores


def cider(gold: str, pred: str) -> float:
    """Return CIDEr-D of one caption against one reference.

    HELM: rarity is counted over this single reference, in which nothing is rare, so the score is always 0.0. Use
    `compute_cider` for a meaningful score.
    """
    return compute_cider([[gold]], [pred])[0]


def _count_ngrams(text: str) -> _NGrams:
    words = text.split()
    return Counter(tuple(words[i : i + n]) for n in range(1, _MAX_ORDER + 1) for i in range(len(words) - n + 1))


def _length(counts: _NGrams) -> int:
    """Return the length as in the published implementation, which uses the number of word pairs."""
    return sum(count for ngram, count in counts.items() if len(ngram) == 2)


def _similarity(candidate: _Vector, reference: _Vector) -> float:
    """Return the cosine similarity, with the candidate's weights clipped to the reference's; 0.0 if either vector is."""
    product = sum(
        min(weight, reference.get(ngram, 0.0)) * reference.get(ngram, 0.0) for ngram, weight in candidate.items()
    )
    norm = math.hypot(*candidate.values()) * math.hypot(*reference.values())
    return product / norm if norm else 0.0
