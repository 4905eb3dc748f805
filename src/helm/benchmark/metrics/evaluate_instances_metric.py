"""`EvaluateInstancesMetric`, the base of metrics over a whole population of instances."""

from abc import ABC, abstractmethod

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import MetricInterface, MetricResult, add_context
from helm.benchmark.metrics.metric_name import MetricContext, MetricName
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat, merge_stat
from helm.common.errors import HelmError, MetricError


class EvaluateInstancesMetric(MetricInterface, ABC):
    """Scores all generations that share a context together, trial by trial.

    Emits neither per-instance nor worst-case stats. As with `Metric`, every trial counts as one value.
    """

    @abstractmethod
    def evaluate_instances(self, request_states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        """Return stats of the generations of one context, without context."""

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        totals: dict[MetricName, Stat] = {}
        for trial in range(scenario_state.adapter_spec.num_train_trials):
            groups: dict[MetricContext, list[RequestState]] = {}
            for instance in scenario_state.instances:
                states = scenario_state.get_request_states(trial, instance, None)
                if states:
                    groups.setdefault(MetricContext.from_instance(instance), []).extend(states)
            trial_stats: dict[MetricName, Stat] = {}
            for context, group in groups.items():
                for stat in self._evaluate_group(context, group, eval_cache_path):
                    merge_stat(trial_stats, add_context(stat, context))
            for stat in trial_stats.values():
                merge_stat(totals, stat.take_mean())
        return MetricResult(list(totals.values()), [])

    def _evaluate_group(self, context: MetricContext, states: list[RequestState], eval_cache_path: str) -> list[Stat]:
        try:
            return self.evaluate_instances(states, eval_cache_path)
        except Exception as error:
            cause = str(error) if isinstance(error, HelmError) else f"{type(error).__name__}: {error}"
            ids = f"{states[0].instance.id} to {states[-1].instance.id}"
            raise MetricError(
                f"Metric {type(self).__name__} failed on the {len(states)} generations of split {context.split} "
                f"(instances {ids}): {cause}"
            ) from error
