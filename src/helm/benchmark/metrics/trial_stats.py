"""The stats of one trial, collected by name so that merging them costs little per instance."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from helm.benchmark.augmentations.perturbation_description import PERTURBATION_WORST
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.statistic import Number, Stat, merge_stats, merge_values, single
from helm.benchmark.metrics.worst_case import FAIRNESS, ROBUSTNESS, compute_worst_case_metrics
from helm.benchmark.scenarios.scenario import Instance

NamedValues = list[tuple[str, Number | None]]
"""Name and value of the stats of one instance: equivalent to `Stat(MetricName(name)).add(value)`, without the objects.
"""

_WORST_ROBUSTNESS = replace(ROBUSTNESS, computed_on=PERTURBATION_WORST)
_WORST_FAIRNESS = replace(FAIRNESS, computed_on=PERTURBATION_WORST)


def to_stats(values: NamedValues) -> list[Stat]:
    """Return one stat per value, without context; empty for None."""
    return [Stat(MetricName(name)).add(value) for name, value in values]


_MOST_SHARED = 32
"""Floats of a name whose stats are shared, so that those of measured times fill no memory."""

_MANY_ROWS = 512
"""Instances whose values are handled together, column by column. Their values are in memory twice meanwhile."""


class _Column:
    """All stats of one name in one context, in the order of the instances."""

    __slots__ = ("name", "stats", "values", "shared", "floats", "begins_empty")

    def __init__(self, name: MetricName):
        self.name = name
        self.stats: list[Stat] | None = None
        """The stats. None if all were created here and hold at most one value."""
        self.values: list[Number] = []
        """The values of those stats, without None."""
        self.shared: dict[int | None, Stat] = {}
        """Maps an integer to the stat that holds just this value, and None to the empty one. Most values of most
        metrics are small integers that recur for every instance, so sharing their stats saves most of the memory; they
        are never modified later."""
        self.floats: dict[float, Stat] = {}
        """The same of some floats."""
        self.begins_empty = False
        """Whether the first stat holds no value."""

    def take(self, values: Sequence[Number | None]) -> list[Stat]:
        """Add the values of the next instances, and return a stat for each, shared where a value recurs."""
        if set(map(type, values)) != {int}:
            return [self._take_one(value) for value in values]
        shared = self.shared
        for value in set(values):
            if value not in shared:
                shared[value] = single(self.name, value)  # type: ignore[index,arg-type]
        self.values += values  # type: ignore[arg-type]
        return list(map(shared.__getitem__, values))  # type: ignore[arg-type]

    def _take_one(self, value: Number | None) -> Stat:
        if value is None:
            stat = self.shared.get(None)
            if stat is None:
                stat = self.shared[None] = Stat(self.name)
            return stat
        if value.__class__ is float:
            self.values.append(value)
            return self._share(value)
        value = int(value) if value.__class__ is bool else value
        self.values.append(value)
        if value.__class__ is not int:
            return single(self.name, value)
        stat = self.shared.get(value)
        if stat is None:
            stat = self.shared[value] = single(self.name, value)
        return stat

    def _share(self, value: float) -> Stat:
        """Return the stat of a number, shared if it is among the first; many scores are mostly 0.0 or 1.0."""
        shared = self.floats.get(value)
        if shared is not None and (value != 0 or str(value) == str(shared.min)):  # zeros may have other signs
            return shared
        stat = single(self.name, value)
        if shared is None and len(self.floats) < _MOST_SHARED:
            self.floats[value] = stat
        return stat

    def merge(self) -> Stat:
        """Return all stats merged."""
        if self.stats is not None:
            return merge_stats(self.name, self.stats)
        return merge_values(self.name, self.values) if self.values else Stat(self.name)

    def merge_minima(self, total: Stat) -> Stat:
        """Return the smallest values of all stats merged; `total` is the result of `merge`, and not empty."""
        if self.stats is None:
            return total
        return merge_values(self.name, [stat.min for stat in self.stats if stat.min is not None])


class _Group:
    """The instances of one context."""

    __slots__ = ("context", "columns", "names", "row", "num_names", "ids", "per_instance_stats", "waiting")

    def __init__(self, context: MetricContext):
        self.context = context
        self.columns: dict[str, _Column] = {}
        self.names: tuple[str, ...] = ()
        """The names of the last instance, with their columns, and how many differ."""
        self.row: list[_Column] = []
        self.num_names = 0
        self.waiting: list[tuple[list[Stat], tuple[Number | None, ...]]] = []
        """Instances with these names that were not added to the columns yet: where their stats go, and their values."""
        self.ids: set[str | None] = set()
        self.per_instance_stats: dict[Instance, list[Stat]] = {}

    def settle(self) -> None:
        """Add the instances that wait to the columns."""
        if not self.waiting:
            return
        columns = zip(*[values for _, values in self.waiting], strict=True)
        stats = [column.take(values) for column, values in zip(self.row, columns, strict=True)]
        for (target, _), row in zip(self.waiting, zip(*stats, strict=True), strict=True):
            target.extend(row)
        self.waiting.clear()


class TrialStats:
    """Collects the stats of the instances of one trial, adds their context and merges them."""

    def __init__(self) -> None:
        self._columns: list[_Column] = []
        """Groups in order of first appearance."""
        self._groups: dict[tuple[Any, ...], _Group] = {}
        self._is_plain = True
        """Whether no instance is perturbed, no id occurs twice in a context and no name twice in an instance."""
        self._rows: list[tuple[Instance, list[Stat]]] = []

    def add(self, instance: Instance, stats: Sequence[Stat]) -> list[Stat]:
        """Add the stats of the next instance. Returns copies of them in the context of the instance."""
        if not stats:
            return []
        group = self._get_group(instance)
        columns = group.columns
        result: list[Stat] = []
        for stat in stats:
            column = columns.get(stat.name.name) or self._add_column(group, stat.name.name)
            stat = stat.renamed(column.name)
            if column.stats is None:
                column.stats, column.begins_empty = [], not stat.count
            column.stats.append(stat)
            result.append(stat)
        return self._add_row(instance, group, result, len({stat.name.name for stat in stats}) < len(stats))

    def add_values(self, instance: Instance, values: NamedValues) -> list[Stat]:
        """Equivalent to `add(instance, to_stats(values))`, but faster; do not mix both in one trial.

        The returned stats may be shared with other instances.
        """
        ((_, stats),) = self.add_all_values([(instance, values)])
        return stats

    def add_all_values(self, rows: Iterable[tuple[Instance, NamedValues]]) -> Iterator[tuple[Instance, list[Stat]]]:
        """Yield each instance with what `add_values` returns; most of the work is done once for many instances."""
        rows = iter(rows)
        while some := list(islice(rows, _MANY_ROWS)):
            added = [(instance, self._begin_row(instance, values)) for instance, values in some]
            for group in self._groups.values():
                group.settle()
            yield from added

    def _begin_row(self, instance: Instance, values: NamedValues) -> list[Stat]:
        """Return the list for the stats of the next instance, which is filled when its group is settled."""
        result: list[Stat] = []
        if not values:
            return result
        group = self._get_group(instance)
        names, numbers = zip(*values, strict=True)
        if names != group.names:
            group.settle()
            for name, value in values:
                if name not in group.columns:
                    self._add_column(group, name).begins_empty = value is None
            group.row = [group.columns[name] for name in names]
            group.names, group.num_names = names, len(set(names))
        group.waiting.append((result, numbers))
        repeats_names = group.num_names < len(names)
        if repeats_names:  # the values of a column keep their order
            group.settle()
        return self._add_row(instance, group, result, repeats_names)

    def _get_group(self, instance: Instance) -> _Group:
        key = (instance.split, instance.sub_split, instance.perturbation)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(MetricContext(*key))
        return group

    def _add_column(self, group: _Group, name: str) -> _Column:
        context = group.context
        column = _Column(MetricName(name, context.split, context.sub_split, context.perturbation))
        group.columns[name] = column
        self._columns.append(column)
        return column

    def _add_row(self, instance: Instance, group: _Group, stats: list[Stat], repeats_names: bool) -> list[Stat]:
        if instance.perturbation is not None or repeats_names or instance.id in group.ids:
            self._is_plain = False
        group.ids.add(instance.id)
        group.per_instance_stats[instance] = stats
        self._rows.append((instance, stats))
        return stats

    def get_per_instance_stats(self) -> list[tuple[MetricContext, dict[Instance, list[Stat]]]]:
        """Return the stats of the instances of every context, in order of first appearance."""
        return [(group.context, group.per_instance_stats) for group in self._groups.values()]

    def merge(self) -> dict[MetricName, Stat]:
        """Return all stats merged by name, in order of first appearance."""
        return {column.name: column.merge() for column in self._columns}

    def compute_worst_case_stats(self, merged: dict[MetricName, Stat]) -> list[Stat]:
        """Return the same as `compute_worst_case_metrics`; `merged` is the result of `merge`.

        Without perturbations every group is one stat, so the worst values are the smallest values of the stats
        themselves, and they can be merged by name.
        """
        # A name whose first stats are empty would come later according to the definition.
        if not self._is_plain or any(column.begins_empty and merged[column.name].count for column in self._columns):
            return compute_worst_case_metrics(dict(self._rows))
        result: list[Stat] = []
        for column in self._columns:
            total = merged[column.name]
            if total.count:
                worst = column.merge_minima(total)
                result.append(worst.renamed(replace(column.name, perturbation=_WORST_ROBUSTNESS)))
                result.append(worst.renamed(replace(column.name, perturbation=_WORST_FAIRNESS)))
        return result
