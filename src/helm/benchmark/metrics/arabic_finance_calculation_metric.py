"""Metric of Arabic finance calculations."""

from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric


class ArabicFinanceCalculationMetric(AnnotationScoreMetric):
    """Emits `calculation_accuracy`: 1 if the judge found the result right, else 0."""

    annotator_name = "arabic_finance_calculation"

    stat_name = "calculation_accuracy"
