"""Golden vectors of whole metrics: stats, worst case, scenarios, calibration, specs."""

import json
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.metrics import common_metric_specs
from helm.benchmark.metrics.basic_metrics import convert_tokens_to_text, get_num_bytes
from helm.benchmark.metrics.calibration import compute_calibration_metrics
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.efficiency_metrics import estimate_denoised_runtime, estimate_idealized_runtime, load_table
from helm.benchmark.metrics.metric import MetricName, MetricSpec, Stat, compute_worst_case_metrics, create_metric
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.codec import asdict_without_nones
from helm.common.request import Token
from metrics_support import find_difference, make_metric_service, make_perturbation, make_scenario_state
from vectors_support import load_vectors, vector_cases


def _number(value: Any) -> Any:
    return float(value) if value in ("NaN", "Infinity", "-Infinity") else value


def test_stat_ops_vector() -> None:
    for case in vector_cases("helm-metrics/stat_ops.json"):
        stat = Stat(MetricName("m"))
        for op, *args in case["ops"]:
            if op == "merge":
                other = Stat(MetricName("other"))
                for value in args[0]:
                    other.add(_number(value))
                stat.merge(other)
            elif op == "add":
                stat.add(_number(args[0]))
            elif op == "take_mean":
                stat = stat.take_mean()
            else:
                raise AssertionError(f"unknown operation {op}")
        assert not find_difference(asdict_without_nones(stat), case["stat"]), case["ops"]
        if isinstance(case["bare_str"], dict):
            with pytest.raises(Exception) as caught:
                stat.bare_str()
            assert type(caught.value).__name__ == case["bare_str"]["raises"], case["ops"]
        else:
            assert stat.bare_str() == case["bare_str"], case["ops"]
        assert (stat.sum == stat.sum) == case["kept_in_output"], case["ops"]


def test_worst_case_vector() -> None:
    for case in vector_cases("helm-metrics/worst_case.json"):
        per_instance_stats: dict[Instance, list[Stat]] = {}
        for row in case["rows"]:
            perturbation = make_perturbation(row["perturbation"])
            instance = Instance(Input(), [], split=row.get("split"), id=row["id"], perturbation=perturbation)
            context = (row.get("split"), row.get("sub_split"), perturbation)
            per_instance_stats[instance] = [
                Stat(MetricName(name, *context)).add(_number(value)) for name, value in row["values"].items()
            ]
        if "raises" in case or isinstance(case["worst_case_stats"], dict):
            with pytest.raises(AssertionError):
                compute_worst_case_metrics(per_instance_stats)
            continue
        actual = [asdict_without_nones(stat) for stat in compute_worst_case_metrics(per_instance_stats)]
        assert not (difference := find_difference(actual, case["worst_case_stats"])), (case["title"], difference)


def _check_scenario_case(case: dict[str, Any]) -> None:
    label, expected = (case.get("title"), case["metric"]), case["result"]
    state, service = make_scenario_state(case["scenario"]), make_metric_service()
    if "raises" in expected:
        with pytest.raises(Exception) as caught:
            create_metric(MetricSpec(**case["metric"])).evaluate(state, service, "", 1)
        causes = [caught.value, caught.value.__cause__]
        names = {cls.__name__ for cause in causes if cause is not None for cls in type(cause).__mro__}
        assert expected["raises"] in names, (label, caught.value)
        return
    result = create_metric(MetricSpec(**case["metric"])).evaluate(state, service, "", 1)
    aggregated = [asdict_without_nones(stat) for stat in result.aggregated_stats]
    per_instance = [asdict_without_nones(stats) for stats in result.per_instance_stats]
    assert not (difference := find_difference(_drop_platt(aggregated), _drop_platt(expected["aggregated"]))), (
        label,
        difference,
    )
    assert not (difference := find_difference(per_instance, expected["per_instance"])), (label, difference)


