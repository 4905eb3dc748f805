"""Measures how well generated images match their prompts."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.image_generation.image_answers import get_shown_locations, mean
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.metrics.trial_stats import to_stats
from helm.benchmark.window_services.image_generation.clip_window_service import CLIPWindowService
from helm.common.clip_score_request import DEFAULT_CLIP_SCORE_MODEL, CLIPScoreRequest
from helm.common.errors import MetricError

SAME_MEANING = ("translate", "dialect", "mild_mix")
"""Perturbations that leave the picture to paint as it was: the unperturbed prompt is its caption."""
MAX_CAPTION_TOKENS = 75
"""CLIP reads 77 tokens, two of which mark beginning and end."""


def get_caption(request_state: RequestState) -> str:
    """Return the text that the images of a result should fit."""
    instance = request_state.instance
    if instance.perturbation and instance.perturbation.name in SAME_MEANING and instance.contrast_inputs:
        return instance.contrast_inputs[0].text
    return request_state.request.prompt  # type: ignore[union-attr]


def compute_clip_score(metric_service: MetricService, request: CLIPScoreRequest) -> float:
    """Return the score that the service gives, 0 to 100. Raises: MetricError if it fails."""
    result = metric_service.compute_clip_score(request)
    if not result.success:
        raise MetricError(f"The CLIP score of {request.image_location} could not be computed: {result.error}")
    return result.score


class CLIPScoreMetric(Metric):
    """Emits `expected_clip_score` and `max_clip_score`, mean and best of the CLIP scores of the images of a result.

    The scores come from the service (`MetricService.compute_clip_score`): 0 to 100, higher is better. Both are 0 when the
    model refused or all images are black. The caption is the prompt, in what CLIP's tokenizer makes of its first 75 tokens;
    for perturbations that keep the meaning, that of the unperturbed instance.

    Args:
        multilingual: ask a model that reads other languages than English; the names end in `_multilingual`.

    Raises: MetricError if the service fails.
    """

    waits_on_io = True

    def __init__(self, multilingual: bool = False):
        self._multilingual = multilingual
        suffix = "_multilingual" if multilingual else ""
        self._names = [f"expected_clip_score{suffix}", f"max_clip_score{suffix}"]

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        paths = get_shown_locations(request_state)
        scores = [0.0]
        if paths:
            window = CLIPWindowService(metric_service, DEFAULT_CLIP_SCORE_MODEL, MAX_CAPTION_TOKENS)
            caption = window.truncate_from_right(get_caption(request_state))
            scores = [
                compute_clip_score(metric_service, CLIPScoreRequest(caption, path, multilingual=self._multilingual))
                for path in paths
            ]
        return to_stats(list(zip(self._names, (mean(scores), max(scores)), strict=True)))

    def get_metadata(self) -> list[MetricMetadata]:
        return get_display_data(self._names)
