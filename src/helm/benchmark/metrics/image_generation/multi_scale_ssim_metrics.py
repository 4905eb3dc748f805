"""Structural similarity of generated images to a reference, at several scales."""

from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric, compare_with_torchmetrics


class MultiScaleStructuralSimilarityIndexMeasureMetric(ReferenceImageMetric):
    """Emits `expected_multi_scale_ssim_score`, the mean similarity (0 to 1, higher is better).

    Needs the extra `heim`, and references of more than 160 points on each side.
    """

    described_stats = ["expected_multi_scale_ssim_score"]

    def compare(self, image: Any, reference: Any) -> float:
        return compare_with_torchmetrics("MultiScaleStructuralSimilarityIndexMeasure", image, reference)
