"""Placeholder for the cost of generating images; HELM emits nothing here either."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat


class EfficiencyMetric(Metric):
    """Emits nothing; `DenoisedRuntimeMetric` has the time of a request."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        return []  # HELM: the intended metric needs the profile of a deployment

    def get_metadata(self) -> list[MetricMetadata]:
        return []
