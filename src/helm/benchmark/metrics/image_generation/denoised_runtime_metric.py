"""Measures how long the generation of images takes."""

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat


class DenoisedRuntimeMetric(MetricInterface):
    """Emits `denoised_runtime`, the mean time of a request in seconds (lower is better).

    It is a stat of the whole run, without a split, over the requests whose time is known.
    """

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        results = [state.result for state in scenario_state.request_states if state.result]
        times = [result.request_time for result in results if result.request_time is not None]  # type: ignore[union-attr]
        stats = [Stat(MetricName("denoised_runtime")).add(sum(times) / len(times))] if times else []
        return MetricResult(stats, [])

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["denoised_runtime"])
