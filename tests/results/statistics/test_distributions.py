"""Distributions and their quantiles, against scipy."""

import math

import pytest

from helm.results.statistics.distributions import (
    beta_cdf,
    beta_quantile,
    binomial_mid_p,
    binomial_two_sided,
    normal_cdf,
    normal_quantile,
    t_cdf,
    t_quantile,
)
from lazy_support import import_when_used

stats = import_when_used("scipy.stats")

PROBABILITIES = [1e-8, 0.001, 0.025, 0.5, 0.8, 0.975, 0.9999]


@pytest.mark.parametrize("a, b", [(0.5, 0.5), (1, 1), (2, 3), (40, 1), (100, 300), (1e5, 2e5), (1e6, 3)])
def test_beta_is_scipys(a: float, b: float) -> None:
    for p in PROBABILITIES:
        x = stats.beta.ppf(p, a, b)
        assert beta_cdf(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-8)
        assert beta_quantile(p, a, b) == pytest.approx(x, rel=1e-8)


@pytest.mark.parametrize("degrees", [1, 2, 3.7, 30, 999, 1000, 12345, 1e9])
def test_students_t_is_scipys(degrees: float) -> None:
    for p in PROBABILITIES:
        assert t_quantile(p, degrees) == pytest.approx(stats.t.ppf(p, degrees), rel=1e-9, abs=1e-12)
    for t in (-40.0, -3.3, 0.0, 0.7, 5.0):
        assert t_cdf(t, degrees) == pytest.approx(stats.t.cdf(t, degrees), rel=1e-7)


def test_normal_is_scipys() -> None:
    for z in (-30.0, -1.96, 0.0, 2.5):
        assert normal_cdf(z) == pytest.approx(stats.norm.cdf(z), rel=1e-12)
    for p in PROBABILITIES:
        assert normal_quantile(p) == pytest.approx(stats.norm.ppf(p), rel=1e-12, abs=1e-15)


def test_the_ends_are_infinite() -> None:
    assert normal_quantile(0) == -math.inf and normal_quantile(1) == math.inf
    assert t_cdf(math.inf, 3) == 1 and t_cdf(-math.inf, 3) == 0 and t_cdf(1.5, math.inf) == normal_cdf(1.5)
    assert (
        beta_cdf(0, 2, 3) == 0
        and beta_cdf(1, 2, 3) == 1
        and beta_quantile(0, 2, 3) == 0
        and beta_quantile(1, 2, 3) == 1
    )


@pytest.mark.parametrize("trials", [1, 2, 8, 25, 100, 4001])
def test_the_test_of_a_fair_coin_is_scipys(trials: int) -> None:
    for successes in {0, 1, trials // 3, trials // 2, trials}:
        assert binomial_two_sided(successes, trials) == pytest.approx(
            stats.binomtest(successes, trials).pvalue, rel=1e-9
        )


@pytest.mark.parametrize(
    "first, second, exact, mid",
    [
        # statsmodels 0.15.0, mcnemar(exact=True); the mid-p of 7 and 1 is in the paper of Fagerland and others (0.039).
        (7, 1, 0.0703125, 0.0390625),
        (9, 0, 0.00390625, 0.001953125),
        (30, 18, 0.11140289106101878, None),
        (5, 5, 1.0, None),
        (0, 0, 1.0, 1.0),
    ],
)
def test_mcnemars_test_is_that_of_others(first: int, second: int, exact: float, mid: float | None) -> None:
    assert binomial_two_sided(first, first + second) == pytest.approx(exact, rel=1e-12)
    expected = mid
    if mid is None:
        total = first + second
        cdf, pmf = stats.binom.cdf(min(first, second), total, 0.5), stats.binom.pmf(first, total, 0.5)
        expected = min(1.0, 2 * cdf - pmf)
    assert binomial_mid_p(first, first + second) == pytest.approx(expected, rel=1e-10)
