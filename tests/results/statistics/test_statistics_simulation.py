"""By simulation: tests reject as often as they say when there is no difference, intervals cover as often as they say."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from helm.results.statistics.intervals import estimate_mean, estimate_median
from helm.results.statistics.paired import compare_paired
from helm.results.statistics.ranking import Task, rank_subjects
from helm.results.timings import estimate_ratio_of_medians

Generator = np.random.Generator


def share(simulate: Callable[[Generator], Sequence[bool]], times: int, seed: int = 0) -> list[float]:
    generator = np.random.default_rng(seed)
    return np.mean([simulate(generator) for _ in range(times)], axis=0).tolist()


def numbers(generator: Generator, shift: float = 0.0, count: int = 40) -> tuple[np.ndarray, np.ndarray]:
    base = generator.standard_normal(count)
    return base + shift + generator.standard_normal(count), base + generator.standard_normal(count)


def answers(generator: Generator, better: float = 0.0, count: int = 300) -> tuple[np.ndarray, np.ndarray]:
    """Right and wrong: instances are of different difficulty, for both subjects."""
    difficulty = generator.random(count)
    first = generator.random(count) < np.clip(difficulty + better, 0, 1)
    return first.astype(float), (generator.random(count) < difficulty).astype(float)


def no_difference_in_numbers(generator: Generator) -> Sequence[bool]:
    found = compare_paired(*numbers(generator))
    assert found.wilcoxon_p is not None and found.difference.low is not None and found.difference.high is not None
    return found.p_value < 0.05, found.wilcoxon_p < 0.05, found.difference.low <= 0 <= found.difference.high


def no_difference_in_answers(generator: Generator) -> Sequence[bool]:
    found = compare_paired(*answers(generator))
    assert found.mcnemar_p is not None and found.difference.low is not None and found.difference.high is not None
    return found.p_value < 0.05, found.mcnemar_p < 0.05, found.difference.low <= 0 <= found.difference.high


def no_difference_in_clusters(generator: Generator) -> Sequence[bool]:
    """40 passages with 5 questions each, which are easy or hard together; differently for each subject."""
    clusters = np.repeat(np.arange(40), 5)
    chances = 1 / (1 + np.exp(-generator.standard_normal((2, 40))[:, clusters]))
    first, second = (generator.random((2, 200)) < chances).astype(float)
    found = compare_paired(first, second, clusters.tolist())
    ignored = compare_paired(first, second)
    score = estimate_mean(first.tolist(), clusters.tolist())
    assert score is not None and score.low is not None and score.high is not None
    return found.p_value < 0.05, ignored.p_value < 0.05, score.low <= 0.5 <= score.high


def intervals_cover(generator: Generator) -> Sequence[bool]:
    share_right = generator.uniform(0.05, 0.95)
    right = estimate_mean((generator.random(150) < share_right).astype(float).tolist())
    normal = estimate_mean(generator.standard_normal(15).tolist())
    times = generator.exponential(size=25).tolist()
    median = estimate_median(times)
    ratio = estimate_ratio_of_medians(
        (1 + generator.exponential(0.2, 30)).tolist(), (2 + generator.exponential(0.3, 30)).tolist()
    )
    true_ratio = (1 + 0.2 * math.log(2)) / (2 + 0.3 * math.log(2))
    covered = []
    for found, truth in [(right, share_right), (normal, 0), (median, math.log(2)), (ratio, true_ratio)]:
        assert found is not None and found.low is not None and found.high is not None
        covered.append(found.low <= truth <= found.high)
    return covered


@pytest.mark.parametrize(
    "times, tolerance", [(600, 0.025), pytest.param(4000, 0.01, marks=pytest.mark.slow)], ids=["quick", "thorough"]
)
class TestUnderNoDifference:
    def test_tests_on_numbers_reject_at_their_level(self, times: int, tolerance: float) -> None:
        bootstrap, wilcoxon, covers = share(no_difference_in_numbers, times)
        assert bootstrap == pytest.approx(0.05, abs=tolerance) and wilcoxon == pytest.approx(0.05, abs=tolerance)
        assert covers == pytest.approx(0.95, abs=tolerance)

    def test_tests_on_right_and_wrong_reject_at_their_level(self, times: int, tolerance: float) -> None:
        mid, exact, covers = share(no_difference_in_answers, times)
        assert mid == pytest.approx(0.05, abs=tolerance) and covers == pytest.approx(0.95, abs=tolerance + 0.005)
        assert exact < mid  # never too often, and so rather too rarely

    def test_clusters_are_taken_into_account(self, times: int, tolerance: float) -> None:
        clustered, ignored, covers = share(no_difference_in_clusters, times)
        assert clustered == pytest.approx(0.05, abs=tolerance) and covers == pytest.approx(0.95, abs=tolerance + 0.005)
        assert ignored > 0.08

    def test_intervals_cover_as_often_as_they_say(self, times: int, tolerance: float) -> None:
        for covered in share(intervals_cover, times * 2):
            assert covered == pytest.approx(0.95, abs=tolerance * 0.6 + 0.009)


@pytest.mark.parametrize("draw, gain", [(numbers, 0.45), (answers, 0.07)])
def test_paired_tests_find_more_than_unpaired_ones(
    draw: Callable[..., tuple[np.ndarray, np.ndarray]], gain: float
) -> None:
    stats = pytest.importorskip("scipy.stats")

    def simulate(generator: Generator) -> Sequence[bool]:
        first, second = draw(generator, gain)
        paired = compare_paired(first, second)
        return paired.p_value < 0.05, stats.ttest_ind(first, second).pvalue < 0.05

    paired, unpaired = share(simulate, 300)
    assert paired > unpaired + 0.1


def test_the_detectable_difference_is_found_with_a_probability_of_80_percent() -> None:
    found = compare_paired(*numbers(np.random.default_rng(1), count=4000))
    assert found.minimum_detectable is not None
    shift = found.minimum_detectable * math.sqrt(4000 / 40)  # what 40 instances would need

    def simulate(generator: Generator) -> Sequence[bool]:
        return (compare_paired(*numbers(generator, shift)).p_value < 0.05,)

    assert share(simulate, 400)[0] == pytest.approx(0.8, abs=0.06)


def test_intervals_of_win_rates_cover() -> None:
    """Of instance win rates, whose true value is known."""
    chances = np.array([0.4, 0.5, 0.6])
    truth = [
        np.mean([a * (1 - b) + 0.5 * (a * b + (1 - a) * (1 - b)) for j, b in enumerate(chances) if j != i])
        for i, a in enumerate(chances)
    ]

    def simulate(generator: Generator) -> Sequence[bool]:
        tasks = [Task((generator.random((100, 3)) < chances).astype(float)) for _ in range(2)]
        found = rank_subjects(tasks, resamples=400, seed=int(generator.integers(1 << 30)))
        rates = [standing.instance_win_rate for standing in found]
        return [rate.low <= true <= rate.high for rate, true in zip(rates, truth, strict=True)]  # type: ignore[operator]

    for covered in share(simulate, 400):
        assert covered == pytest.approx(0.95, abs=0.03)
