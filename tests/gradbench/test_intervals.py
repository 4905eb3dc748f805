"""Intervals of timings hold what they promise."""

import random
import statistics

import pytest

from helm.gradbench.intervals import median_interval, repeated_median_interval

DISTRIBUTIONS = {
    # name: (draw one timing, true median)
    "skewed": (lambda r: r.lognormvariate(0.0, 1.0), 1.0),
    "normal": (lambda r: r.gauss(10.0, 2.0), 10.0),
    # Most runs are quick, some are interrupted; the median is that of the quick ones, at 0.5 / 0.9.
    "interrupted": (lambda r: r.random() if r.random() < 0.9 else 50 + r.random(), 0.5 / 0.9),
}


@pytest.mark.parametrize("size", [6, 10, 31, 200])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_interval_contains_the_true_median(name, size):
    draw, median = DISTRIBUTIONS[name]
    generator = random.Random(f"{name} {size}")
    covered = 0
    for _ in range(1000):
        low, high = median_interval([draw(generator) for _ in range(size)])
        covered += low <= median <= high
    assert covered >= 930


def test_the_interval_narrows_with_more_runs():
    generator = random.Random(0)
    widths = []
    for size in (10, 100, 1000):
        low, high = median_interval([generator.gauss(0, 1) for _ in range(size)])
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


def test_known_ranks():
    """The table of the sign test: of 10 values the second and the ninth, of 20 the sixth and the fifteenth."""
    assert median_interval(range(1, 11)) == (2, 9)
    assert median_interval(range(1, 21)) == (6, 15)
    assert median_interval([3.0, 1.0, 2.0, 5.0, 4.0, 6.0]) == (1.0, 6.0)


@pytest.mark.parametrize("size", range(6))
def test_few_runs_have_no_interval(size):
    assert median_interval([1.0] * size) is None


def test_the_median_is_inside_and_many_runs_are_no_trouble():
    values = list(range(100_001))
    low, high = median_interval(values)
    assert low < statistics.median(values) < high


# --- several processes ------------------------------------------------------------------------------------------------

PROCESSES = {
    # name: how much slower than usual a process is, with median 1
    "alike": lambda r: 1.0,
    "a_little_different": lambda r: r.lognormvariate(0.0, 0.05),
    "very_different": lambda r: r.lognormvariate(0.0, 0.3),
    "additive": lambda r: r.gauss(1.0, 0.1),
}


@pytest.mark.parametrize("num_processes", [2, 3, 5, 6, 10])
@pytest.mark.parametrize("name", PROCESSES)
def test_the_interval_of_processes_contains_the_median_of_all_processes(name, num_processes):
    """Runs of one process share its luck: however many there are, they do not make up for other processes."""
    generator = random.Random(f"{name} {num_processes}")
    covered = 0
    for _ in range(1000):
        groups = [
            [factor * generator.lognormvariate(0.0, 0.1) for _ in range(9)]
            for factor in [PROCESSES[name](generator) for _ in range(num_processes)]
        ]
        low, high = repeated_median_interval(groups)
        covered += low <= 1.0 <= high
    assert covered >= 930


def test_one_process_has_the_interval_of_its_runs():
    assert repeated_median_interval([range(1, 11)]) == (2, 9)
    assert repeated_median_interval([[1.0] * 5]) is None


def test_two_processes_that_differ_wildly_still_have_numbers():
    low, high = repeated_median_interval([[1e-9], [1e9]])
    assert 0 <= low < 1 < high < float("inf")
    assert repeated_median_interval([[0.0], [1.0]]) is None
