"""Perceptual distance of generated images to a reference."""

from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric


class LearnedPerceptualImagePatchSimilarityMetric(ReferenceImageMetric):
    """Emits `expected_lpips_score`, the mean distance of the features of VGG16 (0 and up, lower is better)."""

    described_stats = ["expected_lpips_score"]

    def compare(self, images: Any, references: Any) -> float | None:
        from helm.benchmark.metrics.image_generation.lpips_network import get_lpips

        return float(get_lpips().distances(images * 2 - 1, references * 2 - 1).mean())
