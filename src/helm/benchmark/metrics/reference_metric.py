"""`ReferenceMetric`, the base of metrics that score the requests about all references of an instance together."""

from abc import ABC, abstractmethod
from typing import List

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.metric import Metric, Processor, RequestStateSet, call_for_instance
from helm.benchmark.metrics.metric_service import MetricService
from helm.benchmark.metrics.statistic import Stat
from helm.benchmark.scenarios.scenario import Instance


class ReferenceMetric(Metric, ABC):
    """Scores the requests that carry a reference index, all those of an instance at once.

    Aggregates as `Metric` does, with worst-case stats and without derived ones.
    """

    @abstractmethod
    def evaluate_references(
        self,
        adapter_spec: AdapterSpec,
        reference_request_states: List[RequestState],
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> List[Stat]:
        """Stats of one instance, named without context. The states are in the order of the references."""

    def evaluate_generation(
        self,
        adapter_spec: AdapterSpec,
        request_state: RequestState,
        metric_service: MetricService,
        eval_cache_path: str,
    ) -> List[Stat]:
        return []

    def _get_request_state_set(self, scenario_state: ScenarioState, trial: int, instance: Instance) -> RequestStateSet:
        states: List[RequestState] = []
        for i in range(len(instance.references)):
            states.extend(scenario_state.get_request_states(trial, instance, i))
        return RequestStateSet(instance, [], states)

    def _score(self, processor: Processor, request_state_set: RequestStateSet) -> List[Stat]:
        states = request_state_set.references_states
        if not states:
            return []
        return call_for_instance(
            self,
            request_state_set.instance,
            self.evaluate_references,
            processor.adapter_spec,
            states,
            processor.metric_service,
            processor.eval_cache_path,
        )
