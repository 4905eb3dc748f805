"""`BasicGenerationMetric` and its relatives on small scenario states."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.metrics.basic_metrics import BasicGenerationMetric, BasicReferenceMetric, InstancesPerSplitMetric
from helm.benchmark.metrics.dry_run_metrics import DryRunMetric
from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
from helm.benchmark.metrics.language_modeling_metrics import LanguageModelingMetric
from helm.benchmark.metrics.metric import (
    Metric,
    MetricName,
    MetricResult,
    Processor,
    RequestStateSet,
    Stat,
    get_all_stats_by_name,
    get_unique_stat_by_name,
)
from helm.common.errors import MetricError
from helm.common.request import GeneratedOutput, Request, RequestResult, Token, Usage
from metrics_support import make_metric_service, make_scenario_state


def scenario(
    texts: list[str], golds: list[str] | None = None, adapter: dict[str, Any] | None = None, **request: Any
) -> dict[str, Any]:
    """One test instance per text; the text is the only completion."""
    golds = golds or ["Paris"] * len(texts)
    return {
        "adapter": {"method": "generation", **(adapter or {})},
        "instances": {
            str(i): {"id": f"id{i}", "split": "test", "references": [[gold, ["correct"]]]}
            for i, gold in enumerate(golds)
        },
        "requests": [
            {
                "instance": str(i),
                "prompt": "12345",
                "completions": [{"text": text, "tokens": [[text, -1.0]]}],
                **request,
            }
            for i, text in enumerate(texts)
        ],
    }


def evaluate(metric: Any, data: dict[str, Any], parallelism: int = 1) -> MetricResult:
    return metric.evaluate(make_scenario_state(data), make_metric_service(), "", parallelism)


def plain_mean(result: MetricResult, name: str) -> float | None:
    stats = [stat for stat in result.aggregated_stats if stat.name == MetricName(name, "test")]
    return stats[0].mean if stats else None


def test_scores_are_means_over_instances() -> None:
    result = evaluate(BasicGenerationMetric(["exact_match"]), scenario(["Paris", " Paris\n", "Rome", "paris"]))
    assert plain_mean(result, "exact_match") == 0.5
    assert [s.instance_id for s in result.per_instance_stats] == ["id0", "id1", "id2", "id3"]


def test_unknown_reference_metric_is_reported_at_once_with_the_nearest_name() -> None:
    with pytest.raises(
        MetricError, match="exact_mach is not in the list of metric functions. Did you mean 'exact_match'?"
    ):
        BasicGenerationMetric(["exact_mach"])


class FailsOnRome(Metric):
    def evaluate_generation(self, adapter_spec, request_state, metric_service, eval_cache_path):  # type: ignore
        if request_state.result.completions[0].text == "Rome":
            raise KeyError("no such city")
        return [Stat(MetricName("m")).add(1)]


def test_an_exception_names_metric_and_instance() -> None:
    with pytest.raises(
        MetricError, match="Metric FailsOnRome failed on instance id1: KeyError: 'no such city'"
    ) as caught:
        evaluate(FailsOnRome(), scenario(["Paris", "Rome"]))
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.instance_id == "id1"


def test_a_missing_correct_reference_names_the_instance() -> None:
    data = scenario(["Paris"])
    data["instances"]["0"]["references"] = [["Paris", []]]
    with pytest.raises(MetricError, match="BasicGenerationMetric failed on instance id0: .*none is tagged as correct"):
        evaluate(BasicGenerationMetric(["exact_match"]), data)


def test_a_subclass_can_add_stats() -> None:
    class WithLength(BasicGenerationMetric):
        def evaluate_generation(self, adapter_spec, request_state, metric_service, eval_cache_path):  # type: ignore
            stats = super().evaluate_generation(adapter_spec, request_state, metric_service, eval_cache_path)
            return stats + [Stat(MetricName("length")).add(len(request_state.result.completions[0].text))]

    result = evaluate(WithLength(["exact_match"]), scenario(["Paris", "Rom"]))
    assert (plain_mean(result, "length"), plain_mean(result, "exact_match")) == (4.0, 0.5)
    assert plain_mean(result, "perplexity") == pytest.approx(2.718281828459045)


def test_threads_give_the_same_as_one_after_the_other() -> None:
    class Waits(FailsOnRome):
        waits_on_io = True

    data = scenario([str(i) for i in range(20)])
    assert evaluate(Waits(), data, parallelism=4) == evaluate(FailsOnRome(), data)


def test_none_label_is_a_miss() -> None:
    data = scenario(["A", "C"], adapter={"method": "multiple_choice_joint"}, output_mapping={"A": "Paris", "B": "Rome"})
    assert plain_mean(evaluate(BasicGenerationMetric(["exact_match"]), data), "exact_match") == 0.5


def test_trials_count_as_values() -> None:
    data = scenario(["Paris", "Rome"], adapter={"num_train_trials": 2})
    second = [{**request, "train_trial_index": 1} for request in data["requests"]]
    second[1]["completions"] = [{"text": "Paris"}]
    data["requests"] += second
    result = evaluate(BasicGenerationMetric(["exact_match"]), data)
    stat = next(s for s in result.aggregated_stats if s.name == MetricName("exact_match", "test"))
    assert (stat.count, stat.min, stat.max, stat.mean) == (2, 0.5, 1.0, 0.75)
    counts = evaluate(InstancesPerSplitMetric(), data).aggregated_stats
    assert [(s.name.name, s.count, s.mean) for s in counts] == [("num_instances", 2, 2.0)]


def test_processor_puts_stats_into_context() -> None:
    state = make_scenario_state(scenario(["Paris"]))
    processor = Processor(BasicGenerationMetric(["exact_match"]), make_metric_service(), "", state.adapter_spec)
    stats = processor.process(RequestStateSet(state.instances[0], state.request_states, []))
    assert {stat.name.split for stat in stats} == {"test"}
    assert get_unique_stat_by_name(stats, "exact_match").sum == 1  # type: ignore[union-attr]
    assert get_all_stats_by_name(stats, "nothing") == []
    assert get_unique_stat_by_name(stats, "nothing") is None


def test_unique_stat_by_name_refuses_two() -> None:
    with pytest.raises(AssertionError):
        get_unique_stat_by_name([Stat(MetricName("m")), Stat(MetricName("m", "test"))], "m")


def test_reference_metric_refuses_nan() -> None:
    data = scenario(["x"], adapter={"method": "multiple_choice_separate_original"}, reference_index=0)
    data["requests"][0].update(request_mode="original")
    data["requests"][0]["completions"] = [{"text": "x", "tokens": [["x", float("nan")]]}]
    with pytest.raises(MetricError, match="BasicReferenceMetric failed on instance id0: .*NaN"):
        evaluate(BasicReferenceMetric(), data)


def test_calibrated_scores_subtract_the_unconditional_ones() -> None:
    data = scenario(["x"], adapter={"method": "multiple_choice_separate_calibrated"})
    data["instances"]["0"]["references"] = [["a", []], ["b", ["correct"]]]
    logprobs = {(0, "original"): -1.0, (0, "calibration"): -1.0, (1, "original"): -2.0, (1, "calibration"): -5.0}
    data["requests"] = [
        {
            "instance": "0",
            "reference_index": index,
            "request_mode": mode,
            "completions": [{"text": "x", "tokens": [[" ", 0.0], ["x", logprob]]}],
        }
        for (index, mode), logprob in logprobs.items()
    ]
    result = evaluate(BasicReferenceMetric(), data)
    assert (plain_mean(result, "predicted_index"), plain_mean(result, "exact_match")) == (1.0, 1.0)
    assert plain_mean(result, "max_prob") == pytest.approx(0.9525741268224334)


def test_language_modeling_counts_windows_and_instances() -> None:
    data = scenario(["abc", "de"], adapter={"method": "language_modeling"})
    data["requests"].append(dict(data["requests"][1]))
    data["requests"][0]["completions"][0]["tokens"] = [["", 0.0], ["x", -9.0], ["abc", -2.0]]
    data["requests"][0]["num_conditioning_tokens"] = 1
    result = evaluate(LanguageModelingMetric([]), data)
    assert [s.instance_id for s in result.per_instance_stats] == ["id0", "id1", "id1"]
    assert plain_mean(result, "num_instances") == 2.0
    assert plain_mean(result, "logprob") == pytest.approx(-4 / 3)
    assert plain_mean(result, "logprob_per_byte") == pytest.approx(-4 / 7)
    assert [s.name.name for s in result.aggregated_stats][-5:] == [
        "num_bytes",
        "perplexity",
        "bits_per_byte",
        "logprob_per_byte",
        "num_instances",
    ]


@pytest.mark.parametrize(
    "deployment, expected",
    [("openai/x", 5 + 14), ("ai21/x", 14), ("cohere/x", 14), ("gooseai/x", 0), ("simple/model1", 0)],
)
def test_dry_run_cost_by_host(deployment: str, expected: int) -> None:
    data = scenario(["x"], adapter={"model_deployment": deployment}, num_completions=2, max_tokens=7)
    result = evaluate(DryRunMetric(), data)
    assert [(s.name.name, s.sum) for s in result.aggregated_stats] == [
        ("estimated_num_tokens_cost", expected),
        ("num_completions", 2),
        ("max_num_completion_tokens", 14),
        ("num_prompt_tokens", 5),
        ("num_requests", 1),
    ]


@pytest.mark.parametrize(
    "metric", [BasicGenerationMetric(["f1_score"]), BasicReferenceMetric(), InstancesPerSplitMetric()]
)
def test_emitted_names_have_display_data(metric: Any) -> None:
    described = {metadata.name for metadata in metric.get_metadata()}
    emitted = {stat.name.name for stat in evaluate(metric, scenario(["Paris", "Rome"])).aggregated_stats}
    assert emitted <= described


@pytest.mark.parametrize(
    ("tokens", "usage", "number"),
    [
        ([], Usage(7, 20), 20),
        ([], Usage(7, 20, reasoning_tokens=15), 5),
        ([], None, 0),
        ([Token("a", 0.0)], Usage(7, 20), 1),
    ],
)
def test_where_no_tokens_are_listed_the_count_of_the_server_is_taken(tokens, usage, number) -> None:
    completion = GeneratedOutput(text="an answer", logprob=0.0, tokens=tokens)
    result = RequestResult(success=True, cached=False, completions=[completion], embedding=[], usage=usage)
    state = SimpleNamespace(request=Request(model="m", model_deployment="m/m", prompt="p"), result=result)
    values = dict(EfficiencyMetric().compute_values(AdapterSpec(), cast(Any, state), make_metric_service()))
    assert (values["num_completion_tokens"], values["num_output_tokens"]) == (number, number)
