"""Request states that are kept in a file, so that the memory of a run does not grow with their number."""

import threading
from array import array
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from typing import Any, overload
from weakref import WeakValueDictionary

from helm.benchmark.adaptation.request_state import AnyRequest, RequestState, StateFile
from helm.benchmark.scenarios.scenario import Instance
from helm.common.spooled_values import SpooledValues


class SpooledStates(StateFile):
    """Reads as a list of request states would, and takes some 60 bytes of memory for each.

    Each look at a state makes it anew. Its instance is the same object as long as anybody holds it, because metrics tell
    instances apart by identity; who does so must hold them.

    Args:
        states: the states; those of one instance share the object.
        folder: where the disk has room for the file, which ends with this object.
    """

    def __init__(self, states: Iterable[RequestState], folder: str):
        self._folder = folder
        self._lock = threading.Lock()
        self._instances = SpooledValues[Instance](folder)
        self._live: WeakValueDictionary[int, Instance] = WeakValueDictionary()
        self._owners = array("q")
        """The number of the instance of each state."""
        self._bodies = SpooledValues[RequestState](folder)
        """The states without instance and result."""
        self._results = self.new_results()
        find_number = _Numbers(self._instances)
        for number, state in enumerate(states):
            self._owners.append(find_number(state.instance))
            self._bodies[number] = _with(state, None, None)
            if state.result is not None:
                self._results[number] = state.result
        self._order: Sequence[int] = range(len(self._owners))

    def new_results(self) -> SpooledValues[Any]:
        """Return a place for results by number of the request, to be given to `with_results`."""
        return SpooledValues(self._folder)

    def with_results(self, results: SpooledValues[Any]) -> "SpooledStates":
        """Return the states with other results."""
        changed = copy(self)
        changed._results = results
        return changed

    def chosen(self, positions: Iterable[int]) -> "SpooledStates":
        """Return the states at some positions."""
        changed = copy(self)
        changed._order = array("q", [self._order[position] for position in positions])
        return changed

    def instance_numbers(self) -> Iterator[int]:
        """Yield for each state a number that is the same for states of one instance."""
        return (self._owners[number] for number in self._order)

    def requests(self) -> Iterator[AnyRequest]:
        """Yield the requests, for which neither instances nor results are read."""
        return (self._bodies[number].request for number in self._order)

    def instances(self) -> Iterator[Instance]:
        """Yield the instance of each state, for which neither requests nor results are read."""
        return (self._instance(self._owners[number]) for number in self._order)

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> RequestState: ...

    @overload
    def __getitem__(self, index: slice) -> list[RequestState]: ...

    def __getitem__(self, index: int | slice) -> RequestState | list[RequestState]:
        if isinstance(index, slice):
            return [self._state(number) for number in self._order[index]]
        return self._state(self._order[index])

    def __iter__(self) -> Iterator[RequestState]:
        return map(self._state, self._order)

    def _state(self, number: int) -> RequestState:
        return _with(self._bodies[number], self._instance(self._owners[number]), self._results.get(number))

    def _instance(self, number: int) -> Instance:
        with self._lock:
            found = self._live.get(number)
            if found is None:
                found = self._live[number] = self._instances[number]
            return found


class _Numbers:
    """Numbers instances by identity, and adds each to `instances` when it comes first."""

    def __init__(self, instances: SpooledValues[Instance]):
        self._instances = instances
        self._numbers: dict[int, int] = {}
        self._live: WeakValueDictionary[int, Instance] = WeakValueDictionary()
        """The instances that still exist. The identity of one that is gone may be given to another."""

    def __call__(self, instance: Instance) -> int:
        key = id(instance)
        if self._live.get(key) is not instance:
            self._live[key] = instance
            self._numbers[key] = number = len(self._instances)
            self._instances[number] = instance
        return self._numbers[key]


def _with(state: RequestState, instance: Any, result: Any) -> RequestState:
    changed = object.__new__(type(state))
    changed.__dict__.update(state.__dict__, instance=instance, result=result)
    return changed
