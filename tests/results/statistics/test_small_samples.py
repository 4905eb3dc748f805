"""Intervals of few values: their coverage, exact or by simulation with fixed seeds, and how their ends move."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from helm.results.statistics.distributions import t_quantile
from helm.results.statistics.intervals import (
    MeanFacts,
    combine_means,
    effective_size,
    estimate_from_facts,
    estimate_mean,
    gather_mean,
)
from helm.results.statistics.shares import exact_interval, share_interval, wilson_interval
from helm.results.statistics.small_samples import FACTORS, is_small, lengthen

COUNTS = (3, 4, 5, 6, 8, 10, 15, 20, 40, 100, 300)


def chances(count: int, shares: np.ndarray) -> np.ndarray:
    """The probability of each number of right answers, for each share."""
    numbers = np.arange(count + 1)
    ways = np.array([math.lgamma(count + 1) - math.lgamma(k + 1) - math.lgamma(count - k + 1) for k in numbers])
    return np.exp(ways + numbers * np.log(shares)[:, None] + (count - numbers) * np.log1p(-shares)[:, None])


def coverage(count: int, shares: np.ndarray) -> np.ndarray:
    ends = np.array([share_interval(number, count) for number in range(count + 1)])
    holds = (ends[:, 0] <= shares[:, None] + 1e-12) & (shares[:, None] <= ends[:, 1] + 1e-12)
    return (chances(count, shares) * holds).sum(axis=1)


@pytest.mark.parametrize("count", COUNTS)
def test_every_share_is_covered_in_93_5_percent(count: int) -> None:
    """Exact. Wilson's intervals cover some shares in 83%, and extended by one-sided bounds in 91%."""
    found = coverage(count, np.linspace(0.0005, 0.5, 1000))
    assert found.min() >= 0.935 - 1e-9
    assert found.mean() <= (0.98 if count < 8 else 0.967)  # Clopper and Pearson's: 98.6% of eight values


def test_shares_that_can_be_covered_as_often_as_stated_are() -> None:
    """In the cells of the documented table where an interval can have a coverage of 93.5 to 96.5%, ours nearly always has one."""
    shares = np.array([0.02, 0.05, 0.1, 0.2, 0.5])
    found = np.concatenate([coverage(count, shares) for count in (15, 20, 40, 100, 300)])
    assert np.mean((found >= 0.935) & (found <= 0.967)) >= 0.9


@pytest.mark.parametrize("count", [2, 5, 11, 30])
def test_ends_that_are_not_wilsons_are_blakers(count: int) -> None:
    """Beyond the end, no result as unlikely as the observed one has a probability above 6.5%; at the end it has."""

    def likelihood(successes: int, shares: np.ndarray) -> np.ndarray:
        each = chances(count, shares)
        at_most, at_least = each.cumsum(axis=1), each[:, ::-1].cumsum(axis=1)[:, ::-1]
        tail = np.minimum(at_most, at_least)[:, [successes]]
        other = np.where(at_most[:, [successes]] <= at_least[:, [successes]], 1, -1)
        opposite = np.where(other > 0, at_least, at_most)
        return tail[:, 0] + np.where(opposite <= tail * (1 + 1e-12), opposite, 0).max(axis=1)

    moved = 0
    for successes in range(count):
        wilson, (low, high) = wilson_interval(successes, count)[1], share_interval(successes, count)
        assert share_interval(count - successes, count) == pytest.approx((1 - high, 1 - low), abs=1e-12)
        assert high <= max(wilson, exact_interval(successes, count, 0.935)[1])
        assert likelihood(successes, np.linspace(high + 1e-9, (high + 1) / 2, 500)).max() <= 0.065 + 1e-6
        if high > wilson:
            moved += 1
            assert likelihood(successes, np.array([high - 1e-9, high - 1e-7])).max() >= 0.065 - 1e-6
    assert moved


def test_ends_of_effective_sizes_lie_between_those_of_whole_ones() -> None:
    for successes, trials in itertools.product((0.0, 0.4, 2.5, 7.0), (7.3, 12.9, 40.2)):
        low, high = share_interval(successes, trials)
        assert 0 <= low <= successes / trials < high <= 1
        assert high <= max(wilson_interval(successes, trials)[1], exact_interval(successes, trials, 0.935)[1])
    assert share_interval(0, 1e6) == wilson_interval(0, 1e6) and share_interval(3e5, 1e6) == wilson_interval(3e5, 1e6)


KINDS = {
    "normal": (lambda generator, shape: generator.standard_normal(shape), 0.0),
    "exponential": (lambda generator, shape: generator.exponential(size=shape), 1.0),
    "lognormal 0.5": (lambda generator, shape: generator.lognormal(0, 0.5, shape), math.exp(0.125)),
    "lognormal 1": (lambda generator, shape: generator.lognormal(0, 1, shape), math.exp(0.5)),
}


