"""Runs in little memory, for summaries of thousands of them.

A run has about a hundred aggregated statistics, which as objects take 50 kB and more. Here their numbers are one array, their
names are shared by all runs that have the same ones, and a `Stat` is made when it is asked for. The arrays are in a file without
a name, because they are most of what is left.
"""

import os
from array import array
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, compress
from math import isfinite, isnan
from operator import eq
from typing import Any

from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import render_json
from helm.common.packed_list import PackedStore
from helm.results.run_files.json_items import read_bytes
from helm.results.run_files.run_folder import RUN_SPEC_FILE_NAME, STATS_FILE_NAME
from helm.results.run_files.run_reader import NameMatcher, Run, RunReader, read_stat_items
from helm.results.run_files.run_schema import STAT_NUMBERS, stat_to_numbers
from helm.results.run_files.shared_specs import SharedSpecReader

_WIDTH = len(STAT_NUMBERS)
_COUNT = [name for name, _ in STAT_NUMBERS].index("count")
_PLACES = [f'"{name}": %{"d" if name == "count" else "r"}' for name, _ in STAT_NUMBERS]
_OPTIONAL = tuple(default is None for _, default in STAT_NUMBERS)
_NAN = float("nan")
_EMPTY = array("d")
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
    """Reads runs as compact ones where that loses nothing.

    Args:
        folder: where the disk has room for the file of numbers. None, and a full disk, keeps them in memory.
    """

    def __init__(self, folder: str | None = None) -> None:
        super().__init__()
        self.specs = SharedSpecReader()
        self._numbers = None if folder is None else PackedStore(folder)
        self._shared: dict[tuple[MetricName, ...], StatNames] = {}
        self._groups: dict[frozenset[str], frozenset[str]] = {}
        self._latest: list[Any] = []
        self._latest_names = self.share([])

    def share(self, names: Sequence[MetricName]) -> StatNames:
        """Return the names, the same object for equal ones."""
        key = tuple(names)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = StatNames(key)
        return found

    def read_run(self, run_path: str) -> Run:
        spec_path = os.path.join(run_path, RUN_SPEC_FILE_NAME)
        run_spec = self.specs.decode(read_bytes(spec_path), spec_path)
        stats_path = os.path.join(run_path, STATS_FILE_NAME)
        items = read_stat_items(stats_path)
        numbers = pack_numbers(items)
        if numbers is None:
            return Run(run_path=run_path, run_spec=run_spec, stats=self.read_stats(stats_path))
        names = [item.name for item in items]
        if names != self._latest:  # many runs have the same ones
            self._latest, self._latest_names = names, self.share(self.names_of(items, stats_path))
        return self.make_run(run_path, run_spec, self._latest_names, numbers)

    def make_run(self, run_path: str, run_spec: RunSpec, names: StatNames, numbers: array) -> "CompactRun":
        """Return a compact run, whose numbers are in the file of this reader."""
        run = CompactRun(run_path, run_spec, names, numbers, self._numbers)
        run.groups = self._groups.setdefault(run.groups, run.groups)
        return run


def pack_numbers(stats: Sequence[Any]) -> array | None:
    """Return all numbers of the statistics, or of items of their file, one after the other.

    Returns: None if floats cannot represent one of them.
    """
    numbers: list[Any] = list(chain.from_iterable(map(stat_to_numbers, stats)))
    if max(numbers[_COUNT::_WIDTH], default=0) > _MAX_EXACT:
        return None
    known = [number for number in numbers if number is not None] if None in numbers else numbers
    if isnan(sum(known)) and any(map(isnan, known)):  # it stands for None in the array
        return None
    return array("d", numbers if known is numbers else [_NAN if number is None else number for number in numbers])


@lru_cache(maxsize=8)
def _make_format(names: StatNames, newline: str, are_known: bytes) -> str:
    """Return the JSON of statistics with these names, with a place for each number that is known."""
    inner = newline + "  "
    deeper = inner + "  "
    texts = []
    for number, name in enumerate(names.names):
        known = are_known[number * _WIDTH : (number + 1) * _WIDTH]
        fields = [f'"name": {render_json(name, deeper)}'.replace("%", "%%")]
        fields += [place for place, is_known in zip(_PLACES, known, strict=True) if is_known]
        texts.append("{" + ",".join(deeper + field for field in fields) + inner + "}")
    return "[" + ",".join(inner + text for text in texts) + newline + "]"


class CompactRun(Run):
    """A `Run` whose statistics are made on demand, anew each time.

    Args:
        run_path: the run's folder.
        run_spec: its spec.
        names: names of the statistics.
        numbers: what `pack_numbers` has made of them.
        store: where the numbers go; None, and a full disk, keeps them in memory.
    """

    def __init__(
        self, run_path: str, run_spec: RunSpec, names: StatNames, numbers: array, store: PackedStore | None = None
    ):
        self.run_path, self.run_spec, self.failure = run_path, run_spec, None
        self.groups = frozenset(run_spec.groups)
        self.shared_names = names
        self._store, self._numbers, self._start = store, numbers, -1
        if store is not None:
            with suppress(OSError):
                self._start, _ = store.add(numbers.tobytes())
                self._numbers = _EMPTY

    @property
    def numbers(self) -> array:
        """What `pack_numbers` has made of the statistics."""
        return self._read(0, len(self.shared_names.names))

    @property
    def stats(self) -> list[Stat]:  # type: ignore[override]
        """The aggregated statistics, in the order of the file."""
        return self._stats(range(len(self.shared_names.names)))

    def render_stats(self, newline: str) -> str:
        """Return what `render_json` returns for the statistics, without making them."""
        numbers = self.numbers
        are_known = bytes(map(eq, numbers, numbers))  # NaN stands for None
        known = tuple(compress(numbers, are_known))
        if not known or not isfinite(sum(known)):
            return render_json(self.stats, newline)
        return _make_format(self.shared_names, newline, are_known) % known

    def stats_named(self, name: str) -> list[Stat]:
        return self._stats(self.shared_names.named(name))

    def stats_matching(self, matcher: NameMatcher) -> list[Stat]:
        return self._stats(self.shared_names.matching(matcher))

    def stat_names(self) -> list[str]:
        return self.shared_names.metrics()

    def _read(self, first: int, end: int) -> array:
        """Return the numbers of the statistics from `first` to before `end`."""
        if self._store is None or self._start < 0:
            return self._numbers[first * _WIDTH : end * _WIDTH]
        size = _WIDTH * _EMPTY.itemsize
        numbers = array("d")
        numbers.frombytes(self._store.read(self._start + first * size, (end - first) * size))
        return numbers

    def _stats(self, places: Sequence[int]) -> list[Stat]:
        """Return the statistics at these places, which are in ascending order."""
        if not places:
            return []
        first = places[0]
        numbers = self._read(first, places[-1] + 1).tolist()
        return [self._stat(place, numbers[(place - first) * _WIDTH : (place - first + 1) * _WIDTH]) for place in places]

    def _stat(self, place: int, numbers: list[Any]) -> Stat:
        if isnan(sum(numbers)):
            numbers = [
                None if is_optional and isnan(number) else number
                for number, is_optional in zip(numbers, _OPTIONAL, strict=True)
            ]
        numbers[_COUNT] = int(numbers[_COUNT])
        return Stat(self.shared_names.names[place], *numbers)
