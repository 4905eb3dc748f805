"""The means of all scores of a run with their variances, from the values of single instances."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

import msgspec

from helm.results.metric_names import may_be_share
from helm.results.statistics.intervals import MeanFacts, gather_mean
from helm.results.values_gatherer import (
    FactsGatherer,
    InstanceFacts,
    InstanceValues,
    MetricKey,
    MetricValues,
    ValuesGatherer,
)


@dataclass(frozen=True)
class ScoreKey:
    """Identifies a score of a run."""

    name: str

    split: str | None = None

    sub_split: str | None = None

    perturbation: str | None = None
    """Selects the worst case over perturbations of this name, or over all for `robustness` or `fairness`; None means without
    perturbations."""


class ScoreFacts:
    """The means of a run's scores.

    Args:
        values: the values of all instances.
        instances: the facts about the instances.
    """

    def __init__(self, values: InstanceValues, instances: Mapping[str, InstanceFacts]):
        self._values = values
        self._numbers = _cluster_numbers(values, instances)
        self._parts: dict[MetricKey, MetricValues] = {}
        for key, found in values.metrics.items():
            self._parts.update(_by_split(key, found, values, instances))
        self.by_key: dict[ScoreKey, MeanFacts] = {}
        """The means of all scores."""
        for key, part in self._parts.items():
            self._add(key, part)

    @staticmethod
    def of_results(per_instance_stats: Iterable[Any], instances: Iterable[Any]) -> "ScoreFacts":
        """Compute them from what a run has in memory.

        Args:
            per_instance_stats: of type PerInstanceStats.
            instances: the instances of all requests, in their order.
        """
        values, facts = ValuesGatherer(), FactsGatherer()
        for entry in per_instance_stats:
            values.add(entry)
        for instance in instances:
            known: tuple[Any, ...]
            try:
                known = _get_facts(instance)
            except AttributeError:  # those of compilers do not have all
                known = tuple([getattr(instance, name, None) for name in _FACTS])
            split, sub_split, extra_data = known
            facts.add(instance, split, sub_split, instance.perturbation is not None, extra_data)
        return ScoreFacts(values.finish(), facts.finish())

    def over_sub_splits(self, name: str, split: str | None) -> MeanFacts | None:
        """Return the mean of a metric over all sub-splits, without perturbations."""
        parts = [(key, part) for key, part in self._parts.items() if (key.name, key.split) == (name, split)]
        if len(parts) == 1:
            return self.by_key.get(ScoreKey(name, split, parts[0][0].sub_split))
        values: list[float] = []
        owners: list[int] = []
        for _, part in parts:
            for value, owner, perturbation in zip(part.values, part.owners, part.perturbations, strict=True):
                if not perturbation:
                    values.append(value)
                    owners.append(owner)
        return self._gather(name, values, owners)

    def _add(self, key: MetricKey, part: MetricValues) -> None:
        plain_key = ScoreKey(key.name, key.split, key.sub_split)
        if len(self._values.perturbations) == 1:
            facts = self._gather(key.name, part.values, part.owners)
            if facts is not None:
                self.by_key[plain_key] = facts
                for name in ("robustness", "fairness"):  # HELM: without perturbations these are the plain scores
                    self.by_key[replace(plain_key, perturbation=name)] = facts
            return
        plain = [i for i, perturbation in enumerate(part.perturbations) if not perturbation]
        found = {plain_key: self._gather(key.name, [part.values[i] for i in plain], [part.owners[i] for i in plain])}
        for name, members in _perturbation_groups(self._values).items():
            worst = _worst_values(part, members)
            owners = [owner for owner, _ in worst]
            found[replace(plain_key, perturbation=name)] = self._gather(key.name, list(worst.values()), owners)
        self.by_key.update((key, facts) for key, facts in found.items() if facts is not None)

    def _gather(self, name: str, values: Sequence[float], owners: Sequence[int]) -> MeanFacts | None:
        clusters = [self._numbers[owner] for owner in owners]
        try:
            found = gather_mean(values, None if len(set(clusters)) == len(values) else clusters)
        except OverflowError:  # the sum is beyond the range of a float
            return None
        if found is not None and found.variance == math.inf:  # so are the squares
            found = replace(found, variance=None)
        return found if found is None or may_be_share(name) else replace(found, is_share=False)


_FACTS = ("split", "sub_split", "extra_data")
_get_facts = attrgetter(*_FACTS)


def _cluster_numbers(values: InstanceValues, instances: Mapping[str, InstanceFacts]) -> list[int]:
    """Return the number of each instance's cluster."""
    known: dict[str, int] = {}
    clusters = (instances[i].cluster if i in instances else i for i in values.instance_ids)
    return [known.setdefault(cluster, len(known)) for cluster in clusters]


def _by_split(
    key: MetricKey, found: MetricValues, values: InstanceValues, instances: Mapping[str, InstanceFacts]
) -> dict[MetricKey, MetricValues]:
    """Split the values of metrics that do not record their split (those of compilers)."""
    if key.split is not None:
        return {key: found}
    parts: dict[MetricKey, MetricValues] = {}
    for i, owner in enumerate(found.owners):
        facts = instances.get(values.instance_ids[owner])
        part_key = MetricKey(key.name, facts.split if facts else None, facts.sub_split if facts else None)
        part = parts.setdefault(part_key, MetricValues())
        for name in ("values", "owners", "trials", "perturbations"):
            getattr(part, name).append(getattr(found, name)[i])
    return parts


def _perturbation_groups(values: InstanceValues) -> dict[str, list[int]]:
    """Return the indexes of perturbations by their names in tables."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, key in enumerate(values.perturbations):
        if key is None:
            continue
        data = msgspec.json.decode(key)
        groups[str(data.get("name"))].append(index)
        for concern in ("robustness", "fairness"):
            if data.get(concern):
                groups[concern].append(index)
    return groups


def _worst_values(part: MetricValues, members: Sequence[int]) -> dict[tuple[int, int], float]:
    """Return the worst of each instance and its copies, by (instance, trial). HELM: the worst is the smallest."""
    concerned = {0, *members}
    worst: dict[tuple[int, int], float] = {}
    for i, value in enumerate(part.values):
        if part.perturbations[i] in concerned:
            key = (part.owners[i], part.trials[i])
            worst[key] = min(value, worst.get(key, math.inf))
    return worst
