"""Watermarks in generated images."""

from helm.benchmark.metrics.image_generation.image_answers import ModelMetric


class WatermarkMetric(ModelMetric):
    """Judgements of the LAION watermark detector. Creating one raises MetricError; see `ModelMetric`."""

    model = "the LAION watermark detector"
    stat_names = ("watermark_frac",)
