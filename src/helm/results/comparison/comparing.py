"""Compares subjects: matches their runs, takes their scores on the same instances, and tests the differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from helm.benchmark.subjects import kind_of_run
from helm.common.errors import ConfigError
from helm.common.formats.number_text import SECONDS
from helm.results.comparison.comparability import AskedFacts, check_comparable
from helm.results.comparison.task_matching import MatchedTask, Subject, match_tasks
from helm.results.instance_values import read_instance_facts, read_instance_values
from helm.results.metric_choice import MetricCatalogue, MetricChoice, unknown_metric
from helm.results.run_results import RunResults
from helm.results.statistics.intervals import (
    CONFIDENCE,
    STUDENT,
    Estimate,
    combine_means,
    estimate_from_facts,
    estimate_mean,
    exp_estimate,
)
from helm.results.statistics.paired import (
    ONE_PAIR,
    PairedComparison,
    adjust_p_values,
    compare_paired,
    friedman_p_value,
    gather_difference,
    is_too_few,
    two_sided_p_value,
)
from helm.results.statistics.ranking import Standing, Task, rank_subjects
from helm.results.statistics.resampling import RESAMPLES, SEED
from helm.results.values_gatherer import MetricKey

InstanceKey = tuple[str, str]
"""The part of the task and the id of the instance."""


@dataclass(frozen=True)
class CompareOptions:
    """The options of a comparison."""

    metrics: Sequence[MetricChoice] = ()
    """The metrics to compare; empty means the main metric of each task."""

    alpha: float = 1 - CONFIDENCE
    """The probability of reporting any difference where there is none, over all comparisons together."""

    allowed: set[str] = field(default_factory=set)
    """Kinds of mismatches (`helm.results.comparison.comparability.KINDS`) that do not prevent a comparison."""

    cluster_key: str | None = None
    """The entry of `extra_data` that names the source of an instance; None detects the source."""

    resamples: int = RESAMPLES
    """The number of bootstrap resamples for win rates and the certainty of the first place."""

    seed: int = SEED
    """The seed of the bootstrap."""

    margin: float | None = None
    """How much worse the first may be than the second, for gates."""


@dataclass(frozen=True)
class WorkloadRatios:
    """The times of one evaluation: medians over repeated runs, in seconds, and their ratios."""

    name: str

    medians: list[Estimate | None]
    """The median of each subject; None if it has no times for this evaluation."""

    ratios: list[Estimate | None]
    """The ratio of the first subject's median to each subject's, with an interval for timing noise; None for the first."""


@dataclass
class PairResult:
    """One subject against another on one task."""

    first: str

    second: str

    comparison: PairedComparison

    adjusted_p: float = 1.0
    """The p-value after Holm's correction."""

    verdict: str = ""
    """`first` or `second` (the better one), `tie` (no difference shown), `identical`, `unknown` (there is a single instance
    or source of instances), or `too few` (so few that no difference can be shown, however clear)."""


@dataclass
class TaskResult:
    """One metric on one task."""

    task: str

    metric: MetricChoice

    labels: list[str]

    scores: list[Estimate]
    """The score of each subject on the compared instances; a geometric mean if the metric is a ratio."""

    pairs: list[PairResult]

    instances: int

    clusters: int

    friedman_p: float | None = None
    """The p-value of Friedman's test whether any of three or more subjects differs; None without scipy."""

    notes: list[str] = field(default_factory=list)

    workloads: list[WorkloadRatios] = field(default_factory=list)
    """The single evaluations, for the times of AD tools."""


@dataclass
class OverallResult:
    """All tasks together, with equal weights."""

    first: str

    second: str

    difference: Estimate
    """The mean of the tasks' differences; of logarithms for ratios."""

    p_value: float

    adjusted_p: float = 1.0

    verdict: str = ""


@dataclass
class ComparisonReport:
    """All results of a comparison."""

    labels: list[str]

    confidence: float

    results: list[TaskResult] = field(default_factory=list)

    overall: list[OverallResult] = field(default_factory=list)
    """The results over all tasks; empty unless there are several tasks whose metrics share a scale."""

    standings: list[Standing] = field(default_factory=list)
    """The standings of the subjects in order; empty for two subjects on one task."""

    refused: list[str] = field(default_factory=list)
    """Tasks that were not compared, with the reasons."""

    unmatched: list[str] = field(default_factory=list)
    """Tasks that some of the subjects lack."""


# --- the values of a task ---------------------------------------------------------------------------------------------


@dataclass
class _SubjectValues:
    """One subject's values on the instances of a task, by metric."""

    values: dict[MetricChoice, dict[InstanceKey, float]] = field(default_factory=dict)

    not_finite: dict[MetricChoice, int] = field(default_factory=dict)


