"""Scores a completion against the correct references, by name."""

import math
import re
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.cider import cider
from helm.benchmark.metrics.code_metric_names import CODE_METRIC_NAMES, pass_at_k_estimator
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.error_rates import (
    cer_score,
    chinese_cer_score,
    chinese_mer_score,
    chinese_wer_score,
    chinese_wip_score,
    mer_score,
    wer_score,
    wip_score,
)
from helm.benchmark.metrics.math_equivalence import is_equiv, is_equiv_chain_of_thought
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.text_normalization import normalize_text
from helm.benchmark.metrics.trial_stats import NamedValues, to_stats
from helm.benchmark.metrics.word_tokenization import word_tokenize
from helm.benchmark.scenarios.scenario import CORRECT_TAG
from helm.common.errors import MetricError, suggest
from helm.common.optional_dependencies import needs_extra
from helm.common.request import GeneratedOutput

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer

__all__ = ["compute_reference_metrics", "metric_fn_mapping", "normalize_text", "pass_at_k_estimator"]

Score = int | float
ReferenceMetric = Callable[[str, str | None], Score]
"""Function of a reference text and a prediction; the prediction is None if the completion names none of the labels."""


class UnknownReferenceMetricError(MetricError, NameError):
    """No reference metric has that name. HELM raises NameError."""


# --- equality ---------------------------------------------------------------------------------------------------------


def exact_match(gold: str, pred: str | None) -> Score:
    """1 when both are equal but for white space at the ends; 0 for an empty prediction."""
    return 1 if pred and gold.strip() == pred.strip() else 0


def quasi_exact_match(gold: str, pred: str | None) -> Score:
    """1 when the normalised texts are equal; 0 for an empty prediction."""
    return 1 if pred and normalize_text(gold) == normalize_text(pred) else 0


def quasi_leave_articles_exact_match(gold: str, pred: str | None) -> Score:
    """`quasi_exact_match` that keeps articles."""
    return 1 if pred and normalize_text(gold, False) == normalize_text(pred, False) else 0


def prefix_exact_match(gold: str, pred: str | None) -> Score:
    """1 when the prediction begins with the reference; 0 for an empty prediction."""
    return 1 if pred and pred.strip().startswith(gold.strip()) else 0


def quasi_prefix_exact_match(gold: str, pred: str | None) -> Score:
    """`prefix_exact_match` of the normalised texts. A reference that normalises to nothing is a prefix of all."""
    return 1 if pred and normalize_text(pred).startswith(normalize_text(gold)) else 0


def exact_match_indicator(gold: str, pred: str, indicator: str = " ") -> Score:
    """`exact_match` of the text after the last indicator in each text."""
    return exact_match(gold.split(indicator)[-1].strip(), pred.split(indicator)[-1].strip())


# HELM: the dot matches any character, so "12/4" is one number.
_NUMBER = re.compile(r"-?[\d,]+(?:.\d+)?")


def final_number_exact_match(gold: str, pred: str) -> Score:
    """`exact_match` of the last number in each text, thousands separators removed."""
    return exact_match(_final_number(gold), _final_number(pred))


def _final_number(text: str) -> str:
    matches = _NUMBER.findall(text)
    return matches[-1].replace(",", "") if matches else ""


_CLEVA_RESULT = re.compile(r"[-+*/%\.\(\)\d]+")


def cleva_math_result_match(gold: str, pred: str) -> Score:
    """`exact_match` of the reference with the last arithmetic expression of the prediction (all of it without one)."""
    matches = _CLEVA_RESULT.findall(pred)
    return exact_match(gold, (matches[-1].lstrip(")") if matches else pred).strip())


def absolute_value_difference(gold: str, pred: str) -> Score:
    """|gold - pred| of whole numbers; a text that is none counts as 0.0."""
    return abs(_whole_number(gold) - _whole_number(pred))


def _whole_number(text: str) -> Score:
    try:
        return int(text.replace(",", ""))
    except ValueError:
        return 0.0


# --- overlap ----------------------------------------------------------------------------------------------------------


def f1_score(gold: str, pred: str) -> Score:
    """F1 of the sets of words of the normalised texts; 0 without a common word, 0.0 without words."""
    gold_words, pred_words = set(normalize_text(gold).split()), set(normalize_text(pred).split())
    if not gold_words or not pred_words:
        return 0.0
    overlap = len(gold_words & pred_words)
    if not overlap:
        return 0
    precision, recall = overlap / len(pred_words), overlap / len(gold_words)
    return 1 / (0.5 / precision + 0.5 / recall)


def extract_set_from_text(
    set_str: str, set_start_str: str = " is ", set_separator: str = " and ", empty_set_str: str = "Nothing."
) -> set[str]:
    """Return the items that a text such as `Ann is red and big.` names.

    Args:
        set_str: the text.
        set_start_str: what the items follow.
        set_separator: what separates them.
        empty_set_str: the text without items.
    """
    if set_str == empty_set_str:
        return set()
    return set(set_str.replace(".", "").split(set_start_str)[-1].split(set_separator))


