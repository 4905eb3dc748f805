"""Metric of ALRAGE."""

from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric


class ALRAGEMetric(AnnotationScoreMetric):
    """Emits `alrage_score`: the judge's score of an Arabic answer from given contexts, 0 to 1; higher is better."""

    annotator_name = "alrage"

    stat_name = "alrage_score"
