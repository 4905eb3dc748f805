"""Error rates of transcriptions: edits that turn a reference into a prediction, in words or characters.

HELM: an empty prediction scores 0, which for an error rate is perfect; the score of several references is the largest.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from helm.benchmark.metrics.text_normalization import normalize_text
from helm.common.optional_dependencies import handle_module_not_found_error, needs_extra


def wer_score(gold: str, pred: str) -> float:
    """Word error rate: substitutions, deletions and insertions per word of the reference. 0 is best, no upper limit."""
    return _compute("wer", gold, pred)


def mer_score(gold: str, pred: str) -> float:
    """Match error rate: the share of edits among edits and hits, 0 (best) to 1."""
    return _compute("mer", gold, pred)


def wip_score(gold: str, pred: str) -> float:
    """Word information preserved: share of hits in the reference times that in the prediction, 0 to 1 (best)."""
    return _compute("wip", gold, pred)


def cer_score(gold: str, pred: str) -> float:
    """Character error rate: edits per character of the reference, spaces included. 0 is best, no upper limit."""
    return _compute("cer", gold, pred)


def chinese_wer_score(gold: str, pred: str) -> float:
    """`wer_score` of segmented text."""
    return _compute("wer", gold, pred, segment_chinese)


def chinese_mer_score(gold: str, pred: str) -> float:
    """`mer_score` of segmented text."""
    return _compute("mer", gold, pred, segment_chinese)


def chinese_wip_score(gold: str, pred: str) -> float:
    """`wip_score` of segmented text."""
    return _compute("wip", gold, pred, segment_chinese)


def chinese_cer_score(gold: str, pred: str) -> float:
    """Return `cer_score` of segmented text. HELM: the spaces added by the segmentation count as characters."""
    return _compute("cer", gold, pred, segment_chinese)


def segment_chinese(text: str) -> str:
    """Return the words that jieba finds, joined by spaces."""
    return " ".join(_load_jieba().cut(text))


def _compute(measure: str, gold: str, pred: str, prepare: Callable[[str], str] = str) -> float:
    if not pred:
        return 0
    with needs_extra("metrics"):
        import jiwer
    return getattr(jiwer, measure)(*(compared_text(text, prepare) for text in (gold, pred)))


def compared_text(text: str, prepare: Callable[[str], str] = str) -> str:
    """Return what error rates compare: the prepared text in lower case, without ASCII punctuation, words joined by one space."""
    return normalize_text(prepare(text), should_remove_articles=False)


@cache
def _load_jieba() -> Any:
    try:
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # jieba still imports pkg_resources
            import jieba
    except ModuleNotFoundError as error:
        handle_module_not_found_error(error, suggestions=["cleva"])
    import logging

    jieba.setLogLevel(logging.WARNING)
    return jieba
