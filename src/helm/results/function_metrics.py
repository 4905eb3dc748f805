"""What run specs say of metrics that are Python functions, which other processes may not be able to import."""

from dataclasses import dataclass

from helm.benchmark.run_spec import RunSpec

FUNCTION_METRIC = "helm.benchmark.metrics.function_metrics.FunctionMetric"
_TASKS_FROM_PYTHON = "helm.benchmark.scenarios.function_scenario."


@dataclass(frozen=True)
class FunctionMetricFacts:
    """The name and the direction of a score."""

    name: str

    lower_is_better: bool = False

    unit: str | None = None


def function_metrics(run_spec: RunSpec) -> list[FunctionMetricFacts]:
    """Return the metrics of a run that are functions."""
    return [
        FunctionMetricFacts(
            str(spec.args.get("name")), spec.args.get("lower_is_better") is True, _text(spec.args.get("unit"))
        )
        for spec in run_spec.metric_specs
        if spec.class_name == FUNCTION_METRIC
    ]


def leading_function_metrics(run_spec: RunSpec) -> list[str]:
    """Return the names of functions that were given as the metrics of a task from Python: the first is its main metric."""
    if not run_spec.scenario_spec.class_name.startswith(_TASKS_FROM_PYTHON):
        return []
    return [metric.name for metric in function_metrics(run_spec)]


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