def _drop_platt(stats: list[dict[str, Any]]) -> list[Any]:
    """Platt numbers depend on where the optimiser stops: their names stay, and their values to two places."""
    return [
        [stat["name"], round(stat["mean"], 1)] if stat["name"]["name"].startswith("platt_") and "mean" in stat else stat
        for stat in stats
    ]


@pytest.mark.parametrize("topic", ["scenario_metrics", "classification"])
def test_scenario_metrics_vector(topic: str) -> None:
    for case in vector_cases(f"helm-metrics/{topic}.json"):
        _check_scenario_case(case)


@pytest.mark.parametrize("name", ["inference_idealized_runtimes", "inference_denoised_runtimes", "training_efficiency"])
def test_the_tables_of_efficiency_are_those_of_the_original(name: str) -> None:
    tables = Path(__file__).parents[2] / "vectors" / "helm-metrics" / "data" / "efficiency_tables.json"
    assert load_table(f"{name}.json") == json.loads(tables.read_text())[name]


def test_calibration_vector() -> None:
    for case in vector_cases("helm-metrics/calibration.json"):
        logprobs = case.get("logprob", [-1.0] * len(case["max_prob"]))
        per_instance_stats = {}
        for i, values in enumerate(zip(case["max_prob"], case["exact_match"], logprobs, strict=True)):
            names = ("max_prob", "exact_match", "logprob")
            stats = [Stat(MetricName(name, "test")).add(value) for name, value in zip(names, values, strict=True)]
            per_instance_stats[Instance(Input(), [], split="test", id=f"id{i}")] = stats
        actual = {stat.name.name: stat.mean for stat in compute_calibration_metrics(per_instance_stats)}
        assert list(actual) == case["order"], case
        for name, expected in case["stats"].items():
            if name in ("platt_coef", "platt_intercept"):
                approximation = pytest.approx(expected, rel=1e-2, abs=1e-4)
            elif name.startswith("platt_"):
                approximation = pytest.approx(expected, abs=1e-2)
            else:
                approximation = pytest.approx(expected, rel=1e-9, abs=1e-12)
            assert actual[name] == approximation, (name, case)


def test_token_bytes_vector() -> None:
    for case in vector_cases("helm-metrics/token_bytes.json"):
        tokens = [Token(text, 0.0) for text in case["tokens"]]
        assert get_num_bytes(tokens) == case["num_bytes"], case
        assert [group["text"] for group in convert_tokens_to_text(tokens)] == case["texts"], case


def test_efficiency_estimates_vector() -> None:
    for case in vector_cases("helm-metrics/efficiency_estimates.json"):
        args = (case["model_deployment"], case["num_prompt_tokens"], case["num_output_tokens"])
        for estimate, key in ((estimate_idealized_runtime, "idealized"), (estimate_denoised_runtime, "denoised")):
            expected = case[key] if case[key] is None else pytest.approx(case[key], rel=1e-9)
            assert estimate(*args) == expected, (key, case)


def test_pass_at_k_vector() -> None:
    for case in vector_cases("helm-metrics/pass_at_k.json"):
        assert pass_at_k_estimator(case["n"], case["c"], case["k"]) == pytest.approx(case["value"], rel=1e-9), case


def test_metric_specs_vector() -> None:
    for case in vector_cases("helm-metrics/metric_specs.json"):
        specs = getattr(common_metric_specs, case["function"])(*case["args"])
        assert [{"class_name": spec.class_name, "args": spec.args} for spec in specs] == case["specs"], case["function"]


def test_core_metric_specs_vector() -> None:
    for case in vector_cases("helm-core/metric_specs.json"):
        specs = getattr(common_metric_specs, case["function"])(*case["args"], **case["kwargs"])
        assert [{"class_name": spec.class_name, "args": spec.args} for spec in specs] == case["result"], case[
            "function"
        ]


def test_vector_files_say_what_they_are() -> None:
    assert load_vectors("helm-metrics/worst_case.json")["kind"] == "worst_case"
