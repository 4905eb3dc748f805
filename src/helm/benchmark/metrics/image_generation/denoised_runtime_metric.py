"""Measures how long the generation of images takes."""

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.metric import MetricInterface, MetricMetadata, MetricResult
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat


class DenoisedRuntimeMetric(MetricInterface):
    """Emits `denoised_runtime`: the mean over the instances of the shortest time of their requests, in seconds.

    Lower is better. It is a stat of the whole run, without a split, over the requests whose time is known. With
    `num_trials`, every instance has several requests.
    """

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        times: dict[int, float] = {}
        for state in scenario_state.request_states:
            time = state.result.request_time if state.result else None  # type: ignore[union-attr]
            if time is not None:
                # HELM: trials belong together by the object of the instance, not by its id.
                times[id(state.instance)] = min(time, times.get(id(state.instance), time))
        stats = [Stat(MetricName("denoised_runtime")).add(sum(times.values()) / len(times))] if times else []
        return MetricResult(stats, [])

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(["denoised_runtime"])
