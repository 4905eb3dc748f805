"""`Stat`: a running summary of numbers."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from math import inf, nan, sqrt
from operator import add, mul

from helm.benchmark.augmentations.perturbation_description import PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.common.codec import SCALAR_WRITERS, register_renderer, render_dataclass_json, render_json

Number = int | float


@dataclass(slots=True)
class Stat:
    """Count, sum, extremes, mean and population variance of the numbers added so far.

    Numbers keep their Python type: sums and extremes of ints stay ints. The variance uses the one-pass formula E[x^2] -
    E[x]^2, clipped at 0.
    """

    name: MetricName
    count: int = 0
    sum: Number = 0
    sum_squared: Number = 0
    min: Number | None = None
    max: Number | None = None
    mean: float | None = None
    variance: float | None = None
    stddev: float | None = None

    def add(self, x: Number | None) -> "Stat":
        """Add one number (a bool counts as 0 or 1; None is ignored). Returns self."""
        if x is None:
            return self
        if isinstance(x, bool):
            x = 1 if x else 0
        self.sum += x
        self.sum_squared += x * x
        self.min = x if self.min is None else min(self.min, x)
        self.max = x if self.max is None else max(self.max, x)
        self.count += 1
        self._update()
        return self

    def merge(self, other: "Stat") -> "Stat":
        """Add all numbers of another stat, whatever its name. Returns self."""
        self.sum += other.sum
        self.sum_squared += other.sum_squared
        if other.min is not None:
            self.min = other.min if self.min is None else min(self.min, other.min)
        if other.max is not None:
            self.max = other.max if self.max is None else max(self.max, other.max)
        self.count += other.count
        self._update()
        return self

    def _update(self) -> None:
        if self.count:
            try:
                self.mean = mean = self.sum / self.count
                variance = self.sum_squared / self.count - mean**2
            except OverflowError:  # beyond the range of a float; HELM fails here
                variance = self._saturate()
            self.variance = 0 if variance < 0 else variance
            self.stddev = sqrt(self.variance)

    def _saturate(self) -> float:
        """Make numbers that are too large for a float infinite. Returns the variance, which is then undefined."""
        self.sum, self.sum_squared = _to_float(self.sum), _to_float(self.sum_squared)
        self.min = None if self.min is None else _to_float(self.min)
        self.max = None if self.max is None else _to_float(self.max)
        self.mean = self.sum / self.count
        return nan

    def take_mean(self) -> "Stat":
        """Return a stat of the same name that holds only the mean; self if empty."""
        return self if self.count == 0 else Stat(self.name).add(self.mean)

    def copy(self) -> "Stat":
        return self.renamed(self.name)

    def renamed(self, name: MetricName) -> "Stat":
        """Return a stat with the same numbers and another name."""
        return Stat(
            name, self.count, self.sum, self.sum_squared, self.min, self.max, self.mean, self.variance, self.stddev
        )

    def __repr__(self) -> str:
        return f"{self.name}[{self.bare_str()}]"

    def bare_str(self) -> str:
        """Format as `min=0, mean=0.5, max=1, sum=2 (4)`, with numbers rounded to three places; `(0)` if empty."""

        def text(x: Number | None) -> str:
            if x is None:
                return "None"
            if x != x:
                return "NaN"
            return str(int(x)) if int(x) == x else str(round(x, 3))

        if not self.count:
            return "(0)"
        return (
            f"min={text(self.min)}, mean={text(self.mean)}, max={text(self.max)}, sum={text(self.sum)} ({self.count})"
        )


@cache
def _template(newline: str) -> str:
    """Return the JSON of the stat of a single number at an indentation, with places for name, number and the other fields."""
    names = ("sum", "sum_squared", "min", "max", "mean", "variance", "stddev")
    places = [f'"{name}": %s' for name in ("name", "count", *names)]
    return "{" + ",".join(f"{newline}  {place}" for place in places) + newline + "}"


def _render(stat: Stat, newline: str) -> str:
    """Return the stat's JSON. Most stats of an instance hold one number, whose shortest text takes most of the time to find."""
    x = stat.sum
    is_float = x.__class__ is stat.min.__class__ is stat.max.__class__ is stat.mean.__class__ is float
    if not (is_float and x == stat.min == stat.max == stat.mean and x):  # texts of equal zeros differ
        return render_dataclass_json(stat, newline)
    text = _number_text(x)
    if stat.name.perturbation is None:
        name = _plain_name_text(stat.name, newline)
    else:  # equal numbers of a perturbation may have other texts
        name = render_json(stat.name, newline + "  ")
    squared, variance, stddev = map(_number_text, (stat.sum_squared, stat.variance, stat.stddev))
    return _template(newline) % (name, stat.count, text, squared, text, text, text, variance, stddev)


