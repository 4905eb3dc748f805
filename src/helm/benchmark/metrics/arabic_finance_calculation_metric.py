"""Metric of Arabic finance calculations."""

from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric
from helm.benchmark.metrics.metric import MetricMetadata


class ArabicFinanceCalculationMetric(AnnotationScoreMetric):
    """Emits `calculation_accuracy`: 1 if the judge found the result right, else 0."""

    annotator_name = "arabic_finance_calculation"

    stat_name = "calculation_accuracy"

    metadata = [
        MetricMetadata(
            "calculation_accuracy",
            "Calculation Accuracy",
            "Acc",
            "Whether the result is right by the judge.",
            False,
            "accuracy",
        ),
    ]
