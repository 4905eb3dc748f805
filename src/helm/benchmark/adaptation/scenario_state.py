"""All requests of a run."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.scenarios.scenario import Instance
from helm.benchmark.specs import AnnotatorSpec


@dataclass
class ScenarioState:
    """The request states of a run, in the order in which the adapter created them."""

    adapter_spec: AdapterSpec

    request_states: list[RequestState]
    """The states. Those of a large run may be a `SpooledStates`, which makes each of them when it is looked at."""

    annotator_specs: list[AnnotatorSpec] | None = None

    @cached_property
    def instances(self) -> list[Instance]:
        """Return the distinct instances (by identity) in order of first appearance."""
        return list({id(state.instance): state.instance for state in self.request_states}.values())

    @cached_property
    def _index(self) -> dict[tuple[int, int, int | None], list[RequestState]]:
        index: dict[tuple[int, int, int | None], list[RequestState]] = defaultdict(list)
        for state in self.request_states:
            index[(state.train_trial_index, id(state.instance), state.reference_index)].append(state)
        return index

    def get_request_states(
        self, train_trial_index: int, instance: Instance, reference_index: int | None
    ) -> list[RequestState]:
        """Return the states of one trial, instance (by identity) and reference; empty if there are none."""
        return self._index.get((train_trial_index, id(instance), reference_index), [])

    def render_lines(self) -> list[str]:
        lines = [f"{len(self.request_states)} request states"]
        for i, state in enumerate(self.request_states):
            lines.append(f"request_state {i} {{")
            lines.extend("  " + line for line in state.render_lines())
            lines.append("}")
        return lines
