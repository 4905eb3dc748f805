"""`OutputProcessingMetric`: other metrics, applied to rewritten completions."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import (
    MetricInterface,
    MetricMetadata,
    MetricResult,
    MetricSpec,
    PerInstanceStats,
    create_metric,
)
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.object_spec import get_class_by_name


class OutputProcessingMetric(MetricInterface):
    """Applies a function to the text of every completion, then other metrics, whose stats keep their names.

    Args:
        processor: full name of a function from text to text, for example one in `output_processors`.
        metric_specs: the metrics, as `{"class_name": ..., "args": {...}}`.
    """

    def __init__(self, processor: str, metric_specs: list[dict[str, Any]]):
        self.processor: Callable[[str], str] = get_class_by_name(processor)
        self.metrics: list[MetricInterface] = [create_metric(_to_spec(spec)) for spec in metric_specs]

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        processed = replace(
            scenario_state, request_states=[self._process(state) for state in scenario_state.request_states]
        )
        aggregated_stats: list[Stat] = []
        per_instance_stats: list[PerInstanceStats] = []
        for metric in self.metrics:
            result = metric.evaluate(processed, metric_service, eval_cache_path, parallelism)
            aggregated_stats.extend(result.aggregated_stats)
            per_instance_stats.extend(result.per_instance_stats)
        return MetricResult(aggregated_stats, per_instance_stats)

    def _process(self, state: RequestState) -> RequestState:
        result: Any = state.result
        if result is None:
            return state
        completions = [replace(completion, text=self.processor(completion.text)) for completion in result.completions]
        return replace(state, result=replace(result, completions=completions))

    def get_metadata(self) -> list[MetricMetadata]:
        return [metadata for metric in self.metrics for metadata in metric.get_metadata()]


def _to_spec(spec: Any) -> MetricSpec:
    if isinstance(spec, MetricSpec):
        return spec
    return MetricSpec(class_name=spec["class_name"], args=dict(spec.get("args") or {}))
