"""Measures how far the complexity of generated images is from what people find pleasant."""

import math

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.image_generation.fractal_dimension.fractal_dimension_util import compute_fractal_dimension
from helm.benchmark.metrics.image_generation.image_answers import get_image_locations, mean
from helm.benchmark.metrics.trial_stats import NamedValues


class FractalDimensionMetric(StateMetric):
    """Emits `fractal_dimension_loss`, the mean distance of the fractal dimension from 1.4 (lower is better).

    Images without a border between dark and light have no dimension and are left out.
    """

    described_stats = ["fractal_dimension_loss"]

    IDEAL_FRACTAL_DIMENSION: float = 1.4

    def score_state(self, request_state: RequestState) -> NamedValues:
        dimensions = [compute_fractal_dimension(path) for path in get_image_locations(request_state)]
        losses = [abs(value - self.IDEAL_FRACTAL_DIMENSION) for value in dimensions if not math.isnan(value)]
        return [("fractal_dimension_loss", mean(losses))] if losses else []
