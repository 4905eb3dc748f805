# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric

class ALRAGEMetric(AnnotationScoreMetric):
    """Emits `alrage_score`: the judge's score of an Arabic answer from given contexts, 0 to 1; higher is better."""
