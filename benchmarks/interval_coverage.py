"""How often intervals hold the true number, and how often tests reject where there is no difference: the table of the docs.

    python benchmarks/interval_coverage.py --times 4000

Every number comes from a generator with a fixed seed, so equal arguments print equal tables. 4,000 draws: a few minutes,
each figure is right to about 0.7 points (tests: twice as many draws, 0.5 points). `docs/reference-statistics.md` shows the
tables.
"""

import argparse
import math
from collections.abc import Callable, Sequence

import numpy as np

from helm.results.statistics import paired
from helm.results.statistics.intervals import estimate_mean
from helm.results.statistics.paired import compare_paired

Generator = np.random.Generator
Draw = Callable[[Generator, int], np.ndarray]

COUNTS = (3, 4, 5, 6, 8, 10, 15, 20, 40, 100, 300, 1000)
CLUSTERS = (5, 10, 20, 40, 100)
SHARES = (0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98)
SIZES = (1, 2, 3, 4, 15)
"""Of unequal clusters, in turn."""

MEANS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda generator, count: generator.standard_normal(count), 0.0),
    "exponential": (lambda generator, count: generator.exponential(size=count), 1.0),
    "lognormal 0.5": (lambda generator, count: generator.lognormal(0, 0.5, count), math.exp(0.125)),
    "lognormal 1": (lambda generator, count: generator.lognormal(0, 1, count), math.exp(0.5)),
}

DIFFERENCES: dict[str, Draw] = {
    "normal": lambda generator, count: generator.standard_normal((2, count)),
    "exponential": lambda generator, count: generator.exponential(size=(2, count)),
    "lognormal 1": lambda generator, count: generator.lognormal(0, 1, (2, count)),
    "right and wrong": lambda generator, count: (generator.random((2, count)) < generator.random(count)).astype(float),
}


def cover_mean(name: str, count: int, times: int) -> float:
    """Share of the intervals of a mean of `count` values that hold the true mean."""
    draw, truth = MEANS[name]
    generator = np.random.default_rng(count)
    return _share(lambda: _holds(draw(generator, count).tolist(), None, truth), times)


def cover_share(probability: float, count: int) -> float:
    """The same for right and wrong: exact, by adding up the chances of all outcomes; no draws."""
    chance, total = np.float64(1 - probability) ** count, 0.0
    for successes in range(count + 1):
        if chance > 1e-12:
            total += chance * _holds([1.0] * successes + [0.0] * (count - successes), None, probability)
        chance *= (count - successes) / (successes + 1) * probability / (1 - probability)
    return float(total)


def cover_clustered_share(probability: float, correlation: float, sizes: Sequence[int], times: int) -> float:
    """The same for right and wrong in clusters, whose chances of success have a beta distribution."""
    generator = np.random.default_rng([len(sizes), round(1000 * probability), round(1000 * correlation)])
    owners = np.repeat(np.arange(len(sizes)), sizes)
    weight = math.inf if correlation == 0 else (1 - correlation) / correlation

    def once() -> bool:
        if correlation == 0:
            chances = np.full(len(sizes), probability)
        elif correlation == 1:
            chances = (generator.random(len(sizes)) < probability).astype(float)
        else:
            chances = generator.beta(probability * weight, (1 - probability) * weight, len(sizes))
        values = generator.random(len(owners)) < chances[owners]
        return _holds(values.astype(float).tolist(), owners.tolist(), probability)

    return _share(once, times)


def reject_equal(name: str, count: int, times: int) -> float:
    """Share of the comparisons at the 5% level that find a difference where there is none."""
    generator = np.random.default_rng(count)
    return _share(lambda: compare_paired(*DIFFERENCES[name](generator, count)).p_value < 0.05, times)


def _holds(values: list[float], clusters: list[int] | None, truth: float) -> bool:
    found = estimate_mean(values, clusters)
    assert found is not None and found.low is not None and found.high is not None
    return found.low <= truth <= found.high


def _share(simulate: Callable[[], bool], times: int) -> float:
    return sum(simulate() for _ in range(times)) / times


def _row(title: str, shares: Sequence[float]) -> None:
    print(f"| {title} | " + " | ".join(f"{100 * share:.1f}" for share in shares) + " |", flush=True)


def _head(title: str, columns: Sequence[int]) -> None:
    print(f"\n| {title} | " + " | ".join(map(str, columns)) + " |\n| --- |" + " ---: |" * len(columns))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=4000, help="draws for each figure")
    times = parser.parse_args().times
    _head("95% intervals of means: values", COUNTS)
    for name in MEANS:
        _row(name, [cover_mean(name, count, times) for count in COUNTS])
    _head("95% intervals of shares: values", COUNTS)
    for probability in SHARES[:5]:
        _row(f"{probability:g}", [cover_share(probability, count) for count in COUNTS])
    _head("95% intervals of clustered shares: clusters", CLUSTERS)
    for title, unit in (("clusters of 5", (5,)), ("clusters of 1 to 15", SIZES)):
        for correlation in (0.0, 0.3, 1.0):
            found = [
                [
                    cover_clustered_share(p, correlation, np.resize(unit, clusters).tolist(), times // 4)
                    for p in (0.5, 0.8, 0.9, 0.95)
                ]
                for clusters in CLUSTERS
            ]
            _row(f"{title}, correlation {correlation:g}: mean", [float(np.mean(shares)) for shares in found])
            _row(f"{title}, correlation {correlation:g}: least", [min(shares) for shares in found])
    paired._wilcoxon_if_there = lambda differences: None  # slow, and not in the table
    _head("tests at the 5% level that reject equal subjects: instances", COUNTS)
    for name in DIFFERENCES:
        _row(name, [reject_equal(name, count, times * 2) for count in COUNTS])


if __name__ == "__main__":
    main()
