"""Two and more subjects on the same instances: tests and intervals, against scipy and recorded values of statsmodels 0.15.0."""

import math

import numpy as np
import pytest

from helm.results.statistics.distributions import binomial_two_sided
from helm.results.statistics.intervals import MeanFacts, gather_mean, is_told_apart
from helm.results.statistics.paired import (
    IDENTICAL,
    MCNEMAR,
    ONE_PAIR,
    PAIRED_T,
    adjust_p_values,
    compare_paired,
    friedman_p_value,
    wilcoxon_p_value,
)
from helm.results.statistics.ranking import Task, estimate_win_rates, rank_subjects
from helm.results.statistics.resampling import bootstrap_means, cluster_totals
from lazy_support import import_when_used

scipy_stats = import_when_used("scipy.stats")


def draw(seed: int, count: int = 80, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    base = generator.standard_normal(count)
    return base + shift + 0.5 * generator.standard_normal(count), base + 0.5 * generator.standard_normal(count)


def test_right_and_wrong_are_compared_by_mcnemars_test() -> None:
    first, second = [1.0] * 30 + [0.0] * 18 + [1.0] * 52, [0.0] * 30 + [1.0] * 18 + [1.0] * 52
    found = compare_paired(first, second)
    assert (found.wins, found.ties, found.losses) == (30, 52, 18) and found.test == MCNEMAR
    assert found.mcnemar_p == pytest.approx(0.11140289106101878) == binomial_two_sided(18, 48)
    assert found.p_value < found.mcnemar_p
    assert found.difference.value == pytest.approx(0.12) and found.difference.low < 0 < found.difference.high
    assert found.t_p == pytest.approx(found.p_value, abs=0.02)


def test_numbers_are_compared_by_students_test() -> None:
    first, second = draw(1, shift=0.1)
    found = compare_paired(first, second)
    student = scipy_stats.ttest_rel(first, second)
    assert found.test == PAIRED_T and found.mcnemar_p is None
    assert found.p_value == found.t_p == pytest.approx(student.pvalue, abs=0.01)
    interval = student.confidence_interval()
    assert (found.difference.low, found.difference.high) == pytest.approx((interval.low, interval.high), abs=0.01)
    assert found.wilcoxon_p == pytest.approx(scipy_stats.wilcoxon(first - second, method="approx").pvalue)
    assert found.effect_size == pytest.approx((first - second).mean() / (first - second).std(ddof=1))


def test_the_bootstrap_is_scipys() -> None:
    first, second = draw(2, count=25)
    differences = first - second
    ours = bootstrap_means(*cluster_totals(differences[:, None], None), resamples=20_000)[:, 0]
    theirs = scipy_stats.bootstrap((differences,), np.mean, n_resamples=20_000, method="percentile", random_state=1)
    assert ours.std(ddof=1) == pytest.approx(theirs.standard_error, rel=0.02)
    low, high = np.quantile(ours, [0.025, 0.975])
    assert (low, high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.02)


def test_drawing_counts_is_drawing_values() -> None:
    few = np.repeat([-1.0, 0.0, 1.0], [20, 100, 40])
    many = few + np.random.default_rng(0).normal(0, 1e-9, 160)
    spread = [bootstrap_means(x[:, None], np.ones(160))[:, 0].std() for x in (few, many)]
    assert spread[0] == pytest.approx(spread[1], rel=0.03) == pytest.approx(few.std() / math.sqrt(160), rel=0.03)


def test_many_instances_are_gathered_without_losing_spread() -> None:
    values = np.random.default_rng(0).standard_normal(30_000)
    spread = bootstrap_means(values[:, None], np.ones(30_000), 3000)[:, 0].std()
    assert spread == pytest.approx(1 / math.sqrt(30_000), rel=0.06)


def test_equal_values_give_equal_numbers() -> None:
    first, second = draw(3)
    assert compare_paired(first, second) == compare_paired(first, second)


def test_which_is_first_only_turns_the_sign() -> None:
    first, second = draw(4, shift=0.2)
    one, other = compare_paired(first, second), compare_paired(second, first)
    assert one.difference.value == -other.difference.value and one.wins == other.losses
    assert one.p_value == pytest.approx(other.p_value, rel=1e-12)
    assert compare_paired(first, second, lower_is_better=True).wins == other.wins


def test_instances_of_one_source_count_once() -> None:
    first, second = draw(5, count=20, shift=0.4)
    alone = compare_paired(first, second)
    repeated = compare_paired(np.repeat(first, 5), np.repeat(second, 5), [i // 5 for i in range(100)])
    ignored = compare_paired(np.repeat(first, 5), np.repeat(second, 5))
    assert repeated.p_value == pytest.approx(alone.p_value, abs=0.01) and repeated.difference.clusters == 20
    assert ignored.p_value < repeated.p_value
    assert repeated.difference.standard_error == pytest.approx(alone.difference.standard_error)


def test_right_and_wrong_of_one_source_are_not_for_mcnemar() -> None:
    found = compare_paired([1.0, 0, 1, 1], [0.0, 0, 1, 0], ["a", "a", "b", "b"])
    assert found.mcnemar_p is None and found.test == PAIRED_T


def test_equal_values_are_said_to_be_identical() -> None:
    found = compare_paired([1.0, 0.0, 1.0], [1.0, 0.0, 1.0], margin=0.01)
    assert found.test == IDENTICAL and found.p_value == 1 and found.ties == 3 and found.difference.value == 0
    assert found.is_within_margin_p == 0 and found.is_worse_than_margin_p == 1


def test_one_pair_tells_nothing() -> None:
    found = compare_paired([1.0], [0.0])
    assert (
        found.test == ONE_PAIR
        and found.p_value == 1
        and found.difference.low is None
        and found.minimum_detectable is None
    )


def test_ratios_are_compared_by_their_logarithms() -> None:
    second = np.exp(np.random.default_rng(0).normal(0, 2, 40))
    noise = np.exp(np.random.default_rng(1).normal(0, 0.1, 40))
    found = compare_paired(2 * second * noise, second, lower_is_better=True, is_ratio=True, margin=0.5)
    assert math.exp(found.difference.value) == pytest.approx(2 * math.exp(np.log(noise).mean()))
    assert found.losses == 40 and found.p_value < 0.01 and found.is_worse_than_margin_p < 0.01
    with pytest.raises(ValueError, match="positive"):
        compare_paired([0.0, 1.0], [1.0, 1.0], is_ratio=True)


@pytest.mark.parametrize("shift, worse, within", [(-0.5, True, False), (0.5, False, True), (-0.1, False, False)])
def test_a_margin_is_exceeded_kept_or_neither(shift: float, worse: bool, within: bool) -> None:
    first, second = draw(6, shift=shift)
    found = compare_paired(first, second, margin=0.1)
    assert (found.is_worse_than_margin_p < 0.05, found.is_within_margin_p < 0.05) == (worse, within)
    assert 1 <= found.is_worse_than_margin_p + found.is_within_margin_p < 1.02


def test_the_detectable_difference_is_detected_so_often() -> None:
    generator = np.random.default_rng(0)
    first = generator.standard_normal(100)
    found = compare_paired(first, np.zeros(100))
    power = scipy_stats.t.cdf(
        found.minimum_detectable / found.difference.standard_error - scipy_stats.t.ppf(0.975, 99), 99
    )
    assert power == pytest.approx(0.8, abs=1e-6)


def test_arrays_of_different_length_are_refused() -> None:
    for first, second in [([1.0], [1.0, 2.0]), ([], [])]:
        with pytest.raises(ValueError, match="paired values need"):
            compare_paired(first, second)


def test_holms_correction_is_that_of_statsmodels() -> None:
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.025, 0.5])
    assert adjust_p_values([]) == [] and adjust_p_values([0.6, 0.9]) == [1.0, 1.0]


def test_rank_tests_are_scipys() -> None:
    first, second = draw(7, count=20)
    assert wilcoxon_p_value(first - second) == pytest.approx(
        scipy_stats.wilcoxon(first - second, method="exact").pvalue
    )
    assert wilcoxon_p_value([0.0, 0.0]) == 1
    values = np.random.default_rng(0).random((15, 3))
    assert friedman_p_value(values) == pytest.approx(scipy_stats.friedmanchisquare(*values.T).pvalue)
    assert friedman_p_value(values[:, :2]) is None and friedman_p_value(np.ones((4, 3))) is None


def test_win_rates_are_those_of_leaderboards_with_intervals() -> None:
    generator = np.random.default_rng(0)
    tasks = [Task((generator.random((400, 3)) < [0.3, 0.5, 0.8]).astype(float)) for _ in range(3)]
    low, middle, high = rank_subjects(tasks, resamples=2000)
    assert [s.win_rate.value for s in (low, middle, high)] == [0, 0.5, 1] and high.best_share == 1
    assert low.instance_win_rate.high < 0.5 < high.instance_win_rate.low
    assert sum(s.instance_win_rate.value for s in (low, middle, high)) == pytest.approx(1.5)
    first, second = rank_subjects([Task(np.ones((5, 2)))], resamples=200)
    assert first.win_rate.value == second.win_rate.value == 0.5 and first.best_share == 1
    worse, better = rank_subjects([Task(np.array([[3.0, 1.0]] * 4), lower_is_better=True)], resamples=200)
    assert better.win_rate.value == 1 and worse.instance_win_rate.value == 0


def facts_of_share(ones: int, count: int) -> MeanFacts:
    found = gather_mean([1.0] * ones + [0.0] * (count - ones))
    assert found is not None
    return found


def test_win_rates_from_scores_alone_agree_with_those_from_instances() -> None:
    """Where subjects do not answer alike; otherwise the intervals from scores alone are wider."""
    generator = np.random.default_rng(0)
    answers = [(generator.random((200, 4)) < [0.4, 0.5, 0.55, 0.8]).astype(float) for _ in range(3)]
    exact = rank_subjects([Task(values) for values in answers], resamples=4000)
    columns = tuple((tuple(gather_mean(column.tolist()) for column in values.T), False) for values in answers)
    for known, found in zip(exact, estimate_win_rates(columns), strict=True):
        assert found is not None and found.low is not None and found.high is not None
        assert found.value == pytest.approx(known.win_rate.value)
        assert found.low == pytest.approx(known.win_rate.low, abs=0.12)
        assert found.high == pytest.approx(known.win_rate.high, abs=0.12)


def test_ties_count_half_and_less_may_be_better() -> None:
    half, most = facts_of_share(50, 100), facts_of_share(90, 100)
    more = estimate_win_rates((((half, half, most, None), False),))
    less = estimate_win_rates((((half, half, most, None), True),))
    assert [rate and rate.value for rate in more] == [0.25, 0.25, 1.0, None]
    assert [rate and rate.value for rate in less] == [0.75, 0.75, 0.0, None]
    fixed = MeanFacts(2.0, 0.0, 5, 5, False)
    tied = estimate_win_rates((((fixed, fixed, half), False),))
    assert [rate and (rate.low, rate.high) for rate in tied] == [(0.75, 0.75), (0.75, 0.75), (0.0, 0.0)]
    assert estimate_win_rates((((half, None), False),)) == [None, None]


def test_scores_are_told_apart_where_chance_does_not_explain_them() -> None:
    assert is_told_apart(facts_of_share(50, 100), facts_of_share(80, 100))
    assert not is_told_apart(facts_of_share(50, 100), facts_of_share(55, 100))
    assert is_told_apart(facts_of_share(0, 100), facts_of_share(20, 100))  # no variance, and yet not sure to be zero
    assert not is_told_apart(facts_of_share(0, 10), facts_of_share(1, 10))
    assert not is_told_apart(MeanFacts(0.0, None, 1, 1, False), facts_of_share(80, 100))
