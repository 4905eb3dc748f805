"""Metrics on judges' annotations, which keep a run if some replies were unusable."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.metric import MetricMetadata, MetricResult, PerInstanceStats, Processor, call_for_instance
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Instance
from helm.common.errors import MetricError
from helm.common.hierarchical_logger import hwarn

# Enough for a provider's error message; a reply may be pages long.
_MAX_QUOTED_CHARACTERS = 300


class UnjudgedInstanceError(MetricError, ValueError):
    """No judge gave a usable reply for this instance. HELM raises ValueError.

    Args:
        stats: stats that do not depend on the judgement.
    """

    def __init__(self, message: str, stats: list[Stat] | None = None):
        super().__init__(message)
        self.stats = stats or []


class MissingAnnotationError(MetricError, AssertionError, KeyError):
    """The annotator that a metric reads has not run. HELM raises AssertionError or KeyError."""

    __str__ = Exception.__str__


def get_annotation(request_state: RequestState, annotator_name: str) -> Any:
    """Return the annotator's output. Raises: MissingAnnotationError if it has not run."""
    annotations = request_state.annotations or {}
    if annotator_name not in annotations:
        present = f"; there are: {', '.join(annotations)}" if annotations else ""
        raise MissingAnnotationError(
            f"instance {request_state.instance.id} has no annotation '{annotator_name}'{present}. "
            "Name the annotator in the run spec's annotators."
        )
    return annotations[annotator_name]


class JudgedMetric(StateMetric):
    """Scores generations by annotations of judges.

    `evaluate_generation` raises for an instance without a usable judgement, as in HELM, where that fails the run. Here
    the run continues: the instance has no score, and the stat `success_name` is added, the fraction of usable
    judgements. It exists only if some were unusable, so that the files of a run without problems equal HELM's. A score
    that is not a finite number counts as unusable. A run fails if no instance could be judged.
    """

    success_name: str | None
    """Name of the success stat. None if the metric's own stats contain it."""

    @classmethod
    def read_row(cls, row: Mapping[str, Any]) -> dict[str, Any]:
        """Return the attributes of a class that a row of `classes.yaml` declares."""
        if "metadata" not in row:
            return dict(row)
        return {**row, "metadata": [MetricMetadata(**item) for item in row["metadata"]]}

    def find_usable(self, annotations: dict[str, Any]) -> dict[str, Any]:
        """Return the annotations with None in place of unusable judgements; the same object if there are none."""
        return _replace_non_finite(annotations) if _has_non_finite(annotations) else annotations

    def compute_success(self, request_state: RequestState) -> float:
        """Return the fraction of usable judgements of an instance that has at least one, above 0 to 1."""
        return 1

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        result = self._evaluate_all(scenario_state, metric_service, eval_cache_path, parallelism)
        rows = result.per_instance_stats
        unjudged = [row for row in rows if self._is_unjudged(row)]
        if unjudged:
            instances = f"{len(unjudged)} of {len(rows)} completions could not be judged"
            cause = _find_cause(scenario_state, unjudged[0].instance_id)
            if len(unjudged) == len(rows):
                raise MetricError(f"{instances}, so {type(self).__name__} has no score to give. The first: {cause}")
            hwarn(f"{type(self).__name__}: {instances}. The first: {cause}")
        return result

    def _evaluate_all(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        return super().evaluate(scenario_state, metric_service, eval_cache_path, parallelism)

    def get_metadata(self) -> list[MetricMetadata]:
        if not self.success_name:
            return super().get_metadata()
        text = "Share of the judgements that could be used; the others are left out of the score."
        return [*super().get_metadata(), MetricMetadata(self.success_name, "Judged", "Judged", text, False)]

    def _is_unjudged(self, row: PerInstanceStats) -> bool:
        return any(stat.name.name == self.success_name and stat.mean == 0 for stat in row.stats)

    def _score(self, processor: Processor, instance: Instance, states: list[RequestState]) -> Any:
        state = self._get_only_state(instance, states)
        adapter_spec, service = processor.adapter_spec, processor.metric_service
        return call_for_instance(
            self, instance, self._evaluate_or_count, adapter_spec, state, service, processor.eval_cache_path
        )

    def _evaluate_or_count(
        self, adapter_spec: AdapterSpec, state: RequestState, service: MetricService, eval_cache_path: str
    ) -> list[Stat]:
        if state.annotations:
            usable = self.find_usable(state.annotations)
            state = state if usable is state.annotations else replace(state, annotations=usable)
        try:
            stats = self.evaluate_generation(adapter_spec, state, service, eval_cache_path)
            success = self.compute_success(state)
        except UnjudgedInstanceError as e:
            stats, success = e.stats, 0
        if success < 1 and self.success_name:
            stats = [*stats, Stat(MetricName(self.success_name)).add(success)]
        return stats

    def derive_per_instance_stats(self, per_instance_stats: dict[Instance, list[Stat]]) -> list[Stat]:
        """Add 1 for the instances that have no `success_name`, if another instance has one."""
        if not self.success_name:
            return []
        rows = [{stat.name.name for stat in stats} for stats in per_instance_stats.values()]
        num_judged = sum(self.success_name not in names for names in rows)
        if num_judged == len(rows) or not num_judged:
            return []
        stat = Stat(MetricName(self.success_name))
        for _ in range(num_judged):
            stat.add(1)
        return [stat]


def _has_non_finite(value: Any) -> bool:
    if isinstance(value, dict):
        return any(_has_non_finite(item) for item in value.values())
    return isinstance(value, float) and not math.isfinite(value)


def _replace_non_finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _replace_non_finite(item) for key, item in value.items()}
    return value


def _find_cause(scenario_state: ScenarioState, instance_id: str) -> str:
    """Return what the annotations of an instance say about the failure."""
    for state in scenario_state.request_states:
        if state.instance.id == instance_id:
            for annotation in (state.annotations or {}).values():
                for key, value in annotation.items() if isinstance(annotation, Mapping) else ():
                    if str(key).endswith(("error", "response_text")) and value is not None:
                        return f"instance {instance_id}, {key}: {str(value)[:_MAX_QUOTED_CHARACTERS]!r}"
    return f"instance {instance_id}"
