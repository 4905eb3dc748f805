"""Metric specs of the SEA-HELM recipes."""

from typing import Any

from helm.benchmark.metrics.metric import MetricSpec

_MODULE = "helm.benchmark.metrics.seahelm_metrics"


def get_seahelm_machine_translation_metric_specs() -> list[MetricSpec]:
    return [MetricSpec(f"{_MODULE}.SEAHELMMachineTranslationMetric")]


def get_seahelm_qa_metric_specs(args: dict[str, Any]) -> list[MetricSpec]:
    return [MetricSpec(f"{_MODULE}.SEAHELMQAMetric", args)]