@pytest.mark.parametrize("times", [6000, pytest.param(60_000, marks=pytest.mark.slow)], ids=["quick", "thorough"])
@pytest.mark.parametrize("count", range(3, 10))
def test_means_of_few_values_are_covered(times: int, count: int) -> None:
    """Student's intervals hold the mean of lognormal values in 82 to 84%."""
    noise = 3 * math.sqrt(0.065 * 0.935 / times)
    for number, (draw, truth) in enumerate(KINDS.values()):
        values = draw(np.random.default_rng([number, count]), (times, count)) - truth
        mean = values.mean(axis=1)
        errors = values - mean[:, None]
        squares = (errors * errors).sum(axis=1)
        skewness = (errors**3).sum(axis=1) / squares**1.5
        reach = t_quantile(0.975, count - 1) * np.sqrt(squares / (count * (count - 1)))
        factors = np.array([lengthen(value, count) for value in skewness.tolist()])
        held = (mean - factors[:, 0] * reach <= 0) & (mean + factors[:, 1] * reach >= 0)
        assert 0.935 - noise <= held.mean() <= 0.965 + noise
        assert _holds(values[0].tolist()) == held[0] and _holds((-values[1]).tolist()) == held[1]


def _holds(values: list[float]) -> bool:
    found = estimate_mean(values, method="t")
    assert found is not None and found.low is not None and found.high is not None
    return found.low <= 0 <= found.high


def test_few_values_have_longer_ends_and_a_short_tail_a_shorter_one() -> None:
    for count, (even, growth, short, _) in FACTORS.items():
        assert lengthen(0.0, count) == (even, even)
        largest = (count - 2) / math.sqrt(count * (count - 1))
        assert lengthen(largest, count) == pytest.approx((short, even + growth))
        assert lengthen(-largest, count) == pytest.approx((even + growth, short))
        assert lengthen(9.0, count + 0.9) == lengthen(largest, count)  # the mean of groups may be more skewed
    assert [is_small(count) for count in (2.9, 3, 9.9, 10)] == [False, True, True, False]


def test_the_ends_do_not_jump_with_the_values() -> None:
    for count in FACTORS:
        found = [lengthen(float(skewness), count) for skewness in np.linspace(-0.9, 0.9, 2001)]
        assert np.abs(np.diff(found, axis=0)).max() < 0.05


def test_a_mean_of_unknown_skewness_has_students_interval() -> None:
    """Medians of timings, for example."""
    median, mean = MeanFacts(1.0, 0.04, 5, 5, False), MeanFacts(1.0, 0.04, 5, 5, False, 0.0)
    found, lengthened = estimate_from_facts(median), estimate_from_facts(mean)
    assert found.high == pytest.approx(1 + 0.2 * t_quantile(0.975, 4)) and lengthened.high > found.high  # type: ignore[operator]
    both = combine_means([(1.0, median), (1.0, mean)])
    assert both is not None and both.skewness is None


def test_equal_answers_of_a_source_count_once() -> None:
    """The number of answers then says nothing, and the variance between sources of unequal size says little."""
    sizes = (1, 2, 3, 4, 15) * 4
    sources = [source for source, size in enumerate(sizes) for _ in range(size)]
    right = gather_mean([float(source % 5 != 1) for source in sources], sources)
    mixed = gather_mean([float(i % 2) for i in range(len(sources))], sources)
    assert right is not None and mixed is not None
    assert right.correlation == 1 and effective_size(right) == pytest.approx(right.effective_clusters)
    assert mixed.correlation == 0 and effective_size(mixed) > right.effective_clusters
    none = gather_mean([1.0] * len(sources), sources)
    assert none is not None and none.correlation is None
    assert effective_size(none) == pytest.approx(none.effective_clusters)


def test_the_correlation_is_that_of_fleiss_and_cuzick() -> None:
    found = gather_mean([1.0, 1, 0, 1, 1, 0, 0, 0, 1], [0, 0, 0, 1, 1, 2, 2, 2, 2])
    assert found is not None
    assert found.correlation == pytest.approx(1 - (2 / 3 + 3 / 4) / (6 * 5 / 9 * 4 / 9))


def test_the_documented_factors_are_those_in_use() -> None:
    page = (Path(__file__).parents[3] / "docs/reference-statistics.md").read_text()
    for index, name in enumerate(("even", "growth", "short", "threshold")):
        assert f"| `{name}` | " + " | ".join(f"{row[index]:.2f}" for row in FACTORS.values()) + " |" in page
