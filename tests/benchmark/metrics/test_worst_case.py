"""The worst case by direction, beside the smallest value that `stats.json` has."""

import math
import random

import pytest

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric import MetricMetadata, PerInstanceStats
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.worst_case import compute_directed_worst_case, compute_worst_case_metrics, get_directions
from helm.benchmark.scenarios.scenario import Input, Instance

TYPOS = PerturbationDescription("typos", robustness=True)
DIALECT = PerturbationDescription("dialect", fairness=True)
DIRECTIONS = {"wer_score": True, "exact_match": False}


def _entry(
    instance_id: str, perturbation: PerturbationDescription | None, values: dict[str, float], trial: int = 0
) -> PerInstanceStats:
    stats = [Stat(MetricName(name, "test", None, perturbation)).add(value) for name, value in values.items()]
    return PerInstanceStats(instance_id, perturbation, trial, stats)


def _means(stats: list[Stat]) -> dict[str, float]:
    means = {}
    for stat in stats:
        assert stat.name.perturbation is not None and stat.name.perturbation.computed_on == "worst"
        means[f"{stat.name.name} {stat.name.perturbation.name}"] = stat.mean or 0.0
    return means


def test_worst_is_the_largest_where_lower_is_better() -> None:
    entries = [
        _entry("id0", None, {"wer_score": 0.1, "exact_match": 1}),
        _entry("id0", TYPOS, {"wer_score": 0.5, "exact_match": 0}),
        _entry("id1", None, {"wer_score": 0.3, "exact_match": 1}),
    ]
    assert _means(compute_directed_worst_case(entries, DIRECTIONS)) == pytest.approx(
        {
            "wer_score robustness": 0.4,
            "wer_score typos": 0.5,
            "exact_match robustness": 0.5,
            "exact_match typos": 0.0,
        }
    )


def test_without_perturbations_there_is_no_worst_case() -> None:
    assert compute_directed_worst_case([_entry("id0", None, {"wer_score": 0.1})], DIRECTIONS) == []


def test_a_metric_without_direction_has_no_worst_case() -> None:
    entries = [_entry("id0", None, {"num_bytes": 3}), _entry("id0", TYPOS, {"num_bytes": 4})]
    assert compute_directed_worst_case(entries, DIRECTIONS) == []


def test_at_k_has_the_direction_of_its_name_and_nan_is_left_out() -> None:
    entries = [
        _entry("id0", None, {"wer_score@5": 0.2, "exact_match": math.nan}),
        _entry("id0", DIALECT, {"wer_score@5": 0.7}),
    ]
    means = _means(compute_directed_worst_case(entries, DIRECTIONS))
    assert means == {"wer_score@5 fairness": 0.7, "wer_score@5 dialect": 0.7}


def test_every_trial_counts_as_one_value() -> None:
    entries = [
        _entry("id0", TYPOS, {"wer_score": 1.0}, trial=0),
        _entry("id0", None, {"wer_score": 0.0}, trial=0),
        _entry("id0", TYPOS, {"wer_score": 0.5}, trial=1),
        _entry("id0", None, {"wer_score": 0.0}, trial=1),
    ]
    robustness = compute_directed_worst_case(entries, DIRECTIONS)[0]
    assert (robustness.count, robustness.mean, robustness.max) == (2, 0.75, 1.0)


def test_directions_come_from_the_metadata() -> None:
    metadata = [
        MetricMetadata("a", lower_is_better=True),
        MetricMetadata("b"),
        MetricMetadata("c", None, None, "", False),
    ]
    assert get_directions(metadata) == {"a": True, "c": False}


@pytest.mark.parametrize("seed", range(20))
def test_higher_is_better_agrees_with_the_original(seed: int) -> None:
    """Where higher is better and a copy exists, the figure is that of `stats.json`."""
    rng = random.Random(seed)
    entries, by_instance = [], {}
    for i in range(5):
        for perturbation in [None, TYPOS, DIALECT]:
            if perturbation is None or rng.random() < 0.7:
                entry = _entry(f"id{i}", perturbation, {"exact_match": rng.randint(0, 3)})
                entries.append(entry)
                by_instance[Instance(Input(), [], "test", None, f"id{i}", perturbation)] = entry.stats
    original = {
        (stat.name.perturbation.name): stat.mean
        for stat in compute_worst_case_metrics(by_instance)
        if stat.name.perturbation is not None and stat.name.perturbation.computed_on == "worst"
    }
    directed = {s.name.perturbation.name: s.mean for s in compute_directed_worst_case(entries, DIRECTIONS)}
    assert directed
    for name, mean in directed.items():
        assert mean == pytest.approx(original[name])
