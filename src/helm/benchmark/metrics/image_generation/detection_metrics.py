"""Whether generated images show what was asked for."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class DetectionMetric(ModelMetric):
    """Objects that a detector finds, compared with the prompt. Making one raises MetricError: see `ModelMetric`."""

    model = "the object detector ViTDet"
    stat_names = ("detection_correct_frac", "detection_crop_frac")
