"""Measures of answers, and how the measures of many documents become one number."""

import math
import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

# ---- Measures of one answer


def exact_match(
    reference: str,
    prediction: str,
    ignore_case: bool = False,
    ignore_punctuation: bool = False,
    ignore_numbers: bool = False,
    regexes_to_ignore: Sequence[str] = (),
) -> int:
    """Return 1 if both texts are equal after removing what is to be ignored, else 0. Whitespace counts."""
    drop = (string.punctuation if ignore_punctuation else "") + (string.digits if ignore_numbers else "")
    table = str.maketrans("", "", drop)

    def simplify(text: str) -> str:
        for pattern in regexes_to_ignore or ():
            text = re.sub(pattern, "", text)
        return (text.lower() if ignore_case else text).translate(table)

    return int(simplify(reference) == simplify(prediction))


def exact_match_of_lists(references: Sequence[Any], predictions: Sequence[Any], **options: Any) -> dict[str, float]:
    """Return the share of pairs that match, in the form in which task files ask for it."""
    pairs = list(zip(references, predictions, strict=True))
    total = sum(exact_match(str(reference), str(prediction), **options) for reference, prediction in pairs)
    return {"exact_match": total / len(pairs) if pairs else math.nan}


def softmax(values: Sequence[float]) -> list[float]:
    """Return probabilities that are proportional to the exponentials of the values."""
    largest = max(values)
    powers = [math.exp(value - largest) for value in values]
    return [power / sum(powers) for power in powers]


# ---- Aggregations


def mean(values: Sequence[Any]) -> float:
    return sum(values) / len(values)


def median(values: Sequence[Any]) -> Any:
    return sorted(values)[len(values) // 2]


def nanmean(values: Sequence[Any]) -> float:
    """Return the mean of the values that are numbers; NaN if there are none."""
    kept = [value for value in values if value == value]
    return sum(kept) / len(kept) if kept else math.nan


def perplexity(values: Sequence[float]) -> float:
    """Return the exponential of the negated mean."""
    return _exp(-mean(values))


def weighted_mean(pairs: Sequence[tuple[float, float]]) -> float:
    return sum(value for value, _ in pairs) / sum(weight for _, weight in pairs)


def weighted_perplexity(pairs: Sequence[tuple[float, float]]) -> float:
    """Return exp(-(sum of log-likelihoods) / (sum of words or bytes))."""
    return _exp(-weighted_mean(pairs))


def bits_per_byte(pairs: Sequence[tuple[float, float]]) -> float:
    """Return the negated sum of log-likelihoods by the sum of bytes, in bits."""
    return -weighted_mean(pairs) / math.log(2)


def f1(pairs: Sequence[tuple[int, int]]) -> float:
    """Return F1 of class 1. Raises: ValueError for more than two classes."""
    labels = {label for pair in pairs for label in pair}
    if not labels <= {0, 1}:
        raise ValueError(f"f1 needs two classes, but the choices are {sorted(labels)}.")
    hits = sum(right == predicted == 1 for right, predicted in pairs)
    total = sum(right for right, _ in pairs) + sum(predicted for _, predicted in pairs)
    return 2 * hits / total if total else 0.0


def matthews(pairs: Sequence[tuple[int, int]]) -> float:
    """Return Matthews' correlation coefficient for any number of classes (Gorodkin, 2004); 0 where undefined."""
    rights, predictions = Counter(right for right, _ in pairs), Counter(predicted for _, predicted in pairs)
    hits = sum(right == predicted for right, predicted in pairs)
    size = len(pairs)
    covariance = hits * size - sum(rights[label] * predictions[label] for label in rights)
    spread = (size**2 - sum(n * n for n in predictions.values())) * (size**2 - sum(n * n for n in rights.values()))
    return covariance / math.sqrt(spread) if spread else 0.0


def brier_score(pairs: Sequence[tuple[int, Sequence[float]]]) -> float:
    """Return the mean squared distance between the probabilities of the choices and the truth; 0 is best."""
    total = 0.0
    for right, probabilities in pairs:
        total += sum((p - (i == right)) ** 2 for i, p in enumerate(probabilities))
    return total / len(pairs)


def corpus_score(name: str, pairs: Sequence[tuple[Any, Any]]) -> float:
    """Return sacrebleu's corpus score (`BLEU`, `CHRF` or `TER`) of pairs of references and prediction."""
    import sacrebleu

    references = [list(one) if isinstance(one, (list, tuple)) else [one] for one, _ in pairs]
    predictions = [one[0] if isinstance(one, (list, tuple)) else one for _, one in pairs]
    longest = max(map(len, references))
    columns = [[one[i] if i < len(one) else None for one in references] for i in range(longest)]
    return float(getattr(sacrebleu, name)().corpus_score(predictions, columns).score)


AGGREGATIONS: dict[str, Callable[[Sequence[Any]], Any]] = {
    "mean": mean,
    "median": median,
    "nanmean": nanmean,
    "perplexity": perplexity,
    "weighted_perplexity": weighted_perplexity,
    "bits_per_byte": bits_per_byte,
    "f1": f1,
    "matthews_corrcoef": matthews,
    "brier_score": brier_score,
    "bleu": lambda pairs: corpus_score("BLEU", pairs),
    "chrf": lambda pairs: corpus_score("CHRF", pairs),
    "ter": lambda pairs: corpus_score("TER", pairs),
    "bypass": lambda values: 999,
}

USUAL_AGGREGATIONS = {
    "perplexity": "perplexity",
    "word_perplexity": "weighted_perplexity",
    "byte_perplexity": "weighted_perplexity",
    "bits_per_byte": "bits_per_byte",
    "f1": "f1",
    "mcc": "matthews_corrcoef",
    "brier_score": "brier_score",
    "bleu": "bleu",
    "chrf": "chrf",
    "ter": "ter",
    "bypass": "bypass",
}
"""Maps measures to their aggregation, where it is not the mean."""

LOWER_IS_BETTER = {"perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "ter", "brier_score"}

PAIRS = {
    "bleu", "chrf", "ter", "acc", "acc_norm", "acc_bytes", "acc_mutual_info", "f1", "mcc", "perplexity", "word_perplexity",
    "byte_perplexity", "bits_per_byte", "brier_score", "likelihood",
}  # fmt: skip
"""Measures that keep, of a written answer, the reference and the answer for their aggregation."""


def _exp(value: float) -> float:
    return math.exp(value) if value < 700 else math.inf
