"""The runs of a suite by group, and which of their statistics a table shows."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.augmentations.perturbation_description import PERTURBATION_WORST, PerturbationDescription
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.benchmark.specs import ScenarioSpec
from helm.common.errors import ConfigError
from helm.results.run_files.run_reader import Run
from helm.results.schema import ALL_PERTURBATIONS_MATCHER, MetricNameMatcher


def get_unique_stat_by_matcher(stats: Iterable[Stat], matcher: MetricNameMatcher) -> Stat | None:
    """The statistic that a matcher picks; None when there is none.

    It is merged over sub-splits unless the matcher names one, and over perturbations if the matcher is for all of them.

    HELM: a matcher for quasi_exact_match falls back to exact_match.
    Raises: ConfigError when several statistics remain.
    """
    stats = list(stats)
    matching = [stat for stat in stats if matcher.matches(stat.name)]
    if not matching:
        if matcher.name != "quasi_exact_match":
            return None
        return get_unique_stat_by_matcher(stats, replace(matcher, name="exact_match"))
    return merge_matching(matching, matcher)


def find_stat(run: Run, matcher: MetricNameMatcher) -> Stat | None:
    """Return what `get_unique_stat_by_matcher` picks from a run's statistics."""
    matching = run.stats_matching(matcher)
    if not matching and matcher.name == "quasi_exact_match":
        matcher = replace(matcher, name="exact_match")
        matching = run.stats_matching(matcher)
    return merge_matching(matching, matcher) if matching else None


def merge_matching(matching: list[Stat], matcher: MetricNameMatcher) -> Stat:
    """Merge the statistics that a matcher picks, of which there must be one at least, into one. Raises: ConfigError."""
    if len(matching) == 1 and matching[0].name.sub_split is None and matching[0].name.perturbation is None:
        return matching[0]
    if matcher.sub_split is None:
        merged: dict[MetricName, Stat] = {}
        for stat in matching:
            merge_stat(merged, replace(stat, name=replace(stat.name, sub_split=None)) if stat.name.sub_split else stat)
        matching = list(merged.values())
    if matcher.perturbation_name == ALL_PERTURBATIONS_MATCHER:
        merged = {}
        for stat in _one_of_each_perturbation(matching):
            merge_stat(merged, replace(stat, name=replace(stat.name, perturbation=None)))
        matching = list(merged.values())
    if len(matching) > 1:
        names = "; ".join(str(stat.name) for stat in matching)
        raise ConfigError(f"{matcher} picks {len(matching)} statistics where it must pick one: {names}.")
    return matching[0]


def _one_of_each_perturbation(stats: list[Stat]) -> list[Stat]:
    """Drop the means of perturbations whose worst case is there, too."""

    def kind(perturbation: PerturbationDescription) -> PerturbationDescription:
        return replace(perturbation, computed_on=PERTURBATION_WORST)

    worst = {stat.name.perturbation for stat in stats}
    return [
        stat
        for stat in stats
        if stat.name.perturbation is None
        or stat.name.perturbation.computed_on == PERTURBATION_WORST
        or kind(stat.name.perturbation) not in worst
    ]


def describe_stat(stat: Stat) -> str:
    """`Stat.bare_str`, also for statistics that hold an infinite value."""
    try:
        return stat.bare_str()
    except OverflowError:
        return f"min={stat.min}, mean={stat.mean}, max={stat.max}, sum={stat.sum} ({stat.count})"


@dataclass
class RunIndex:
    """Runs by group, scenario and adapter spec, in the order in which they were read."""

    by_group: dict[str, dict[AdapterSpec, list[Run]]] = field(default_factory=dict)

    by_scenario: dict[str, dict[ScenarioSpec, dict[AdapterSpec, list[Run]]]] = field(default_factory=dict)

    @classmethod
    def from_runs(cls, runs: Iterable[Run]) -> "RunIndex":
        by_group: Any = defaultdict(lambda: defaultdict(list))
        by_scenario: Any = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
        for run in runs:
            spec = run.run_spec
            for group in spec.groups:
                by_group[group][spec.adapter_spec].append(run)
                by_scenario[group][spec.scenario_spec][spec.adapter_spec].append(run)
        return cls(by_group, by_scenario)

    def adapter_to_runs(self, group: str) -> dict[AdapterSpec, list[Run]]:
        return self.by_group.get(group, {})

    def scenarios(self, group: str) -> dict[ScenarioSpec, dict[AdapterSpec, list[Run]]]:
        return self.by_scenario.get(group, {})
