"""What intervals of fewer than ten values can reach at best, and the table of `helm.results.statistics.small_samples`.

    python benchmarks/small_samples.py            the bounds, beside what HELM's intervals reach
    python benchmarks/small_samples.py --calibrate   the table

An interval of a mean should move and stretch with the values, and turn over with them. Its ends are then the mean minus and plus
standard errors whose number depends on the shape of the sample alone. For three values, the skewness is all there is to the
shape; for more values, it is what tells normal from skewed values. So the shape is divided into bins of skewness, and the best
ends in all bins are a linear program: shortest on average for normal values, while each kind of values is covered in 93.5 to
96.5% of the samples. The mirror images of skewed values are then covered as often. Without a solution, no such interval exists.

Needs scipy. All draws have fixed seeds.
"""

import argparse
import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy.optimize import differential_evolution, linprog
from scipy.stats import binom
from scipy.stats import t as student

from helm.results.statistics.shares import share_interval
from helm.results.statistics.small_samples import FACTORS, RAMP

LEAST, MOST = 0.935, 0.965
COUNTS = range(3, 10)
# The end on the side of the short tail is at least this many of Student's quantiles from the mean: without a limit, the best
# intervals of three values would sometimes end at the mean itself.
SHORTEST, LONGEST = 0.4, 4.0
BINS = 16
# How far from its limits the coverage of the calibrated intervals stays; three normal and lognormal values leave no more room.
MARGINS = {3: 0.0015}
MARGIN = 0.003

Draw = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
KINDS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda generator, shape: generator.standard_normal(shape), 0.0),
    "exponential": (lambda generator, shape: generator.exponential(size=shape), 1.0),
    "lognormal 0.5": (lambda generator, shape: generator.lognormal(0, 0.5, shape), math.exp(0.125)),
    "lognormal 1": (lambda generator, shape: generator.lognormal(0, 1, shape), math.exp(0.5)),
}
# Differences of equal subjects: tests at the 5% level should reject in at most 5.5% of the samples.
DIFFERENCES: dict[str, tuple[Draw, float]] = {
    "exponential differences": (lambda generator, shape: np.subtract(*generator.exponential(size=(2, *shape))), 0.0),
    "lognormal 1 differences": (lambda generator, shape: np.subtract(*generator.lognormal(0, 1, (2, *shape))), 0.0),
    "uniform": (lambda generator, shape: generator.random(shape), 0.5),
}
Sample = tuple[np.ndarray, np.ndarray]


def draw_statistics(count: int, times: int, seed: int = 0) -> dict[str, Sample]:
    """Return, for each kind of values, the skewness and Student's statistic of `times` samples of `count` values.

    Samples with a long left tail are mirrored. The skewness is relative to the largest possible one, in [0, 1], and the
    statistic is relative to Student's quantile: the interval `t` misses the mean below -1 and above 1.
    """
    found = {}
    for number, (name, (draw, truth)) in enumerate({**KINDS, **DIFFERENCES}.items()):
        values = draw(np.random.default_rng([seed, count, number]), (times, count))
        mean = values.mean(axis=1)
        errors = values - mean[:, None]
        squares = (errors * errors).sum(axis=1)
        skewness = (errors**3).sum(axis=1) / squares**1.5 * math.sqrt(count * (count - 1)) / (count - 2)
        statistic = (mean - truth) / np.sqrt(squares / (count * (count - 1))) / student.ppf(0.975, count - 1)
        found[name] = np.minimum(1.0, np.abs(skewness)), np.where(skewness < 0, -statistic, statistic)
    return found


def find_best(samples: dict[str, Sample], best: str | None = None) -> tuple[float, dict[str, float]] | None:
    """Return the mean length (in Student's) for normal values and the coverage of the shortest intervals that meet the goal.

    Args:
        best: the kind whose coverage is made as large as possible instead, however long the intervals become.
    """
    edges = np.quantile(np.concatenate([samples["normal"][0], samples["lognormal 1"][0]]), np.linspace(0, 1, BINS + 1))
    grid = np.concatenate([np.arange(SHORTEST, 2, 0.025), np.linspace(2, LONGEST, 21)])
    misses, weights = {}, np.zeros(BINS)
    for name, (skewness, statistic) in samples.items():
        bins = np.searchsorted(edges[1:-1], skewness, side="right")
        rows = [np.sort(statistic[bins == number]) for number in range(BINS)]
        towards_long_tail = [np.searchsorted(row, -grid) for row in rows]
        towards_short_tail = [len(row) - np.searchsorted(row, grid, side="right") for row in rows]
        misses[name] = np.concatenate([*towards_long_tail, *towards_short_tail]) / len(statistic)
        if name == "normal":
            weights = np.array([len(row) for row in rows]) / len(statistic)
    lengths = np.outer(np.tile(weights, 2), grid).ravel() / 2
    bounds = [(misses[name], 1 - LEAST) for name in KINDS if name != best]
    bounds += [(-misses[name], MOST - 1) for name in KINDS if name != best]
    solution = linprog(
        lengths if best is None else misses[best],
        A_ub=np.array([row for row, _ in bounds]),
        b_ub=[limit for _, limit in bounds],
        A_eq=np.kron(np.eye(2 * BINS), np.ones(len(grid))),
        b_eq=np.ones(2 * BINS),
    )
    if solution.status != 0:
        return None
    return float(lengths @ solution.x), {name: float(1 - row @ solution.x) for name, row in misses.items()}


