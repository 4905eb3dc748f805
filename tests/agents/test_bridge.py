"""The bridge: four protocols of providers over one model, for a program that is a test."""

import json
import urllib.error
import urllib.request

import pytest

from agent_support import FunctionAsProgram, ScriptedModel, call, executor, request
from helm.agents.errors import InfrastructureFailure
from helm.common.agent_request import EpisodeLimits, Sampling
from helm.common.budgets.spending import BudgetExceeded
from helm.common.request import RequestResult

ADD = {"type": "object", "properties": {"x": {"type": "number"}}}
CHAT = {
    "path": "/v1/chat/completions",
    "first": {
        "model": "gpt-x",
        "messages": [{"role": "developer", "content": [{"type": "text", "text": "Be brief."}]},
                     {"role": "user", "content": "Add."}],
        "tools": [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": ADD}}],
        "max_completion_tokens": 50, "temperature": 0.5, "n": 1,
    },
    "then": lambda body, told: {**body, "messages": [
        *body["messages"], told["choices"][0]["message"], {"role": "tool", "tool_call_id": "c1", "content": "5"},
    ]},
    "text": lambda told: told["choices"][0]["message"]["content"],
}  # fmt: skip
RESPONSES = {
    "path": "/v1/responses",
    "first": {
        "model": "gpt-x", "instructions": "Be brief.",
        "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Add."}]}],
        "tools": [{"type": "function", "name": "add", "description": "Adds.", "parameters": ADD}, {"type": "web_search"}],
        "max_output_tokens": 50, "temperature": 0.5,
    },
    "then": lambda body, told: {**body, "input": [
        *body["input"], *told["output"], {"type": "function_call_output", "call_id": "c1", "output": "5"},
    ]},
    "text": lambda told: told["output"][0]["content"][0]["text"],
}  # fmt: skip
MESSAGES = {
    "path": "/v1/messages?beta=true",
    "first": {
        "model": "claude-x", "system": [{"type": "text", "text": "Be brief."}],
        "messages": [{"role": "user", "content": "Add."}],
        "tools": [{"name": "add", "description": "Adds.", "input_schema": ADD}], "max_tokens": 50, "temperature": 0.5,
        "metadata": {"user_id": "u"},
    },
    "then": lambda body, told: {**body, "messages": [
        *body["messages"], {"role": "assistant", "content": told["content"]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "5"}]}]},
    ]},
    "text": lambda told: told["content"][0]["text"],
}  # fmt: skip
GEMINI = {
    "path": "/v1beta/models/gemini-x:generateContent",
    "first": {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [{"role": "user", "parts": [{"text": "Add."}]}],
        "tools": [{"functionDeclarations": [{"name": "add", "description": "Adds.", "parameters": {
            "type": "OBJECT", "properties": {"x": {"type": "NUMBER"}}}}]}],
        "generationConfig": {"maxOutputTokens": 50, "temperature": 0.5},
    },
    "then": lambda body, told: {**body, "contents": [
        *body["contents"], told["candidates"][0]["content"],
        {"role": "user", "parts": [{"functionResponse": {"name": "add", "response": {"sum": 5}}}]},
    ]},
    "text": lambda told: told["candidates"][0]["content"]["parts"][0]["text"],
}  # fmt: skip
PROTOCOLS = {"chat": CHAT, "responses": RESPONSES, "messages": MESSAGES, "gemini": GEMINI}


def ask(port, token, path, body, header="Authorization", raw=False, method="POST"):
    value = f"Bearer {token}" if header == "Authorization" else token
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", data if method == "POST" else None, {header: value}, method=method
    )
    try:
        with urllib.request.urlopen(sent, timeout=20) as answer:
            text = answer.read().decode()
    except urllib.error.HTTPError as e:
        return e.code, json.loads(e.read())
    return text if raw else json.loads(text)


def act(program, *answers, on_failure="exclude", **fields):
    """The result of an episode whose program is a function, and the model."""
    FunctionAsProgram.function = staticmethod(
        lambda port, token: program(lambda *args, **options: ask(port, token, *args, **options))
    )
    model = ScriptedModel(*answers)
    made = request("agent_support.FunctionAsProgram", environment=None, check=None, **fields)
    return executor(model, on_failure, retries=0).run_episode(made), model


