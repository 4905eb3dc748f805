"""Metric of Arabic legal questions."""

from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric
from helm.benchmark.metrics.metric import MetricMetadata


class ArabicLegalMetric(AnnotationScoreMetric):
    """Emits `model_judged_score`: the judge's score of the answer, 0 to 1; higher is better."""

    annotator_name = "arabic_legal"

    stat_name = "model_judged_score"

    metadata = [
        MetricMetadata(
            "model_judged_score",
            "Judge Score",
            "Score",
            "Whether the answer agrees with the reference by the judge.",
            False,
            "accuracy",
        ),
    ]
