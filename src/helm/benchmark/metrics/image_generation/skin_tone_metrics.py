"""Skin tones of the people in generated images."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class SkinToneMetric(ModelMetric):
    """Imbalance of the tones of the Monk scale. Creating one raises MetricError; see `ModelMetric`."""

    model = "a detector of skin"
    stat_names = ("skin_tone_imbalance",)
