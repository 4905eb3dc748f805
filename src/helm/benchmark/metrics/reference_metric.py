"""`ReferenceMetric`, the base of metrics that score the requests about all references of an instance together."""

from abc import ABC, abstractmethod
from typing import Any

from helm.benchmark.adaptation.adapter_spec import ADAPT_LANGUAGE_MODELING, AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import Metric, MetricResult, Processor, call_for_instance
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Instance


class ReferenceMetric(Metric, ABC):
    """Scores the requests that have a reference index, all those of an instance at once.

    Aggregates as `Metric` does, with worst-case stats and without derived ones.
    """

    @abstractmethod
    def evaluate_references(
        self,
        adapter_spec: AdapterSpec,
        reference_request_states: list[RequestState],
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        """Return stats of one instance, without context. The states are in the order of the references."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> list[Stat]:
        return []

    def evaluate(
        self, scenario_state: ScenarioState, metric_service: MetricService, eval_cache_path: str, parallelism: int
    ) -> MetricResult:
        is_refused = scenario_state.adapter_spec.method == ADAPT_LANGUAGE_MODELING
        if not is_refused and all(state.reference_index is None for state in scenario_state.request_states):
            return MetricResult([], [])  # nearly every run has this metric, but most have no such requests
        return super().evaluate(scenario_state, metric_service, eval_cache_path, parallelism)

    def _get_request_states(self, scenario_state: ScenarioState, trial: int, instance: Instance) -> list[RequestState]:
        states: list[RequestState] = []
        for i in range(len(instance.references)):
            states.extend(scenario_state.get_request_states(trial, instance, i))
        return states

    def _select_request_states(
        self, generation_states: list[RequestState], references_states: list[RequestState]
    ) -> list[RequestState]:
        return references_states

    def _score(self, processor: Processor, instance: Instance, states: list[RequestState]) -> Any:
        adapter_spec, service = processor.adapter_spec, processor.metric_service
        return call_for_instance(
            self, instance, self.evaluate_references, adapter_spec, states, service, processor.eval_cache_path
        )
