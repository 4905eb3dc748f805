# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.image_generation.image_answers import ModelMetric

class WatermarkMetric(ModelMetric):
    """Judgements of the LAION watermark detector. Making one raises MetricError: see `ModelMetric`."""
