"""The metric of Arabic articles written from facts."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.judged_metric import JudgedMetric, UnjudgedInstanceError, get_annotation
from helm.benchmark.metrics.trial_stats import NamedValues


class ArabicContentGenerationMetric(JudgedMetric):
    """Emits `arabic_content_generation_score`, the mean of the judge's ratings, rescaled from 1..5 to 0..1.

    The judge rates several criteria. An instance counts only if every criterion was rated. See `JudgedMetric` for
    `arabic_content_generation_annotator_success`.
    """

    success_name = "arabic_content_generation_annotator_success"

    described_stats = ["arabic_content_generation_score"]

    def score_state(self, request_state: RequestState) -> NamedValues:
        """Score a generation. Raises: UnjudgedInstanceError if a rating is missing; MissingAnnotationError."""
        annotation = get_annotation(request_state, "arabic_content_generation")
        scores = [criterion.get("score") for criterion in annotation.values()]
        if not scores or None in scores:
            raise UnjudgedInstanceError(f"instance {request_state.instance.id} lacks ratings: {annotation}")
        score = (sum(scores) / len(scores) - 1) / 4
        return [("arabic_content_generation_score", score)]
