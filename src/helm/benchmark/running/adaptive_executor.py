"""Adaptive testing: each item is chosen by what the answers so far say about the model's ability."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import ExecutorInterface
from helm.benchmark.executing.journaled_run import with_original_cached_flag
from helm.benchmark.executing.request_journal import RequestJournal
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.reeval_parameters import REEvalParameters
from helm.common.request import Request
from helm.results.statistics.item_response import Ability, estimate_ability, most_informative

MAX_INSTANCES = "max_eval_instances"
MAX_STANDARD_ERROR = "max_standard_error"
ALL_ITEMS = "all_items"


@dataclass
class Trajectory:
    """The course of a test. The first three lists are HELM's; all have one value per answered item."""

    model_ability: list[float] = field(default_factory=list)
    """The ability after each answer, in logits."""

    response_correctness: list[float] = field(default_factory=list)

    instance_difficulties: list[float] = field(default_factory=list)

    standard_error: list[float] = field(default_factory=list)
    """The standard error of the ability after each answer."""

    instance_ids: list[str | None] = field(default_factory=list)

    stopped_by: str = ALL_ITEMS
    """Why the test ended: `max_eval_instances`, `max_standard_error` or `all_items`."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class AdaptiveExecutor(ExecutorInterface):
    """Asks one item after the other, and returns only those that were asked, in the order of asking.

    Each answer goes into the journal. A second attempt makes the same choices, since they depend on nothing but the answers.

    Args:
        inner: what answers a request.
        bank: the difficulties by prompt; items that are not in it are never asked.
        parameters: the initial ability, and the standard error that ends the test.
        score: returns the correctness of an answered request, 0 to 1, or None if it has no score.
        finish: is called with the trajectory before the states are returned.
    """

    is_divisible = False

    def __init__(
        self,
        inner: ExecutorInterface,
        bank: Mapping[str, float],
        parameters: REEvalParameters,
        score: Callable[[RequestState], float | None],
        finish: Callable[[Trajectory], None],
        is_dry: bool = False,
    ):
        self._inner, self._bank, self._parameters = inner, bank, parameters
        self._score, self._finish, self._is_dry = score, finish, is_dry

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        if not scenario_state.request_states:
            return scenario_state
        states = self._items(scenario_state)
        most = scenario_state.adapter_spec.max_eval_instances
        most = len(states) if most is None else min(most, len(states))
        if self._is_dry:
            return replace(scenario_state, request_states=states[:most])
        if journal is not None:
            journal.open(states)
        try:
            asked = self._test(scenario_state, states, most, journal)
        finally:
            if journal is not None:
                journal.close()
        return replace(scenario_state, request_states=asked)

    def _items(self, scenario_state: ScenarioState) -> list[RequestState]:
        """Return the states with a difficulty, which is noted in their instances. Raises: ConfigError."""
        items = []
        for state in scenario_state.request_states:
            if state.reference_index is not None or state.train_trial_index or state.epoch:
                raise ConfigError(
                    "Adaptive testing needs one request per instance: use an adapter method such as multiple_choice_joint "
                    "or generation, one train trial and one epoch."
                )
            assert isinstance(state.request, Request)
            difficulty = self._bank.get(state.request.text)
            if difficulty is not None:
                extra = {**(state.instance.extra_data or {}), "difficulty": difficulty}
                items.append(replace(state, instance=replace(state.instance, extra_data=extra)))
        total = len(scenario_state.request_states)
        if not items:
            raise ConfigError(
                f"None of the {total} prompts is in the bank of {len(self._bank)} difficulties. Prompts must be exactly those "
                "of the runs from which the bank was made: same scenario, arguments, adapter and model family."
            )
        hlog(f"{len(items)} of {total} items have a difficulty")
        return items

    def _test(
        self, scenario_state: ScenarioState, states: list[RequestState], most: int, journal: RequestJournal | None
    ) -> list[RequestState]:
        start = self._parameters.model_ability or 0.0
        difficulties = [(state.instance.extra_data or {})["difficulty"] for state in states]
        remaining, trajectory = list(range(len(states))), Trajectory()
        asked: list[RequestState] = []
        if most < len(states):
            trajectory.stopped_by = MAX_INSTANCES
        ability = Ability(start, float("inf"))
        limit = self._parameters.max_standard_error
        while len(asked) < most:
            index = most_informative(ability.value, difficulties, remaining)
            remaining.remove(index)
            state = self._answer(scenario_state, states[index], index, journal)
            asked.append(state)
            correctness = self._score(state)
            if correctness is None:
                hwarn(f"Instance {state.instance.id} has no score, so it says nothing about the ability.")
                continue
            if not 0 <= correctness <= 1:
                raise ConfigError(
                    f"Adaptive testing needs a main metric between 0 and 1; instance {state.instance.id} has {correctness}."
                )
            trajectory.response_correctness.append(correctness)
            trajectory.instance_difficulties.append(difficulties[index])
            ability = estimate_ability(trajectory.response_correctness, trajectory.instance_difficulties, start)
            trajectory.model_ability.append(ability.value)
            trajectory.standard_error.append(ability.standard_error)
            trajectory.instance_ids.append(state.instance.id)
            if limit is not None and ability.standard_error <= limit:
                trajectory.stopped_by = MAX_STANDARD_ERROR
                break
        self._finish(trajectory)
        return asked

    def _answer(
        self, scenario_state: ScenarioState, state: RequestState, index: int, journal: RequestJournal | None
    ) -> RequestState:
        if journal is not None:
            recorded = journal.result(index)
            if recorded is not None:
                return state.with_result(recorded)
            journal.record_sent(index)
        (done,) = self._inner.execute(replace(scenario_state, request_states=[state])).request_states
        if journal is not None:
            if journal.was_sent(index):
                done = done.with_result(with_original_cached_flag(done.result, journal.started_at))
            journal.record_result(index, done.result)
        return done

    def close(self) -> None:
        self._inner.close()
