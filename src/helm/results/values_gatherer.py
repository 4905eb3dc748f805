"""Gathers the scores of single instances, and facts about the instances, from objects in memory or items of files.

Numbers are kept in arrays: a run of 200,000 instances fits into memory.
"""

import hashlib
import json
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from helm.common.codec import asdict_without_nones
from helm.results.comparison.clusters import ClusterFinder
from helm.results.metric_names import is_score

_MOST_LAYOUTS = 1000
"""Lists of names that are remembered."""

PerturbationKey = str | None
"""The settings of a perturbation as JSON text; None for the unperturbed instance."""


@dataclass(frozen=True, slots=True)
class InstanceFacts:
    """Facts about an instance, without its perturbed copies."""

    split: str | None

    sub_split: str | None

    cluster: str
    """The source that it shares with others; its id if it shares none."""


@dataclass(frozen=True)
class MetricKey:
    """Identifies the values that belong to one score."""

    name: str

    split: str | None = None

    sub_split: str | None = None


@dataclass
class MetricValues:
    """All values of one metric; the arrays are parallel. Metrics of the same instances may share the last three."""

    values: array = field(default_factory=lambda: array("d"))

    owners: array = field(default_factory=lambda: array("i"))
    """Index into `InstanceValues.instance_ids`."""

    trials: array = field(default_factory=lambda: array("q"))

    perturbations: array = field(default_factory=lambda: array("i"))
    """Index into `InstanceValues.perturbations`."""

    not_finite: int = 0
    """The number of values omitted because they are NaN or infinite."""


@dataclass
class InstanceValues:
    """The scores of all instances of a run."""

    instance_ids: list[str] = field(default_factory=list)

    perturbations: list[PerturbationKey] = field(default_factory=lambda: [None])
    """The perturbations; the first is None, which means not perturbed."""

    metrics: dict[MetricKey, MetricValues] = field(default_factory=dict)


def perturbation_key(data: Any) -> PerturbationKey:
    """Return the key of a perturbation, given as a description or as plain JSON."""
    if data is None:
        return None
    return json.dumps(data if isinstance(data, dict) else asdict_without_nones(data), sort_keys=True)


class ValuesGatherer:
    """Gathers the values of all instances. Stats without a number are omitted; numbers that are not finite are counted.

    Args:
        names: the metrics to gather; None means all that are scores.
    """

    def __init__(self, names: set[str] | None = None):
        self._wanted = names
        self._owners: dict[str, int] = {}
        self._perturbations: dict[PerturbationKey, int] = {None: 0}
        self._places = _Places()
        self._targets: dict[MetricKey, _Target] = {}
        """Where the values of each metric that is wanted go."""
        self._names: list[Any] = []
        """The names of the latest entry's stats; most entries have the same ones."""
        self._wanted_stats: list[tuple[int, _Target]] = []
        """The positions of the stats that are wanted in an entry with these names."""
        self._known: dict[tuple[tuple[str, str | None, str | None], ...], list[tuple[int, _Target]]] = {}
        """The same for other names."""

    def add(self, entry: Any) -> None:
        """Add an item of `per_instance_stats.json`, or what becomes one."""
        owner = self._owners.setdefault(str(entry.instance_id), len(self._owners))
        perturbation = 0
        if entry.perturbation is not None:
            key = perturbation_key(entry.perturbation)
            perturbation = self._perturbations.setdefault(key, len(self._perturbations))
        place = self._places.add(owner, entry.train_trial_index, perturbation)
        stats = entry.stats
        names = [stat.name for stat in stats]
        if names != self._names:
            self._names, self._wanted_stats = names, self._find_wanted(names)
        for position, (values, add_value, add_place) in self._wanted_stats:
            mean = stats[position].mean
            if mean is None:
                continue
            if isfinite(mean):
                add_value(mean)
                add_place(place)
            else:
                values.not_finite += 1

    def _find_wanted(self, names: list[Any]) -> "list[tuple[int, _Target]]":
        key = tuple([(name.name, name.split, name.sub_split) for name in names])
        found = self._known.get(key)
        if found is None:
            if len(self._known) == _MOST_LAYOUTS:
                self._known.clear()
            is_wanted = is_score if self._wanted is None else self._wanted.__contains__
            metrics = [(position, MetricKey(*metric)) for position, metric in enumerate(key) if is_wanted(metric[0])]
            found = [
                (position, self._targets.get(metric) or self._create_target(metric)) for position, metric in metrics
            ]
            self._known[key] = found
        return found

    def _create_target(self, key: MetricKey) -> "_Target":
        values = MetricValues()
        target = self._targets[key] = (values, values.values.append, self._places.list_of(values))
        return target

    def finish(self) -> InstanceValues:
        """Return what was gathered."""
        self._places.fill()
        metrics = {key: values for key, (values, *_) in self._targets.items() if values.values or values.not_finite}
        return InstanceValues(list(self._owners), list(self._perturbations), metrics)


_Target = tuple[MetricValues, Callable[[float], None], Callable[[int], None]]


class _Places:
    """The instance, trial and perturbation of values, stored once for all values of an entry."""

    def __init__(self) -> None:
        self._owners, self._trials, self._perturbations = array("i"), array("q"), array("i")
        self._lists: list[tuple[MetricValues, array]] = []

    def add(self, owner: int, trial: int, perturbation: int) -> int:
        """Add a place, and return its number."""
        self._owners.append(owner)
        self._trials.append(trial)
        self._perturbations.append(perturbation)
        return len(self._owners) - 1

    def list_of(self, values: MetricValues) -> Callable[[int], None]:
        """Return a function that receives the place's number for each value of a metric."""
        self._lists.append((values, array("i")))
        return self._lists[-1][1].append

    def fill(self) -> None:
        """Give the metrics their arrays; equal ones are shared."""
        shared: dict[bytes, tuple[array, array, array]] = {}
        while self._lists:
            values, numbers = self._lists.pop()
            key = hashlib.sha256(numbers).digest()
            found = shared.get(key)
            if found is None:
                found = shared[key] = (
                    array("i", map(self._owners.__getitem__, numbers)),
                    array("q", map(self._trials.__getitem__, numbers)),
                    array("i", map(self._perturbations.__getitem__, numbers)),
                )
            values.owners, values.trials, values.perturbations = found


class FactsGatherer:
    """Gathers the facts about all instances.

    Args:
        cluster_key: the entry of `extra_data` that names the source of an instance; for None, see `find_clusters`.
    """

    def __init__(self, cluster_key: str | None = None):
        self._splits: dict[str, tuple[Any, Any]] = {}
        self._finder = ClusterFinder(cluster_key)
        self._only_perturbed: set[str] = set()

    def add(self, instance: Any, split: Any, sub_split: Any, is_perturbed: bool, extra_data: Any) -> None:
        """Add the instance of a request; its `id` and `input` are read, and the rest is given."""
        instance_id = str(instance.id)
        if instance_id in self._splits and (is_perturbed or instance_id not in self._only_perturbed):
            return
        if is_perturbed:
            self._only_perturbed.add(instance_id)
        else:
            self._only_perturbed.discard(instance_id)
        self._splits[instance_id] = (split, sub_split)
        self._finder.add(instance_id, instance.input, extra_data)

    def finish(self) -> dict[str, InstanceFacts]:
        """Return what was gathered."""
        clusters = self._finder.find()
        return {
            instance_id: InstanceFacts(split, sub_split, clusters[instance_id])
            for instance_id, (split, sub_split) in self._splits.items()
        }
