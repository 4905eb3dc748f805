"""Metrics of single tasks: recorded cases of crfm-helm 0.5.16, and what it has no good answer to."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from helm.benchmark.metrics.conv_fin_qa_calc_metrics import parse_first_number
from helm.benchmark.metrics.decodingtrust_fairness_metrics import (
    compute_demographic_parity_difference,
    compute_equalized_odds_difference,
)
from helm.benchmark.metrics.decodingtrust_stereotype_bias_metrics import judge_agreement
from helm.benchmark.metrics.fin_qa_metrics_helper import are_equal_programs, run_program
from helm.benchmark.metrics.metric import create_metric
from helm.benchmark.metrics.mimiciv_billing_code_metrics import MIMICIVBillingCodeMetric
from helm.benchmark.specs import MetricSpec
from helm.common.codec import asdict_without_nones
from helm.common.errors import HelmError, MetricError
from metrics_support import find_difference, make_metric_service, make_scenario_state

RECORDED = Path(__file__).parents[2] / "recorded"
CASES = json.loads((RECORDED / "task_metrics.json").read_text(encoding="utf-8"))["cases"]


def evaluate(class_name: str, scenario: dict[str, Any], args: dict[str, Any] | None = None) -> dict[str, Any]:
    metric = create_metric(MetricSpec(f"helm.benchmark.metrics.{class_name}", args or {}))
    result = metric.evaluate(make_scenario_state(scenario), make_metric_service(), "", 1)
    return {
        "aggregated": [asdict_without_nones(stat) for stat in result.aggregated_stats],
        "per_instance": [asdict_without_nones(stats) for stats in result.per_instance_stats],
    }


def one(class_name: str, *rows: dict[str, Any], **args: Any) -> dict[str, float | None]:
    """Mean of every stat without perturbation over rows of `text`, `references` and more."""
    instances, requests = {}, []
    for i, row in enumerate(rows):
        request = {"instance": str(i), "completions": [{"text": text} for text in row.pop("texts")]}
        request.update({key: row.pop(key) for key in ("annotations", "output_mapping") if key in row})
        requests.append(request)
        instances[str(i)] = {"id": f"id{i}", "split": "test", **row}
    scenario = {"adapter": {"method": "generation"}, "instances": instances, "requests": requests}
    stats = evaluate(class_name, scenario, args)["aggregated"]
    return {stat["name"]["name"]: stat.get("mean") for stat in stats if "perturbation" not in stat["name"]}


@pytest.mark.parametrize(
    "case", CASES, ids=[f"{c['metric']['class_name'].split('.')[-1]}: {c['title']}" for c in CASES]
)
def test_stats_equal_those_recorded_from_crfm_helm_0_5_16(case):
    class_name = case["metric"]["class_name"].removeprefix("helm.benchmark.metrics.")
    actual = evaluate(class_name, case["scenario"], case["metric"]["args"])
    assert not find_difference(actual, case["result"])


RIGHT = [["4", ["correct"]]]


@pytest.mark.parametrize(
    "class_name",
    [
        "ruler_qa_metrics.RulerQAMetric",
        "conv_fin_qa_calc_metrics.ConvFinQACalcMetric",
        "deepmind_mrcr_v2_metric.DeepMindMRCRV2Metric",
        "medec_metrics.MedecMetric",
        "mimiciv_billing_code_metrics.MIMICIVBillingCodeMetric",
        "kpi_edgar_metrics.KPIEdgarMetric",
        "decodingtrust_privacy_metrics.PrivacyMetric",
        "decodingtrust_stereotype_bias_metrics.StereotypeMetric",
    ],
)
def test_an_instance_without_reference_or_completion_gets_no_score(class_name):
    assert one(class_name, {"texts": ["4"], "references": []}) == {}
    assert one(class_name, {"texts": [], "references": RIGHT}) == {}


def test_the_last_random_string_of_the_target_counts():
    name = "deepmind_mrcr_v2_metric.DeepMindMRCRV2Metric"
    target = [["abcdefghijkl the poem ", ["correct"]]]

    def score(text: str) -> float | None:
        return one(name, {"texts": [text], "references": target})["deepmind_mrcr_v2_score"]

    assert score("abcdefghijkl the poem") == 1.0
    assert score("I think abcdefghijkl is it. abcdefghijkl\nthe poem") == 1.0
    assert score("the poem") == 0.0
    assert score("abcdefghijkl") == 0.0
    assert score("abcdefghijkl the pxem") == pytest.approx(2 * 7 / 16)


def test_lab_tests_are_judged_by_their_limits():
    data = {"category": "lab test", "lower_limit": "4", "upper_limit": "6"}
    rows = [{"texts": [text], "references": RIGHT, "extra_data": data} for text in ("5", "7")]
    assert one("medcalc_bench_metrics.MedCalcBenchMetric", *rows) == {"medcalc_bench_accuracy": 0.5}


def test_limits_that_cannot_be_read_give_no_score():
    data = {"category": "physical", "lower_limit": "", "upper_limit": "x"}
    row = {"texts": ["4"], "references": RIGHT, "extra_data": data}
    assert one("medcalc_bench_metrics.MedCalcBenchMetric", row) == {}


def test_a_metric_of_another_scenario_says_what_the_instance_lacks():
    with pytest.raises(MetricError, match="instance id0: extra_data lacks category"):
        one("medcalc_bench_metrics.MedCalcBenchMetric", {"texts": ["4"], "references": RIGHT})
    with pytest.raises(MetricError, match="extra_data lacks random_string_to_prepend"):
        one("openai_mrcr_metrics.OpenAIMRCRMetric", {"texts": ["4"], "references": RIGHT})
    with pytest.raises(MetricError, match="no annotation 'czech_bank_qa'"):
        one("czech_bank_qa_metrics.CzechBankQAMetrics", {"texts": ["4"], "references": RIGHT})
    with pytest.raises(MetricError, match="expected three references"):
        one("fin_qa_metrics.FinQAMetric", {"texts": ["4"], "references": RIGHT})


def test_the_sentence_of_an_error_is_told_by_the_leading_numbers():
    texts = ["3 Another correction.", "4 The correction.", "CORRECT"]
    rows = [{"texts": [text], "references": [["3 The correction.", ["correct"]]]} for text in texts]
    assert one("medec_metrics.MedecMetric", *rows) == {
        "medec_error_flag_accuracy": pytest.approx(2 / 3),
        "medec_error_sentence_accuracy": pytest.approx(1 / 3),
    }


def test_notes_without_codes_that_get_none_are_left_out():
    row = {"texts": ["none"], "references": [["", ["correct"]]]}
    assert one("mimiciv_billing_code_metrics.MIMICIVBillingCodeMetric", row) == {}
    assert MIMICIVBillingCodeMetric().extract_icd_codes("Z79.899 and E11") == ["Z79.899", "E11"]


def test_an_unreadable_right_program_or_result_gives_no_score():
    def score(*references: str) -> dict[str, float | None]:
        row = {"texts": ["add(1, 2)"], "references": [[text, []] for text in references]}
        return one("fin_qa_metrics.FinQAMetric", row)

    assert score("add(1,2)", "3", "[]") == {"execution_accuracy": 1.0}
    assert score("add(1, 2)", "three", "[]") == {"program_accuracy": 1.0}
    assert score("add(1, 2)", "3", "no table") == {"program_accuracy": 1.0}


def test_a_long_program_does_not_take_long():
    steps = ", ".join(["add(1, 2)"] + [f"add(#{i}, #{i})" for i in range(45)])
    assert are_equal_programs(steps, steps)
    assert are_equal_programs(steps, steps.replace("add(1, 2)", "add(2, 1)"))
    assert run_program(steps, []) == 3 * 2.0**45


def test_entities_of_unknown_tags_are_left_out():
    row = {"texts": ["a [kpi], b [thereof]"], "references": [["a [kpi], b [thereof]", ["correct"]]]}
    scores = one("kpi_edgar_metrics.KPIEdgarMetric", row)
    assert scores == {"word_macro_f1_score": 0.25, "adjusted_macro_f1_score": 0.25}


def test_refusals_alone_have_no_meaningful_accuracy():
    row = {"texts": ["I'm sorry"], "references": RIGHT, "output_mapping": {"A": "4"}}
    scores = one("decodingtrust_ood_knowledge_metrics.OODKnowledgeMetric", row)
    assert scores == {"ood_knowledge_acc": 0.0, "ood_knowledge_rr": 1.0}


JUDGEMENTS = [(1, 1, "f"), (0, 1, "f"), (0, 0, "f"), (0, 0, "f"), (1, 1, "m"), (1, 1, "m"), (1, 0, "m"), (0, 0, "m")]


def test_fairness_differences_by_hand():
    assert compute_demographic_parity_difference(JUDGEMENTS) == 0.5  # 3/4 against 1/4
    assert compute_equalized_odds_difference(JUDGEMENTS) == 0.5  # true positives 2/2 against 1/2
    assert compute_equalized_odds_difference([]) == 0.0


def test_fairness_groups_are_told_by_extra_data():
    rows: list[dict[str, Any]] = [
        {"texts": [["no", "yes"][p]], "references": [[str(t), ["correct"]]], "extra_data": {"sensitive_attribute": g}}
        for p, t, g in JUDGEMENTS
    ]
    rows.append({"texts": ["perhaps"], "references": [["1", ["correct"]]]})
    scores = one("decodingtrust_fairness_metrics.FairnessMetric", *rows)
    assert scores == {"demographic_parity_difference": 0.5, "equalized_odds_difference": 0.5}


@pytest.mark.parametrize(
    "text, expected",
    [("I agree.", True), ("I don’t agree", False), ("I disagree", False), ("No comment", None), ("", None)],
)
def test_agreement(text, expected):
    assert judge_agreement(text) is expected


def test_stereotypes_are_averaged_over_cells():
    def row(topic: str, *texts: str) -> dict[str, Any]:
        return {"texts": list(texts), "references": [["", [topic, "group", "benign"]]]}

    rows = [row("greed", "I agree", "I disagree"), row("greed", "I agree", "Hm"), row("driving", "Hm")]
    assert one("decodingtrust_stereotype_bias_metrics.StereotypeMetric", *rows) == {
        "decodingtrust_stereotype_bias": 0.25,
        "decodingtrust_stereotype_bias_rejection_rate": 0.625,
    }


@pytest.mark.parametrize("text, number", [("about -1.5e2 dollars", -150.0), ("1,234", 1.0), ("none", None)])
def test_first_number(text, number):
    assert parse_first_number(text) == number


PICTURE = {"text": "hello", "media_object": {"content_type": "image/png", "location": "http://localhost/a.png"}}
IMAGE_METRICS = "vision_language.image_metrics.AnnotatedImageMetrics"


def test_pictures_that_compile_are_scored_by_their_text():
    def score(*annotations: dict[str, Any]) -> dict[str, float | None]:
        row = {
            "texts": ["hello"],
            "references": [["hello world", ["correct"]]],
            "annotations": {"latex_compiler": list(annotations)},
        }
        return one(IMAGE_METRICS, row, generation_type="latex", metric_names=["edit_similarity"])

    # as recorded from crfm-helm 0.5.16
    assert score(PICTURE) == {"edit_similarity": 1.0, "compilation_success": 1.0}
    assert score({**PICTURE, "text": "x+y"}) == {"edit_similarity": 0.0, "compilation_success": 1.0}
    assert score({"error": "bad"}) == {"edit_similarity": 0.0, "compilation_success": 0.0}
    assert score(PICTURE, {"error": "bad"}) == {"edit_similarity": 0.5, "compilation_success": 0.5}


def test_names_of_picture_measures_are_checked(monkeypatch):
    def make(*names: str, **args: Any) -> Any:
        args = {"generation_type": "latex", "metric_names": list(names), **args}
        return create_metric(MetricSpec(f"helm.benchmark.metrics.{IMAGE_METRICS}", args))

    with pytest.raises(ValueError, match="Did you mean 'edit_similarity'"):
        make("edit_similarty")
    with pytest.raises(ValueError, match="size_handling_method"):
        make(size_handling_method="stretch")
    with pytest.raises(MetricError, match="no annotation 'latex_compiler'"):
        one(IMAGE_METRICS, {"texts": ["a"], "references": RIGHT}, generation_type="latex", metric_names=[])
    monkeypatch.setattr("helm.benchmark.metrics.vision_language.image_metrics.find_spec", lambda name: None)
    with pytest.raises(HelmError, match="'block_emd' needs the package 'cv2'.* pip install .*image2struct"):
        make("block_emd")


def test_answers_whose_program_broke_have_no_scores():
    rows = [
        {"texts": ["x"], "references": RIGHT, "annotations": {"latex_compiler": annotation}}
        for annotation in (None, [{"error": "bad"}])
    ]
    scores = one(IMAGE_METRICS, *rows, generation_type="latex", metric_names=["edit_similarity"])
    assert scores == {"edit_similarity": 0.0, "compilation_success": 0.0, "rendering_success": 0.5}


def test_unitxt_gets_the_rows_of_the_instances(monkeypatch):
    seen: dict[str, Any] = {}

    def load_dataset(recipe: str) -> dict[str, list[str]]:
        seen["recipe"] = recipe
        return {"test": ["row 0", "row 1", "row 2"]}

    def score(predictions: list[str], data: list[str]) -> list[dict[str, Any]]:
        seen["pairs"] = list(zip(predictions, data, strict=True))
        total = {"accuracy": 0.5, "score": 0.5, "score_name": "accuracy"}
        return [{"score": {"instance": {"accuracy": float(p == "a")}, "global": total}} for p in predictions]

    stand_in = SimpleNamespace(load_dataset=load_dataset, evaluate=score)
    monkeypatch.setitem(sys.modules, "unitxt", stand_in)
    instances = {str(i): {"id": f"test{i}", "split": "test"} for i in (2, 0)}
    requests = [{"instance": "2", "completions": [{"text": "a"}]}, {"instance": "0", "completions": [{"text": "b"}]}]
    scenario = {"adapter": {"method": "generation"}, "instances": instances, "requests": requests}
    result = evaluate("unitxt_metrics.UnitxtMetric", scenario, {"card": "cards.wnli", "template": "t.x"})
    assert seen == {"recipe": "card=cards.wnli,template=t.x", "pairs": [("a", "row 2"), ("b", "row 0")]}
    assert [(stat["name"], stat["mean"]) for stat in result["aggregated"]] == [
        ({"name": "accuracy", "split": "test"}, 0.5)
    ]
    assert [(p["instance_id"], p["stats"][0]["mean"]) for p in result["per_instance"]] == [
        ("test2", 1.0),
        ("test0", 0.0),
    ]


def test_unitxt_ids_name_split_and_row(monkeypatch):
    monkeypatch.setitem(sys.modules, "unitxt", SimpleNamespace(load_dataset=lambda recipe: {}, evaluate=None))
    scenario = {
        "adapter": {"method": "generation"},
        "instances": {"a": {"id": "12", "split": "test"}},
        "requests": [{"instance": "a", "completions": []}],
    }
    with pytest.raises(MetricError, match="the id '12' is not a split and row"):
        evaluate("unitxt_metrics.UnitxtMetric", scenario, {"recipe": "x"})
