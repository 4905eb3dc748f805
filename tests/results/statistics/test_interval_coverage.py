"""How often intervals hold the true number, by simulation with fixed seeds: `benchmarks/interval_coverage.py` in small."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helm.results.statistics.intervals import estimate_from_facts, gather_mean, share_interval, wilson_interval
from helm.results.statistics.paired import compare_paired, fewest_pairs, is_too_few
from turns_support import by_turns

SCRIPT = Path(__file__).parents[3] / "benchmarks/interval_coverage.py"
quick_and_thorough = pytest.mark.parametrize(
    "times", [600, pytest.param(4000, marks=pytest.mark.slow)], ids=["quick", "thorough"]
)


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("interval_coverage", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def noise(times: int) -> float:
    """Three standard deviations of a simulated share of 95%."""
    return float(3 * np.sqrt(0.95 * 0.05 / times))


@quick_and_thorough
@pytest.mark.parametrize(
    "name, count, least, most",
    [
        ("normal", 3, 0.935, 0.965),
        ("normal", 6, 0.935, 0.965),
        ("normal", 40, 0.935, 0.965),
        ("exponential", 3, 0.935, 0.965),
        ("exponential", 5, 0.935, 0.965),
        ("exponential", 10, 0.935, 0.967),
        ("exponential", 40, 0.935, 0.967),
        ("lognormal 0.5", 5, 0.935, 0.965),
        ("lognormal 0.5", 20, 0.935, 0.965),
        ("lognormal 1", 3, 0.935, 0.965),
        ("lognormal 1", 5, 0.935, 0.965),
        ("lognormal 1", 10, 0.935, 0.965),
        ("lognormal 1", 40, 0.935, 0.965),
    ],
)
def test_intervals_of_means_cover(script: Any, times: int, name: str, count: int, least: float, most: float) -> None:
    assert least - noise(times) <= script.cover_mean(name, count, times) <= most + noise(times)


@pytest.mark.parametrize("count", [3, 10, 100])
def test_intervals_of_shares_cover_near_zero(script: Any, count: int) -> None:
    """Wilson's alone cover 0.18 / count in 84%."""
    shares = np.linspace(0.1 / count, min(0.5, 6 / count), 12)
    found = [script.cover_share(float(share), count) for share in shares]
    assert min(found) >= 0.935 and 0.945 <= np.mean(found) <= 0.99


@quick_and_thorough
@pytest.mark.parametrize("probability, correlation", [(0.5, 0.3), (0.9, 0.6), (0.95, 0.6), (0.95, 1.0), (0.9, 0.0)])
def test_intervals_of_clustered_shares_cover(script: Any, times: int, probability: float, correlation: float) -> None:
    times //= 2
    assert script.cover_clustered_share(probability, correlation, [5] * 20, times) >= 0.935 - noise(times)
    assert script.cover_clustered_share(probability, correlation, [1, 2, 3, 4, 15] * 8, times) >= 0.935 - noise(times)


@pytest.mark.parametrize("sources, probability", by_turns([20, 40, 100], [0.5, 0.8, 0.9, 0.95]))
def test_shares_of_sources_of_equal_answers_are_covered(script: Any, sources: int, probability: float) -> None:
    """With the variance between sources alone, they were covered in 89 to 92%."""
    sizes = np.resize((1, 2, 3, 4, 15), sources).tolist()
    assert script.cover_clustered_share(probability, 1.0, sizes, 2000) >= 0.935 - noise(2000)


@quick_and_thorough
@pytest.mark.parametrize("count", [4, 6, 10, 40])
def test_equal_subjects_are_rarely_told_apart(
    script: Any, times: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helm.results.statistics.paired._wilcoxon_if_there", lambda differences: None)  # slow
    for name in ("normal", "lognormal 1", "right and wrong"):
        assert script.reject_equal(name, count, times) <= 0.055 + noise(times)


def test_four_clear_differences_are_too_few() -> None:
    """The paired bootstrap gave p = 0.0486 here."""
    found = compare_paired([1.2, 1.9, 1.4, 3.0], [1.0, 1.0, 1.0, 1.0], is_ratio=True)
    assert found.p_value >= 0.125 and found.losses == 0
    assert is_too_few(found.difference.clusters, 0.05) and fewest_pairs(0.05) == 6
    assert fewest_pairs(0.01) == 8 and fewest_pairs(0.5) == 3


def test_few_pairs_have_no_verdict_however_clear() -> None:
    assert compare_paired([1.0] * 5, [0.0] * 5).p_value == 0.0625  # McNemar's mid-p would be 0.031
    assert compare_paired([1.0] * 6, [0.0] * 6).p_value == 0.03125
    five = compare_paired([1.1, 1.2, 1.3, 1.2, 1.1], [0.0] * 5, margin=0.0)
    assert five.p_value == 0.0625 and five.is_within_margin_p == 0.03125


def test_few_successes_move_the_ends_of_wilsons_interval() -> None:
    for successes in (1, 2, 3):
        assert share_interval(successes, 100)[0] < wilson_interval(successes, 100)[0]
        assert share_interval(100 - successes, 100)[1] > wilson_interval(100 - successes, 100)[1]
    assert share_interval(0, 100) == wilson_interval(0, 100) and share_interval(0, 4)[1] > 0.5
    assert share_interval(450, 1000) == wilson_interval(450, 1000)


def test_intervals_are_the_same_in_every_order() -> None:
    values = np.random.default_rng(0).lognormal(0, 1, 30).tolist()
    once, again = (estimate_from_facts(gather_mean(found)) for found in (values, values[::-1]))  # type: ignore[arg-type]
    assert (once.low, once.high) == pytest.approx((again.low, again.high), rel=1e-12)
