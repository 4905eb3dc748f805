"""AutoClient and SimpleClient: how a deployment becomes a client, and what is said when it cannot."""

import threading
import time
from dataclasses import replace

import pytest

from helm.benchmark.model_deployment_registry import (
    ClientSpec,
    ModelDeployment,
    ModelDeploymentNotFoundError,
    register_model_deployment,
)
from helm.clients.auto_client import AutoClient
from helm.clients.client import CachingClient, Client
from helm.clients.simple_client import SimpleClient
from helm.common.cache import BlackHoleCacheConfig, SqliteCacheConfig
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig, SqliteCacheBackendConfig
from helm.common.errors import ConfigError
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.common.request_options import RequestOptions


class RecordingClient(Client):
    """Keeps what it was made with."""

    made = []

    def __init__(
        self, cache_config, api_key, org_id, base_url, tokenizer, tokenizer_name, model_name, lock_file_path,
        end_of_text_token, size=1,
    ):  # fmt: skip
        self.arguments = {name: value for name, value in locals().items() if name != "self"}
        time.sleep(0.01)
        RecordingClient.made.append(self)

    def make_request(self, request):
        return RequestResult(True, [], [], cached=False)


class FailingClient(Client):
    def make_request(self, request):
        return RequestResult(False, [], [], cached=False, error="the server is tired")


class ThinkingClient(Client):
    def make_request(self, request):
        output = GeneratedOutput("<think>2 and 2</think>4", logprob=0, tokens=[])
        return RequestResult(True, [], [output], cached=False)


class NotAClient:
    pass


class NeedsAKey(Client):
    def __init__(self, api_key):
        if api_key is None:
            raise ValueError("an API key is needed")

    def make_request(self, request):
        raise NotImplementedError


@pytest.fixture
def make_auto_client(vector_environment, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "clients_of_this_test", sys.modules[__name__])

    def make(class_name="RecordingClient", credentials=None, backend=None, **args):
        path = class_name if "." in class_name else f"clients_of_this_test.{class_name}"
        deployment = ModelDeployment(
            "acme/thing-1", ClientSpec(path, args), model_name="acme/thing", tokenizer_name="simple/tokenizer1"
        )
        register_model_deployment(deployment)
        return AutoClient(credentials or {}, str(tmp_path), backend or BlackHoleCacheBackendConfig())

    return make


def test_what_the_constructor_names_is_filled_in(make_auto_client, tmp_path):
    credentials = {"acmeApiKey": "k", "acmeOrgId": "o"}
    auto_client = make_auto_client(credentials=credentials, backend=SqliteCacheBackendConfig(str(tmp_path)), size=3)
    arguments = auto_client.get_client("acme/thing-1").arguments
    tokenizer = arguments.pop("tokenizer")
    assert type(tokenizer).__name__ == "SimpleTokenizer"
    assert arguments == {
        "cache_config": SqliteCacheConfig(str(tmp_path / "acme.sqlite")),
        "api_key": "k",
        "org_id": "o",
        "base_url": None,
        "tokenizer_name": "simple/tokenizer1",
        "model_name": "acme/thing",
        "lock_file_path": str(tmp_path / "acme.lock"),
        "end_of_text_token": "</s>",
        "size": 3,
    }


def test_the_organization_of_openai_has_two_names():
    for credentials in ({"openaiOrgId": "o"}, {"openApiOrgId": "o"}, {"openaiOrgId": "o", "openApiOrgId": "p"}):
        client = AutoClient(credentials, "files", BlackHoleCacheBackendConfig())
        assert (client._organization_id("openai"), client._organization_id("acme")) == ("o", None)


