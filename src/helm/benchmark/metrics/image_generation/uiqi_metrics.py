"""Universal image quality index of generated images against a reference."""

import math
from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric


class UniversalImageQualityIndexMetric(ReferenceImageMetric):
    """Emits `expected_uiqi_score`, the mean index (-1 to 1, higher is better); nothing where both images are flat."""

    described_stats = ["expected_uiqi_score"]

    def compare(self, images: Any, references: Any) -> float | None:
        from helm.benchmark.metrics.image_generation.similarity import universal_image_quality_index

        value = universal_image_quality_index(images, references)
        return value if math.isfinite(value) else None
