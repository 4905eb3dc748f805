"""Metrics on annotations: against the original, and what a whole run makes of unusable judgements."""

import math
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.air_bench_metrics import AIRBench2024BasicGenerationMetric, AIRBench2024ScoreMetric
from helm.benchmark.metrics.alrage_metric import ALRAGEMetric
from helm.benchmark.metrics.annotation_metrics import (
    AnnotationLabelMetric,
    AnnotationLikertScaleMetric,
    AnnotationNumericMetric,
)
from helm.benchmark.metrics.arabic_content_generation_metric import ArabicContentGenerationMetric
from helm.benchmark.metrics.arabic_finance_calculation_metric import ArabicFinanceCalculationMetric
from helm.benchmark.metrics.arabic_legal_metric import ArabicLegalMetric
from helm.benchmark.metrics.gpqa_chain_of_thought_metric import GPQAChainOfThoughtMetric, extract_answer
from helm.benchmark.metrics.live_qa_metrics import LiveQAScoreMetric
from helm.benchmark.metrics.llm_jury_metrics import LLMJuryMetric
from helm.benchmark.metrics.metric import Metric
from helm.benchmark.metrics.omni_math_metrics import OmniMATHMetric
from helm.benchmark.metrics.safety_metrics import SafetyScoreMetric
from helm.benchmark.metrics.wildbench_metrics import WildBenchScoreMetric
from helm.common.errors import MetricError
from judge_support import check_outcome, compute_stats, make_state
from metrics_support import make_metric_service
from vectors_support import vector_cases


def test_annotation_metric_vectors() -> None:
    for case in vector_cases("helm-metrics/annotation_metrics.json"):
        metric: Metric
        if case["metric"] == "label":
            metric = AnnotationLabelMetric("ann", "key", case["labels"])
        elif case["metric"] == "likert":
            metric = AnnotationLikertScaleMetric("ann", "key", case["min"], case["max"])
        else:
            metric = AnnotationNumericMetric("ann", "key")
        state = make_state(annotations={"ann": {"key": case["value"]}})
        check_outcome(lambda metric=metric, state=state: compute_stats(metric, state), case["stats"], case)


def test_chain_of_thought_vectors() -> None:
    metric = GPQAChainOfThoughtMetric()
    references = [["x", []], ["y", ["correct"]], ["z", []]]
    for case in vector_cases("helm-metrics/chain_of_thought.json"):
        assert extract_answer(case["text"]) == case["extracted"], case
        state = make_state(case["text"], references=references)
        check_outcome(lambda state=state: compute_stats(metric, state), case["stats_correct_is_B"], case)


def test_the_letter_is_that_of_the_first_correct_reference() -> None:
    with pytest.raises(ValueError, match="No correct answer found for instance ID id0"):
        compute_stats(GPQAChainOfThoughtMetric(), make_state("answer is A", references=[["x", []]]))
    both = [["x", []], ["y", ["correct"]], ["z", ["correct"]]]
    assert compute_stats(GPQAChainOfThoughtMetric(), make_state("answer is C", references=both))[0][1] == 0


@pytest.mark.parametrize(
    "metric, annotator, stat",
    [
        (LiveQAScoreMetric(), "live_qa", "live_qa_score"),
        (ALRAGEMetric(), "alrage", "alrage_score"),
        (ArabicLegalMetric(), "arabic_legal", "model_judged_score"),
        (ArabicFinanceCalculationMetric(), "arabic_finance_calculation", "calculation_accuracy"),
    ],
)
def test_scores_are_taken_as_they_are(metric: Metric, annotator: str, stat: str) -> None:
    assert compute_stats(metric, make_state(annotations={annotator: {"score": 0.5}})) == [[stat, 0.5, 1]]
    assert compute_stats(metric, make_state(annotations={annotator: {"score": None}})) == [[stat, None, 0]]
    for annotations in (None, {}, {"other": {"score": 1}}):
        with pytest.raises((AssertionError, KeyError), match=f"id0 has no annotation '{annotator}'"):
            compute_stats(metric, make_state(annotations=annotations))


def test_ratings_of_articles_are_brought_to_0_to_1() -> None:
    metric = ArabicContentGenerationMetric()
    annotation: dict[str, Any] = {"faithfulness": {"score": 3}, "style": {"score": 5}}
    state = make_state(annotations={"arabic_content_generation": annotation})
    assert compute_stats(metric, state) == [["arabic_content_generation_score", 0.75, 1]]


def test_air_bench_scores_count_for_three_categories() -> None:
    state = make_state(references=[["1.2.3", []], ["L2", []]], annotations={"air_bench_2024": {"score": 0.5}})
    names = ["air_score", "air_category_1_score", "air_category_1_2_score", "air_category_1_2_3_score"]
    assert compute_stats(AIRBench2024ScoreMetric(), state) == [[name, 0.5, 1] for name in names]
    for references in ([["1.2.3", []]], [["1.2", []], ["L2", []]]):
        state = make_state(references=references, annotations={"air_bench_2024": {"score": 1}})
        with pytest.raises(AssertionError, match="a category like 1.2.3"):
            compute_stats(AIRBench2024ScoreMetric(), state)
    assert AIRBench2024BasicGenerationMetric().get_metadata()


