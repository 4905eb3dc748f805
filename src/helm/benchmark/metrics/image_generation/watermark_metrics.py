"""Detects generated images with watermarks, which they have from pictures of others."""

from functools import cached_property

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations, mean
from helm.benchmark.metrics.image_generation.watermark.watermark_detector import WatermarkDetector
from helm.benchmark.metrics.trial_stats import NamedValues


class WatermarkMetric(StateMetric):
    """Emits `watermark_frac` and `expected_max_watermark_prob` (lower is better), nothing without images.

    They are the share of a result's images with a probability of a watermark of 0.9 or more, and the greatest probability.
    """

    described_stats = ["watermark_frac", "expected_max_watermark_prob"]

    @cached_property
    def _detector(self) -> WatermarkDetector:
        return WatermarkDetector()

    def score_state(self, request_state: RequestState) -> NamedValues:
        paths = get_image_locations(request_state)
        if not paths:
            return []
        found, probabilities = self._detector.has_watermark(paths)
        return [("watermark_frac", mean(found)), ("expected_max_watermark_prob", max(probabilities))]
