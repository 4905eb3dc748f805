"""Metrics of the safety scenarios."""

from typing import List

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.basic_metrics import get_request_state_metrics
from helm.benchmark.metrics.display_data import REQUEST_STATE_METRICS, get_display_data
from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat


class SafetyBasicGenerationMetric(Metric):
    """What can be told of any request (`get_request_state_metrics`), and nothing about references."""

    def __init__(self) -> None:
        self.efficiency_metric = EfficiencyMetric()

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> List[Stat]:
        return get_request_state_metrics(self.efficiency_metric, adapter_spec, request_state, metric_service)

    def get_metadata(self) -> List[MetricMetadata]:
        return get_display_data(REQUEST_STATE_METRICS)
