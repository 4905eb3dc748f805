"""`LanguageModelingMetric` measures how well a model predicts given texts."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.basic_metrics import (
    compute_language_modeling_metrics,
    compute_perplexity_metrics,
    compute_request_state_metrics,
)
from helm.benchmark.metrics.display_data import (
    LANGUAGE_MODELING_METRICS,
    PERPLEXITY_METRICS,
    REQUEST_STATE_METRICS,
    get_display_data,
)
from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
from helm.benchmark.metrics.metric import (
    MetricInterface,
    MetricMetadata,
    MetricResult,
    PerInstanceStats,
    add_context,
    call_for_instance,
)
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat


class LanguageModelingMetric(MetricInterface):
    """Emits log-probabilities of every request (an instance longer than the window has several), and of each context.

    Emits per request what `BasicGenerationMetric` does without references, and per context `perplexity`,
    `bits_per_byte`, `logprob_per_byte` (of the totals) and `num_instances`. `names` is accepted and not used.
    """

    def __init__(self, names: list[str] | None = None):
        self.names = list(names or [])
        self.efficiency_metric = EfficiencyMetric()

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        merged: dict[MetricName, Stat] = {}
        ids: dict[MetricContext, set[str | None]] = {}
        per_instance_stats: list[PerInstanceStats] = []
        for state in scenario_state.request_states:
            instance = state.instance
            context = MetricContext.from_instance(instance)
            spec, evaluate = scenario_state.adapter_spec, self.evaluate_generation
            stats = call_for_instance(self, instance, evaluate, spec, state, metric_service, eval_cache_path)
            stats = [add_context(stat, context) for stat in stats]
            for stat in stats:
                merge_stat(merged, stat)
            ids.setdefault(context, set()).add(instance.id)
            per_instance_stats.append(PerInstanceStats(instance.id or "", instance.perturbation, 0, stats))
        for context, instance_ids in ids.items():
            in_context = {n: s for n, s in merged.items() if MetricContext.from_metric_name(n) == context}
            num_instances = Stat(MetricName("num_instances")).add(len(instance_ids))
            for stat in [*self.derive_stats(in_context), num_instances]:
                merge_stat(merged, add_context(stat, context))
        return MetricResult([stat.take_mean() for stat in merged.values()], per_instance_stats)

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        """Return stats of one request, without context."""
        stats = compute_request_state_metrics(self.efficiency_metric, adapter_spec, request_state, metric_service)
        return stats + compute_language_modeling_metrics(adapter_spec, request_state, metric_service)

    def derive_stats(self, stats_dict: dict[MetricName, Stat]) -> list[Stat]:
        """Return the perplexity and bits per byte of one context's totals."""
        return compute_perplexity_metrics(stats_dict)

    def get_metadata(self) -> list[MetricMetadata]:
        names = [*REQUEST_STATE_METRICS, *LANGUAGE_MODELING_METRICS, *PERPLEXITY_METRICS, "num_instances"]
        return get_display_data(names)
