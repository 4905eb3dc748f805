"""Means, shares and medians with their intervals: against scipy, and against recorded values of statsmodels 0.15.0."""

import math
import random

import pytest

from helm.results.statistics.intervals import (
    EXACT,
    STUDENT,
    WILSON,
    MeanFacts,
    combine_means,
    effective_size,
    estimate_from_facts,
    estimate_geometric_mean,
    estimate_mean,
    estimate_median,
    exact_interval,
    gather_mean,
    one_sided_p_values,
    wilson_interval,
)


@pytest.mark.parametrize(
    "successes, trials, wilson, exact, ours",
    [
        # statsmodels.stats.proportion.proportion_confint, methods wilson and beta; ours: an end that is not Wilson's
        (0, 20, (0.0, 0.1611251580528194), (0.0, 0.16843347098308534), {}),
        (9, 20, (0.2581978582556242, 0.6579146575496577), (0.2305778967759241, 0.6847218669594515), {0: 0.249448263}),
        (37, 50, (0.6044684273515116, 0.841284725064476), (0.5965523212719342, 0.8536994156034455), {1: 0.845035951}),
        (199, 200, (0.9722262956021069, 0.9991168312843989), (0.9724581015427943, 0.999873418972133), {1: 0.999664013}),
        (5, 5, (0.5655175352168252, 1.0), (0.4781762498950185, 1.0), {0: 0.531591264}),
    ],
)
def test_intervals_of_shares_are_those_of_statsmodels(successes, trials, wilson, exact, ours) -> None:
    assert wilson_interval(successes, trials) == pytest.approx(wilson, rel=1e-10, abs=1e-15)
    assert exact_interval(successes, trials) == pytest.approx(exact, rel=1e-10, abs=1e-15)
    values = [1.0] * successes + [0.0] * (trials - successes)
    extended = (ours.get(0, wilson[0]), ours.get(1, wilson[1]))
    for method, expected in [(None, extended), (WILSON, extended), (EXACT, exact)]:
        found = estimate_mean(values, method=method)
        assert (found.low, found.high) == pytest.approx(expected, rel=1e-8, abs=1e-12)


def test_the_mean_of_numbers_has_students_interval() -> None:
    six = [2.1, 3.4, 1.9, 5.6, 4.4, 3.8]
    found = estimate_mean(six)
    assert (found.value, found.standard_error) == pytest.approx((3.5333333333333337, 0.5725188012439225))
    assert found.low < 2.061626902295429 < 5.005039764371238 < found.high  # statsmodels, OLS
    assert found.method == STUDENT and found.count == found.clusters == 6
    twelve = estimate_mean(six * 2)
    assert (
        twelve.low == pytest.approx(2.6837704557998254) and twelve.high > 4.38289621086684
    )  # Student's; skewed to the right
    even = estimate_mean([float(value) for value in range(1, 11)])
    assert (even.low, even.high) == pytest.approx((3.334149410331831, 7.665850589668169))  # scipy.stats.t.interval


def test_the_interval_is_longer_towards_the_long_tail() -> None:
    values = [0.1, 0.2, 0.1, 0.3, 0.2, 4.0, 0.1, 0.2]
    found, mirrored = estimate_mean(values), estimate_mean([-value for value in values])
    assert found.high - found.value > 2 * (found.value - found.low) > 0
    assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.999])
@pytest.mark.parametrize("seed", range(6))
def test_p_values_belong_to_the_interval(seed: int, confidence: float) -> None:
    generator = random.Random(seed)
    facts = gather_mean([generator.lognormvariate(0, 1) for _ in range(3 + 4 * seed)])
    found = estimate_from_facts(facts, confidence)
    assert one_sided_p_values(facts, found.low)[0] == pytest.approx((1 - confidence) / 2)
    assert one_sided_p_values(facts, found.high)[1] == pytest.approx((1 - confidence) / 2)


def test_p_values_of_values_without_spread_are_certain() -> None:
    facts = gather_mean([0.25] * 4)
    assert one_sided_p_values(facts, 0.1) == pytest.approx((0, 1), abs=1e-9)
    assert min(one_sided_p_values(facts, 0.25)) == 0.5
    assert one_sided_p_values(gather_mean([1.0]), 0.0) == (1.0, 1.0)


def test_sources_of_unequal_size_count_as_fewer() -> None:
    values = [0.1, 0.4, 0.2, 0.8, 0.5, 0.6, 0.3, 0.7]
    alike, unequal = gather_mean(values, [0, 0, 1, 1, 2, 2, 3, 3]), gather_mean(values, [0, 0, 0, 0, 0, 1, 2, 3])
    assert alike.equal_clusters is None and alike.effective_clusters == 4
    assert unequal.equal_clusters == pytest.approx(64 / 28) and unequal.corrected_variance > unequal.variance


def test_the_error_over_clusters_is_that_of_statsmodels() -> None:
    values = [1.0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 0]
    facts = gather_mean(values, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4])
    assert facts.mean == pytest.approx(0.5833333333333335)
    assert math.sqrt(facts.variance) == pytest.approx(0.04252586358998573)  # OLS with cov_type cluster
    assert facts.clusters == 5 and facts.count == 12 and facts.is_share


def test_clusters_of_one_are_no_clusters() -> None:
    values = [0.3, 0.9, 0.1, 0.4]
    assert gather_mean(values, range(4)) == gather_mean(values)


