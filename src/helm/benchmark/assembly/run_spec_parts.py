"""Metric specs of single families of scenarios, by the names that HELM's modules of run specs give them."""

from helm.benchmark.specs import MetricSpec

_METRICS = "helm.benchmark.metrics"


def get_privacy_metric_specs() -> list[MetricSpec]:
    """Return the metric of DecodingTrust's privacy tasks."""
    return [MetricSpec(f"{_METRICS}.decodingtrust_privacy_metrics.PrivacyMetric")]


def get_stereotype_bias_metric_specs() -> list[MetricSpec]:
    """Return the metric of DecodingTrust's stereotypes."""
    return [MetricSpec(f"{_METRICS}.decodingtrust_stereotype_bias_metrics.StereotypeMetric")]


def get_fairness_metric_specs() -> list[MetricSpec]:
    """Return the metric of DecodingTrust's fairness task."""
    return [MetricSpec(f"{_METRICS}.decodingtrust_fairness_metrics.FairnessMetric")]


def get_ood_knowledge_metric_specs() -> list[MetricSpec]:
    """Return the metric of DecodingTrust's questions about events after the training of a model."""
    return [MetricSpec(f"{_METRICS}.decodingtrust_ood_knowledge_metrics.OODKnowledgeMetric")]


def get_weighted_classification_metric_specs(labels: list[str]) -> list[MetricSpec]:
    """Return the metric of classifications whose labels are weighted by how often they occur."""
    arguments = {"averages": ["weighted"], "scores": ["f1", "precision", "recall"], "labels": labels}
    return [MetricSpec(f"{_METRICS}.classification_metrics.ClassificationMetric", arguments)]


def get_instruction_following_critique_metric_specs(num_respondents: int) -> list[MetricSpec]:
    """Return the metrics of critiques of answers to instructions."""
    class_name = f"{_METRICS}.instruction_following_critique_metrics.InstructionFollowingCritiqueMetric"
    return [MetricSpec(class_name, {"num_respondents": num_respondents})]
