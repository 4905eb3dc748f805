"""Worst-case statistics: over an instance and its perturbed copies, by the definition."""

from dataclasses import replace
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from helm.benchmark.augmentations.perturbation_description import (
    PERTURBATION_ORIGINAL,
    PERTURBATION_WORST,
    PerturbationDescription,
)
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.benchmark.scenarios.scenario import Instance

ROBUSTNESS = PerturbationDescription(name="robustness", robustness=True)
FAIRNESS = PerturbationDescription(name="fairness", fairness=True)
_AGGREGATES = ("robustness", "fairness")


def compute_worst_case_metrics(per_instance_stats: Mapping[Instance, Sequence[Stat]]) -> List[Stat]:
    """Worst-case stats of one trial, merged over the instances.

    The stats of an instance and of its copies (same id, split and sub-split) form a group. `robustness` and `fairness`
    take the worst of the original and all copies that count towards them; every perturbation also gets the worst of
    the original and its own copy, and the original alone.

    HELM: the worst is the smallest value, also where lower is better; and without any perturbation `robustness` and
    `fairness` are the plain values.

    Raises: AssertionError when a group holds two originals or two copies by one perturbation.
    """
    groups: Dict[Tuple[MetricName, Optional[str]], List[Stat]] = {}
    for instance, stats in per_instance_stats.items():
        for stat in stats:
            name = stat.name
            key = (MetricName(name.name, name.split, name.sub_split), instance.id)
            groups.setdefault(key, []).append(stat)
    result: Dict[MetricName, Stat] = {}
    for (name, instance_id), group in groups.items():
        _add_group(name, instance_id, group, result)
    return list(result.values())


def _add_group(name: MetricName, instance_id: Optional[str], group: List[Stat], result: Dict[MetricName, Stat]) -> None:
    original: Optional[Stat] = None
    robust, fair = Stat(replace(name, perturbation=ROBUSTNESS)), Stat(replace(name, perturbation=FAIRNESS))
    individual: Dict[PerturbationDescription, Stat] = {}
    for stat in group:
        perturbation = stat.name.perturbation
        if perturbation is None:
            assert original is None, f"Two originals with the id {instance_id} give {name}"
            original = stat
            continue
        if perturbation.robustness:
            robust.merge(stat)
        if perturbation.fairness:
            fair.merge(stat)
        assert perturbation not in individual, f"Two copies of {instance_id} by {perturbation} give {name}"
        individual[perturbation] = stat.copy()
    for stat in (robust, fair, *individual.values()):
        perturbation = stat.name.perturbation
        assert perturbation is not None
        if original is not None:
            stat.merge(original)
            if perturbation.name not in _AGGREGATES:
                on_original = replace(perturbation, computed_on=PERTURBATION_ORIGINAL)
                merge_stat(result, original.renamed(replace(name, perturbation=on_original)))
        if stat.count > 0:
            worst = replace(perturbation, computed_on=PERTURBATION_WORST)
            merge_stat(result, Stat(replace(name, perturbation=worst)).add(stat.min))
