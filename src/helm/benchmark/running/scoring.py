"""The metrics of a run, and what they compute from a scenario state: the step shared by running and re-scoring."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import MetricInterface, MetricResult, MetricSpec, PerInstanceStats, create_metric
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.specs import EpochSpec
from helm.common.errors import ConfigError, nearest
from helm.common.hierarchical_logger import htrack_block, hwarn
from helm.common.request import Request

if TYPE_CHECKING:
    from helm.benchmark.extraction.extractor import Extractor

DRY_RUN_METRIC_SPEC = MetricSpec("helm.benchmark.metrics.dry_run_metrics.DryRunMetric")
"""The only metric of a dry run, regardless of its run spec."""


def create_metrics(metric_specs: Iterable[MetricSpec]) -> list[MetricInterface]:
    """Create the metrics. Raises: ConfigError that names the class which cannot be imported or created."""
    metrics = []
    for spec in metric_specs:
        try:
            metrics.append(create_metric(spec))
        except (ImportError, AttributeError) as e:
            raise ConfigError(
                f"Cannot import the metric {spec.class_name}: {e}.{_suggest_class(spec.class_name)}"
            ) from e
        except TypeError as e:
            raise ConfigError(f"Cannot make the metric {spec.class_name} with {spec.args}: {e}") from e
    return metrics


def _suggest_class(class_name: str) -> str:
    """Suggest the nearest class of the module; older HELM had metrics in `helm.benchmark` itself instead of `metrics`."""
    import inspect
    from importlib import import_module

    module_name, _, name = class_name.rpartition(".")
    if name == "BasicMetric":
        return (
            " HELM has divided it into BasicGenerationMetric, BasicReferenceMetric and InstancesPerSplitMetric of "
            "helm.benchmark.metrics.basic_metrics."
        )
    for candidate in (module_name, module_name.replace("helm.benchmark.", "helm.benchmark.metrics.")):
        try:
            module = import_module(candidate)
        except (ImportError, ValueError):
            continue
        classes = [key for key, value in vars(module).items() if inspect.isclass(value)]
        nearest_name = nearest(name, classes)
        if nearest_name:
            return f" Did you mean '{candidate}.{nearest_name}'?"
    return ""


def check_same_request_type(run_name: str, model: str, parts: Sequence[tuple[str, Any]]) -> None:
    """Raise ConfigError unless all parts of a run use the same type of request; the error names the part that differs.

    `parts` are (description, object) pairs, the executor first. An object without `request_type` is of HELM's kind; one
    whose `request_type` is `object` goes with all.
    """
    (executor_name, executor), *others = parts
    expected = getattr(executor, "request_type", Request)
    for name, part in others:
        found = getattr(part, "request_type", Request)
        if not issubclass(expected, found):
            raise ConfigError(
                f"Run '{run_name}': the {executor_name} takes {expected.__name__}, but the {name} is for {found.__name__}. "
                f"The model '{model}', the adapter method, the executor and the metrics must be of one kind: language model, "
                "AD tool (for example model=gradbench/numpy) or compiler (for example model=llvm/Oz)."
            )


def evaluate_metrics(
    metrics: Iterable[MetricInterface],
    scenario_state: ScenarioState,
    metric_service: MetricService,
    eval_cache_path: str,
    parallelism: int,
    extractor: "Extractor | None" = None,
    epochs: EpochSpec | None = None,
) -> tuple[list[Stat], Sequence[PerInstanceStats]]:
    """Evaluate all metrics in order; logs a warning for a duplicate name, but keeps both statistics.

    Args:
        extractor: what has found the answers in the completions, of which the metrics see nothing else; None if they see
            the completions.
        epochs: how the values of an instance's epochs become one; None for a run without epochs.
    """
    answers = None
    if epochs is not None:
        from helm.benchmark.running.epochs.reduction import Answers, evaluate_in_epochs

        answers = Answers(scenario_state)
    if extractor is not None:
        from helm.benchmark.extraction.stage import for_metrics

        scenario_state = for_metrics(scenario_state, extractor)
    stats: list[Stat] = []
    per_instance_stats: Sequence[PerInstanceStats] = []
    for metric in metrics:
        with htrack_block(type(metric).__name__):

            def evaluate(state: ScenarioState, metric: MetricInterface = metric) -> MetricResult:
                return metric.evaluate(state, metric_service, eval_cache_path, parallelism)

            if epochs is None or answers is None or getattr(metric, "sees_all_epochs", False):
                result = evaluate(scenario_state)
            else:
                result = evaluate_in_epochs(evaluate, scenario_state, answers, epochs)
        stats.extend(result.aggregated_stats)
        if isinstance(per_instance_stats, list) and isinstance(result.per_instance_stats, list):
            per_instance_stats.extend(result.per_instance_stats)
        else:
            from helm.common.spooled_values import joined

            per_instance_stats = joined(per_instance_stats, result.per_instance_stats)
    seen = set()
    for stat in stats:
        if stat.name in seen:
            hwarn(f"duplicate metric name {stat.name}")
        seen.add(stat.name)
    return stats, per_instance_stats
