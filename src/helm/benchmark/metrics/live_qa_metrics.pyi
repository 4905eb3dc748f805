# Written by `make stubs` from the entries and rows that declare these classes; do not edit.
from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric

class LiveQAScoreMetric(AnnotationScoreMetric):
    """Emits `live_qa_score`: the judge's score of an answer to a consumer's health question, 0 to 1; higher is better."""