def test_values_that_repeat_their_source_tell_less() -> None:
    values = [1.0, 0, 1, 1, 0, 1, 0, 0, 1, 1] * 2
    once, alike = (
        estimate_mean(values[:10]),
        estimate_mean([v for v in values[:10] for _ in (0, 1)], [i // 2 for i in range(20)]),
    )
    assert (alike.value, alike.low, alike.high) == pytest.approx((once.value, once.low, once.high))
    assert estimate_mean(values).high < alike.high
    assert effective_size(gather_mean([v for v in values[:10] for _ in (0, 1)], [i // 2 for i in range(20)])) == 10


def test_where_all_are_right_the_interval_still_has_a_length() -> None:
    found = estimate_mean([1.0] * 20)
    assert found.value == 1 and found.standard_error == 0 and found.low == pytest.approx(0.8388748) and found.high == 1
    assert found.reach == pytest.approx(1 - found.low)


def test_one_value_has_no_interval() -> None:
    found = estimate_mean([1.0])
    assert found.value == 1 and found.standard_error is None and found.low is None and found.reach is None
    assert estimate_mean([1.0, 0.0], ["same", "same"]).low is None
    assert estimate_mean([]) is None and estimate_median([]) is None


def test_an_interval_of_shares_is_refused_for_other_numbers() -> None:
    with pytest.raises(ValueError, match="for values 0 and 1"):
        estimate_mean([0.5, 1.0], method=WILSON)
    with pytest.raises(ValueError, match="there is no interval 'magic'"):
        estimate_mean([0.5, 1.0], method="magic")


def test_means_of_several_runs_are_combined() -> None:
    a, b = gather_mean([1.0, 0, 1, 1]), gather_mean([0.0, 0, 1])
    both = combine_means([(1, a), (1, b)])
    assert both.mean == pytest.approx((0.75 + 1 / 3) / 2)
    assert both.variance == pytest.approx((a.variance + b.variance) / 4)
    assert both.is_share and both.clusters == both.count == 7
    assert combine_means([(2, a)]) is a and combine_means([]) is None
    assert combine_means([(1, a), (1, gather_mean([1.0]))]).variance is None


def test_runs_of_one_instance_each_are_the_sample() -> None:
    values = [1.02, 0.99, 1.1]
    combined = combine_means([(1, gather_mean([value])) for value in values])
    assert combined == gather_mean(values)
    quotients = [MeanFacts(1.0, None, 1, 1, False)] * 3
    assert not combine_means([(1, facts) for facts in quotients]).is_share


def test_the_degrees_of_freedom_are_welchs() -> None:
    stats = pytest.importorskip("scipy.stats")
    a, b = [1.1, 2.3, 3.1, 2.2, 5.0], [0.2, 9.0, 4.4]
    expected = stats.ttest_ind(a, b, equal_var=False).df
    facts = combine_means([(1, gather_mean(a)), (1, gather_mean(b))])
    assert facts.clusters == 1 + math.floor(expected)


@pytest.mark.parametrize("count", [6, 7, 10, 25, 100])
def test_the_interval_of_a_median_lies_between_order_statistics(count: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    generator = random.Random(count)
    values = [generator.gauss(0, 1) for _ in range(count)]
    found, ordered = estimate_median(values), sorted(values)
    depth = max(d for d in range(1, count // 2 + 1) if 1 - 2 * stats.binom.cdf(d - 1, count, 0.5) >= 0.95)
    assert ordered[depth - 1] <= found.low <= ordered[depth]
    assert ordered[count - 1 - depth] <= found.high <= ordered[count - depth]
    assert found.value == pytest.approx(
        sorted(values)[count // 2] if count % 2 else (ordered[count // 2 - 1] + ordered[count // 2]) / 2
    )


def test_five_values_are_too_few_for_the_interval_of_a_median() -> None:
    found = estimate_median([3.0, 1.0, 2.0, 5.0, 4.0])
    assert found.value == 3 and found.low is None
    assert estimate_median([3.0, 1.0, 2.0, 5.0, 4.0], confidence=0.9).low is not None


def test_a_geometric_mean_has_an_interval_made_on_logarithms() -> None:
    found = estimate_geometric_mean([1.0, 10.0, 100.0])
    assert found.value == pytest.approx(10) and found.low * found.high == pytest.approx(100)
    with pytest.raises(ValueError, match="positive"):
        estimate_geometric_mean([1.0, 0.0])


def test_order_and_sign_make_no_difference() -> None:
    values, clusters = [0.1, 0.9, 0.4, 0.6, 0.3], [1, 2, 1, 3, 2]
    pairs = list(zip(values, clusters, strict=True))
    random.Random(1).shuffle(pairs)
    found, shuffled = gather_mean(values, clusters), gather_mean([v for v, _ in pairs], [c for _, c in pairs])
    assert isinstance(found, MeanFacts)
    assert shuffled.mean == pytest.approx(found.mean) and shuffled.variance == pytest.approx(found.variance)
    negative = estimate_mean([-v for v in values], clusters)
    positive = estimate_mean(values, clusters)
    assert (negative.low, negative.high) == pytest.approx((-positive.high, -positive.low))


def test_a_share_lies_between_0_and_1_whatever_rounding_does() -> None:
    assert wilson_interval(275.9999999999634, 276)[1] == 1.0
    assert wilson_interval(1.0961080896914852e-10, 59)[0] == 0.0
