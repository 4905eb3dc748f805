"""How pleasing generated images are."""

from functools import cached_property

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.image_generation.aesthetics_scorer import AestheticsScorer
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations, get_shown_locations, mean
from helm.benchmark.metrics.trial_stats import NamedValues


class AestheticsMetric(StateMetric):
    """Emits `expected_aesthetics_score` and `max_aesthetics_score`, mean and best score of the images of a result.

    Scores are about 0 to 10 (higher is better), and 0 if all images are black. Nothing is emitted without images.
    """

    described_stats = ["expected_aesthetics_score", "max_aesthetics_score"]

    @cached_property
    def _scorer(self) -> AestheticsScorer:
        return AestheticsScorer()

    def score_state(self, request_state: RequestState) -> NamedValues:
        if not get_image_locations(request_state):
            return []
        paths = get_shown_locations(request_state)
        scores = [self._scorer.compute_aesthetics_score(path) for path in paths] or [0.0]
        return [("expected_aesthetics_score", mean(scores)), ("max_aesthetics_score", max(scores))]
