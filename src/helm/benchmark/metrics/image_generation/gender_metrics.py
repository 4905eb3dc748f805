"""Genders of the people in generated images."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class GenderMetric(ModelMetric):
    """Imbalance of the genders that CLIP sees. Creating one raises MetricError; see `ModelMetric`."""

    model = "a CLIP classifier of perceived gender"
    stat_names = ("gender_imbalance",)
