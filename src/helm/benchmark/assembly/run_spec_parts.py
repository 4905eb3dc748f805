"""Parts of run specs of single families of scenarios, by the names that HELM's modules of run specs give them."""

from dataclasses import replace
from typing import Any

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.run_spec import get_run_spec_function
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


def _adapter_spec(run_spec: str, **arguments: Any) -> AdapterSpec:
    function = get_run_spec_function(run_spec)
    assert function is not None
    return function(**arguments).adapter_spec


def get_long_context_generation_adapter_spec(max_tokens: int) -> AdapterSpec:
    """Return how questions about long texts are asked."""
    return replace(_adapter_spec("ruler_hotpotqa"), max_tokens=max_tokens)


def get_long_context_multiple_choice_adapter_spec(max_tokens: int) -> AdapterSpec:
    """Return how questions about long texts are asked that name the possible answers."""
    return replace(_adapter_spec("infinite_bench_en_mc"), max_tokens=max_tokens)


def get_field_of_arabic_choices(field: str) -> Any:
    """Return a field of the adapter specs of Arabic questions that name the possible answers."""
    return getattr(_adapter_spec("arabic_mmlu", subset="all"), field)