def cover(samples: dict[str, Sample], factors: Sequence[float]) -> tuple[float, dict[str, float]]:
    """Return the same for the intervals with these factors (a row of `FACTORS`)."""
    covered, length = {}, 0.0
    for name, (skewness, statistic) in samples.items():
        even, growth, short, threshold = factors
        far = even + growth * skewness
        near = even + (short - even) * np.clip((skewness - threshold) / RAMP, 0, 1)
        covered[name] = float(1 - np.mean((statistic < -far) | (statistic > near)))
        if name == "normal":
            length = float(np.mean(far + near)) / 2
    return length, covered


def calibrate(count: int, times: int) -> list[float]:
    """Return the factors with the shortest intervals for normal values that meet the goal."""
    samples, margin = draw_statistics(count, times), MARGINS.get(count, MARGIN)

    def badness(factors: np.ndarray) -> float:
        length, covered = cover(samples, factors)
        excess = [LEAST + margin - covered[name] for name in (*KINDS, *DIFFERENCES)]
        excess += [covered[name] - MOST + margin for name in KINDS]
        if count > 5:  # with fewer instances, no difference is significant
            excess += [0.947 - covered[name] for name in ("normal", *list(DIFFERENCES)[:2])]
        return length + 300 * sum(max(0.0, value) for value in excess)

    limits = [(0.9, 4), (0, 3.5), (SHORTEST, 1), (0, 0.9)]
    solution = differential_evolution(badness, limits, maxiter=80, popsize=10, seed=1, tol=1e-6, polish=False)
    return [round(float(value), 2) for value in solution.x]


def least_attainable(count: int, probability: float) -> float:
    """Return the smallest coverage, of at least 93.5%, that any interval of a share can have at this probability.

    The numbers of right answers for which an interval holds the true share are a range, so only these coverages exist.
    """
    cumulated = np.concatenate([[0.0], binom.cdf(np.arange(count + 1), count, probability)])
    sums = cumulated[None, :] - cumulated[:, None]
    return float(sums[sums >= LEAST].min())


def cover_share(count: int, probability: float) -> float:
    ends = [share_interval(successes, count) for successes in range(count + 1)]
    chances = binom.pmf(np.arange(count + 1), count, probability)
    return float(sum(chance for chance, (low, high) in zip(chances, ends, strict=True) if low <= probability <= high))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=100_000, help="draws for each number of values")
    parser.add_argument("--calibrate", action="store_true", help="print the table of factors (minutes)")
    args = parser.parse_args()
    if args.calibrate:
        for count in COUNTS:
            print(f"    {count}: {tuple(calibrate(count, args.times))},", flush=True)
        return
    titles = ["values", "intervals", "length", *KINDS, *DIFFERENCES]
    print("| " + " | ".join(titles) + " |\n| ---: | --- |" + " ---: |" * (len(titles) - 2))
    for count in COUNTS:
        samples = draw_statistics(count, args.times, seed=1)
        rows = {
            "best for lognormal 1": find_best(samples, "lognormal 1"),
            "shortest": find_best(samples),
            "ours": cover(samples, FACTORS[count]),
            "Student's": cover(samples, (1.0, 0.0, 1.0, 0.0)),
        }
        for title, row in rows.items():
            shown = ["none"] if row is None else [f"{row[0]:.2f}", *(f"{100 * value:.1f}" for value in row[1].values())]
            print(f"| {count} | {title} | " + " | ".join(shown) + " |", flush=True)
    counts = (3, 4, 5, 6, 8, 10, 15, 20, 40, 100)
    print("\n| shares | " + " | ".join(map(str, counts)) + " |\n| --- |" + " ---: |" * len(counts))
    for probability in (0.02, 0.05, 0.1, 0.2, 0.5):
        for title, function in (("least attainable", least_attainable), ("ours", cover_share)):
            shown = " | ".join(f"{100 * function(count, probability):.1f}" for count in counts)
            print(f"| {probability:g}: {title} | {shown} |", flush=True)
    shares = np.linspace(0.005, 0.5, 397)
    for title, function in (("worst of 0.005 to 0.5", min), ("mean of 0.005 to 0.5", np.mean)):
        found = [function([cover_share(count, share) for share in shares]) for count in counts]
        print(f"| {title}: ours | " + " | ".join(f"{100 * float(value):.1f}" for value in found) + " |", flush=True)


if __name__ == "__main__":
    main()
