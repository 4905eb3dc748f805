"""Metric of LiveQA."""

from helm.benchmark.metrics.annotation_score_metric import AnnotationScoreMetric
from helm.benchmark.metrics.metric import MetricMetadata


class LiveQAScoreMetric(AnnotationScoreMetric):
    """Emits `live_qa_score`: the judge's score of an answer to a consumer's health question, 0 to 1; higher is better."""

    annotator_name = "live_qa"

    stat_name = "live_qa_score"

    metadata = [
        MetricMetadata(
            "live_qa_score",
            "Judge Score",
            None,
            "How well the question is answered by the judge, from 0 to 1.",
            False,
            None,
        ),
    ]
