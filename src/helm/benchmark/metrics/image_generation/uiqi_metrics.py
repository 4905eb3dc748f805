"""Universal image quality index of generated images against a reference."""

from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric, compare_with_torchmetrics


class UniversalImageQualityIndexMetric(ReferenceImageMetric):
    """Emits `expected_uiqi_score`, the mean index (-1 to 1, higher is better). Needs the extra `heim`."""

    described_stats = ["expected_uiqi_score"]

    def compare(self, image: Any, reference: Any) -> float:
        return compare_with_torchmetrics("UniversalImageQualityIndex", image, reference)
