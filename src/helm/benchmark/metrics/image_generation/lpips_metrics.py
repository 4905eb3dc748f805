"""Perceptual similarity of generated images to a reference."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class LearnedPerceptualImagePatchSimilarityMetric(ModelMetric):
    """LPIPS. Creating one raises MetricError; see `ModelMetric`."""

    model = "the VGG16 network of LPIPS"
    stat_names = ("expected_lpips_score",)
