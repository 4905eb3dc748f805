"""Metric specs of the LMKT recipes."""

from helm.benchmark.metrics.metric import MetricSpec


def get_semantic_similarity_metric_specs(similarity_fn_name: str = "cosine") -> list[MetricSpec]:
    class_name = "helm.benchmark.metrics.lmkt_metrics.SemanticSimilarityMetric"
    return [MetricSpec(class_name, {"similarity_fn_name": similarity_fn_name})]
