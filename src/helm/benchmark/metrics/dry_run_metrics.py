"""`DryRunMetric` estimates what a run would cost."""

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.display_data import get_display_data
from helm.benchmark.metrics.efficiency_metrics import EfficiencyMetric
from helm.benchmark.metrics.metric import (
    MetricInterface,
    MetricMetadata,
    MetricResult,
    PerInstanceStats,
    call_for_instance,
)
from helm.benchmark.metrics.metric_name import MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat, single
from helm.common.request import Request

_COST = MetricName("estimated_num_tokens_cost")
_NUM_COMPLETIONS = MetricName("num_completions")
_MAX_NUM_COMPLETION_TOKENS = MetricName("max_num_completion_tokens")
_NUM_PROMPT_TOKENS = MetricName("num_prompt_tokens")
_NUM_REQUESTS = MetricName("num_requests")

# GooseAI's base price includes them.
GOOSEAI_FREE_TOKENS = 25


class DryRunMetric(MetricInterface):
    """Estimates tokens from the requests alone.

    Emits per request `estimated_num_tokens_cost` (tokens that the provider bills), `num_completions`,
    `max_num_completion_tokens` and `num_prompt_tokens`, and for the run `num_requests`; no name has a context. Requests
    to subjects other than language models are only counted.
    """

    request_type = object

    def __init__(self) -> None:
        self.efficiency_metric = EfficiencyMetric()

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        merged: dict[MetricName, Stat] = {}
        per_instance_stats: list[PerInstanceStats] = []
        for state in scenario_state.request_states:
            instance, spec = state.instance, scenario_state.adapter_spec
            stats = call_for_instance(self, instance, self._evaluate_request, spec, state, metric_service)
            for stat in stats:
                merge_stat(merged, stat)
            per_instance_stats.append(
                PerInstanceStats(instance.id or "", instance.perturbation, state.train_trial_index, stats)
            )
        merge_stat(merged, single(_NUM_REQUESTS, len(scenario_state.request_states)))
        return MetricResult(list(merged.values()), per_instance_stats)

    def _evaluate_request(
        self, adapter_spec: AdapterSpec, request_state: RequestState, metric_service: MetricService
    ) -> list[Stat]:
        request = request_state.request
        if not isinstance(request, Request):
            return []
        num_prompt_tokens = self.efficiency_metric.count_prompt_tokens(adapter_spec, request, metric_service)
        return [
            single(_COST, estimate_num_tokens_cost(request, num_prompt_tokens)),
            single(_NUM_COMPLETIONS, request.num_completions),
            single(_MAX_NUM_COMPLETION_TOKENS, request.num_completions * request.max_tokens),
            single(_NUM_PROMPT_TOKENS, num_prompt_tokens),
        ]

    def get_metadata(self) -> list[MetricMetadata]:
        names = [_COST, _NUM_COMPLETIONS, _MAX_NUM_COMPLETION_TOKENS, _NUM_PROMPT_TOKENS, _NUM_REQUESTS]
        return get_display_data(name.name for name in names)


def estimate_num_tokens_cost(request: Request, num_prompt_tokens: int, host: str | None = None) -> int:
    """Return the maximum number of tokens billed for a request by a host, by default its own; 0 for other hosts."""
    num_completion_tokens = request.num_completions * request.max_tokens
    num_echoed_tokens = num_prompt_tokens if request.echo_prompt else 0
    host = host or request.model_host
    if host == "openai":
        return num_prompt_tokens + num_completion_tokens + num_echoed_tokens
    if host in ("ai21", "cohere"):
        return num_completion_tokens
    if host == "gooseai":
        return max(num_completion_tokens + num_echoed_tokens - GOOSEAI_FREE_TOKENS, 0)
    return 0
