"""Metric specs of the MELT recipes: the harms metrics for Vietnamese."""

from dataclasses import replace

from helm.benchmark.metrics.common_metric_specs import get_basic_metric_specs, get_bias_metric_specs
from helm.benchmark.metrics.metric import MetricSpec

_METRICS = "helm.benchmark.metrics"


def get_vietnamese_toxicity_metric_specs() -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.melt_toxicity_metric.VietnameseToxicityMetric")]


def get_vietnamese_bias_metric_specs() -> list[MetricSpec]:
    class_name = f"{_METRICS}.melt_bias_metric.VietnameseBiasMetric"
    return [replace(spec, class_name=class_name) for spec in get_bias_metric_specs()]


def get_vietnamese_generative_harms_metric_specs(
    include_basic_metrics: bool = False, include_generative_harms_metrics: bool = False
) -> list[MetricSpec]:
    """Return nothing by default."""
    specs: list[MetricSpec] = []
    if include_basic_metrics:
        specs += get_basic_metric_specs([])
    if include_generative_harms_metrics:
        specs += get_vietnamese_bias_metric_specs() + get_vietnamese_toxicity_metric_specs()
    return specs
