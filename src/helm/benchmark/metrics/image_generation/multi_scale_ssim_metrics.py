"""Structural similarity of generated images to a reference, at several scales."""

import math
from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric


class MultiScaleStructuralSimilarityIndexMeasureMetric(ReferenceImageMetric):
    """Emits `expected_multi_scale_ssim_score`, the mean similarity (0 to 1, higher is better); nothing for flat images."""

    described_stats = ["expected_multi_scale_ssim_score"]

    def compare(self, images: Any, references: Any) -> float | None:
        from helm.benchmark.metrics.image_generation.similarity import multi_scale_ssim

        value = multi_scale_ssim(images, references)
        # HELM adds NaN, which makes the mean of a whole run NaN.
        return None if math.isnan(value) else value
