"""Worst-case statistics: over an instance and its perturbed copies."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from helm.benchmark.augmentations.perturbation_description import (
    PERTURBATION_ORIGINAL,
    PERTURBATION_WORST,
    PerturbationDescription,
)
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Number, Stat, merge_stat, merge_stats, merge_values
from helm.benchmark.scenarios.scenario import Instance

if TYPE_CHECKING:
    from helm.benchmark.metrics.metric import MetricMetadata, PerInstanceStats

ROBUSTNESS = PerturbationDescription(name="robustness", robustness=True)
FAIRNESS = PerturbationDescription(name="fairness", fairness=True)
_AGGREGATES = ("robustness", "fairness")

_Key = tuple[str, str | None, str | None]
"""A metric name without perturbation."""


def compute_worst_case_metrics(per_instance_stats: Mapping[Instance, Sequence[Stat]]) -> list[Stat]:
    """Return worst-case stats of one trial, merged over the instances.

    The stats of an instance and of its copies (same id, split and sub-split) form a group. `robustness` and `fairness`
    take the worst of the original and all copies that count towards them; every perturbation also gets the worst of the
    original and its own copy, and the original alone.

    HELM: the worst is the smallest value, even where lower is better; and without any perturbation `robustness` and
    `fairness` are the plain values.

    Raises: AssertionError if a group contains two originals or two copies by one perturbation.
    """
    groups: dict[tuple[_Key, str | None], list[Stat]] = {}
    for instance, stats in per_instance_stats.items():
        for stat in stats:
            name = stat.name
            groups.setdefault(((name.name, name.split, name.sub_split), instance.id), []).append(stat)
    collected = _Collected()
    for (key, instance_id), group in groups.items():
        _collect(key, instance_id, group, collected)
    return collected.merge()


class _Collected:
    """The inputs of the stats to emit, in order of first appearance: merging many at once is much faster."""

    def __init__(self) -> None:
        self._minima: dict[tuple[_Key, PerturbationDescription], list[Number]] = {}
        self._originals: dict[tuple[_Key, PerturbationDescription], list[Stat]] = {}
        self._order: list[tuple[_Key, PerturbationDescription, str]] = []

    def add_worst(self, key: _Key, perturbation: PerturbationDescription, minimum: Number | None) -> None:
        if minimum is None:
            return
        minima = self._minima.get((key, perturbation))
        if minima is None:
            minima = self._minima[key, perturbation] = []
            self._order.append((key, perturbation, PERTURBATION_WORST))
        minima.append(minimum)

    def add_original(self, key: _Key, perturbation: PerturbationDescription, stat: Stat) -> None:
        stats = self._originals.get((key, perturbation))
        if stats is None:
            stats = self._originals[key, perturbation] = []
            self._order.append((key, perturbation, PERTURBATION_ORIGINAL))
        stats.append(stat)

    def merge(self) -> list[Stat]:
        result = []
        for key, perturbation, computed_on in self._order:
            name = MetricName(*key, replace(perturbation, computed_on=computed_on))
            if computed_on == PERTURBATION_WORST:
                result.append(merge_values(name, self._minima[key, perturbation]))
            else:
                result.append(merge_stats(name, self._originals[key, perturbation]))
        return result


def _collect(key: _Key, instance_id: str | None, group: list[Stat], collected: _Collected) -> None:
    original: Stat | None = None
    robust: Number | None = None
    fair: Number | None = None
    copies: dict[PerturbationDescription, Stat] = {}
    for stat in group:
        perturbation = stat.name.perturbation
        if perturbation is None:
            assert original is None, f"Two originals with the id {instance_id} give {key[0]}"
            original = stat
            continue
        if perturbation.robustness:
            robust = _smaller(robust, stat.min)
        if perturbation.fairness:
            fair = _smaller(fair, stat.min)
        assert perturbation not in copies, f"Two copies of {instance_id} by {perturbation} give {key[0]}"
        copies[perturbation] = stat
    original_minimum = original.min if original is not None else None
    collected.add_worst(key, ROBUSTNESS, _smaller(robust, original_minimum))
    collected.add_worst(key, FAIRNESS, _smaller(fair, original_minimum))
    for perturbation, stat in copies.items():
        if original is not None and perturbation.name not in _AGGREGATES:
            collected.add_original(key, perturbation, original)
        collected.add_worst(key, perturbation, _smaller(stat.min, original_minimum))


def _smaller(a: Number | None, b: Number | None) -> Number | None:
    """Return the minimum like `Stat.merge`: the first of equal or unordered values, and None for no value."""
    if a is None or b is None:
        return b if a is None else a
    return min(a, b)


# --- by direction -----------------------------------------------------------------------------------------------------


def get_directions(metadata: "Iterable[MetricMetadata]") -> dict[str, bool]:
    """Map metric name to whether lower is better, for the metrics whose metadata specify it."""
    return {item.name: item.lower_is_better for item in metadata if item.lower_is_better is not None}


def compute_directed_worst_case(
    per_instance_stats: "Iterable[PerInstanceStats]", lower_is_better: Mapping[str, bool]
) -> list[Stat]:
    """Return the worst of an instance and its perturbed copies: the largest value if lower is better.

    This is the correct counterpart of what `compute_worst_case_metrics` returns for `stats.json`. Per name, split and
    sub-split there is one stat for `robustness` and one for `fairness` if any copy counts towards them, and one for
    every perturbation. The first two cover every instance (one without a copy counts by itself), a perturbation only
    those that it changed. As in `stats.json`, every trial counts as one value, its mean over the instances.

    Args:
        per_instance_stats: of all metrics of a run, or as read from `per_instance_stats.json`; several stats of one
            name and instance count together. NaN and empty stats are ignored.
        lower_is_better: direction by name, for example from `get_directions`; `name@k` has the direction of `name`. A
            metric without a direction has no worst case.
    """
    trials: dict[int, dict[tuple[_Key, bool], dict[str | None, _Extremes]]] = {}
    for entry in per_instance_stats:
        for stat in entry.stats:
            name = stat.name.name
            is_lower_better = lower_is_better.get(name, lower_is_better.get(name.split("@")[0]))
            worst = stat.max if is_lower_better else stat.min
            if is_lower_better is None or worst is None or math.isnan(worst):
                continue
            key = (name, stat.name.split, stat.name.sub_split)
            instances = trials.setdefault(entry.train_trial_index, {}).setdefault((key, is_lower_better), {})
            extremes = instances.setdefault(entry.instance_id, {})
            previous = extremes.get(entry.perturbation)
            extremes[entry.perturbation] = _worse(previous, worst, is_lower_better)
    totals: dict[MetricName, Stat] = {}
    for columns in trials.values():
        for (key, is_lower_better), instances in columns.items():
            for perturbation, values in _collect_directed(list(instances.values()), is_lower_better).items():
                worst_name = MetricName(*key, replace(perturbation, computed_on=PERTURBATION_WORST))
                merge_stat(totals, merge_values(worst_name, values).take_mean())
    return list(totals.values())


_Extremes = dict[PerturbationDescription | None, Number]
"""Maps perturbation to the worst value of one instance; None is the original."""


def _collect_directed(
    instances: Sequence[_Extremes], is_lower_better: bool
) -> dict[PerturbationDescription, list[Number]]:
    """Return the worst value of every instance, by aggregate or perturbation."""
    perturbations = dict.fromkeys(p for extremes in instances for p in extremes if p is not None)
    groups: list[tuple[PerturbationDescription, set[PerturbationDescription], bool]] = [
        (ROBUSTNESS, {p for p in perturbations if p.robustness}, True),
        (FAIRNESS, {p for p in perturbations if p.fairness}, True),
        *((p, {p}, False) for p in perturbations),
    ]
    result: dict[PerturbationDescription, list[Number]] = {}
    for aggregate, members, covers_all in groups:
        for extremes in instances if members else []:
            if not covers_all and aggregate not in extremes:
                continue
            values = [value for p, value in extremes.items() if p is None or p in members]
            if values:
                result.setdefault(aggregate, []).append(max(values) if is_lower_better else min(values))
    return result


def _worse(a: Number | None, b: Number, is_lower_better: bool) -> Number:
    if a is None:
        return b
    return max(a, b) if is_lower_better else min(a, b)
