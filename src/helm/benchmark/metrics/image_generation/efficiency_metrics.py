"""How much is asked of a model of images."""

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations
from helm.benchmark.metrics.metric import get_completions
from helm.benchmark.metrics.trial_stats import NamedValues


class EfficiencyMetric(StateMetric):
    """Emits `prompt_length` (characters) and `num_generated_images` (completions), nothing after a refusal.

    `DenoisedRuntimeMetric` has the time.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        prompt = request_state.request.prompt  # type: ignore[union-attr]
        if not get_image_locations(request_state):
            return []
        return [("prompt_length", len(prompt)), ("num_generated_images", len(get_completions(request_state)))]
