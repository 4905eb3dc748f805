"""Values of single instances: in which order they are gathered, and what is left out."""

import math
import random

import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat
from helm.results.values_gatherer import MetricKey, ValuesGatherer

TEST = MetricKey("exact_match", "test")


def entry(number: int, *values: float | None, names: tuple[str, ...] = ("exact_match",)) -> PerInstanceStats:
    stats = [Stat(MetricName(name, "test")).add(value) for name, value in zip(names, values, strict=True)]
    return PerInstanceStats(f"id{number}", None, number % 3, stats)


def gather(entries: list[PerInstanceStats]) -> ValuesGatherer:
    gatherer = ValuesGatherer()
    for item in entries:
        gatherer.add(item)
    return gatherer


@pytest.mark.parametrize("count", [1, 200])
def test_values_come_in_the_order_of_the_entries(count: int) -> None:
    draws = random.Random(count)
    values = [draws.choice([0, 1, 0.25, None, math.nan, 1e308]) for _ in range(count)]
    found = gather([entry(number, value) for number, value in enumerate(values)]).finish()
    expected = [(number, value) for number, value in enumerate(values) if value is not None and value == value]
    (metric,) = found.metrics.values()
    assert list(zip(metric.owners, metric.values, strict=True)) == expected
    assert list(metric.trials) == [number % 3 for number, _ in expected]
    assert metric.not_finite == sum(value != value for value in values if value is not None)
    assert found.instance_ids == [f"id{number}" for number in range(count)]


def test_a_metric_that_an_entry_has_twice_keeps_the_order_of_its_values() -> None:
    names = ("exact_match", "quasi_exact_match", "exact_match")
    found = gather([entry(number, number, 0.5, number + 0.5, names=names) for number in range(5)]).finish()
    assert list(found.metrics[TEST].values) == [half / 2 for half in range(10)]
    assert list(found.metrics[TEST].owners) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_entries_with_other_metrics_in_between() -> None:
    entries = [
        entry(number, number) if number % 3 else entry(number, 7, number, names=("quasi_exact_match", "exact_match"))
        for number in range(200)
    ]
    found = gather(entries).finish()
    assert list(found.metrics[TEST].values) == list(range(200)) == list(found.metrics[TEST].owners)
    assert list(found.metrics[MetricKey("quasi_exact_match", "test")].owners) == list(range(0, 200, 3))
