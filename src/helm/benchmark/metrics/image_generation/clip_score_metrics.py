"""Measures how well generated images match their prompts."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations
from helm.benchmark.metrics.metric import Metric, MetricMetadata
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.common.clip_score_request import CLIPScoreRequest
from helm.common.errors import MetricError


class CLIPScoreMetric(Metric):
    """Emits `expected_clip_score` and `max_clip_score`, mean and best of the CLIP scores of the images of a result.

    The scores come from the service (`MetricService.compute_clip_score`); a request that fails raises MetricError.
    With `multilingual` the names end in `_multilingual`. Nothing is emitted for a result without images.
    """

    def __init__(self, multilingual: bool = False):
        self._multilingual = multilingual
        self._suffix = "_multilingual" if multilingual else ""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        prompt = request_state.request.prompt  # type: ignore[union-attr]
        scores: list[float] = []
        for path in get_image_locations(request_state):
            result = metric_service.compute_clip_score(
                CLIPScoreRequest(caption=prompt, image_location=path, multilingual=self._multilingual)
            )
            if not result.success:
                raise MetricError(f"The CLIP score of {path} could not be computed: {result.error}")
            scores.append(result.score)
        if not scores:
            return []
        return [
            Stat(MetricName(f"expected_clip_score{self._suffix}")).add(sum(scores) / len(scores)),
            Stat(MetricName(f"max_clip_score{self._suffix}")).add(max(scores)),
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        return [
            MetricMetadata(
                name=f"{kind}_clip_score{self._suffix}",
                display_name=f"{title} CLIPScore",
                description=f"{title} fit of images and prompt, as CLIP sees it.",
                lower_is_better=False,
                group="image_text_alignment",
            )
            for kind, title in (("expected", "Expected"), ("max", "Max"))
        ]