class Comparer:
    """Compares subjects, reading each run once.

    Args:
        options: the options of the comparison.
        catalogue: the known metrics.
    """

    def __init__(self, options: CompareOptions, catalogue: MetricCatalogue | None = None):
        self._options = options
        self._catalogue = catalogue or MetricCatalogue()
        self._asked: dict[str, AskedFacts] = {}

    def compare(self, subjects: Sequence[Subject]) -> ComparisonReport:
        """Compare all pairs. Raises ConfigError if there is nothing to compare, or RunFileError for damaged files."""
        if len(subjects) < 2:
            raise ConfigError("A comparison needs at least two subjects.")
        labels = [subject.label for subject in subjects]
        report = ComparisonReport(labels, 1 - self._options.alpha)
        tasks, report.unmatched = match_tasks(subjects)
        if not tasks:
            raise ConfigError(
                f"{' and '.join(labels)} have no task in common.\n"
                + "\n".join(f"  {text}" for text in report.unmatched)
            )
        compared: list[tuple[TaskResult, Task]] = []
        for task in tasks:
            notes, reasons = self._check(task, labels)
            if reasons:
                report.refused += [f"{task.label}: {reason}" for reason in reasons]
            else:
                compared += self._compare_task(task, labels, notes)
        report.results = [result for result, _ in compared]
        self._judge([(pair, pair.comparison.p_value, pair.comparison.difference.value, result.metric)
                     for result in report.results for pair in result.pairs])  # fmt: skip
        self._add_overall(report, compared)
        return report

    def _check(self, task: MatchedTask, labels: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return notes, and reasons against a comparison."""
        notes: dict[str, None] = {}
        reasons: dict[str, None] = {}
        for part, runs in task.parts.items():
            place = f"{part}: " if len(task.parts) > 1 else ""
            for label, run in zip(labels[1:], runs[1:], strict=True):
                found = check_comparable(runs[0], run, self._asked, (labels[0], label))
                who = "" if len(labels) == 2 else f"{labels[0]} and {label}: "
                for mismatch in found.mismatches:
                    if mismatch.kind in self._options.allowed:
                        notes[f"{place}{who}{mismatch.message} (allowed)"] = None
                    else:
                        reasons[f"{place}{who}{mismatch.message} (--allow {mismatch.kind})"] = None
                notes.update(dict.fromkeys(f"{place}{who}{note}" for note in found.notes))
            for label, run in zip(labels, runs, strict=True):
                text = run.coverage().describe() if kind_of_run(run.run_spec).answered_word else ""
                if text:
                    notes[f"{place}{label}: {text}"] = None
        return list(notes), list(reasons)

    def _compare_task(
        self, task: MatchedTask, labels: Sequence[str], notes: Sequence[str]
    ) -> list[tuple[TaskResult, Task]]:
        first_part = next(iter(task.parts.values()))
        metrics = self._choose_metrics(first_part, labels)
        clusters: dict[InstanceKey, str] = {}
        found = [_SubjectValues() for _ in labels]
        for part, runs in task.parts.items():
            for instance_id, facts in read_instance_facts(runs[0], self._options.cluster_key).items():
                clusters[part, instance_id] = f"{part} {facts.cluster}"
            for values, run in zip(found, runs, strict=True):
                self._read(run, part, metrics, values)
        results = []
        for metric in metrics:
            for label, values in zip(labels, found, strict=True):
                if not values.values.get(metric):
                    known = {key.name for run in first_part for key in read_instance_values(run).metrics}
                    raise unknown_metric(metric, known, label)
            compared = self._compare_metric(task, metric, labels, found, clusters, list(notes))
            if metric.unit == SECONDS and kind_of_run(first_part[0].run_spec).has_timed_workloads:
                concerned = {instance_id for values in found for _, instance_id in values.values[metric]}
                compared[0].workloads = _compare_workloads(first_part, concerned, 1 - self._options.alpha)
            results.append(compared)
        return results

    def _choose_metrics(self, runs: Sequence[RunResults], labels: Sequence[str]) -> list[MetricChoice]:
        if self._options.metrics:
            return [self._catalogue.complete(choice, runs[0]) for choice in self._options.metrics]
        names = [{key.name for key in read_instance_values(run).metrics} for run in runs]
        return self._catalogue.choose(runs[0], sorted(set.intersection(*names)))

    def _read(self, run: RunResults, part: str, metrics: Sequence[MetricChoice], target: _SubjectValues) -> None:
        """Add the mean over trials of each instance."""
        values = read_instance_values(run, {metric.name for metric in metrics})
        for metric in metrics:
            keys = [key for key in values.metrics if _fits(key, metric)]
            splits = {key.split for key in keys}
            if len(splits) > 1:
                raise ConfigError(
                    f"{run.name} has {metric.name} on the splits {', '.join(sorted(map(str, splits)))}: "
                    f"name one as {metric.name}:SPLIT."
                )
            members = _perturbation_members(values.perturbations, metric.perturbation)
            by_trial: dict[tuple[str, int], list[float]] = {}
            for key in keys:
                of_metric = values.metrics[key]
                target.not_finite[metric] = target.not_finite.get(metric, 0) + of_metric.not_finite
                for i, value in enumerate(of_metric.values):
                    if of_metric.perturbations[i] in members:
                        place = (values.instance_ids[of_metric.owners[i]], of_metric.trials[i])
                        by_trial.setdefault(place, []).append(value)
            per_instance: dict[str, list[float]] = {}
            for (instance_id, _), found in by_trial.items():
                worst = max(found) if metric.lower_is_better else min(found)
                mean = sum(found) / len(found)
                per_instance.setdefault(instance_id, []).append(mean if metric.perturbation is None else worst)
            scores = target.values.setdefault(metric, {})
            for instance_id, found in per_instance.items():
                scores[part, instance_id] = sum(found) / len(found)

    def _compare_metric(
        self,
        task: MatchedTask,
        metric: MetricChoice,
        labels: Sequence[str],
        found: Sequence[_SubjectValues],
        clusters: Mapping[InstanceKey, str],
        notes: list[str],
    ) -> tuple[TaskResult, Task]:
        options = self._options
        scores = [subject.values[metric] for subject in found]
        common = [key for key in scores[0] if all(key in other for other in scores[1:])]
        everything = {key for subject in scores for key in subject}
        for label, subject, of_subject in zip(labels, scores, found, strict=True):
            missing = len(everything) - len(subject)
            if missing:
                notes.append(f"{label} has no {metric.name} for {missing} of {len(everything)} instances")
            if of_subject.not_finite.get(metric):
                notes.append(f"{label}: {of_subject.not_finite[metric]} values of {metric.name} are not finite")
        if not common:
            raise ConfigError(
                f"{task.label}: there is no instance for which all subjects have a value of {metric.name}."
            )
        matrix = np.array([[subject[key] for subject in scores] for key in common])
        names = [clusters.get(key, key[1]) for key in common]
        shared = names if len(set(names)) < len(names) else None
        is_ratio = metric.is_ratio and bool((matrix > 0).all())
        result = TaskResult(
            task=task.label,
            metric=MetricChoice(metric.name, metric.split, metric.perturbation, metric.lower_is_better, is_ratio),
            labels=list(labels),
            scores=[estimate_score(matrix[:, i], shared, is_ratio, 1 - options.alpha) for i in range(len(labels))],
            pairs=[],
            instances=len(common),
            clusters=len(set(names)),
            notes=notes,
        )
        for i in range(len(labels)):
            for j in range(i + 1, len(labels)):
                comparison = compare_paired(
                    matrix[:, i], matrix[:, j], shared, bool(metric.lower_is_better), 1 - options.alpha,
                    is_ratio, options.margin,
                )  # fmt: skip
                result.pairs.append(PairResult(labels[i], labels[j], comparison))
        result.friedman_p = _friedman_if_there(matrix)
        if metric.lower_is_better is None:
            notes.append(f"nothing says which way {metric.name} is better: more is taken as better")
        return result, Task(np.log(matrix) if is_ratio else matrix, bool(metric.lower_is_better), shared)

    # --- all together -------------------------------------------------------------------------------------------------

    def _judge(self, pairs: Sequence[tuple[PairResult, float, float, MetricChoice]]) -> None:
        """Correct p-values for the number of comparisons, and decide which subject is better."""
        for (pair, _, difference, metric), adjusted in zip(
            pairs, adjust_p_values([p for _, p, _, _ in pairs]), strict=True
        ):
            pair.adjusted_p = adjusted
            if pair.comparison.ties == pair.comparison.difference.count:
                pair.verdict = "identical"
            elif pair.comparison.test == ONE_PAIR:
                pair.verdict = "unknown"
            elif is_too_few(pair.comparison.difference.clusters, self._options.alpha):
                pair.verdict = "too few"
            else:
                pair.verdict = _verdict(difference, adjusted, self._options.alpha, bool(metric.lower_is_better))

    def _add_overall(self, report: ComparisonReport, compared: Sequence[tuple[TaskResult, Task]]) -> None:
        main: dict[str, tuple[TaskResult, Task]] = {}
        for result, task in compared:
            main.setdefault(result.task, (result, task))
        tasks = list(main.values())
        if tasks and (len(tasks) > 1 or len(report.labels) > 2):
            report.standings = rank_subjects(
                [task for _, task in tasks], 1 - self._options.alpha, self._options.resamples, self._options.seed
            )
        scales = {(result.metric.is_ratio, bool(result.metric.lower_is_better)) for result, _ in tasks}
        if len(tasks) < 2 or len(scales) != 1:
            return
        lower_is_better = next(iter(scales))[1]
        for i, first in enumerate(report.labels):
            for j in range(i + 1, len(report.labels)):
                difference, p = self._overall(tasks, i, j)
                report.overall.append(OverallResult(first, report.labels[j], difference, p))
        for pair, adjusted in zip(
            report.overall, adjust_p_values([pair.p_value for pair in report.overall]), strict=True
        ):
            pair.adjusted_p = adjusted
            if is_too_few(pair.difference.clusters, self._options.alpha):
                pair.verdict = "too few"
            else:
                pair.verdict = _verdict(pair.difference.value, adjusted, self._options.alpha, lower_is_better)

    def _overall(self, tasks: Sequence[tuple[TaskResult, Task]], i: int, j: int) -> tuple[Estimate, float]:
        """Return the mean of the tasks' differences; instances are a sample within each task, but tasks are fixed."""
        parts = [gather_difference(task.values[:, i] - task.values[:, j], task.clusters) for _, task in tasks]
        combined = combine_means([(1.0, facts) for facts in parts])
        assert combined is not None
        clusters = sum(facts.clusters for facts in parts)
        estimate = replace(estimate_from_facts(combined, 1 - self._options.alpha, STUDENT), clusters=clusters)
        return estimate, two_sided_p_value(combined, clusters) if combined.variance is not None else 1.0


def _fits(key: MetricKey, metric: MetricChoice) -> bool:
    return key.name == metric.name and (metric.split is None or key.split in (None, metric.split))


def _perturbation_members(perturbations: Sequence[str | None], wanted: str | None) -> set[int]:
    """Return the indexes of the perturbations that count; 0 is the unperturbed instance."""
    if wanted is None:
        return {0}
    import json

    members = {0}
    for index, key in enumerate(perturbations):
        if key is not None:
            data = json.loads(key)
            if data.get("name") == wanted or (wanted in ("robustness", "fairness") and data.get(wanted)):
                members.add(index)
    if len(members) == 1 and len(perturbations) > 1:
        known = sorted({json.loads(key)["name"] for key in perturbations if key is not None})
        raise ConfigError(
            f"There is no perturbation '{wanted}'; there are {', '.join(known)}, robustness and fairness."
        )
    return members


def estimate_score(values: np.ndarray, clusters: Sequence[str] | None, is_ratio: bool, confidence: float) -> Estimate:
    """Return the mean of instances' values (the geometric mean with `is_ratio`) with its interval."""
    found = estimate_mean(
        (np.log(values) if is_ratio else values).tolist(), clusters, confidence, STUDENT if is_ratio else None
    )
    assert found is not None
    return exp_estimate(found) if is_ratio else found


def _compare_workloads(runs: Sequence[RunResults], instance_ids: set[str], confidence: float) -> list[WorkloadRatios]:
    from helm.results.timings import estimate_ratio_of_medians, read_workloads

    by_run = [{workload.instance_id: workload for workload in read_workloads(run)} for run in runs]
    found = []
    for instance_id, first in by_run[0].items():
        if instance_id not in instance_ids:
            continue
        others = [workloads.get(instance_id) for workloads in by_run]
        times = [other.times_s if other is not None else [] for other in others]
        found.append(
            WorkloadRatios(
                name=f"{first.function} {first.description or instance_id}",
                medians=[other.median(confidence) if other is not None else None for other in others],
                ratios=[
                    None if i == 0 else estimate_ratio_of_medians(times[0], of_other, confidence)
                    for i, of_other in enumerate(times)
                ],
            )
        )
    return found


def _friedman_if_there(matrix: np.ndarray) -> float | None:
    from helm.common.optional_dependencies import OptionalDependencyNotInstalled

    try:
        return friedman_p_value(matrix)
    except OptionalDependencyNotInstalled:
        return None


def _verdict(difference: float, p: float, alpha: float, lower_is_better: bool) -> str:
    if p >= alpha:  # also where there is no difference, which has a p-value of 1
        return "tie"
    return "first" if (difference < 0) == lower_is_better else "second"
