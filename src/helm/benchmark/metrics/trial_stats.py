"""The stats of one trial, gathered name by name so that merging them costs little per instance."""

from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

from helm.benchmark.augmentations.perturbation_description import PERTURBATION_WORST
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.statistic import Number, Stat
from helm.benchmark.metrics.worst_case import FAIRNESS, ROBUSTNESS, compute_worst_case_metrics
from helm.benchmark.scenarios.scenario import Instance


class _Column:
    """All stats of one name in one context, in the order of the instances."""

    __slots__ = ("name", "stats", "of_int")

    def __init__(self, name: MetricName):
        self.name = name
        self.stats: List[Stat] = []
        self.of_int: Dict[int, Stat] = {}
        """Integer to the stat that holds just this value. Most values of most metrics are small integers that recur
        for every instance, so sharing their stats saves most of the memory; nobody adds to them later."""


class TrialStats:
    """Collects the stats of the instances of one trial, puts them into context and merges them."""

    def __init__(self) -> None:
        self.per_instance_stats: Dict[Instance, List[Stat]] = {}
        """The stats in context of every instance, empty ones included."""
        self._columns: List[_Column] = []
        """In the order of first appearance."""
        self._contexts: Dict[MetricContext, Dict[str, _Column]] = {}
        self._ids: Set[Tuple[MetricContext, Optional[str]]] = set()
        self._last: Tuple[Any, ...] = (None, None, None, None)
        self._is_plain = True
        """No instance is perturbed, no id occurs twice in a context and no name twice in an instance."""

    def add(self, instance: Instance, stats: Sequence[Stat]) -> List[Stat]:
        """Take the stats of the next instance. Returns them in the context of the instance."""
        if not stats:
            self.per_instance_stats[instance] = []
            return []
        columns, context = self._get_columns(instance)
        result: List[Stat] = []
        for stat in stats:
            column = columns.get(stat.name.name)
            if column is None:
                column = self._add_column(columns, stat.name.name, context)
            if stat.count == 1 and stat.min.__class__ is int:
                shared = column.of_int.get(stat.min)
                if shared is None:
                    shared = column.of_int[stat.min] = stat.renamed(column.name)
                stat = shared
            else:
                stat = stat.renamed(column.name)
            column.stats.append(stat)
            result.append(stat)
        if self._is_plain:
            key = (context, instance.id)
            names = {id(stat.name) for stat in result}
            if instance.perturbation is not None or key in self._ids or len(names) < len(result):
                self._is_plain = False
            self._ids.add(key)
        self.per_instance_stats[instance] = result
        return result

    def _get_columns(self, instance: Instance) -> Tuple[Dict[str, _Column], MetricContext]:
        split, sub_split, perturbation = instance.split, instance.sub_split, instance.perturbation
        last_split, last_sub_split, last_perturbation, last = self._last
        if last is not None and split == last_split and sub_split == last_sub_split and perturbation is last_perturbation:
            return last
        context = MetricContext(split, sub_split, perturbation)
        columns = self._contexts.setdefault(context, {})
        self._last = (split, sub_split, perturbation, (columns, context))
        return columns, context

    def _add_column(self, columns: Dict[str, _Column], name: str, context: MetricContext) -> _Column:
        column = columns[name] = _Column(MetricName(name, context.split, context.sub_split, context.perturbation))
        self._columns.append(column)
        return column

    def merge(self) -> Dict[MetricName, Stat]:
        """All stats of every name merged, in the order of first appearance."""
        return {column.name: _merge_column(column.name, column.stats) for column in self._columns}

    def compute_worst_case_stats(self) -> List[Stat]:
        """What `compute_worst_case_metrics` gives.

        Without perturbations every group is one stat, so the worst values are the smallest values of the stats
        themselves, and they can be merged name by name.
        """
        if not self._is_plain or any(not column.stats[0].count and _has_value(column) for column in self._columns):
            return compute_worst_case_metrics(self.per_instance_stats)
        result: List[Stat] = []
        for column in self._columns:
            if not _has_value(column):
                continue
            robust = _WORST_ROBUSTNESS, _WORST_FAIRNESS
            name = replace(column.name, perturbation=robust[0])
            stat = _add_all(name, [stat.min for stat in column.stats if stat.count])
            result.append(stat)
            result.append(stat.renamed(replace(column.name, perturbation=robust[1])))
        return result


_WORST_ROBUSTNESS = replace(ROBUSTNESS, computed_on=PERTURBATION_WORST)
_WORST_FAIRNESS = replace(FAIRNESS, computed_on=PERTURBATION_WORST)


def _has_value(column: _Column) -> bool:
    return any(stat.count for stat in column.stats)


# `reduce(add, ...)` adds from left to right as `Stat.merge` does; `sum` compensates rounding errors since Python 3.12.
# `min` and `max` of a list keep the first of equal or unordered (NaN) values, as the pairwise calls in `Stat` do.


def _merge_column(name: MetricName, stats: List[Stat]) -> Stat:
    """`Stat.merge` over all stats, starting from a copy of the first."""
    values = [stat.min for stat in stats if stat.min is not None]
    maxima = [stat.max for stat in stats if stat.max is not None]
    return _finish(
        Stat(
            name,
            reduce(add, [stat.count for stat in stats]),
            reduce(add, [stat.sum for stat in stats]),
            reduce(add, [stat.sum_squared for stat in stats]),
            min(values) if values else None,
            max(maxima) if maxima else None,
        )
    )


def _add_all(name: MetricName, values: List[Number]) -> Stat:
    """`Stat.merge` over one stat for each value."""
    squares = [value * value for value in values]
    return _finish(Stat(name, len(values), reduce(add, values), reduce(add, squares), min(values), max(values)))


def _finish(stat: Stat) -> Stat:
    return stat.merge(Stat(stat.name))
