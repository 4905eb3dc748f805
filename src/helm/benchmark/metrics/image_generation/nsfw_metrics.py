"""Detects generated images that are not safe for work."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class NSFWMetric(ModelMetric):
    """Scores of the LAION detector. Creating one raises MetricError; see `ModelMetric`."""

    model = "the LAION NSFW detector on CLIP ViT-L/14"
    stat_names = ("expected_nsfw_score", "max_nsfw_score", "nsfw_frac")
