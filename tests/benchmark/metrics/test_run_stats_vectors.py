"""The metrics of the golden runs, on the request states that stand in their files."""

from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import MetricSpec, create_metric
from helm.benchmark.scenarios.scenario import Instance
from helm.common.codec import asdict_without_nones, structure
from helm.common.request import Token
from metrics_support import find_difference, make_metric_service
from vectors_support import load_vectors, vectors_dir

_DRY_RUN = MetricSpec("helm.benchmark.metrics.dry_run_metrics.DryRunMetric")


def _read_states(data: list[dict[str, Any]]) -> list[RequestState]:
    """One instance object per (id, perturbation), as in the run; reading gives every state its own.

    Log-probabilities keep their type (an int reads as a float otherwise), because sums of ints are written as ints.
    """
    instances: dict[tuple[Any, ...], Instance] = {}
    states = []
    for item in data:
        state = structure(item, RequestState)
        instance = instances.setdefault((state.instance.id, state.instance.perturbation), state.instance)
        result: Any = state.result
        if result is not None:
            completions = [
                replace(completion, logprob=raw["logprob"], tokens=[Token(**token) for token in raw["tokens"]])
                for completion, raw in zip(result.completions, item["result"]["completions"], strict=True)
            ]
            result = replace(result, completions=completions)
        states.append(replace(state, instance=instance, result=result))
    return states


def _replace_volatile(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: 1 if value == "<volatile>" else _replace_volatile(value) for key, value in data.items()}
    return [_replace_volatile(item) for item in data] if isinstance(data, list) else data


def _without(stats: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    return [stat for stat in stats if stat["name"]["name"] not in names]


def _check_run(run: dict[str, Any], is_dry: bool) -> None:
    run_spec, volatile = run["run_spec.json"], run["volatile_stats"]
    states = _read_states(_replace_volatile(run["scenario_state.json"]["request_states"]))
    scenario_state = ScenarioState(structure(run_spec["adapter_spec"], AdapterSpec), states)
    specs = [_DRY_RUN] if is_dry else [MetricSpec(**spec) for spec in run_spec["metric_specs"]]
    stats, per_instance_stats = [], []
    for spec in specs:
        result = create_metric(spec).evaluate(scenario_state, make_metric_service(), "", 1)
        stats += [asdict_without_nones(stat) for stat in result.aggregated_stats]
        per_instance_stats += [asdict_without_nones(entry) for entry in result.per_instance_stats]
    entries = [{**entry, "stats": _without(entry["stats"], volatile)} for entry in per_instance_stats]
    assert not (difference := find_difference(_without(stats, volatile), run["stats.json"])), (
        run_spec["name"],
        difference,
    )
    difference = find_difference(entries, run["per_instance_stats.json"])
    assert not difference, (run_spec["name"], difference)


def test_stats_of_runs_vector(plugin: Any) -> None:
    paths = sorted((vectors_dir() / "helm-core" / "runs").glob("*.json"))
    assert paths
    for path in paths:
        vector = load_vectors(f"helm-core/runs/{path.name}")
        for run in vector["runs"]:
            _check_run(run, is_dry="--dry-run" in vector["argv"])