# --- a whole run ------------------------------------------------------------------------------------------------------


def evaluate(metric: Metric, annotations: list[Any], references: Any = ()) -> dict[str, float]:
    """Means of the aggregated stats of a run with one instance per annotation, without the worst cases."""
    states = [
        make_state(annotations=each, instance_id=f"id{i}", references=references) for i, each in enumerate(annotations)
    ]
    result = metric.evaluate(ScenarioState(AdapterSpec(), states), make_metric_service(), "", 1)
    return {s.name.name: s.mean for s in result.aggregated_stats if s.name.perturbation is None and s.mean is not None}


GOOD_AND_BAD = [
    (SafetyScoreMetric(), "harm_bench", {"gpt_score": 0.5}, {"gpt_score": None, "gpt_response_text": "hm"}),
    (WildBenchScoreMetric(), "wildbench", {"gpt_score": 7.0}, {"gpt_score": None}),
    (OmniMATHMetric(), "omni_math", {"gpt_equivalence_judgement": True}, {"gpt_equivalence_judgement": None}),
    (LiveQAScoreMetric(), "live_qa", {"score": 0.5}, {"score": None, "response_text": "hm"}),
    (AnnotationNumericMetric("ann", "score"), "ann", {"score": 2}, {"score": None}),
    (AnnotationLabelMetric("ann", "label", ["a", "b"]), "ann", {"label": "a"}, {"label": None}),
    (AnnotationLikertScaleMetric("ann", "score", 1, 5), "ann", {"score": 2}, {"score": None}),
    (ArabicContentGenerationMetric(), "arabic_content_generation", {"a": {"score": 3}}, {"a": {"score": None}}),
]
SAFETY = "safety_gpt_annotator_success"
SUCCESS = [SAFETY, "wildbench_annotator_success", "omni_math_annotator_success", "live_qa_annotator_success"]
SUCCESS += ["annotation_ann_score_annotator_success", "annotation_ann_label_annotator_success"]
SUCCESS += ["annotation_ann_score_annotator_success", "arabic_content_generation_annotator_success"]


@pytest.mark.parametrize("row, success", list(zip(GOOD_AND_BAD, SUCCESS, strict=True)))
def test_an_unjudged_instance_is_counted_and_left_out(row: Any, success: str) -> None:
    metric, annotator, good, bad = row
    alone = evaluate(metric, [{annotator: good}])
    assert (success in alone) == (success == SAFETY)  # HELM's own stats only, when there was no trouble
    mixed = evaluate(metric, [{annotator: good}, {annotator: bad}, {annotator: good}, {annotator: good}])
    assert mixed.pop(success) == 0.75
    alone.pop(success, None)
    assert mixed == alone


@pytest.mark.parametrize("row", GOOD_AND_BAD)
def test_a_run_without_any_judgement_fails(row: Any) -> None:
    metric, annotator, _, bad = row
    with pytest.raises(MetricError, match="2 of 2 completions could not be judged") as caught:
        evaluate(metric, [{annotator: bad}, {annotator: bad}])
    assert "response_text" not in bad or "hm" in str(caught.value)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_score_that_is_no_finite_number_is_none(number: float) -> None:
    means = evaluate(SafetyScoreMetric(), [{"x": {"gpt_score": 1.0}}, {"x": {"gpt_score": number}}])
    assert (means["safety_score"], means[SAFETY]) == (1.0, 0.5)
    means = evaluate(WildBenchScoreMetric(), [{"wildbench": {"gpt_score": number}}, {"wildbench": {"gpt_score": 10.0}}])
    assert (means["wildbench_score"], means["wildbench_annotator_success"]) == (10.0, 0.5)


def test_a_jury_gives_the_default_score_and_says_how_many_judges_replied() -> None:
    metric = LLMJuryMetric("accuracy", "jury", {"a": None, "b": None}, default_score=1.0)
    both = {"prompt_text": "p", "a": {"x": {"score": 5}}, "b": {"x": {"score": 3}}}
    assert evaluate(metric, [{"jury": both}]) == {"accuracy": 4.0}
    one = {"prompt_text": "p", "a": {"x": {"score": 5}}}
    none = {"prompt_text": "p"}
    for bad in (None, "x", "4.5", math.nan, math.inf, []):
        unusable = {"prompt_text": "p", "a": {"x": {"score": bad}}}
        means = evaluate(metric, [{"jury": both}, {"jury": one}, {"jury": none}, {"jury": unusable}])
        assert means == {"accuracy": (4 + 5 + 1 + 1) / 4, "accuracy_annotator_success": (1 + 0.5) / 4}, bad
    empty = {"prompt_text": None, "empty_output_equivalence_judgement": False}
    assert evaluate(metric, [{"jury": empty}]) == {"accuracy": 1.0}
    with pytest.raises(MetricError, match="could not be judged"):
        evaluate(metric, [{"jury": none}])


def test_a_missing_annotator_fails_the_run() -> None:
    with pytest.raises(MetricError, match="Name the annotator in the run spec's annotators"):
        evaluate(WildBenchScoreMetric(), [{"wildbench": {"gpt_score": 1.0}}, {"other": {}}])
