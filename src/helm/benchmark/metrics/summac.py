"""SummaC, zero-shot: measures whether the sentences of a summary follow from sentences of the article."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from helm.benchmark.metrics.word_tokenization import split_sentences
from helm.common.optional_dependencies import needs_extra

MODEL_NAME = "tals/albert-xlarge-vitaminc-mnli"
"""A model on the Hugging Face Hub; its labels are in the order supports, refutes, not enough information."""

_MIN_SENTENCE_LENGTH = 11
"""In characters; shorter sentences carry no claim."""
# The model accepts 512 tokens, some of which are special.
_MAX_TOKENS = 500
_BATCH_SIZE = 20

Judge = Callable[[Sequence[tuple[str, str]]], list[tuple[float, float]]]
"""Maps pairs (sentence of the article, sentence of the summary) to probabilities of entailment and contradiction."""


def compute_summac(article: str, summary: str, judge: Judge, split_at_line_breaks: bool = False) -> float:
    """Average over the summary's sentences (highest entailment - highest contradiction) by a sentence of the article.

    The result is between -1 and 1; 0.0 if either text has no sentence of 11 characters or more.

    Source: Laban et al., "SummaC: Re-Visiting NLI-based Models for Inconsistency Detection in Summarization", 2022.
    """
    article_sentences = _split(article, split_at_line_breaks)
    summary_sentences = _split(summary, split_at_line_breaks)
    if not article_sentences or not summary_sentences:
        return 0.0
    pairs = [(premise, hypothesis) for hypothesis in summary_sentences for premise in article_sentences]
    judgments = judge(pairs)
    total, width = 0.0, len(article_sentences)
    for start in range(0, len(pairs), width):
        row = judgments[start : start + width]
        total += max(entailment for entailment, _ in row) - max(contradiction for _, contradiction in row)
    return total / len(summary_sentences)


def _split(text: str, at_line_breaks: bool) -> list[str]:
    sentences = text.split("\n") if at_line_breaks else split_sentences(text)
    return [sentence for sentence in sentences if len(sentence) >= _MIN_SENTENCE_LENGTH]


@lru_cache(maxsize=1)
def load_judge(device: str, model_name: str = MODEL_NAME) -> Judge:
    """Return the entailment model. Raises: OptionalDependencyNotInstalled without its packages."""
    with needs_extra("faithfulness"):
        import torch
        from transformers import AutoModelForSequenceClassification, AutoTokenizer
    tokenizer: Any = AutoTokenizer.from_pretrained(model_name)
    model: Any = AutoModelForSequenceClassification.from_pretrained(model_name).to(device).eval()

    def judge(pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        judgments: list[tuple[float, float]] = []
        for start in range(0, len(pairs), _BATCH_SIZE):
            batch = [list(pair) for pair in pairs[start : start + _BATCH_SIZE]]
            inputs = tokenizer(batch, padding=True, truncation=True, max_length=_MAX_TOKENS, return_tensors="pt").to(
                device
            )
            with torch.no_grad():
                probabilities = torch.softmax(model(**inputs).logits, dim=-1).tolist()
            judgments += [(row[0], row[1]) for row in probabilities]
        return judgments

    return judge
