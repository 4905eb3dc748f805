"""The metric of WildBench."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError, get_annotation
from helm.benchmark.metrics.trial_stats import NamedValues


class WildBenchScoreMetric(JudgedMetric):
    """Scores the quality of the answer, according to its judges; higher is better.

    Emits `wildbench_score`, the mean of the judges' scores, 1 to 10, and `wildbench_score_rescaled`, the same rescaled
    to 0 to 1. An empty completion scores 1. See `JudgedMetric` for `wildbench_annotator_success`.
    """

    success_name = "wildbench_annotator_success"

    described_stats = ["wildbench_score", "wildbench_score_rescaled"]

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: UnjudgedInstanceError without any score; MissingAnnotationError."""
        annotation = get_annotation(request_state, "wildbench")
        scores = [score for key, score in annotation.items() if key.endswith("_score") and score is not None]
        if not scores:
            raise UnjudgedInstanceError(f"instance {request_state.instance.id} has no WildBench score: {annotation}")
        score = sum(scores) / len(scores)
        return [
            ("wildbench_score", score),
            ("wildbench_score_rescaled", (score - 1) / 9),
        ]
