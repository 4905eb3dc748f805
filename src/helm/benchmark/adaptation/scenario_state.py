"""All requests of a run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import cast

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import AnyRequest, RequestState, StateFile
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


def in_memory_or_spooled(states: Iterable[RequestState], most: int | None, folder: str) -> list[RequestState]:
    """Return the states as a list, or spooled if there are more than `most`. Both read alike.

    Args:
        states: the states, of which no more than `most` are in memory at once.
        most: the largest number that is kept in memory; None keeps any number.
        folder: as of `SpooledStates`.
    """
    remaining = iter(states)
    first = list(islice(remaining, most))
    if most is None or len(first) < most:
        return first
    following = next(remaining, None)
    if following is None:
        return first
    from helm.benchmark.adaptation.spooled_states import SpooledStates

    first.reverse()  # each state is given up when it is in the file
    begun = (first.pop() for _ in range(len(first)))
    return cast(list[RequestState], SpooledStates(chain(begun, (following,), remaining), folder))


def requests_of(states: Iterable[RequestState]) -> Iterator[AnyRequest]:
    """Yield the requests of states."""
    return states.requests() if isinstance(states, StateFile) else (state.request for state in states)


def instances_of(states: Iterable[RequestState]) -> Iterator[Instance]:
    """Yield the instance of each state."""
    return states.instances() if isinstance(states, StateFile) else (state.instance for state in states)


def chosen_states(states: Sequence[RequestState], positions: Iterable[int]) -> list[RequestState]:
    """Return the states at some positions, in memory if `states` are."""
    if isinstance(states, StateFile):
        return cast(list[RequestState], states.chosen(positions))
    return [states[position] for position in positions]
