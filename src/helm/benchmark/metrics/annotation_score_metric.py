"""The metric of judges with a single score."""

from typing import ClassVar

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, get_annotation
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat


class AnnotationScoreMetric(JudgedMetric):
    """Emits the `score` of an annotation unchanged; no value for None.

    See `JudgedMetric` for the stat `ANNOTATOR_annotator_success`.
    """

    annotator_name: ClassVar[str]

    stat_name: ClassVar[str]

    def __init__(self) -> None:
        self.success_name = f"{self.annotator_name}_annotator_success"

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        """Score a generation. Raises: MissingAnnotationError; KeyError without a score."""
        score = get_annotation(request_state, self.annotator_name)["score"]
        return [Stat(MetricName(self.stat_name)).add(score)]

    def compute_success(self, request_state: RequestState) -> float:
        return 0 if get_annotation(request_state, self.annotator_name)["score"] is None else 1
