"""Measures how closely generated images resemble real ones."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class FidelityMetric(ModelMetric):
    """Distances between features of generated and real images. Creating one raises MetricError; see `ModelMetric`."""

    model = "Inception v3 with the weights of pytorch-fid"
    stat_names = ("fid", "inception_score")