@lru_cache(maxsize=256)
def _plain_name_text(name: MetricName, newline: str) -> str:
    """Return the JSON of a name without perturbation; `newline` is that before its stat."""
    return render_json(name, newline + "  ")


def _number_text(value: Number | None) -> str:
    write = SCALAR_WRITERS.get(value.__class__)
    return render_json(value, "") if write is None else write(value)


register_renderer(Stat, _render)


@dataclass(frozen=True)
class PerInstanceStats:
    """The results of one metric for one instance in one trial."""

    instance_id: str

    perturbation: PerturbationDescription | None

    train_trial_index: int

    stats: list[Stat]


def _to_float(x: Number) -> float:
    try:
        return float(x)
    except OverflowError:
        return inf if x > 0 else -inf


_EXACT = 2**26
"""Squares of smaller integers are exact in a float, so the variance of one such value is exactly 0.0."""
_LARGEST = 1e150
"""Squares of smaller numbers are in the range of a float."""


def single(name: MetricName, value: Number) -> Stat:
    """Equivalent to `Stat(name).add(value)` for a value that is not None, in a third of the time."""
    if value.__class__ is bool:
        value = 1 if value else 0
    if value.__class__ is int and -_EXACT < value < _EXACT:
        return Stat(name, 1, value, value * value, value, value, float(value), 0.0, 0.0)
    if value.__class__ is float and -_LARGEST < value < _LARGEST:
        total, squared = 0 + value, 0 + value * value  # a negative zero becomes a positive one
        variance = squared - total**2
        variance = 0 if variance < 0 else variance
        return Stat(name, 1, total, squared, value, value, total, variance, math.sqrt(variance))
    return Stat(name).add(value)


def merge_stat(stats: dict[MetricName, Stat], stat: Stat) -> None:
    """Merge `stat` into the entry with its name; the first one is copied."""
    present = stats.get(stat.name)
    if present is None:
        stats[stat.name] = stat.copy()
    else:
        present.merge(stat)


# Operations on many stats or values at once. `reduce(add, ...)` adds from left to right like `Stat`; `sum` compensates
# errors since Python 3.12. `min` and `max` of a list keep the first of equal or unordered (NaN) values, as the pairwise
# calls in `Stat` do. Merging an empty stat at the end changes no number and computes mean, variance and deviation.


def merge_stats(name: MetricName, stats: Sequence[Stat]) -> Stat:
    """Return a copy of the first stat, under another name, with the others merged into it; there must be one."""
    minima = [stat.min for stat in stats if stat.min is not None]
    maxima = [stat.max for stat in stats if stat.max is not None]
    total = Stat(
        name,
        reduce(add, [stat.count for stat in stats]),
        reduce(add, [stat.sum for stat in stats]),
        reduce(add, [stat.sum_squared for stat in stats]),
        min(minima) if minima else None,
        max(maxima) if maxima else None,
    )
    return total.merge(Stat(name))


def merge_values(name: MetricName, values: Sequence[Number]) -> Stat:
    """Like `merge_stats`, for stats of one value each; there must be one, and none may be a bool."""
    if set(map(type, values)) == {int}:  # their sums are exact in any order, and most of them recur
        counts = Counter(values).items()
        sums = sum([value * count for value, count in counts]), sum([value * value * count for value, count in counts])
    else:
        sums = reduce(add, values), reduce(add, map(mul, values, values))
    total = Stat(name, len(values), *sums, min(values), max(values))
    return total.merge(Stat(name))


def pass_all(n: int, c: int, k: int) -> float:
    """Return the probability that k samples, drawn from n of which c are correct, are all correct: C(c, k) / C(n, k)."""
    return math.comb(c, k) / math.comb(n, k)
