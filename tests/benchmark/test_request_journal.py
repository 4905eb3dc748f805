"""What the journal of a run gives back is exactly what was recorded, whole lines only."""

import time

import pytest

from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.request_journal import JOURNAL_FILE_NAME, RequestJournal, run_journaled
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.codec import dump_json
from helm.common.request import ErrorFlags, GeneratedOutput, Request, RequestResult, Thinking, Token


def make_states(count: int = 5, prompt: str = "p{}"):
    instances = [Instance(Input(str(i)), [], split="test", id=f"id{i}") for i in range(count)]
    return [new_request_state(x, Request(prompt=prompt.format(i))) for i, x in enumerate(instances)]


def result(text: str, logprob: float = 0) -> RequestResult:
    token = Token(text=text, logprob=logprob)
    output = GeneratedOutput(text, logprob, [token], {"reason": "stop", "x": None}, thinking=Thinking("é\u2028\n"))
    return RequestResult(True, [], [output], False, 0.25, 1700000000)


RESULTS = [
    result("plain"),
    result("float", 0.0),
    result("tiny", -1e-300),
    result("infinite", float("-inf")),
    RequestResult(False, [], [], False, error="refused", error_flags=ErrorFlags(is_fatal=False)),
]


def interrupted(states, folder, after: int, calls: list):
    """Run until `after` requests are done, then fail as a killed process would: no file is written."""

    def run_one(state):
        if len(calls) == after:
            raise RuntimeError("killed")
        calls.append(state.request.prompt)
        return state.with_result(RESULTS[int(state.request.prompt[1:])])

    return run_journaled(states, run_one, 1, RequestJournal(str(folder), "run"))


@pytest.mark.parametrize("after", range(5))
def test_what_was_finished_is_not_done_again_and_comes_back_unchanged(tmp_path, after):
    calls: list = []
    with pytest.raises(RuntimeError, match="killed"):
        interrupted(make_states(), tmp_path, after, calls)
    finished = interrupted(make_states(), tmp_path, 10, calls)
    assert sorted(calls) == [f"p{i}" for i in range(5)]
    assert [dump_json(state.result) for state in finished] == [dump_json(r) for r in RESULTS]


def test_a_line_that_was_half_written_is_done_again(tmp_path):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    path = tmp_path / JOURNAL_FILE_NAME
    path.write_bytes(path.read_bytes()[:-10] + b"\0" * 5000)  # the map is larger than what was written
    finished = interrupted(make_states(), tmp_path, 10, calls)
    assert calls[5:] == ["p4"] and len(finished) == 5


def test_a_journal_of_other_requests_is_not_used(tmp_path):
    calls: list = []
    interrupted(make_states(), tmp_path, 10, calls)
    interrupted(make_states(4), tmp_path, 20, calls)
    assert calls[5:] == ["p0", "p1", "p2", "p3"]


def test_a_journal_grows_with_its_results(tmp_path):
    states = make_states(3)
    big = "x" * 1_000_000

    def run_one(state):
        return state.with_result(result(big))

    run_journaled(states, run_one, 2, RequestJournal(str(tmp_path), "run"))
    again = run_journaled(states, lambda state: pytest.fail("sent again"), 1, RequestJournal(str(tmp_path), "run"))
    assert [state.result.completions[0].text for state in again] == [big] * 3


def test_equal_requests_wait_for_the_first(tmp_path):
    done: list = []

    def run_one(state):
        if state.instance.id == "id0":
            time.sleep(0.05)
        done.append(state.instance.id)
        return state.with_result(result("same"))

    run_journaled(make_states(6, "p"), run_one, 4, RequestJournal(str(tmp_path), "run"), send_equal_once=True)
    assert done[0] == "id0" and len(done) == 6