def test_many_threads_get_one_client(make_auto_client):
    auto_client, found = make_auto_client(), []
    RecordingClient.made.clear()
    threads = [threading.Thread(target=lambda: found.append(auto_client.get_client("acme/thing-1"))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(RecordingClient.made) == 1
    assert found == RecordingClient.made * 8


def test_an_unknown_deployment_is_named(make_auto_client):
    with pytest.raises(ModelDeploymentNotFoundError, match="acme/thong-1"):
        make_auto_client().make_request(Request(model_deployment="acme/thong-1"))


@pytest.mark.parametrize(
    "class_name, message",
    [
        ("no_such_package.Client", "no_such_package"),
        ("clients_of_this_test.Absent", "Absent"),
        ("NotAClient", "make_request"),
        ("NeedsAKey", "an API key is needed"),
    ],
)
def test_a_client_that_cannot_be_made_is_named_with_its_deployment(make_auto_client, class_name, message):
    auto_client = make_auto_client(class_name)
    with pytest.raises(ConfigError) as caught:
        auto_client.make_request(Request(model_deployment="acme/thing-1"))
    assert "acme/thing-1" in str(caught.value)
    assert message in str(caught.value)


def test_a_provider_without_a_client_is_said_to_be_without_one(make_auto_client):
    register_model_deployment(
        ModelDeployment("cloud/large", ClientSpec("helm.clients.cloud_client.CloudClient"), model_name="cloud/large")
    )
    with pytest.raises(ConfigError, match="cloud/large.*no client .*CloudClient.*openai-compat/NAME@URL"):
        make_auto_client().get_client("cloud/large")


@pytest.mark.parametrize(
    "credentials, key",
    [
        ({}, None),
        ({"openai-compatApiKey": 12}, "12"),
        ({"deployments": {"openai-compat/m": "k"}}, "k"),
        ({"deployments": {}}, None),
    ],
)
def test_nothing_is_said_of_a_server_that_has_no_key(make_auto_client, caplog, credentials, key):
    register_model_deployment(
        ModelDeployment("openai-compat/m", ClientSpec("clients_of_this_test.NeedsAKey"), model_name="openai-compat/m")
    )
    if key is None:
        with pytest.raises(ConfigError, match="an API key is needed"):
            make_auto_client(credentials=credentials).get_client("openai-compat/m")
    else:
        make_auto_client(credentials=credentials).get_client("openai-compat/m")
    assert "ApiKey" not in caplog.text and "credentials" not in caplog.text


def test_an_argument_the_client_does_not_take_is_named(make_auto_client):
    auto_client = make_auto_client("FailingClient", colour="red")
    with pytest.raises(ConfigError, match="acme/thing-1.*colour|acme/thing-1.*takes no arguments"):
        auto_client.get_client("acme/thing-1")


def test_exhausted_retries_say_so_in_the_result(make_auto_client, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "0")
    result = make_auto_client("FailingClient").make_request(Request(model_deployment="acme/thing-1"))
    assert not result.success
    assert result.error == ("Failed to make request to acme/thing-1 after retrying 1 times. Error: the server is tired")


def test_side_services_that_are_absent_are_named(make_auto_client):
    with pytest.raises(ConfigError, match="critiqueType takes one of random"):
        make_auto_client().get_critique_client()


# --- SimpleClient -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt, num_completions, expected",
    [("7 2 4 6", 3, ["6", "4", "2"]), ("a b", 3, ["b", "a", "b"]), (" \n", 2, []), ("x", 0, [])],
)
def test_simple_client_gives_the_words_from_the_end(prompt, num_completions, expected):
    client = SimpleClient(BlackHoleCacheConfig())
    result = client.make_request(Request(model="simple/model1", prompt=prompt, num_completions=num_completions))
    assert result.success and not result.cached
    assert [completion.text for completion in result.completions] == expected
    for completion in result.completions:
        assert completion.logprob == 0 and [token.text for token in completion.tokens] == [completion.text]


def test_a_repeated_request_comes_from_the_cache(tmp_path):
    client = SimpleClient(SqliteCacheConfig(str(tmp_path / "simple.sqlite")))
    request = Request(model="simple/model1", prompt="a b")
    first, second = client.make_request(request), client.make_request(request)
    assert (first.cached, second.cached) == (False, True)
    assert first.completions == second.completions
    assert first.request_time == second.request_time
    different = client.make_request(Request(model="simple/model1", prompt="a b", random="1"))
    assert not different.cached


def test_a_raw_request_with_random_is_a_mistake():
    with pytest.raises(AssertionError):
        CachingClient.make_cache_key({"random": "1"}, Request(random="2"))


def test_options_that_a_client_does_not_name_are_refused(make_auto_client):
    """A plugin's client that knows nothing of them would drop them."""
    client = make_auto_client("FailingClient")
    request = Request(
        model="acme/thing",
        model_deployment="acme/thing-1",
        top_p=0.5,
        options=RequestOptions(seed=1, plain_prompt=True),
    )
    result = client.make_request(request)
    assert result.outcome == "refused" and result.error_flags.is_retriable is False
    assert result.error == "acme/thing-1 (FailingClient) takes no seed or plain_prompt or top_p."


def test_thinking_in_the_text_of_any_client_is_separated_when_asked(make_auto_client):
    client = make_auto_client("ThinkingClient")
    request = Request(model="acme/thing", model_deployment="acme/thing-1")
    (plain,) = client.make_request(request).completions
    assert plain.text.startswith("<think>") and plain.thinking is None
    (output,) = client.make_request(replace(request, options=RequestOptions(split_thinking=True))).completions
    assert output.text == "4" and output.thinking.text == "2 and 2"
