"""Metric specs of the CodeInsights scenarios."""

from helm.benchmark.metrics.metric import MetricSpec

_METRICS = "helm.benchmark.metrics"


def get_functional_correctness_metric_specs() -> list[MetricSpec]:
    class_name = f"{_METRICS}.codeinsights_correct_code_metrics.CodeInsightsFunctionalCorrectnessMetric"
    return [MetricSpec(class_name, {"timeout": 10, "max_workers": 1})]


def get_comprehensive_code_evaluation_metric_specs(use_codebert: bool = True) -> list[MetricSpec]:
    class_name = f"{_METRICS}.codeinsights_code_evaluation_metrics.CodeInsightsComprehensiveCodeEvaluationMetric"
    return [MetricSpec(class_name, {"use_codebert": use_codebert})]


def get_code_efficiency_metric_specs(
    num_runtime_runs: int = 5, timeout_seconds: int = 10, use_codebert: bool = True
) -> list[MetricSpec]:
    efficiency = f"{_METRICS}.codeinsights_code_efficiency_metrics.CodeInsightsCodeEfficiencyMetric"
    evaluation = f"{_METRICS}.codeinsights_code_evaluation_metrics.CodeInsightsCodeEvaluationMetric"
    return [
        MetricSpec(efficiency, {"num_runtime_runs": num_runtime_runs, "timeout_seconds": timeout_seconds}),
        MetricSpec(evaluation, {"use_codebert": use_codebert}),
    ]


def get_edge_case_metric_specs(use_codebert: bool = True) -> list[MetricSpec]:
    class_name = f"{_METRICS}.codeinsights_edge_case_metrics.CodeInsightsUnittestAlignmentMetric"
    return [MetricSpec(class_name, {"use_codebert": use_codebert})]