def extract_gold_pred_sets(gold: str, pred: str) -> tuple[set[str], set[str]]:
    """Return the items of two answers; only the prediction's first line counts."""
    return extract_set_from_text(gold), extract_set_from_text(pred.split("\n")[0])


def exact_set_match(gold: str, pred: str) -> Score:
    """1.0 when both texts name the same set of items."""
    gold_set, pred_set = extract_gold_pred_sets(gold, pred)
    return float(gold_set == pred_set)


def iou_set_match(gold: str, pred: str) -> Score:
    """Intersection over union of the sets of items; of an empty reference: 1.0 for an empty prediction, else 0.0."""
    gold_set, pred_set = extract_gold_pred_sets(gold, pred)
    return len(gold_set & pred_set) / len(gold_set | pred_set) if gold_set else float(not pred_set)


def f1_set_match(gold: str, pred: str) -> Score:
    """F1 of the sets of items; of an empty reference: 1.0 for an empty prediction, else 0.0."""
    gold_set, pred_set = extract_gold_pred_sets(gold, pred)
    return 2 * len(gold_set & pred_set) / (len(gold_set) + len(pred_set)) if gold_set else float(not pred_set)


class _Characters:
    """A tokenizer for ROUGE that returns the characters."""

    @staticmethod
    def tokenize(text: str) -> list[str]:
        return list(text)


@cache
def get_rouge_function(rouge_type: str, by_characters: bool = False) -> ReferenceMetric:
    """Return the F-measure of `rouge1`, `rouge2` or `rougeL`, on stemmed words or on characters."""
    with needs_extra("metrics"):
        from rouge_score import rouge_scorer
    tokenizer = _Characters() if by_characters else None
    scorer = rouge_scorer.RougeScorer([rouge_type], use_stemmer=not by_characters, tokenizer=tokenizer)

    return partial(rouge_score, rouge_type=rouge_type, scorer=scorer)


def rouge_score(gold: str, pred: str | None, rouge_type: str, scorer: "RougeScorer") -> float:
    """Return the F-measure of `rouge1`, `rouge2` or `rougeL` by a scorer of the package rouge_score."""
    return scorer.score(gold, pred)[rouge_type].fmeasure


def get_chinese_rouge_function(rouge_type: str) -> ReferenceMetric:
    """Return `get_rouge_function` on characters."""
    return get_rouge_function(rouge_type, by_characters=True)


def rouge_1(gold: str, pred: str | None) -> Score:
    """ROUGE-1 F-measure of stemmed words."""
    return get_rouge_function("rouge1")(gold, pred)


def rouge_2(gold: str, pred: str | None) -> Score:
    """ROUGE-2 F-measure of stemmed words."""
    return get_rouge_function("rouge2")(gold, pred)


def rouge_l(gold: str, pred: str | None) -> Score:
    """ROUGE-L F-measure of stemmed words."""
    return get_rouge_function("rougeL")(gold, pred)


def chinese_rouge_1(gold: str, pred: str | None) -> Score:
    """ROUGE-1 F-measure of characters."""
    return get_rouge_function("rouge1", True)(gold, pred)


def chinese_rouge_2(gold: str, pred: str | None) -> Score:
    """ROUGE-2 F-measure of characters."""
    return get_rouge_function("rouge2", True)(gold, pred)


def bleu_1(gold: str, pred: str) -> Score:
    """Clipped unigram precision of the words, times the brevity penalty."""
    return _bleu(word_tokenize(gold), word_tokenize(pred), (1, 0, 0, 0))


def bleu_4(gold: str, pred: str) -> Score:
    """Clipped 4-gram precision of the words, times the brevity penalty. HELM: not the mean over orders 1 to 4."""
    return _bleu(word_tokenize(gold), word_tokenize(pred), (0, 0, 0, 1))


def chinese_bleu_1(gold: str, pred: str) -> Score:
    """`bleu_1` of characters."""
    return _bleu(list(gold), list(pred), (1, 0, 0, 0))


def _bleu(gold: list[str], pred: list[str], weights: tuple[int, ...]) -> Score:
    """Return NLTK's sentence BLEU; 0 without a common token, and the smallest float if another order has no match."""
    import warnings

    with needs_extra("metrics"):
        from nltk.translate.bleu_score import sentence_bleu
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NLTK warns about every order without a match
        return sentence_bleu([gold], pred, weights=weights)


