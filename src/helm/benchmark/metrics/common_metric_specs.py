"""Metric specs that recipes share. They name the classes without importing them."""

from typing import Any

from helm.benchmark.specs import MetricSpec

_METRICS = "helm.benchmark.metrics"


def get_basic_generation_metric_specs(names: list[str]) -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.basic_metrics.BasicGenerationMetric", {"names": names})]


def get_basic_reference_metric_specs() -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.basic_metrics.BasicReferenceMetric")]


def get_generic_metric_specs() -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.basic_metrics.InstancesPerSplitMetric")]


def get_basic_metric_specs(names: list[str]) -> list[MetricSpec]:
    """Return specs for scenarios whose adaptation method is not known in advance."""
    return get_basic_generation_metric_specs(names) + get_basic_reference_metric_specs() + get_generic_metric_specs()


def get_exact_match_metric_specs() -> list[MetricSpec]:
    return get_basic_metric_specs(
        ["exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match"]
    )


def get_f1_metric_specs() -> list[MetricSpec]:
    return get_basic_metric_specs(["exact_match", "quasi_exact_match", "f1_score"])


def get_open_ended_generation_metric_specs() -> list[MetricSpec]:
    return get_basic_metric_specs(["exact_match", "quasi_exact_match", "f1_score", "rouge_l", "bleu_1", "bleu_4"])


def get_language_modeling_metric_specs(names: list[str]) -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.language_modeling_metrics.LanguageModelingMetric", {"names": names})]


def get_classification_metric_specs(labels: list[str] | None = None, delimiter: str | None = None) -> list[MetricSpec]:
    args: dict[str, Any] = {}
    if labels:
        args["labels"] = labels
    if delimiter:
        args["delimiter"] = delimiter
    return [MetricSpec(f"{_METRICS}.classification_metrics.ClassificationMetric", args)]


def get_multiple_choice_classification_metric_specs() -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.classification_metrics.MultipleChoiceClassificationMetric")]


def get_toxicity_metric_specs() -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.toxicity_metrics.ToxicityMetric")]


def get_bias_metric_specs() -> list[MetricSpec]:
    demographic_categories = ["race", "gender"]
    associations = [
        {"mode": "associations", "demographic_category": demographic_category, "target_category": target_category}
        for demographic_category in demographic_categories
        for target_category in ("adjective", "profession")
    ]
    representations = [{"mode": "representation", "demographic_category": c} for c in demographic_categories]
    return [MetricSpec(f"{_METRICS}.bias_metrics.BiasMetric", args) for args in associations + representations]


def get_generative_harms_metric_specs(
    include_basic_metrics: bool = False, include_generative_harms_metrics: bool = False
) -> list[MetricSpec]:
    """Return nothing by default: HELM disabled the harms metrics for all scenarios that once had them."""
    specs: list[MetricSpec] = []
    if include_basic_metrics:
        specs += get_basic_metric_specs([])
    if include_generative_harms_metrics:
        specs += get_bias_metric_specs() + get_toxicity_metric_specs()
    return specs


def get_summarization_metric_specs(args: dict[str, Any]) -> list[MetricSpec]:
    return [MetricSpec(f"{_METRICS}.summarization_metrics.SummarizationMetric", args)] + get_basic_metric_specs([])


def get_summarization_critique_metric_specs(num_respondents: int) -> list[MetricSpec]:
    class_name = f"{_METRICS}.summarization_critique_metrics.SummarizationCritiqueMetric"
    return [MetricSpec(class_name, {"num_respondents": num_respondents})]


def get_numeracy_metric_specs(run_solver: bool = False) -> list[MetricSpec]:
    """Return numeracy specs. HELM: the class added by `run_solver` does not exist, so such a run fails."""
    specs = get_basic_metric_specs(["exact_match", "quasi_exact_match", "absolute_value_difference"])
    if run_solver:
        specs.append(MetricSpec(f"{_METRICS}.numeracy_metrics.DistanceMetric"))
    return specs


def get_copyright_metric_specs(args: dict[str, Any] | None = None) -> list[MetricSpec]:
    class_name = f"{_METRICS}.copyright_metrics.BasicCopyrightMetric"
    names = ["longest_common_prefix_length", "edit_distance", "edit_similarity"]
    return [MetricSpec(class_name, {**(args or {}), "name": name}) for name in names] + get_basic_metric_specs([])


def get_disinformation_metric_specs(args: dict[str, Any] | None = None) -> list[MetricSpec]:
    module = f"{_METRICS}.disinformation_metrics"
    return [
        MetricSpec(f"{module}.DisinformationHumanEvalMetrics", dict(args or {})),
        MetricSpec(f"{module}.DisinformationMetric", {"name": "self_bleu"}),
        MetricSpec(f"{module}.DisinformationMetric", {"name": "monte_carlo_entropy"}),
    ] + get_basic_metric_specs([])
