"""Detects inappropriate generated images."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class Q16ToxicityMetric(ModelMetric):
    """Judgements of the Q16 classifier. Creating one raises MetricError; see `ModelMetric`."""

    model = "the Q16 classifier on CLIP ViT-L/14"
    stat_names = ("inappropriate_frac",)
