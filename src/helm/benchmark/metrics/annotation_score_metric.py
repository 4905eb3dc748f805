"""The metric of judges with a single score."""

from typing import ClassVar

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, get_annotation
from helm.benchmark.metrics.trial_stats import NamedValues


class AnnotationScoreMetric(JudgedMetric):
    """Emits the `score` of an annotation unchanged; no value for None.

    See `JudgedMetric` for the stat `ANNOTATOR_annotator_success`.
    """

    annotator_name: ClassVar[str]

    stat_name: ClassVar[str]

    def __init__(self) -> None:
        self.success_name = f"{self.annotator_name}_annotator_success"

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: MissingAnnotationError; KeyError without a score."""
        score = get_annotation(request_state, self.annotator_name)["score"]
        return [(self.stat_name, score)]

    def compute_success(self, request_state: RequestState) -> float:
        return 0 if get_annotation(request_state, self.annotator_name)["score"] is None else 1
