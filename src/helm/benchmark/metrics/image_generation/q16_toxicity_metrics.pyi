# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.image_generation.image_answers import ModelMetric

class Q16ToxicityMetric(ModelMetric):
    """Judgements of the Q16 classifier. Making one raises MetricError: see `ModelMetric`."""
