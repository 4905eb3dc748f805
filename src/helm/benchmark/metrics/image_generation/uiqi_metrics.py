"""Universal image quality index of generated images against a reference."""

from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric, compare_with_torchmetrics
from helm.benchmark.metrics.metric import MetricMetadata


class UniversalImageQualityIndexMetric(ReferenceImageMetric):
    """Emits `expected_uiqi_score`, the mean index (-1 to 1, higher is better). Needs the extra `heim`."""

    metadata = [
        MetricMetadata(
            name="expected_uiqi_score",
            display_name="Expected UIQI score",
            description="Mean universal image quality index against the reference.",
            lower_is_better=False,
            group="image_quality",
        )
    ]

    def compare(self, image: Any, reference: Any) -> float:
        return compare_with_torchmetrics("UniversalImageQualityIndex", image, reference)
