"""Measures how far the complexity of generated images is from what people find pleasant."""

import math

from helm.benchmark.metrics.image_generation.fractal_dimension.fractal_dimension_util import compute_fractal_dimension
from helm.benchmark.metrics.image_generation.image_answers import ImageMetric
from helm.benchmark.scenarios.scenario import Instance

IDEAL_FRACTAL_DIMENSION = 1.4


class FractalDimensionMetric(ImageMetric):
    """Emits `fractal_dimension_loss`, the mean distance of the fractal dimension from 1.4 (lower is better).

    Images without a border between dark and light have no dimension and are left out.
    """

    described_stats = ["fractal_dimension_loss"]

    def score_image(self, path: str, instance: Instance) -> float | None:
        dimension = compute_fractal_dimension(path)
        return None if math.isnan(dimension) else abs(dimension - IDEAL_FRACTAL_DIMENSION)
