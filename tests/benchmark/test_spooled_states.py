"""Request states that are kept in a file."""

import gc
import os
from collections.abc import Iterator

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState, new_request_state
from helm.benchmark.adaptation.scenario_state import ScenarioState, chosen_states, in_memory_or_spooled
from helm.benchmark.adaptation.spooled_states import SpooledStates
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.executor import without_failures
from helm.benchmark.scenarios.scenario import Input, Instance, Reference
from helm.common.codec import dump_json, iterate_json
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.results.coverage import count_coverage


def make_states(number=6, per_instance=2) -> list[RequestState]:
    instances = [
        Instance(Input(text=f"q{n}"), [Reference(Input(f"r{n}"), ["correct"])], "test", None, f"id{n}", extra_data={"n": [n]})
        for n in range(number)
    ]  # fmt: skip
    return [
        new_request_state(instance, Request(prompt=f"{instance.id} {reference}"), reference_index=reference)
        for instance in instances
        for reference in range(per_instance)
    ]


def answer(state, success=True):
    text = f"answer to {state.request.prompt}"
    output = GeneratedOutput(text=text, logprob=-1.5, tokens=[])
    return state.with_result(
        RequestResult(success, [], completions=[output], cached=False, error=None if success else "x")
    )


def text_of(states) -> str:
    return "".join(iterate_json(ScenarioState(AdapterSpec(), states)))


def test_they_read_and_write_like_the_list(tmp_path):
    states = [answer(state) if n % 3 else state for n, state in enumerate(make_states(300))]
    spooled = SpooledStates(states, str(tmp_path))
    assert os.listdir(tmp_path) == [], "the file has no name, so nothing is left of it"
    assert len(spooled) == 600 and bool(spooled) and not SpooledStates([], str(tmp_path))
    assert text_of(spooled) == text_of(states)
    for position in (0, 1, -1, 250):
        assert dump_json(spooled[position]) == dump_json(states[position])
    assert [dump_json(state) for state in spooled[5:9:2]] == [dump_json(state) for state in states[5:9:2]]
    with pytest.raises(IndexError):
        spooled[600]


def test_states_of_an_instance_share_it_as_long_as_it_is_held(tmp_path):
    spooled = SpooledStates(make_states(3), str(tmp_path))
    held = spooled[0].instance
    assert spooled[1].instance is held and spooled[2].instance is not held and list(spooled)[0].instance is held
    state = ScenarioState(AdapterSpec(), spooled)  # type: ignore[arg-type]
    assert [instance.id for instance in state.instances] == ["id0", "id1", "id2"]
    for instance in state.instances:
        found = state.get_request_states(0, instance, 1)
        assert [s.request.prompt for s in found] == [f"{instance.id} 1"]
    assert list(spooled.instance_numbers()) == [0, 0, 1, 1, 2, 2]


def test_equal_instances_are_still_several_even_if_they_come_one_by_one(tmp_path):
    def one_by_one() -> Iterator[RequestState]:
        for _ in range(50):  # nobody holds them, so most have the identity of an earlier one
            yield new_request_state(Instance(Input(text="same"), [], id="same"), Request(prompt="p"))
            gc.collect(0)

    spooled = SpooledStates(one_by_one(), str(tmp_path))
    assert list(spooled.instance_numbers()) == list(range(50))
    assert len(ScenarioState(AdapterSpec(), spooled).instances) == 50  # type: ignore[arg-type]


def test_only_many_states_are_spooled(tmp_path):
    def spooled(number, most):
        found = in_memory_or_spooled(iter(make_states(number, 1)), most, str(tmp_path))
        assert [state.request.prompt for state in found] == [f"id{n} 0" for n in range(number)]
        return isinstance(found, SpooledStates)

    assert [spooled(n, 3) for n in (0, 2, 3, 4, 9)] == [False, False, False, True, True]
    assert not spooled(9, None)


def test_some_of_the_states(tmp_path):
    states = [answer(state, success=n != 3) for n, state in enumerate(make_states())]
    spooled = SpooledStates(states, str(tmp_path))
    assert text_of(chosen_states(spooled, [4, 2])) == text_of([states[4], states[2]])
    assert isinstance(chosen_states(spooled, []), SpooledStates) and isinstance(chosen_states(states, [1]), list)
    whole = [ScenarioState(AdapterSpec(), found) for found in (states, spooled)]  # type: ignore[arg-type]
    scored = [without_failures(state) for state in whole]
    assert dump_json(scored[0]) == dump_json(scored[1]) and len(scored[1].request_states) == 10


def test_coverage_counts_each_instance_once(tmp_path):
    states = [answer(state) for state in make_states()]
    counted = [count_coverage(found, [], [], []) for found in (states, SpooledStates(states, str(tmp_path)))]
    assert counted[0] == counted[1] and counted[1].instances.total == 6 and counted[1].requests.asked == 12


def test_a_journal_of_spooled_states_resumes(tmp_path):
    """The second attempt asks only what the first one did not, and the result is that of one attempt in memory."""
    states, asked = make_states(), []

    def run_one(state, number):
        assert state.request.prompt == states[number].request.prompt
        if len(asked) == 7:
            raise KeyboardInterrupt
        asked.append(number)
        return answer(state)

    def attempt():
        spooled = SpooledStates(states, str(tmp_path))
        return run_journaled(spooled, run_one, 1, RequestJournal(str(tmp_path), "run"), with_number=True)

    with pytest.raises(KeyboardInterrupt):
        attempt()
    assert len(asked) == 7
    asked.append(-1)
    found = attempt()
    assert isinstance(found, SpooledStates) and asked == [*range(7), -1, *range(7, 12)]
    assert text_of(found) == text_of([answer(state) for state in states])