REFERENCE_METRICS: dict[str, ReferenceMetric] = {
    name: function  # type: ignore[misc]
    for name, function in {
        "exact_match": exact_match,
        "quasi_exact_match": quasi_exact_match,
        "quasi_leave_articles_exact_match": quasi_leave_articles_exact_match,
        "prefix_exact_match": prefix_exact_match,
        "quasi_prefix_exact_match": quasi_prefix_exact_match,
        "exact_match_indicator": exact_match_indicator,
        "final_number_exact_match": final_number_exact_match,
        "exact_set_match": exact_set_match,
        "iou_set_match": iou_set_match,
        "f1_set_match": f1_set_match,
        "math_equiv": is_equiv,
        "math_equiv_chain_of_thought": is_equiv_chain_of_thought,
        "f1_score": f1_score,
        "rouge_1": rouge_1,
        "rouge_2": rouge_2,
        "rouge_l": rouge_l,
        "bleu_1": bleu_1,
        "bleu_4": bleu_4,
        "chinese_bleu_1": chinese_bleu_1,
        "chinese_rouge_1": chinese_rouge_1,
        "chinese_rouge_2": chinese_rouge_2,
        "cleva_math_result_match": cleva_math_result_match,
        "absolute_value_difference": absolute_value_difference,
        "cider": cider,
        "wer_score": wer_score,
        "mer_score": mer_score,
        "wip_score": wip_score,
        "cer_score": cer_score,
        "chinese_wer_score": chinese_wer_score,
        "chinese_mer_score": chinese_mer_score,
        "chinese_wip_score": chinese_wip_score,
        "chinese_cer_score": chinese_cer_score,
    }.items()
}
"""Maps name to function of (reference text, prediction). Plugins add generic metrics here."""

metric_fn_mapping = REFERENCE_METRICS


def get_reference_metrics_metadata(names: list[str]) -> list[MetricMetadata]:
    """Return how the stats of these names are shown; unknown names are left out."""
    return get_display_data([name for name in names if name in REFERENCE_METRICS or name in CODE_METRIC_NAMES])


# --- of a request state -----------------------------------------------------------------------------------------------


def compute_reference_metrics(
    names: list[str], adapter_spec: AdapterSpec, request_state: RequestState, metric_service: MetricService
) -> list[Stat]:
    """Return `compute_reference_values` as stats without context."""
    return to_stats(compute_reference_values(names, adapter_spec, request_state))


def compute_reference_values(names: list[str], adapter_spec: AdapterSpec, request_state: RequestState) -> NamedValues:
    """Return `max_prob`, then for every name the best score of the most likely completion over the correct references.

    If `adapter_spec.num_outputs` is not 1, every name is followed by `name@num_outputs`, the best score over all
    completions. Raises: AssertionError without a correct reference, UnknownReferenceMetricError for an unknown name.
    """
    golds = [reference.output.text for reference in request_state.instance.references if CORRECT_TAG in reference.tags]
    assert golds, "The instance has references, but none is tagged as correct"
    completions: list[GeneratedOutput] = request_state.result.completions  # type: ignore[union-attr]
    if len(completions) > 1:
        completions = sorted(completions, key=lambda completion: completion.logprob, reverse=True)
    preds: list[Any] = [completion.text.strip() for completion in completions]
    if request_state.output_mapping is not None:
        pattern, mapping = adapter_spec.output_mapping_pattern, request_state.output_mapping
        if pattern:
            preds = [apply_output_mapping_pattern(pattern, pred) for pred in preds]
        preds = [mapping.get(pred) for pred in preds]
    values: NamedValues = [("max_prob", math.exp(completions[0].logprob))]
    num_outputs = adapter_spec.num_outputs
    code_scores = None
    for name in names:
        if name in CODE_METRIC_NAMES:
            from helm.benchmark.metrics.code_metrics import HumanEvalScores

            code_scores = code_scores or HumanEvalScores(request_state.instance, preds)
            values += code_scores.compute(name, num_outputs)
            continue
        function = REFERENCE_METRICS.get(name) or get_reference_metric(name)
        score = function(golds[0], preds[0]) if len(golds) == 1 else max([function(gold, preds[0]) for gold in golds])
        values.append((name, score))
        if num_outputs != 1:
            if len(preds) > 1:
                score = max([function(gold, pred) for gold in golds for pred in preds])
            values.append((f"{name}@{num_outputs}", score))
    if code_scores:
        from helm.benchmark.metrics.code_metrics import mark_unprotected

        values += mark_unprotected()
    return values


def get_reference_metric(name: str) -> ReferenceMetric:
    """Return the function of that name. Raises: UnknownReferenceMetricError with the nearest name."""
    try:
        return REFERENCE_METRICS[name]
    except KeyError:
        hint = suggest(name, [*REFERENCE_METRICS, *CODE_METRIC_NAMES])
        raise UnknownReferenceMetricError(f"{name} is not in the list of metric functions.{hint}") from None


def apply_output_mapping_pattern(pattern: str, prediction: str) -> str | None:
    """Return the first group (without groups, the whole) of the pattern's match in a prediction; "" without a match.

    None if the first group did not participate in the match.
    """
    match = re.search(pattern, prediction)
    if match is None:
        return ""
    return match.group(1) if match.re.groups else match.group(0)
