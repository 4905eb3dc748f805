# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric

class ArabicFinanceCalculationMetric(AnnotationScoreMetric):
    """Emits `calculation_accuracy`: 1 if the judge found the result right, else 0."""
