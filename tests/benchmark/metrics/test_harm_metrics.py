"""Arguments, data and metadata of the bias, copyright, disinformation and ranking metrics; a service without its package."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.metrics import evaluate_reference_metrics
from helm.benchmark.metrics.basic_metrics import BasicGenerationMetric, metric_fn_mapping
from helm.benchmark.metrics.bbq_metrics import BBQMetric
from helm.benchmark.metrics.bias_metrics import BiasMetric
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.disinformation_metrics import DisinformationHumanEvalMetrics, DisinformationMetric
from helm.benchmark.metrics.metric import Metric
from helm.benchmark.metrics.metric_data import DATA_FOLDER_VARIABLE
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.ranking_metrics import RankingMetric
from helm.common.errors import ConfigError
from helm.common.local_context import LocalContext
from helm.common.nudity_check_request import NudityCheckRequest
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from metrics_support import make_generation_state


def evaluate(metric: Metric, *args: Any, deployment: str = "simple/model1") -> dict:
    spec = AdapterSpec(model_deployment=deployment)
    stats = metric.evaluate_generation(spec, make_generation_state(*args), None, "")  # type: ignore[arg-type]
    return {stat.name.name: stat.mean for stat in stats}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BiasMetric("representaton", "race"), "mode takes .* Did you mean 'representation'"),
        (lambda: BiasMetric("associations", "sex"), "demographic_category takes race or gender"),
        (lambda: BiasMetric("associations", "gender"), "target_category takes adjective or profession, not None"),
        (lambda: BasicCopyrightMetric("edit_distanc"), "Did you mean 'edit_distance'"),
        (lambda: DisinformationMetric("entropy"), "name takes self_bleu or monte_carlo_entropy, not 'entropy'"),
        (lambda: DisinformationHumanEvalMetrics("wedge"), "Did you mean 'wedging'"),
    ],
)
def test_wrong_arguments_are_told_with_the_choices(make: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()


def test_copyright_needs_one_reference_and_words_to_divide_by() -> None:
    with pytest.raises(ValueError, match="exactly one reference, got 2"):
        evaluate(BasicCopyrightMetric("edit_distance"), ["a"], ["b", "c"])
    with pytest.raises(ValueError, match="The input has no words"):
        evaluate(BasicCopyrightMetric("edit_distance", normalize_by_prefix_length=True), ["a"], ["b"], "")
    assert evaluate(BasicCopyrightMetric("edit_distance"), [], ["b"]) == {}


def test_what_people_said_about_disinformation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The form of the original's files."""
    monkeypatch.setenv(DATA_FOLDER_VARIABLE, str(tmp_path))
    answers = {"q1_address_audience": [1, 2, 4], "q3_style": [3], "q5_toxic": []}
    (tmp_path / "disinformation_wedging_human_eval.json").write_text(json.dumps({"org/model": {"thesis": answers}}))
    metric = DisinformationHumanEvalMetrics("wedging")
    expected = {"wedging_eval_address_intended_audience": 7 / 3, "wedging_eval_style": 3.0}
    assert evaluate(metric, ["x"], ["r"], "thesis\nmore", deployment="org/model") == pytest.approx(expected)
    assert evaluate(metric, ["x"], ["r"], "thesis", deployment="other/model") == {}
    assert evaluate(metric, ["x"], ["r"], "another thesis", deployment="org/model") == {}


METRICS = [
    BiasMetric("associations", "gender", "adjective"),
    BasicCopyrightMetric("edit_similarity"),
    DisinformationMetric("self_bleu"),
    DisinformationHumanEvalMetrics("reiteration"),
    BBQMetric(),
    RankingMetric("ranking_binary", ["recip_rank.10", "recall.5"], "Yes", "No", rank=3),
]


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: type(metric).__name__)
def test_metadata_says_how_to_show_every_stat(metric: Metric) -> None:
    metadata = metric.get_metadata()
    assert metadata and all(item.display_name and item.description for item in metadata)


def test_metadata_of_rankings_has_the_names_of_the_stats() -> None:
    names = [metadata.name for metadata in METRICS[-1].get_metadata()]
    assert names == ["RR@10", "Recall@5", "RR@10 (topk=3)", "Recall@5 (topk=3)"]


def test_a_generic_metric_is_a_function_in_the_mapping(monkeypatch: pytest.MonkeyPatch) -> None:
    def same_length(gold: str, pred: str) -> float:
        """Whether both texts are equally long.

        More about it."""
        return float(len(gold) == len(pred))

    assert metric_fn_mapping is evaluate_reference_metrics.metric_fn_mapping
    monkeypatch.setitem(metric_fn_mapping, "same_length", same_length)
    metric = BasicGenerationMetric(["exact_match", "same_length"])
    state = make_generation_state(["abc"], ["xyz", "x"])
    means = {
        stat.name.name: stat.mean for stat in metric.evaluate_generation(AdapterSpec(num_outputs=1), state, None, "")
    }  # type: ignore
    assert (means["exact_match"], means["same_length"]) == (0.0, 1.0)
    (metadata,) = [item for item in metric.get_metadata() if item.name == "same_length"]
    assert (metadata.display_name, metadata.lower_is_better) == ("Same length", False)
    assert metadata.description == "Whether both texts are equally long."


def test_a_service_without_its_package_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    service = MetricService(LocalContext(str(tmp_path)))
    with pytest.raises(OptionalDependencyNotInstalled, match=r"helm-evals\[nudity\]"):
        service.check_nudity(NudityCheckRequest(["image.png"]))
