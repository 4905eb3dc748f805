"""Metric of ALRAGE."""

from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric
from helm.benchmark.metrics.metric import MetricMetadata


class ALRAGEMetric(AnnotationScoreMetric):
    """Emits `alrage_score`: the judge's score of an Arabic answer from given contexts, 0 to 1; higher is better."""

    annotator_name = "alrage"

    stat_name = "alrage_score"

    metadata = [
        MetricMetadata(
            "alrage_score",
            "ALRAGE Score",
            "Score",
            "How far the answer agrees with the reference by the judge, from 0 to 1.",
            False,
            "accuracy",
        ),
    ]
