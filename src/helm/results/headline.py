"""The headline score of a run: the metric that tables show first, with its interval."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.subjects import kind_of_run
from helm.results.function_metrics import function_metrics
from helm.results.main_metric import iterate_main_metrics, iterate_schema_metrics
from helm.results.metric_labels import MetricLabel, find_environment, find_metric_label
from helm.results.score_facts import ScoreFacts, ScoreKey
from helm.results.statistics.intervals import MeanFacts

_TEST = "test"


@dataclass(frozen=True)
class HeadlineScore:
    """One number that represents a run."""

    metric: str

    label: MetricLabel

    value: float

    facts: MeanFacts | None = None
    """The data for the interval; None if the score is not a mean over instances, or these are not available."""


@dataclass(frozen=True)
class RunOutcome:
    """What a command reports at its end about a run with results."""

    model: str

    scores: list[HeadlineScore]
    """The scores: two for AD tools (correctness and time), one for others, or none if unknown."""

    asked: int = 0

    answered: int = 0

    warning: str | None = None
    """What is wrong with the answers, and what helps; see `AnswerCounts.warning`."""


def compute_outcome(
    run_spec: RunSpec,
    stats: Sequence[Stat],
    found: ScoreFacts | None = None,
    scenario: Any = None,
    metrics: Sequence[Any] = (),
) -> RunOutcome:
    """Compute the headline scores of a run.

    Args:
        found: the data for intervals; None if not available.
        scenario: the scenario object, which may declare its main metric; None takes that of the run spec.
        metrics: the metric objects, which may declare how a metric is shown.
    """
    scores = []
    for name, split in _choose(run_spec, stats, scenario):
        value = _mean_of(stats, name, split)
        if value is None:
            continue
        facts = None if found is None else found.over_sub_splits(name, split)
        if facts is not None and not math.isclose(facts.mean, value, rel_tol=1e-6, abs_tol=1e-12):
            facts = None
        scores.append(HeadlineScore(name, _label(name, metrics, run_spec), value, facts))
    adapter_spec = run_spec.adapter_spec
    return RunOutcome(adapter_spec.model_deployment or adapter_spec.model, scores)


def read_outcome(run_path: str) -> RunOutcome:
    """Read the same from the small files of a run, with the intervals that are stored.

    Raises RunFileError or OSError.
    """
    from helm.results.coverage_note import read_request_counts
    from helm.results.interval_file import read_score_facts
    from helm.results.run_files.run_reader import RunReader

    run = RunReader().read_run(run_path)
    outcome = compute_outcome(run.run_spec, run.stats)
    scores = outcome.scores
    facts_of = None if kind_of_run(run.run_spec).has_timed_workloads else read_score_facts(run_path)
    if facts_of is not None:
        splits = dict(_choose(run.run_spec, run.stats, None))
        scores = [replace(score, facts=facts_of.get(ScoreKey(score.metric, splits[score.metric]))) for score in scores]
    asked, answered, warning = read_request_counts(run_path)
    return replace(outcome, scores=scores, asked=asked, answered=answered, warning=warning)


def _choose(run_spec: RunSpec, stats: Sequence[Stat], scenario: Any) -> list[tuple[str, str]]:
    """Return the metrics with their splits."""
    present: dict[str, list[str]] = {}
    for stat in stats:
        if stat.count and stat.name.perturbation is None:
            present.setdefault(stat.name.name, []).append(stat.name.split or _TEST)

    def find(candidates: Iterable[tuple[str, str]], most: int) -> list[tuple[str, str]]:
        found = []
        for name, split in candidates:
            splits = present.get(name, [])
            if split in splits or len(set(splits)) == 1:
                found.append((name, split if split in splits else splits[0]))
                if len(found) == most:
                    break
        return found

    closing_scores = kind_of_run(run_spec).closing_scores
    if closing_scores:
        return find([(name, _TEST) for name in closing_scores], len(closing_scores))
    return find(_candidates(run_spec, scenario), 1)


def _candidates(run_spec: RunSpec, scenario: Any) -> Iterable[tuple[str, str]]:
    main_scores = kind_of_run(run_spec).main_scores
    if not main_scores:
        for name, split in iterate_main_metrics(run_spec, find_environment, scenario=scenario):
            yield name, split or _TEST
        return
    for name, split in iterate_schema_metrics(run_spec.groups, find_environment):
        yield name, split or _TEST
    yield from ((name, _TEST) for alternative in main_scores[0] for name in alternative.split())


def _mean_of(stats: Sequence[Stat], name: str, split: str) -> float | None:
    """Return the mean over sub-splits, as merged in tables."""
    chosen = [
        stat
        for stat in stats
        if stat.name.name == name and (stat.name.split or _TEST) == split and stat.name.perturbation is None
    ]
    count = sum(stat.count for stat in chosen)
    value = sum(stat.sum for stat in chosen) / count if count else math.nan
    return value if math.isfinite(value) else None


def _label(name: str, metrics: Sequence[Any], run_spec: RunSpec) -> MetricLabel:
    label, epochs = _find_label(name, metrics, run_spec), run_spec.epochs
    if epochs is None or epochs.number == 1:
        return label
    return replace(label, name=f"{label.name}, {epochs.reducers[0]} of {epochs.number}")


def _find_label(name: str, metrics: Sequence[Any], run_spec: RunSpec) -> MetricLabel:
    for function in function_metrics(run_spec):
        if function.name == name:
            return MetricLabel(name, function.lower_is_better, function.unit)
    label = find_metric_label(name)
    if label is not None:
        return label
    for metric in metrics:
        try:
            for metadata in metric.get_metadata():
                if metadata.name == name:
                    shown = metadata.short_display_name or metadata.display_name or name
                    return MetricLabel(shown, metadata.lower_is_better, metadata.unit)
        except Exception:  # noqa: S112  # most declare nothing, and a plugin's may raise anything
            continue
    return MetricLabel(name)
