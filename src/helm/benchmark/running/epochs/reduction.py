"""Makes the statistics of a run with epochs from those of its epochs: one value per instance, and aggregates of these."""

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState, chosen_states
from helm.benchmark.augmentations.perturbation_description import PERTURBATION_ORIGINAL, PERTURBATION_WORST
from helm.benchmark.metrics.metric import MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.statistic import PerInstanceStats, Stat, merge_stat, merge_stats
from helm.benchmark.metrics.worst_case import compute_worst_case_metrics
from helm.benchmark.running.epochs.reducers import MAJORITY, MEAN, Reducer, count_votes, parse_reducer, reduce_values
from helm.benchmark.specs import EpochSpec
from helm.common.hierarchical_logger import hwarn
from helm.common.request import RequestResult
from helm.results.metric_names import epoch_value_name, is_score, reduced_value_name
from helm.results.output_mapping import compile_pattern, map_answer
from helm.results.run_files.coverage_file import EpochCounts

UnitKey = tuple[str, Any, int]
"""Identifies an instance: its id, perturbation and trial."""

_EntryKey = tuple[UnitKey, int]
"""An instance, and the position among its entries of one metric."""

_NOT_A_SCORE = re.compile(r"(inference_\w*runtime|prompt_truncated|max_prob)$")
"""Statistics of requests that `is_score` accepts."""

_LABELS = frozenset(("predicted_index",))
"""Numbers that only name something: the most frequent one stands for all, whatever the reducer."""

_TOLERANCE = 1e-9


class Answers:
    """The answers of a run's instances in each epoch, by which they are voted on."""

    def __init__(self, scenario_state: ScenarioState):
        pattern = compile_pattern(scenario_state.adapter_spec.output_mapping_pattern, "the run spec")
        self._answers: dict[UnitKey, dict[int, Hashable | None]] = {}
        self.order: dict[UnitKey, int] = {}
        """The positions of the instances in the run."""
        for state in scenario_state.request_states:
            key = unit_of(state)
            self.order.setdefault(key, len(self.order))
            found = self._answers.setdefault(key, {})
            epoch = state.epoch or 1
            # Several requests in an epoch (one per reference) are no answer by themselves.
            found[epoch] = None if epoch in found else _answer_of(state, pattern)

    def of(self, key: UnitKey, epochs: Sequence[int]) -> list[Hashable | None]:
        """Return the answers of an instance in some epochs, None where there is none."""
        found = self._answers.get(key, {})
        return [found.get(epoch) for epoch in epochs]

    def items(self) -> "list[tuple[UnitKey, dict[int, Hashable | None]]]":
        """Return the instances with their answers by epoch."""
        return list(self._answers.items())


def unit_of(state: RequestState) -> UnitKey:
    """Return the key of a state's instance, as in `PerInstanceStats`."""
    return state.instance.id or "", state.instance.perturbation, state.train_trial_index


def _answer_of(state: RequestState, pattern: Any) -> Hashable | None:
    """Return the first answer of a request: the choice that it means, else what was extracted, else None."""
    result = state.result
    if state.reference_index is not None or not isinstance(result, RequestResult) or not result.completions:
        return None
    if state.output_mapping is not None:
        return map_answer(result.completions[0].text, state.extracted, state.output_mapping, pattern)
    if not state.extracted or state.extracted[0] is None:
        return None
    return state.extracted[0].strip()


def evaluate_in_epochs(
    evaluate: Callable[[ScenarioState], MetricResult], shown: ScenarioState, answers: Answers, spec: EpochSpec
) -> MetricResult:
    """Return the result of one metric for a run with epochs.

    Args:
        evaluate: computes the metric of what it is given.
        shown: what metrics see of the run.
        answers: of the run.
        spec: says how the values of epochs become one.
    """
    parts: dict[int, list[int]] = {}
    for position, state in enumerate(shown.request_states):
        parts.setdefault(state.epoch or 1, []).append(position)
    results = {}
    for epoch in sorted(parts):
        of_epoch = chosen_states(shown.request_states, parts[epoch])
        results[epoch] = evaluate(replace(shown, request_states=of_epoch))
    return _Reduction(results, answers, spec).reduce()


@dataclass
class _Values:
    """The stats of one name for one instance, by epoch."""

    name: MetricName

    stats: dict[int, Stat]


