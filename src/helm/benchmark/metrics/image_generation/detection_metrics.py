"""Measures whether generated images show the requested objects."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class DetectionMetric(ModelMetric):
    """Compares the objects that a detector finds with the prompt. Creating one raises MetricError; see `ModelMetric`."""

    model = "the object detector ViTDet"
    stat_names = ("detection_correct_frac", "detection_crop_frac")
