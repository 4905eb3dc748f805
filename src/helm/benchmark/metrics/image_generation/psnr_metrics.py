"""Measures noise of generated images against a reference."""

import math
from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric

RANGE = 3.0
"""HELM: assumes that values have a range of 3, although they are between 0 and 1; this adds 9.5 dB."""
MIN_ERROR = 1e-12
"""The error used for equal images, whose ratio would be infinite."""


class PeakSignalToNoiseRatioMetric(ReferenceImageMetric):
    """Emits `expected_psnr_score`, the mean peak signal-to-noise ratio in dB (higher is better).

    Equal images count as 129.5 dB instead of infinity.
    """

    described_stats = ["expected_psnr_score"]

    def compare(self, image: Any, reference: Any) -> float:
        error = max(float(((image - reference) ** 2).mean()), MIN_ERROR)
        return 10 * math.log10(RANGE**2 / error)
