"""Measures noise of generated images against a reference."""

from typing import Any

from helm.benchmark.metrics.image_generation.image_answers import ReferenceImageMetric


class PeakSignalToNoiseRatioMetric(ReferenceImageMetric):
    """Emits `expected_psnr_score`, the peak signal-to-noise ratio of a result's images together, in dB (higher is better).

    The peak is the reference's brightest value. Equal images give infinity, a black reference minus infinity.
    """

    described_stats = ["expected_psnr_score"]

    def compare(self, images: Any, references: Any) -> float | None:
        from helm.benchmark.metrics.image_generation.similarity import peak_signal_to_noise_ratio

        return peak_signal_to_noise_ratio(images, references)
