"""DSPy's modules against a server on loopback that knows its prompts."""

import json

import pytest

from agent_support import ToolCallServer
from helm.clients.dspy_client import DSPyClient
from helm.common.cache import SqliteCacheConfig
from helm.common.errors import ConfigError
from helm.common.request import MALFORMED, SERVER, Request, Usage
from helm.common.telemetry.progress import RunProgress, counting

dspy = pytest.importorskip("dspy")

ANSWER = "[[ ## reasoning ## ]]\nTwo and two.\n\n[[ ## output ## ]]\nfour\n\n[[ ## completed ## ]]"
QUESTION = "What is 2+2?\nAnswer:"


def client(server, folder, module="ChainOfThought", **args):
    return DSPyClient(
        SqliteCacheConfig(str(folder / "cache.sqlite")),
        dspy_module=module,
        dspy_api_model="openai/gpt-x",
        dspy_api_base=server.url,
        api_key="k",
        **args,
    )


def ask(made, **fields):
    return made.make_request(Request(model="openai/gpt-x", model_deployment="openai/gpt-x", prompt=QUESTION, **fields))


@pytest.fixture
def server():
    made = ToolCallServer(lambda body: {"content": ANSWER})
    yield made
    made.close()


@pytest.mark.parametrize(("module", "fields"), [("Predict", ["output"]), ("ChainOfThought", ["reasoning", "output"])])
def test_what_is_sent_is_what_helm_sends(server, tmp_path, module, fields):
    result = ask(client(server, tmp_path, module), temperature=0.7, max_tokens=5, stop_sequences=["\n"])
    (body,) = server.bodies
    system, user = (message["content"] for message in body["messages"])
    assert (body["model"], body["temperature"]) == ("gpt-x", 0.0)
    assert not {"max_tokens", "stop", "max_completion_tokens"} & body.keys()
    assert "1. `inputs` (str)" in system and all(f"`{name}` (str)" in system for name in fields)
    assert ("`reasoning`" in system) == (module == "ChainOfThought")
    assert user.startswith(f"[[ ## inputs ## ]]\n{QUESTION}")
    assert (result.success, result.completions[0].text, result.usage) == (True, "four", Usage(20, 5))
    thinking = result.completions[0].thinking
    assert (thinking.text if thinking else None) == ("Two and two." if module == "ChainOfThought" else None)


def test_answers_are_cached(server, tmp_path):
    first, again = (ask(client(server, tmp_path)) for _ in range(2))
    assert (first.cached, again.cached, len(server.bodies)) == (False, True, 1)
    assert again.completions == first.completions
    ask(client(server, tmp_path), random="2")
    ask(client(server, tmp_path, "Predict"))
    assert len(server.bodies) == 3


def test_an_optimised_module_is_fetched_for_the_scenario(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = dspy.ChainOfThought("inputs -> output")
    made.predict.demos = [dspy.Example(inputs="1+1", reasoning="r1", output="two")]
    made.predict.signature = made.predict.signature.with_instructions("Count well.")
    made.save("medec.json")
    optimised = client(server, tmp_path, dspy_agent_url=f"file://{tmp_path}/{{scenario}}.json")
    with counting(RunProgress("medec:model=x")):
        assert ask(optimised).success
    sent = json.dumps(server.bodies[-1]["messages"])
    assert "Count well." in sent and "1+1" in sent and "two" in sent


def test_a_file_that_is_no_module_is_named(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.json").write_text('{"traces": 1}')
    with pytest.raises(ConfigError, match="is no module that DSPy has saved"):
        ask(client(server, tmp_path, dspy_agent_url=f"file://{tmp_path}/x.json"))


def test_failures_are_no_answers(tmp_path):
    server = ToolCallServer(lambda body: {"content": "no fields"} if "good" not in str(body) else (500, "down"))
    assert ask(client(server, tmp_path)).outcome == MALFORMED
    failed = client(server, tmp_path).make_request(Request(model="m", model_deployment="d", prompt="good"))
    assert (failed.success, failed.outcome) == (False, SERVER) and "500" in failed.error or "down" in failed.error
    server.close()


def test_an_unknown_module_is_refused(server, tmp_path):
    with pytest.raises(ConfigError, match="Predict or ChainOfThought, not 'ReAct'"):
        client(server, tmp_path, "ReAct")
