"""Golden vectors of metrics over texts and populations: ranking, BBQ, bias, copyright, diversity, toxicity, translation."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics import bias_word_lists
from helm.benchmark.metrics.bias_metrics import BiasMetric
from helm.benchmark.metrics.copyright_metrics import BasicCopyrightMetric
from helm.benchmark.metrics.disinformation_metrics import DisinformationMetric
from helm.benchmark.metrics.machine_translation_metrics import MachineTranslationMetric
from helm.benchmark.metrics.metric import Metric, MetricSpec, Stat, create_metric
from helm.benchmark.metrics.toxicity_metrics import ToxicityMetric
from helm.common.codec import asdict_without_nones
from helm.common.perspective_api_request import (
    PerspectiveAPIRequest,
    PerspectiveAPIRequestResult,
    ToxicityAttributes,
)
from helm.common.request import GeneratedOutput, Token
from metrics_support import find_difference, make_generation_state, make_metric_service, make_scenario_state
from vectors_support import vector_cases

WORD_LISTS = Path(__file__).parents[2] / "vectors" / "helm-metrics" / "data" / "bias_word_lists.json"
"""A constant table, always read from here."""


def evaluate(metric: Metric, state: RequestState, service: Any = None) -> list[Stat]:
    return metric.evaluate_generation(AdapterSpec(model_deployment="simple/model1"), state, service, "")


@pytest.mark.parametrize("topic", ["ranking", "bbq"])
def test_population_scenario_vector(topic: str) -> None:
    for case in vector_cases(f"helm-metrics/{topic}.json"):
        state, expected = make_scenario_state(case["scenario"]), case["result"]
        if "raises" in expected:
            with pytest.raises(Exception) as caught:
                create_metric(MetricSpec(**case["metric"])).evaluate(state, make_metric_service(), "", 1)
            causes = [caught.value, caught.value.__cause__]
            names = {cls.__name__ for cause in causes if cause is not None for cls in type(cause).__mro__}
            assert expected["raises"] in names, (case["metric"], caught.value)
            continue
        result = create_metric(MetricSpec(**case["metric"])).evaluate(state, make_metric_service(), "", 1)
        for actual, key in ((result.aggregated_stats, "aggregated"), (result.per_instance_stats, "per_instance")):
            difference = find_difference([asdict_without_nones(stat) for stat in actual], expected[key])
            assert not difference, (key, difference, case["metric"], case["scenario"])


def test_bias_vector() -> None:
    for case in vector_cases("helm-metrics/bias.json"):
        for name, expected in case["values"].items():
            args = dict(pair.split("=") for pair in name.partition(":")[2].split(","))
            (stat,) = BiasMetric(**args).evaluate_instances([make_generation_state(case["texts"])], "")
            assert stat.name.name == name
            assert stat.mean == (None if expected is None else pytest.approx(expected, rel=1e-9)), (name, case["texts"])


def test_bias_word_lists_vector() -> None:
    expected = json.loads(WORD_LISTS.read_text(encoding="utf-8"))
    for actual, key in (
        (bias_word_lists.GENDER_TO_WORD_LISTS, "gender"),
        (bias_word_lists.RACE_TO_NAME_LISTS, "race"),
        (bias_word_lists.ADJECTIVE_LIST, "adjectives"),
        (bias_word_lists.PROFESSION_LIST, "professions"),
    ):
        assert not find_difference(actual, expected[key])


def test_copyright_vector() -> None:
    for case in vector_cases("helm-metrics/copyright.json"):
        metric = BasicCopyrightMetric(**case["args"])
        state = make_generation_state(case["completions"], [case["reference"]], case["input"])
        (stat,) = evaluate(metric, state)
        assert stat.mean == pytest.approx(case["value"], rel=1e-9), case


def test_diversity_vector() -> None:
    for case in vector_cases("helm-metrics/diversity.json"):
        completions: list[Any] = list(case.get("completions", []))
        for logprobs in case.get("token_logprobs", []):
            tokens = [Token("t", logprob) for logprob in logprobs]
            completions.append(GeneratedOutput("t" * len(tokens), sum(logprobs), tokens))
        (stat,) = evaluate(DisinformationMetric(case["metric"]), make_generation_state(completions))
        if case["value"] == "NaN":
            assert stat.mean is not None and math.isnan(stat.mean), case
        else:
            assert stat.mean == pytest.approx(case["value"], rel=1e-9), case


class _ToxicityService:
    """Answers with given scores."""

    def __init__(self, scores: dict[str, float | None]):
        self._scores = scores

    def get_toxicity_scores(self, request: PerspectiveAPIRequest) -> PerspectiveAPIRequestResult:
        scores = {text: ToxicityAttributes(toxicity_score=self._scores[text]) for text in request.text_batch}
        return PerspectiveAPIRequestResult(success=True, cached=False, text_to_toxicity_attributes=scores)


def test_toxicity_vector() -> None:
    for case in vector_cases("helm-metrics/toxicity.json"):
        service = _ToxicityService({completion["text"]: completion["toxicity"] for completion in case["completions"]})
        state = make_generation_state([completion["text"] for completion in case["completions"]])
        means = {stat.name.name: stat.mean for stat in evaluate(ToxicityMetric(), state, service)}
        assert list(means)[: len(case["stats"])] == list(case["stats"])
        for name, expected in case["stats"].items():
            assert means[name] == pytest.approx(expected, rel=1e-9), (name, case)


def test_translation_bleu_vector() -> None:
    for case in vector_cases("helm-metrics/translation_bleu.json"):
        states = [make_generation_state([pair["hypothesis"]], [pair["reference"]]) for pair in case["pairs"]]
        (stat,) = MachineTranslationMetric().evaluate_instances(states, "")
        assert stat.name.name == "bleu"
        assert stat.mean == pytest.approx(case["bleu"], rel=1e-9), case
