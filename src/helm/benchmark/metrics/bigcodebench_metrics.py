"""The score from BigCodeBench's tests."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.bird_sql_metrics import get_annotation
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat


class BigCodeBenchMetric(Metric):
    """Emits `bigcodebench_p@1`: 1 if the program passes all tests of its task, else 0; empty if unknown."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        score = get_annotation(request_state, "bigcodebench", ["pass_at_one"])["pass_at_one"]
        return [Stat(MetricName("bigcodebench_p@1")).add(score)]

    def get_metadata(self) -> list[MetricMetadata]:
        description = "Share of the tasks whose tests the program passes."
        return [MetricMetadata("bigcodebench_p@1", "Pass@1", None, description, False, "accuracy")]