CALL = [call("add", {"x": 2}, "c1")]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_call_and_its_result(name):
    """Each protocol becomes the same two requests, and the same transcript."""
    protocol, told = PROTOCOLS[name], []

    def program(send):
        told.append(send(protocol["path"], protocol["first"]))
        told.append(send(protocol["path"], protocol["then"](protocol["first"], told[0])))

    result, model = act(program, CALL, "It is 5.")
    assert (result.success, result.outcome, result.answer) == (True, "stopped", "It is 5.")
    assert protocol["text"](told[1]) == "It is 5."
    first, second = model.requests
    assert first.messages == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Add."}]
    assert first.tools == [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": ADD}}]
    assert (first.temperature, first.max_tokens, first.model_deployment) == (0.5, 50, "x/y")
    made, found = second.messages[2:]
    assert made["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"x": 2}'}}
    ]
    assert found == {"role": "tool", "tool_call_id": "c1", "content": '{"sum": 5}' if name == "gemini" else "5"}
    assert [event["kind"] for event in result.events] == ["message", "model", "tool_call", "tool_result", "model"]
    assert (result.counts.turns, result.counts.tool_calls) == (2, 1)
    assert (result.usage["bridge"].prompt_tokens, result.usage["bridge"].calls) == (20, 2)


def test_tools_in_a_namespace_are_functions_for_the_model():
    """As Codex names those of servers of MCP; the call and its copy in the next request have the namespace."""
    told, adds = [], {"type": "function", "name": "add", "description": "Adds.", "parameters": ADD}
    body = {
        **RESPONSES["first"],
        "tools": [{"type": "namespace", "name": "mcp__sums", "description": "", "tools": [adds]}],
    }

    def program(send):
        told.append(send(RESPONSES["path"], body))
        told.append(send(RESPONSES["path"], RESPONSES["then"](body, told[0])))

    _, model = act(program, [call("mcp__sums__add", {"x": 2}, "c1")], "It is 5.")
    (item,) = told[0]["output"]
    assert (item["type"], item["namespace"], item["name"]) == ("function_call", "mcp__sums", "add")
    first, second = model.requests
    assert [tool["function"]["name"] for tool in first.tools] == ["mcp__sums__add"]
    assert second.messages[2]["tool_calls"][0]["function"]["name"] == "mcp__sums__add"


def test_long_names_of_two_namespaces_stay_different():
    adds = {"type": "function", "name": "add_" + "x" * 60, "description": "Adds.", "parameters": ADD}
    spaces = [{"type": "namespace", "name": name, "description": "", "tools": [adds]} for name in ("mcp__a", "mcp__b")]
    told = []

    def program(send):
        told.append(send(RESPONSES["path"], {**RESPONSES["first"], "tools": spaces}))

    _, model = act(program, "It is 5.")
    names = [tool["function"]["name"] for tool in model.requests[0].tools]
    assert len(set(names)) == 2 and all(len(name) == 64 and name.endswith("x" * 55) for name in names)


def read_events(text):
    found = []
    for block in text.strip().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.split("\n"))
        found.append((lines.get("event"), lines["data"] if lines["data"] == "[DONE]" else json.loads(lines["data"])))
    return found


def test_answers_as_streams():
    told = {}

    def program(send):
        for name, protocol in PROTOCOLS.items():
            path = protocol["path"].replace(":generateContent", ":streamGenerateContent?alt=sse")
            body = protocol["first"] if name == "gemini" else {**protocol["first"], "stream": True}
            told[name] = read_events(send(path, body, raw=True))

    answers = [
        RequestResult(
            True, [], [ScriptedModel([call("add", {"x": 2}, name)]).make_request(None).completions[0]], False,
            request_time=0.0, outcome="ok",
        )
        for name in PROTOCOLS
    ]  # fmt: skip
    act(program, *answers)
    *chunks, end = [data for _, data in told["chat"]]
    assert end == "[DONE]" and chunks[1]["choices"][0]["finish_reason"] == "tool_calls"
    assert chunks[0]["choices"][0]["delta"]["tool_calls"][0]["function"] == {"name": "add", "arguments": '{"x": 2}'}
    kinds = [kind for kind, _ in told["responses"]]
    assert kinds == [
        "response.created", "response.in_progress", "response.output_item.added",
        "response.function_call_arguments.delta", "response.function_call_arguments.done", "response.output_item.done",
        "response.completed",
    ]  # fmt: skip
    assert told["responses"][-1][1]["response"]["output"][0]["call_id"] == "responses"
    blocks = dict(told["messages"])
    assert blocks["content_block_start"]["content_block"] == {
        "type": "tool_use",
        "id": "messages",
        "name": "add",
        "input": {},
    }
    assert json.loads(blocks["content_block_delta"]["delta"]["partial_json"]) == {"x": 2}
    assert blocks["message_delta"]["delta"]["stop_reason"] == "tool_use"
    ((_, only),) = told["gemini"]
    assert only["candidates"][0]["content"]["parts"][0]["functionCall"]["args"] == {"x": 2}


