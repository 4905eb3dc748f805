"""Shows a transcript beside its reference, in the words that the metric compared."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.metrics.error_rates import compared_text, segment_chinese
from helm.benchmark.server.instance_verdict import Verdict
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from helm.results.index.state_texts import completion_text, completions_of
from helm.results.word_differences import MOST_WORDS, WordDifferences, align_words

_WORD_ERROR_RATES: Mapping[str, Callable[[str], str]] = {"wer_score": str, "chinese_wer_score": segment_chinese}
"""Metrics, and how each prepares a text."""

_AS_COMPARED = "As the metric compares them: in lower case, without punctuation."


@dataclass(frozen=True)
class ComparedWords:
    """A transcript beside its reference."""

    differences: WordDifferences | None
    """None if they are not compared here."""

    note: str
    """How they are compared, or why not."""

    is_score: bool = False
    """Whether their error rate is the score of the instance."""


def compare_words(states: Sequence[Any], references: Sequence[Any], values: Mapping[str, Any]) -> ComparedWords | None:
    """Return the words of the first response beside those of a reference; None if no word error rate was measured.

    Args:
        states: the request states of the instance as in files.
        references: those of the instance, with `text` and `is_correct`.
        values: its scores.
    """
    metric = next((name for name in _WORD_ERROR_RATES if isinstance(values.get(name), (int, float))), None)
    heard = _heard(states)
    correct = [item["text"] for item in references if item["is_correct"]]
    if metric is None or not heard or not correct:
        return None
    rate, prepare = float(values[metric]), _WORD_ERROR_RATES[metric]
    try:
        words = [compared_text(text, prepare).split() for text in (heard, *(item.text for item in correct))]
    except OptionalDependencyNotInstalled as e:
        return ComparedWords(None, str(e))
    if any(item.hidden for item in correct) or max(map(len, words)) > MOST_WORDS:
        return ComparedWords(None, f"Texts of more than {MOST_WORDS} words are not compared here.")
    found = [item for reference in words[1:] if (item := align_words(reference, words[0])) is not None]
    for item in found:
        if math.isclose(item.rate, rate, rel_tol=1e-6, abs_tol=1e-9):
            return ComparedWords(item, _AS_COMPARED, is_score=True)
    worst = max(found, key=lambda item: item.rate)  # HELM: the largest rate of several references counts
    told = f"{_AS_COMPARED} The word error rate of these words is {_percent(worst.rate)}; the score is {_percent(rate)}"
    if len(states) > 1:
        return ComparedWords(worst, f"{told}, of {len(states)} responses, of which this is the first.")
    return ComparedWords(worst, f"{told}, which was counted in another way.")


def judge_words(words: ComparedWords) -> Verdict | None:
    """Return how many words are wrong; None if they are not what the score counts."""
    found = words.differences
    if found is None or not words.is_score:
        return None
    number = found.num_errors
    if not number:
        return Verdict("✓ No errors", "good", f"All of {found.num_words} words are there.")
    parts = [
        f"{count} {what}"
        for count, what in ((found.replaced, "replaced"), (found.left_out, "left out"), (found.added, "added"))
        if count
    ]
    word = f"{number} error{'s' if number != 1 else ''} in {found.num_words} word{'s' if found.num_words != 1 else ''}"
    return Verdict(word, "warn", f"Word error rate {_percent(found.rate)}: {', '.join(parts)}.")


def _heard(states: Sequence[Any]) -> str:
    """Return the response of the first request that metrics read: the most likely of several."""
    result = states[0].get("result") if states else None
    completions = completions_of(result) if isinstance(result, dict) else []
    if not completions:
        return ""
    return completion_text(max(completions, key=_log_probability)).strip()


def _log_probability(completion: Mapping[str, Any]) -> float:
    value = completion.get("logprob")
    return float(value) if isinstance(value, (int, float)) and not math.isnan(value) else 0.0


def _percent(rate: float) -> str:
    return f"{100 * rate:.1f}%"
