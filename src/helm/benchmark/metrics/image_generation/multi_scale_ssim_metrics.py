"""Structural similarity of generated images to a reference, at several scales."""

from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric, compare_with_torchmetrics
from helm.benchmark.metrics.metric import MetricMetadata


class MultiScaleStructuralSimilarityIndexMeasureMetric(ReferenceImageMetric):
    """Emits `expected_multi_scale_ssim_score`, the mean similarity (0 to 1, higher is better).

    Needs the extra `heim`, and references of more than 160 points on each side.
    """

    metadata = [
        MetricMetadata(
            name="expected_multi_scale_ssim_score",
            display_name="Expected Multi-scale SSIM score",
            description="Mean structural similarity at several scales to the reference.",
            lower_is_better=False,
            group="image_quality",
        )
    ]

    def compare(self, image: Any, reference: Any) -> float:
        return compare_with_torchmetrics("MultiScaleStructuralSimilarityIndexMeasure", image, reference)
