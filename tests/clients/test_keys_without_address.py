"""Answers that a cache of HELM holds for a server at an address of the user: HELM's keys have no address."""

import json
import pickle
import sqlite3

import pytest

from counting_server import CountingServer
from helm.benchmark.model_deployment_registry import ClientSpec, ModelDeployment, register_model_deployment
from helm.clients.auto_client import AutoClient
from helm.common.cache_backend_config import SqliteCacheBackendConfig
from helm.common.request import Request

VLLM_CHAT = "helm.clients.vllm_client.VLLMChatClient"
HELM_KEY = {
    "frequency_penalty": 0,
    "max_tokens": 5,
    "messages": [{"role": "user", "content": "Q"}],
    "model": "m",
    "n": 1,
    "presence_penalty": 0,
    "stop": None,
    "temperature": 0.0,
    "top_p": 1,
}
HELM_ANSWER = {
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "from HELM"}}],
    "request_time": 0.5,
    "request_datetime": 7,
}


@pytest.fixture
def server():
    server = CountingServer(0.0)
    yield server
    server.close()


@pytest.fixture
def ask(isolated_registries, tmp_path):
    """Ask a deployment with a cache in which HELM has put the answer to `Q` of model `m`."""
    path = tmp_path / "mine.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE unnamed (key TEXT PRIMARY KEY, value BLOB)")
        key, value = json.dumps(HELM_KEY, sort_keys=True), pickle.dumps(HELM_ANSWER, pickle.HIGHEST_PROTOCOL)
        connection.execute("INSERT INTO unnamed VALUES (?, ?)", (key, sqlite3.Binary(value)))
    client = AutoClient({}, str(tmp_path), SqliteCacheBackendConfig(str(tmp_path)))

    def ask(deployment, prompt="Q"):
        return client.make_request(
            Request(model="org/m", model_deployment=deployment, prompt=prompt, temperature=0.0, max_tokens=5)
        )

    ask.keys = lambda: [row[0] for row in sqlite3.connect(path).execute("SELECT key FROM unnamed")]
    return ask


def register(name, client_class=VLLM_CHAT, **args):
    register_model_deployment(ModelDeployment(name, ClientSpec(client_class, args), model_name="org/m"))


@pytest.mark.parametrize("client_class", [VLLM_CHAT, "helm.clients.openai_client.OpenAIClient"])
def test_the_answer_of_helm_is_found_and_not_written_again(ask, server, client_class):
    register("mine/m", client_class, base_url=server.url)
    result = ask("mine/m")
    assert result.success, result.error
    assert (result.completions[0].text, result.cached, server.counts) == ("from HELM", True, {})
    assert (result.request_time, result.request_datetime) == (0.5, 7)
    assert ask.keys() == [json.dumps(HELM_KEY, sort_keys=True)]


def test_a_request_that_helm_did_not_send_is_sent_and_kept_with_its_address(ask, server):
    register("mine/m", base_url=server.url)
    assert [ask("mine/m", "another").cached for _ in range(2)] == [False, True]
    assert server.counts == {"another": 1}


def test_an_answer_of_this_address_goes_before_one_without(ask, server, tmp_path):
    from helm.common.cache import Cache, SqliteCacheConfig

    register("mine/m", base_url=server.url)
    own = json.loads(json.dumps(HELM_ANSWER).replace("from HELM", "from here"))
    Cache(SqliteCacheConfig(str(tmp_path / "mine.sqlite"))).get({**HELM_KEY, "base_url": server.url}, lambda: own)
    assert ask("mine/m").completions[0].text == "from here"


OTHERS = [
    ("another address", "mine/other", {"base_url": "http://localhost:1/v1"}, False),
    ("the provider's own address", "mine/other", {}, False),
    (
        "another address of another model",
        "mine/other",
        {"base_url": "http://localhost:1/v1", "vllm_model_name": "n"},
        True,
    ),
    ("another address in another cache", "yours/other", {"base_url": "http://localhost:1/v1"}, True),
    ("an earlier registration elsewhere", "mine/m", {"base_url": "http://localhost:1/v1"}, False),
]


@pytest.mark.parametrize("name, args, is_read", [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
def test_an_answer_that_may_come_from_elsewhere_is_not_used(ask, server, name, args, is_read):
    register(name, **args)
    register("mine/m", base_url=server.url)
    assert ask("mine/m").cached is is_read
    assert sum(server.counts.values()) == (0 if is_read else 1)