class _Reduction:
    """Makes one result of the results of a metric in each epoch."""

    def __init__(self, results: Mapping[int, MetricResult], answers: Answers, spec: EpochSpec):
        self._results, self._answers = results, answers
        self._first, *self._others = map(parse_reducer, spec.reducers)
        self._entries = self._gather()
        self._beyond = self._find_beyond_shares()

    def reduce(self) -> MetricResult:
        """Return the result of the whole run."""
        entries: list[PerInstanceStats] = []
        by_trial: dict[int, list[tuple[str, list[Stat]]]] = {}
        for (key, _), found in self._entries.items():
            instance_id, perturbation, trial = key
            stats, reduced = self._reduce_entry(key, found)
            entries.append(PerInstanceStats(instance_id, perturbation, trial, stats))
            by_trial.setdefault(trial, []).append((instance_id, reduced))
        return MetricResult(self._aggregate(by_trial), entries)

    def _gather(self) -> dict[_EntryKey, list[_Values]]:
        """Return the stats of all instances, in the order of the run."""
        found: dict[_EntryKey, dict[tuple[MetricName, int], _Values]] = {}
        for epoch, result in self._results.items():
            seen: dict[UnitKey, int] = {}
            for entry in result.per_instance_stats:
                unit = (entry.instance_id, entry.perturbation, entry.train_trial_index)
                seen[unit] = position = seen.get(unit, -1) + 1
                values = found.setdefault((unit, position), {})
                names: dict[MetricName, int] = {}
                for stat in entry.stats:
                    names[stat.name] = number = names.get(stat.name, -1) + 1
                    values.setdefault((stat.name, number), _Values(stat.name, {})).stats[epoch] = stat
        order, last = self._answers.order, len(self._answers.order)
        # An instance may be missing in the first epochs, whose requests for it failed.
        ordered = sorted(found.items(), key=lambda item: (item[0][0][2], order.get(item[0][0], last)))
        return {key: list(values.values()) for key, values in ordered}

    def _find_beyond_shares(self) -> set[str]:
        """Return the metrics with values outside 0 to 1, of which none can be called correct."""
        reducers = [reducer.name for reducer in (self._first, *self._others) if reducer.counts_correct]
        if not reducers:
            return set()
        beyond = {
            values.name.name
            for found in self._entries.values()
            for values in found
            if _is_reduced(values.name.name) and any(not 0 <= value <= 1 for _, value in _numbers(values))
        }
        if beyond:
            names = ", ".join(sorted(beyond))
            hwarn(
                f"{names}: values outside 0 to 1 are not correct or wrong, so {', '.join(reducers)} does not apply; the mean "
                "over epochs is used."
            )
        return beyond

    def _reduce_entry(self, unit: UnitKey, found: list[_Values]) -> tuple[list[Stat], list[Stat]]:
        """Return all stats of an instance, and those among them that are reduced values."""
        plain: list[Stat] = []
        further: list[Stat] = []
        single: list[Stat] = []
        for values in found:
            name = values.name
            if not (_is_reduced(name.name) or name.name in _LABELS):
                plain.append(merge_stats(name, list(values.stats.values())))
                continue
            numbers = _numbers(values)
            answers = self._answers.of(unit, [epoch for epoch, _ in numbers])
            for reducer in (self._first, *self._others):
                actual = self._actual(reducer, name.name)
                is_first = reducer is self._first
                if not is_first and actual is not reducer:
                    continue
                label = name if is_first else replace(name, name=reduced_value_name(name.name, reducer.name))
                value = reduce_values(actual, [number for _, number in numbers], answers) if numbers else None
                (plain if is_first else further).append(Stat(label).add(value))
            single += [
                stat.renamed(replace(name, name=epoch_value_name(name.name, epoch)))
                for epoch, stat in values.stats.items()
            ]
        reduced = [stat for stat in plain if _is_reduced(stat.name.name)] + further
        return plain + further + single, reduced

    def _actual(self, reducer: Reducer, name: str) -> Reducer:
        """Return the reducer that is used for a metric."""
        if name in _LABELS:
            return parse_reducer(MAJORITY)
        return parse_reducer(MEAN) if name in self._beyond and reducer.counts_correct else reducer

    def _aggregate(self, by_trial: Mapping[int, list[tuple[str, list[Stat]]]]) -> list[Stat]:
        """Return aggregates of reduced values; those of anything else are the epochs' own, merged."""
        merged: dict[MetricName, list[Stat]] = {}
        for result in self._results.values():
            for stat in result.aggregated_stats:
                merged.setdefault(stat.name, []).append(stat)
        averaged = self._find_averaged()
        totals = _aggregate_reduced(by_trial)
        found: list[Stat] = []
        further: list[Stat] = []
        for name, stats in merged.items():
            total = totals.get(name) if name.name in averaged else None
            found.append(merge_stats(name, stats) if total is None else total)
            for reducer in self._others if total is not None else ():
                other = totals.get(replace(name, name=reduced_value_name(name.name, reducer.name)))
                if other is not None:
                    further.append(other)
        return found + further

    def _find_averaged(self) -> set[str]:
        """Return the metrics whose aggregates are means over instances in every epoch.

        Others, such as a corpus BLEU, may not be computed from reduced values.
        """
        differing: set[str] = set()
        present: set[str] = set()
        for result in self._results.values():
            means = _means_over_instances(result.per_instance_stats)
            aggregated = {stat.name: stat for stat in result.aggregated_stats}
            for name, mean in means.items():
                stat = aggregated.get(name)
                if stat is None or stat.mean is None:
                    continue
                present.add(name.name)
                if not math.isclose(stat.mean, mean, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
                    differing.add(name.name)
        return {name for name in present - differing if _is_reduced(name)}


def _is_reduced(name: str) -> bool:
    """Whether the values of a metric are scores of single answers, rather than numbers of tokens, times and the like."""
    return is_score(name) and not _NOT_A_SCORE.match(name) and name not in _LABELS


def _numbers(values: _Values) -> list[tuple[int, float]]:
    """Return epochs and values. An epoch without a value, or with one that is not finite, is left out."""
    return [
        (epoch, stat.mean) for epoch, stat in values.stats.items() if stat.mean is not None and math.isfinite(stat.mean)
    ]


def _means_over_instances(entries: Sequence[PerInstanceStats]) -> dict[MetricName, float]:
    """Return the means over instances, averaged over trials, as `Metric` computes them."""
    trials: dict[int, dict[MetricName, list[Stat]]] = {}
    for entry in entries:
        of_trial = trials.setdefault(entry.train_trial_index, {})
        for stat in entry.stats:
            of_trial.setdefault(stat.name, []).append(stat)
    means: dict[MetricName, list[float]] = {}
    for of_trial in trials.values():
        for name, stats in of_trial.items():
            mean = merge_stats(name, stats).mean
            if mean is not None:
                means.setdefault(name, []).append(mean)
    return {name: math.fsum(values) / len(values) for name, values in means.items()}


@dataclass(frozen=True)
class _Unit:
    """What `compute_worst_case_metrics` needs of an instance; distinct by number."""

    id: str
    number: int


def _aggregate_reduced(by_trial: Mapping[int, list[tuple[str, list[Stat]]]]) -> dict[MetricName, Stat]:
    """Return the aggregates of reduced values: in each trial over instances, then over the trials, as `Metric` does."""
    totals: dict[MetricName, Stat] = {}
    for units in by_trial.values():
        of_trial: dict[MetricName, Stat] = {}
        for _, stats in units:
            for stat in stats:
                merge_stat(of_trial, stat)
        rows: Any = {_Unit(instance_id, number): stats for number, (instance_id, stats) in enumerate(units)}
        for stat in compute_worst_case_metrics(rows):
            assert stat.name.perturbation is not None
            assert stat.name.perturbation.computed_on in (PERTURBATION_WORST, PERTURBATION_ORIGINAL)
            merge_stat(of_trial, stat)
        for stat in of_trial.values():
            merge_stat(totals, stat.take_mean())
    return totals


def count_epochs(spec: EpochSpec, asked: ScenarioState, scored: ScenarioState) -> EpochCounts:
    """Count how complete the epochs of a run are, and its ties.

    Args:
        asked: the whole run.
        scored: the part of it that is scored.
    """
    answers = Answers(scored)
    reducers = [parse_reducer(name) for name in spec.reducers]
    counts = EpochCounts(spec.number, list(spec.reducers), len({unit_of(state) for state in asked.request_states}))
    for _, found in answers.items():
        counts.complete += len(found) >= spec.number
        for reducer in reducers:
            if len(found) < reducer.k:
                counts.too_few[reducer.name] = counts.too_few.get(reducer.name, 0) + 1
        if any(reducer.kind == MAJORITY for reducer in reducers):
            counts.tied_votes += count_votes([found[epoch] for epoch in sorted(found)])[1]
    counts.fewer = len(answers.order) - counts.complete
    return counts


def describe_epochs(counts: EpochCounts) -> str:
    """Return one sentence about instances with fewer epochs than asked, and about ties; empty if there are none."""
    parts = []
    if counts.fewer:
        parts.append(
            f"{counts.fewer:,} of {counts.instances:,} instances have fewer than {counts.number} epochs, because requests failed"
        )
    parts += [
        f"{number:,} have too few for {name} and no value of it" for name, number in sorted(counts.too_few.items())
    ]
    if counts.tied_votes:
        parts.append(
            f"{counts.tied_votes:,} of {counts.instances:,} votes were ties, won by the answer that came first"
        )
    return "; ".join(parts)
