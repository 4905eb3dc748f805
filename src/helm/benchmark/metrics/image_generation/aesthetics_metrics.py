"""Measures how beautiful generated images are."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class AestheticsMetric(ModelMetric):
    """Scores of the LAION aesthetics predictor. Creating one raises MetricError; see `ModelMetric`."""

    model = "the LAION aesthetics predictor on CLIP ViT-L/14"
    stat_names = ("expected_aesthetics_score", "max_aesthetics_score")
