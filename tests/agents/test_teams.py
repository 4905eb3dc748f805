"""Sub-agents, and conversations that are shortened."""

import pytest

from agent_support import call, request, run_episode
from helm.agents.errors import AgentError

SUBMIT = [call("submit", {"answer": "ok"})]


def subagent(**fields):
    given = {"name": "seller", "description": "Sells.", "instructions": "You sell fruit.", "tools": ["sell"]}
    return {"subagents": [{**given, **fields}]}


def test_an_agent_as_a_tool():
    result, model = run_episode(
        request(args=subagent()),
        [call("seller", {"task": "two apples"})],
        [call("sell", {"item": "apple", "number": 2})],
        "They are sold.",
        SUBMIT,
    )
    assert result.reward == 1 and result.counts.tool_calls == 3 and result.counts.turns == 4
    inner = model.requests[1]
    assert [message["content"] for message in inner.messages] == ["You sell fruit.", "two apples"]
    assert [tool["function"]["name"] for tool in inner.tools] == ["sell"]
    assert model.requests[3].messages[-1]["content"] == "They are sold."
    assert "sell fruit" not in str(model.requests[3].messages)


def test_a_sub_agent_has_its_own_turns():
    count = [call("count", {"item": "apple"})]
    result, model = run_episode(
        request(args=subagent(tools=None, turns=2)), [call("seller", {"task": "count"})], count, count, SUBMIT
    )
    assert "used up its 2 turns" in model.requests[3].messages[-1]["content"] and result.counts.tool_errors == 1


def test_a_handoff():
    messages = [{"role": "system", "content": "You greet."}, {"role": "user", "content": "Two apples."}]
    result, model = run_episode(
        request(args=subagent(handoff=True), messages=messages),
        [call("transfer_to_seller", {})],
        [call("sell", {"item": "apple", "number": 2})],
        SUBMIT,
    )
    assert result.reward == 1
    first, second, third = model.requests
    assert first.messages[0]["content"] == "You greet." and "transfer_to_seller" in str(first.tools)
    assert second.messages[0]["content"] == "You sell fruit." and "You greet." not in str(second.messages)
    assert [tool["function"]["name"] for tool in second.tools] == ["sell", "submit"]
    assert third.messages[1]["content"] == "Two apples."


def test_an_unknown_tool_of_a_sub_agent_ends_the_run():
    with pytest.raises(AgentError, match="seller.*sel"):
        run_episode(request(args=subagent(tools=["sel"])))


@pytest.mark.parametrize("kind", ["trim", "summary"])
def test_a_long_conversation_is_shortened(kind):
    count = [call("count", {"item": "apple"})]

    long = [{"role": "user", "content": "Sell two apples."}]
    # Each answer of the scripted model states 15 tokens, so the first one is already more than the share.
    args = {"compaction": {"kind": kind, "context_tokens": 15, "share": 1.0}}
    if kind == "trim":
        result, model = run_episode(request(args=args, messages=long), *[count] * 4, SUBMIT)
        found = [event for event in result.events if event["kind"] == "compaction"]
        assert len(found) == 4 and found[0]["tokens_before"] == 15 and found[-1]["kept"]
        assert model.requests[-1].messages[0] == long[0]
        return
    result, model = run_episode(request(args=args, messages=long), count, "The summary.", SUBMIT)
    assert model.requests[1].tools is None
    assert [message["role"] for message in model.requests[2].messages] == ["user", "user"]
    assert "The summary." in model.requests[2].messages[1]["content"]
    (found,) = [event for event in result.events if event["kind"] == "compaction"]
    assert found["kept"] == [0]


def test_compaction_is_described_right():
    with pytest.raises(AgentError, match="trim or summary"):
        run_episode(request(args={"compaction": {"kind": "cut"}}))
