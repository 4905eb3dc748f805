"""`Stat`: adding, merging, and the ways around `add` that give the same."""

import random

import pytest

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat, merge_stat, single
from helm.common.codec import asdict_without_nones, from_json, to_json

NAME = MetricName("m")


def stat_of(values: list[float]) -> Stat:
    stat = Stat(NAME)
    for value in values:
        stat.add(value)
    return stat


@pytest.mark.parametrize(
    "value",
    [
        0,
        1,
        -1,
        7,
        2**26,
        2**27 + 1,
        -(2**60),
        10**400,
        True,
        False,
        0.5,
        -0.0,
        0.1,
        1e-200,
        float("inf"),
        float("-inf"),
    ],
    ids=repr,
)
def test_single_equals_add(value: float) -> None:
    try:
        expected = repr(asdict_without_nones(Stat(NAME).add(value)))
    except OverflowError:
        with pytest.raises(OverflowError):
            single(NAME, value)
        return
    assert repr(asdict_without_nones(single(NAME, value))) == expected


def test_none_is_ignored_and_booleans_become_numbers() -> None:
    assert stat_of([True, False]).sum == 1 and type(stat_of([True]).sum) is int
    assert Stat(NAME).add(None) == Stat(NAME)


def test_ints_stay_ints_until_the_mean_is_taken() -> None:
    stat = stat_of([1, 3])
    assert (stat.sum, type(stat.sum), type(stat.min)) == (4, int, int)
    mean = stat.take_mean()
    assert (mean.count, mean.sum, type(mean.sum)) == (1, 2.0, float)


def test_take_mean_of_an_empty_stat_is_the_stat() -> None:
    stat = Stat(NAME)
    assert stat.take_mean() is stat


@pytest.mark.parametrize("seed", range(30))
def test_integers_merge_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    parts = [stat_of([rng.randrange(-9, 9) for _ in range(rng.randrange(4))]) for _ in range(5)]

    def merged(order: list[Stat]) -> Stat:
        total = Stat(NAME)
        for part in order:
            total.merge(part)
        return total

    shuffled = rng.sample(parts, len(parts))
    assert merged(parts) == merged(shuffled)


@pytest.mark.parametrize("seed", range(10))
def test_json_round_trip(seed: int) -> None:
    rng = random.Random(seed)
    stat = stat_of([rng.choice([rng.random(), rng.randrange(5)]) for _ in range(rng.randrange(4))])
    assert from_json(to_json(stat), Stat) == stat


def test_merge_stat_copies_the_first() -> None:
    first, stats = stat_of([1]), {}
    merge_stat(stats, first)
    merge_stat(stats, stat_of([2]))
    assert (stats[NAME].sum, first.sum) == (3, 1)
