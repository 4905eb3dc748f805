"""The columns of `TrialStats` against the definition: `merge_stat` and `compute_worst_case_metrics`."""

import random
from dataclasses import replace
from typing import Any

import pytest

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics import trial_stats
from helm.benchmark.metrics.metric import MetricName, Stat, add_context, compute_worst_case_metrics, merge_stat
from helm.benchmark.metrics.metric_name import MetricContext
from helm.benchmark.metrics.trial_stats import NamedValues, TrialStats, to_stats
from helm.benchmark.metrics.worst_case import FAIRNESS, ROBUSTNESS
from helm.benchmark.scenarios.scenario import Input, Instance

VALUES: list[Any] = [0, 1, 2, 0.1, 0.7, 1e-9, 0.0, -0.0, -3.5, True, None, 10**9, float("nan")]


def worst_case_by_definition(per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
    """Group by group, one `Stat` operation after the other."""
    groups: dict[Any, list[Stat]] = {}
    for instance, stats in per_instance_stats.items():
        for stat in stats:
            groups.setdefault((replace(stat.name, perturbation=None), instance.id), []).append(stat)
    result: dict[MetricName, Stat] = {}
    for (name, _), group in groups.items():
        original = next((stat for stat in group if stat.name.perturbation is None), None)
        copies = [stat for stat in group if stat.name.perturbation is not None]
        robust = Stat(replace(name, perturbation=ROBUSTNESS))
        fair = Stat(replace(name, perturbation=FAIRNESS))
        for stat in copies:
            if stat.name.perturbation.robustness:
                robust.merge(stat)
            if stat.name.perturbation.fairness:
                fair.merge(stat)
        for stat in [robust, fair, *(stat.copy() for stat in copies)]:
            perturbation = stat.name.perturbation
            if original is not None:
                stat.merge(original)
                if perturbation.name not in ("robustness", "fairness"):
                    on_original = replace(perturbation, computed_on="original")
                    merge_stat(result, Stat(replace(name, perturbation=on_original)).merge(original))
            if stat.count > 0:
                worst = replace(perturbation, computed_on="worst")
                merge_stat(result, Stat(replace(name, perturbation=worst)).add(stat.min))
    return list(result.values())


def make_instance(i: int, split: str = "test", perturbation: PerturbationDescription | None = None) -> Instance:
    return Instance(Input(), [], split=split, id=f"id{i}", perturbation=perturbation)


STATS, VALUES_ONE_BY_ONE, ALL_VALUES = "stats", "values", "all values"


def check(rows: list[Any], how: str) -> None:
    """Compares by text, so that 1 and 1.0, 0.0 and -0.0, and NaN count."""
    trial, expected_rows = TrialStats(), {}
    merged: dict[MetricName, Stat] = {}
    if how == ALL_VALUES:
        added = list(trial.add_all_values(rows))
        assert [instance for instance, _ in added] == [instance for instance, _ in rows]
        results = [stats for _, stats in added]
    else:
        add = trial.add_values if how == VALUES_ONE_BY_ONE else trial.add
        results = [add(instance, stats) for instance, stats in rows]
    for (instance, stats), got in zip(rows, results, strict=True):
        stats = stats if how == STATS else to_stats(stats)
        expected = [add_context(stat, MetricContext.from_instance(instance)) for stat in stats]
        assert repr(got) == repr(expected)
        expected_rows[instance] = expected
        for stat in expected:
            merge_stat(merged, stat)
    assert [describe(s) for s in trial.merge().values()] == [describe(s) for s in merged.values()]
    worst = trial.compute_worst_case_stats(trial.merge())
    expected_worst = [describe(s) for s in worst_case_by_definition(expected_rows)]
    assert [describe(s) for s in worst] == expected_worst
    assert [describe(s) for s in compute_worst_case_metrics(expected_rows)] == expected_worst


def describe(stat: Stat) -> list[Any]:
    numbers = (stat.count, stat.sum, stat.sum_squared, stat.min, stat.max, stat.mean, stat.variance, stat.stddev)
    return [stat.name, *map(repr, numbers)]


def random_values(rng: random.Random) -> NamedValues:
    names = rng.sample("abcdef", rng.randrange(1, 7)) if rng.random() < 0.5 else list("abc")
    return [(name, rng.choice(VALUES)) for name in names]


@pytest.mark.parametrize("how", [STATS, VALUES_ONE_BY_ONE, ALL_VALUES])
@pytest.mark.parametrize("seed", range(40))
def test_without_perturbations(monkeypatch: pytest.MonkeyPatch, seed: int, how: str) -> None:
    monkeypatch.setattr(trial_stats, "_MANY_ROWS", 1 + seed % 9)  # so that rows are added in several steps
    rng = random.Random(seed)
    rows = []
    for i in range(rng.randrange(1, 30)):
        values = random_values(rng)
        rows.append((make_instance(i, rng.choice(["valid", "test"])), to_stats(values) if how == STATS else values))
    check(rows, how)


@pytest.mark.parametrize("seed", range(30))
def test_stats_of_several_values(seed: int) -> None:
    rng = random.Random(seed)
    rows = []
    for i in range(rng.randrange(1, 20)):
        stats = to_stats(random_values(rng))
        for stat in stats:
            stat.add(rng.choice(VALUES))
        rows.append((make_instance(i), stats))
    check(rows, STATS)


@pytest.mark.parametrize("how", [STATS, VALUES_ONE_BY_ONE, ALL_VALUES])
@pytest.mark.parametrize("seed", range(30))
def test_with_perturbations(seed: int, how: str) -> None:
    rng = random.Random(seed)
    typos = PerturbationDescription("typos", robustness=True)
    dialect = PerturbationDescription("dialect", fairness=True, seed=3)
    rows = []
    for i in range(rng.randrange(1, 12)):
        for perturbation in rng.sample([None, typos, dialect], rng.randrange(1, 4)):
            values = random_values(rng)
            rows.append((make_instance(i, "test", perturbation), to_stats(values) if how == STATS else values))
    check(rows, how)


def test_two_originals_with_one_id_are_an_error() -> None:
    trial = TrialStats()
    for _ in range(2):
        trial.add_values(make_instance(0), [("m", 1)])
    with pytest.raises(AssertionError, match="id0"):
        trial.compute_worst_case_stats(trial.merge())


def test_a_name_twice_in_one_instance_is_an_error() -> None:
    trial = TrialStats()
    trial.add_values(make_instance(0), [("m", 1), ("m", 0)])
    with pytest.raises(AssertionError):
        trial.compute_worst_case_stats(trial.merge())


def test_values_of_a_name_that_occurs_twice_are_added_in_order() -> None:
    rows: list[tuple[Instance, NamedValues]] = [(make_instance(i), [("m", x), ("m", y)]) for i, x, y in DOUBLED]
    trial = TrialStats()
    list(trial.add_all_values(rows))
    (merged,) = trial.merge().values()
    assert merged.sum == 1e16 + 1.0 - 1e16 + 1.0 == 1.0


DOUBLED = [(0, 1e16, 1.0), (1, -1e16, 1.0)]


def test_a_metric_may_hand_out_one_stat_for_all_instances() -> None:
    trial, shared = TrialStats(), Stat(MetricName("m")).add(1)
    for i, split in enumerate(["valid", "test", "test"]):
        trial.add(make_instance(i, split), [shared])
    assert [(stat.name.split, stat.sum) for stat in trial.merge().values()] == [("valid", 1), ("test", 2)]
    assert shared.name.split is None and shared.count == 1


def test_numbers_that_recur_share_their_stats_and_others_take_no_memory() -> None:
    trial = TrialStats()
    values = [0.0, -0.0, 1.0, 0.0, -0.0, 1.0, 1, True, *(number / 7 for number in range(1, 100))]
    rows = [trial.add_values(Instance(Input("x"), [], id=f"id{i}"), [("a", value)]) for i, value in enumerate(values)]
    assert [repr(stat.min) for (stat,) in rows] == [repr(int(v) if v is True else v) for v in values]
    assert rows[0][0] is rows[3][0] and rows[2][0] is rows[5][0] and rows[6][0] is not rows[5][0]
    assert len(trial._columns[0].floats) <= 32
