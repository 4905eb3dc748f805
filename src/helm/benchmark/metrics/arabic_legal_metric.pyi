# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric

class ArabicLegalMetric(AnnotationScoreMetric):
    """Emits `model_judged_score`: the judge's score of the answer, 0 to 1; higher is better."""
