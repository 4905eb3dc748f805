"""The function-calling leaderboard: checks and scores, compared with the vectors."""

import json

import pytest

from helm.agents.bfcl.backends.backend import execute_calls
from helm.agents.bfcl.call_check import check_answer_text, check_calls
from helm.agents.bfcl.decoding import NoCallsError, decode_calls, is_calls
from helm.agents.bfcl.literals import UnknownTypeError, read_java, read_javascript
from helm.agents.bfcl.multi_turn import BACKENDS, check_turns, create_backends
from helm.agents.bfcl.scores import combine_categories
from vectors_support import vector_cases


@pytest.mark.parametrize("case", vector_cases("agents/bfcl_ast.json"), ids=lambda case: case["id"])
def test_verdicts(case):
    for tried in case["tries"]:
        for underscored, expected in ((False, tried["expected"]), (True, tried.get("expected_fc", None))):
            if expected is None:
                continue
            verdict = check_calls(
                case["category"],
                case["language"],
                case["functions"],
                tried["model"],
                case["possible_answer"],
                underscored,
            )
            if "raises" in expected:
                assert not verdict.is_valid, tried
                continue
            assert (verdict.is_valid, verdict.problem) == (expected["valid"], expected.get("error_type")), tried
            assert list(verdict.sub) == expected.get("sub", []), tried


@pytest.mark.parametrize("case", vector_cases("agents/bfcl_values.json"), ids=lambda case: case["id"])
def test_values(case):
    read = read_java if case["language"] == "java" else read_javascript
    if "raises" in case["expected"]:
        with pytest.raises(UnknownTypeError):
            read(case["text"], case["type"], case["nested"])
        return
    value = read(case["text"], case["type"], case["nested"])
    assert value == case["expected"]["value"] and type(value).__name__ == case["expected"]["type"]


@pytest.mark.parametrize("case", vector_cases("agents/bfcl_agentic.json"), ids=lambda case: case["id"])
def test_answers(case):
    assert check_answer_text(case["response"], case["possible"]) == case["expected"]["valid"]


@pytest.mark.parametrize("case", vector_cases("agents/bfcl_decode.json"), ids=lambda case: case["id"])
def test_decoding(case):
    expected = case["expected"]
    if "raises" in expected:
        with pytest.raises(NoCallsError):
            decode_calls(case["text"], case["format"], case["tag"])
        return
    calls = decode_calls(case["text"], case["format"], case["tag"])
    assert calls == expected["decoded"]
    assert is_calls(calls) == (expected["is_calls"] and not expected["is_empty"])


@pytest.mark.parametrize(
    "text", ["[f(a=9**9**9)]", "[" * 200_000, "[f(a=" + "-" * 5000 + "1)]", "[f(a=__import__('os').system('x'))]"]
)
def test_hostile_texts_are_no_calls_or_texts(text):
    try:
        calls = decode_calls(text, "python")
    except NoCallsError:
        return
    assert "system" in str(calls) and isinstance(calls[0]["f"]["a"], str)


@pytest.mark.parametrize("case", vector_cases("agents/bfcl_overall.json"), ids=lambda case: case["id"])
def test_the_overall_score(case):
    found = combine_categories(case["categories"])
    assert {name: found[name] for name in case["expected"]} == pytest.approx(case["expected"])
    few = dict(list(case["categories"].items())[:3])
    assert combine_categories(few)["overall"] is None


def _json(value):
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("case", vector_cases("agents/bfcl_methods.json"), ids=lambda case: case["id"])
def test_functions_of_the_simulated_programs(case):
    backend = BACKENDS[case["class"]](case["initial_config"])
    for call, expected in zip(case["calls"], case["results"], strict=True):
        assert execute_calls([backend], [call]) == [expected], call
    assert _json(backend.state()) == case["state"]


_WITHOUT_LONG_CONTEXT = [
    case for case in vector_cases("agents/bfcl_multi_turn.json") if case["category"] != "multi_turn_long_context"
]
"""The category with long contexts needs texts of the original program: see test_bfcl_package.py."""


@pytest.mark.parametrize("case", _WITHOUT_LONG_CONTEXT, ids=lambda case: case["id"])
def test_conversations_with_the_simulated_programs(case):
    for calls, results, state in (
        ("ground_truth", "results", "final_state"),
        ("varied_calls", "varied_results", "varied_state"),
    ):
        if calls not in case:
            continue
        backends = create_backends(case["involved_classes"], case["initial_config"])
        found = [execute_calls(backends, turn) for turn in case[calls]]
        assert found == case[results]
        assert {type(backend).__name__: _json(backend.state()) for backend in backends} == case[state]
    for check in case["checks"]:
        verdict = check_turns(case["involved_classes"], case["initial_config"], check["model"], case["ground_truth"])
        expected = check["expected"]
        assert (verdict.is_valid, verdict.problem) == (expected["valid"], expected.get("error_type")), check["label"]
        if "attributes" in expected:
            assert (verdict.program, list(verdict.attributes)) == (expected["class"], expected["attributes"])
        elif "turn" in expected:
            assert verdict.turn == expected["turn"]