def test_what_is_no_request_is_told_and_not_asked():
    told = []

    def program(send):
        told.append(send("/v1/messages", b"{"))
        told.append(send("/v1/chat/completions", {"messages": [{"role": "robot", "content": "x"}]}))
        told.append(send("/v1/chat/completions", {"messages": [{"role": "user", "content": "x"}], "max_tokens": 0}))
        told.append(send("/v1/embeddings", {}))
        told.append(send("/v1/messages", {"messages": []}, header="x-other"))
        told.append(send("/v1/messages/count_tokens", MESSAGES["first"], header="x-api-key"))
        told.append(send("/v1/models", None, method="GET"))

    result, model = act(program)
    assert result.success and not model.requests
    statuses = [one[0] for one in told[:5]]
    assert statuses == [400, 400, 400, 404, 401]
    assert "robot" in told[1][1]["error"]["message"] and told[0][1]["type"] == "error"
    assert 10 < told[5]["input_tokens"] < 200 and told[6]["data"][0]["id"] == "model"


def test_the_bounds_of_the_run_hold():
    body = {**CHAT["first"], "max_completion_tokens": 100_000}
    _, model = act(lambda send: send(CHAT["path"], body), "x", sampling=Sampling(max_tokens=70))
    assert model.requests[0].max_tokens == 70


def test_a_limit_is_an_error_for_the_program_and_ends_it():
    told = []

    def program(send):
        for _ in range(3):
            told.append(send(CHAT["path"], CHAT["first"]))

    result, model = act(program, "a", "b", limits=EpisodeLimits(turns=1))
    assert (result.outcome, result.limit.name, len(model.requests)) == ("limit", "turns", 1)
    assert told[1][0] == 429 and "limit turns: 1 of 1" in told[1][1]["error"]["message"]
    assert told[2][0] == 503


@pytest.mark.parametrize(
    ("outcome", "status", "wanted"),
    [("server", 503, "infrastructure"), ("filtered", 400, "refused"), ("refused", 400, "stopped")],
)
def test_a_model_without_an_answer(outcome, status, wanted):
    """A prompt that the provider does not take is the program's to mend; the others end the episode."""
    told = []
    failed = RequestResult(False, [], [], False, error="no", outcome=outcome)
    result, _ = act(lambda send: told.append(send(CHAT["path"], CHAT["first"])), failed)
    assert (told[0][0], result.outcome) == (status, wanted)
    assert result.success == (wanted != "infrastructure")


def test_a_budget_that_is_used_up_ends_the_run():
    def refuse(asked):
        raise BudgetExceeded("no money left")

    with pytest.raises(BudgetExceeded):
        act(lambda send: send(CHAT["path"], CHAT["first"]), refuse)


def test_calls_without_a_told_result_are_recorded_at_the_end():
    result, _ = act(lambda send: send(CHAT["path"], CHAT["first"]), CALL)
    assert [event["kind"] for event in result.events] == ["message", "model", "tool_call"]
    assert result.counts.tool_calls == 1


def test_calls_that_a_model_numbers_anew_in_each_answer_find_their_own_results():
    """The program sends its whole conversation each time, so an earlier call of the same id is in it."""

    def program(send):
        body, ids = CHAT["first"], []
        for content in ("5", "6"):
            made = send(CHAT["path"], body)["choices"][0]["message"]
            ids.append(made["tool_calls"][0]["id"])
            told = {"role": "tool", "tool_call_id": ids[-1], "content": content}
            body = {**body, "messages": [*body["messages"], made, told]}
        send(CHAT["path"], body)
        assert ids == ["c1", "c1_2_0"]

    result, _ = act(program, CALL, [call("add", {"x": 3}, "c1")], "It is 6.")
    calls = [(event["id"], event["arguments"]) for event in result.events if event["kind"] == "tool_call"]
    assert calls == [("c1", {"x": 2}), ("c1_2_0", {"x": 3})]
    results = [(event["id"], event["content"]) for event in result.events if event["kind"] == "tool_result"]
    assert results == [("c1", "5"), ("c1_2_0", "6")]


def test_an_error_of_a_tool_is_counted():
    def program(send):
        told = send(MESSAGES["path"], MESSAGES["first"])
        then = MESSAGES["then"](MESSAGES["first"], told)
        then["messages"][-1]["content"][0]["is_error"] = True
        send(MESSAGES["path"], then)

    result, model = act(program, CALL, "x")
    assert result.counts.tool_errors == 1
    assert "is_error" not in model.requests[1].messages[-1]


def test_a_program_that_fails_by_itself_is_the_harness():
    def program(send):
        raise InfrastructureFailure("sandbox", "gone")

    result, _ = act(program)
    assert (result.outcome, result.cause) == ("infrastructure", "sandbox")
