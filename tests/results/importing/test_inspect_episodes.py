"""Logs of inspect_ai in which models use tools, as episodes, compared with the vectors."""

import json

import pytest

from helm.common.agent_request import AgentResult
from helm.common.codec import structure
from helm.results.instance_values import iterate_states
from importing_support import import_one, means
from vectors_support import vectors_dir

FOLDER = vectors_dir() / "agents" / "inspect_logs"
LETTERS = {"C": 1.0, "I": 0.0}


@pytest.mark.parametrize("name", ["limits.eval", "limits.json", "react.eval", "react.json"])
def test_samples_are_episodes(name, tmp_path):
    expected = json.loads((FOLDER / f"{name.split('.')[0]}.expected.json").read_text())
    run, said = import_one(FOLDER / name, output=tmp_path)
    for scorer, values in expected["metrics"].items():
        assert means(run)[scorer] == values["accuracy"]
    states = {(state.instance["id"], state.request["epoch"] + 1): state for state in iterate_states(run)}
    assert len(states) == len(expected["samples"])
    for sample in expected["samples"]:
        state = states[str(sample["id"]), sample["epoch"]]
        result = structure(state.result, AgentResult)
        ((_, letter),) = sample["scores"].items()
        assert result.reward == LETTERS[letter] and result.success
        assert (result.limit.name if result.limit else None) == sample["limit"]
        assert result.outcome == ("limit" if sample["limit"] else "stopped")
        ((_, used),) = sample["usage"].items()
        usage = result.usage["agent"]
        assert [usage.prompt_tokens, usage.completion_tokens, usage.cached_prompt_tokens] == used
        said = [[e["role"], e["content"]] for e in result.events if e["kind"] == "message"]
        assert said == [[role, text] for role, text, *_ in sample["messages"] if role in ("system", "user")]
        models = [e for e in result.events if e["kind"] == "model"]
        answers = [message for message in sample["messages"] if message[0] == "assistant"]
        assert [e["text"] for e in models] == [text for _, text, *_ in answers]
        calls = [[[call["name"], call["arguments"]] for call in e["tool_calls"]] for e in models]
        assert calls == [message[2] for message in answers]
        results = [message for message in sample["messages"] if message[0] == "tool"]
        found = [e for e in result.events if e["kind"] == "tool_result"]
        assert [e["is_error"] for e in found] == [error is not None for *_, error in results]
        assert [e["content"] for e in found if not e["is_error"]] == [
            text for _, text, _, error in results if error is None
        ]
        assert result.counts.turns == len(answers) and result.counts.tool_calls == len(results)
