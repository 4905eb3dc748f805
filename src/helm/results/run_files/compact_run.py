"""Runs in little memory, for summaries of thousands of them.

A run has about a hundred aggregated statistics, which as objects take 50 kB and more. Here their numbers are one array, their
names are shared by all runs that have the same ones, and a `Stat` is made when it is asked for.
"""

from array import array
from collections.abc import Sequence
from math import isnan
from typing import Any

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.results.run_files.run_reader import NameMatcher, Run, RunReader
from helm.results.run_files.run_schema import STAT_NUMBERS, stat_to_numbers

_WIDTH = len(STAT_NUMBERS)
_COUNT = [name for name, _ in STAT_NUMBERS].index("count")
_OPTIONAL = tuple(default is None for _, default in STAT_NUMBERS)
_NAN = float("nan")
_MAX_EXACT = 2**53
"""Larger integers are not exact as floats."""


class StatNames:
    """The names of a run's statistics, in the order of the file, and where each metric is among them."""

    def __init__(self, names: Sequence[MetricName]):
        self.names = tuple(names)
        self._places: dict[str, list[int]] = {}
        for place, name in enumerate(self.names):
            self._places.setdefault(name.name, []).append(place)
        self._matching: dict[NameMatcher, list[int]] = {}

    def metrics(self) -> list[str]:
        return list(self._places)

    def named(self, metric: str) -> Sequence[int]:
        return self._places.get(metric, ())

    def matching(self, matcher: NameMatcher) -> list[int]:
        found = self._matching.get(matcher)
        if found is None:
            found = self._matching[matcher] = [
                place for place in self.named(matcher.name) if matcher.matches(self.names[place])
            ]
        return found


class CompactRunReader(RunReader):
    """Reads runs as compact ones where that loses nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._shared: dict[tuple[MetricName, ...], StatNames] = {}

    def share(self, names: Sequence[MetricName]) -> StatNames:
        """Return the names, the same object for equal ones."""
        key = tuple(names)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = StatNames(key)
        return found

    def read_run(self, run_path: str) -> Run:
        run = super().read_run(run_path)
        numbers = pack_numbers(run.stats)
        if numbers is None:
            return run
        return CompactRun(run_path, run.run_spec, self.share([stat.name for stat in run.stats]), numbers)


def pack_numbers(stats: Sequence[Stat]) -> array | None:
    """Return all numbers of the statistics, one after the other; None if floats cannot represent one of them."""
    if any(stat.count > _MAX_EXACT for stat in stats):
        return None
    numbers = [number for stat in stats for number in stat_to_numbers(stat)]
    if None in numbers:
        is_optional = _OPTIONAL * len(stats)
        if any(number != number and optional for number, optional in zip(numbers, is_optional, strict=True)):
            return None  # NaN stands for None in the array
        numbers = [_NAN if number is None else number for number in numbers]
    elif isnan(sum(numbers)):
        return None
    return array("d", numbers)


class CompactRun(Run):
    """A `Run` whose statistics are made on demand, anew each time.

    Args:
        run_path: the run's folder.
        run_spec: its spec.
        names: names of the statistics.
        numbers: what `pack_numbers` has made of them.
    """

    def __init__(self, run_path: str, run_spec: RunSpec, names: StatNames, numbers: array):
        self.run_path, self.run_spec, self.failure = run_path, run_spec, None
        self.groups = frozenset(run_spec.groups)
        self.shared_names, self.numbers = names, numbers

    @property
    def stats(self) -> list[Stat]:  # type: ignore[override]
        """The aggregated statistics, in the order of the file."""
        return [self._stat(place) for place in range(len(self.shared_names.names))]

    def stats_named(self, name: str) -> list[Stat]:
        return [self._stat(place) for place in self.shared_names.named(name)]

    def stats_matching(self, matcher: NameMatcher) -> list[Stat]:
        return [self._stat(place) for place in self.shared_names.matching(matcher)]

    def stat_names(self) -> list[str]:
        return self.shared_names.metrics()

    def _stat(self, place: int) -> Stat:
        start = place * _WIDTH
        numbers: list[Any] = self.numbers[start : start + _WIDTH].tolist()
        if isnan(sum(numbers)):
            numbers = [
                None if is_optional and isnan(number) else number
                for number, is_optional in zip(numbers, _OPTIONAL, strict=True)
            ]
        numbers[_COUNT] = int(numbers[_COUNT])
        return Stat(self.shared_names.names[place], *numbers)
