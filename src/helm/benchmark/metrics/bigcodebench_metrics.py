"""The score from BigCodeBench's tests."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.bird_sql_metrics import get_annotation
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues


class BigCodeBenchMetric(StateMetric):
    """Emits `bigcodebench_p@1`: 1 if the program passes all tests of its task, else 0; empty if unknown."""

    def score_state(self, request_state: RequestState) -> NamedValues:
        score = get_annotation(request_state, "bigcodebench", ["pass_at_one"])["pass_at_one"]
        return [("bigcodebench_p@1", score)]

    def get_metadata(self) -> list[MetricMetadata]:
        description = "Share of the tasks whose tests the program passes."
        return [MetricMetadata("bigcodebench_p@1", "Pass@1", None, description, False, "accuracy")]
