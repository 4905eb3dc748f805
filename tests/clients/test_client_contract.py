"""What `Client` says of itself: the defaults of a plugin that defines only `make_request`, and what callers do with them."""

import ast
import sys
import threading
import time
from pathlib import Path

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import ExecutionSpec
from helm.benchmark.executor import Executor
from helm.benchmark.model_deployment_registry import (
    ClientSpec,
    ModelDeployment,
    register_model_deployment,
    waits_for_endpoint,
)
from helm.benchmark.run_settings import RunSettings
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance
from helm.clients.auto_client import AutoClient
from helm.clients.capabilities import LOGPROBS, probe
from helm.clients.client import CachingClient, Client, WrappingClient
from helm.clients.openai_client import OpenAIClient, OpenAITranscriptionThenCompletionClient
from helm.common.cache import BlackHoleCacheConfig
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.local_context import LocalContext
from helm.common.request import GeneratedOutput, Request, RequestResult


def answer(request):
    return RequestResult(True, [], [GeneratedOutput(f"I heard: {request.prompt}", 0.0, [])], cached=False)


class OnlyMakesRequests(Client):
    def make_request(self, request):
        return answer(request)


class Caching(CachingClient):
    def make_request(self, request):
        return answer(request)


class ForgetsItsBase(CachingClient):
    """Does not call the constructor of its base."""

    def __init__(self, cache_config=None):
        self.calls = 0

    def make_request(self, request):
        self.calls += 1
        return answer(request)


class OwnsNames(Client):
    """Has attributes of its own whose names are common."""

    def __init__(self, endpoint="http://somewhere.example"):
        self.endpoint = endpoint
        self.address = endpoint

    def make_request(self, request):
        return answer(request)


class NoClientAtAll:
    def make_request(self, request):
        return answer(request)


PLUGINS = [OnlyMakesRequests, Caching, ForgetsItsBase, OwnsNames, NoClientAtAll]


class Slow(Client):
    """Says how many requests at once are of use, and counts how many there were."""

    useful_concurrency = 2

    def __init__(self):
        self.lock = threading.Lock()
        self.calls = self.now = self.most = 0
        self.both_are_here = threading.Event()

    def make_request(self, request):
        with self.lock:
            self.calls += 1
            is_first = self.calls == 1
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == 2:
                self.both_are_here.set()
        if is_first:
            time.sleep(0.1)  # the first request goes alone, to see whether threads are worth it
        else:
            self.both_are_here.wait(20)
        with self.lock:
            self.now -= 1
        return answer(request)


@pytest.fixture
def register(vector_environment, monkeypatch):
    monkeypatch.setitem(sys.modules, "plugin_of_this_test", sys.modules[__name__])

    def register(client_class, name="acme/thing-1"):
        path = client_class if isinstance(client_class, str) else f"plugin_of_this_test.{client_class.__name__}"
        register_model_deployment(ModelDeployment(name, ClientSpec(path), model_name="acme/thing"))

    return register


def make_executor(tmp_path, parallelism=4):
    spec = ExecutionSpec(
        url=None, auth=None, local_path=str(tmp_path), parallelism=parallelism,
        settings=RunSettings(max_in_flight=32), sqlite_cache_backend_config=None, mongo_cache_backend_config=None,
    )  # fmt: skip
    return Executor(spec)


def state_of(prompts):
    adapter_spec = AdapterSpec(model="acme/thing", model_deployment="acme/thing-1")
    states = [
        RequestState(
            Instance(Input(text=prompt), [], split=TEST_SPLIT, id=prompt), None, None, None, 0,
            Request(model="acme/thing", model_deployment="acme/thing-1", prompt=prompt), None, 0, 0,
        )
        for prompt in prompts
    ]  # fmt: skip
    return ScenarioState(adapter_spec, states)


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_that_only_makes_requests_runs(register, tmp_path, plugin):
    register(plugin)
    executor = make_executor(tmp_path)
    results = [state.result for state in executor.execute(state_of(["a", "b", "c"])).request_states]
    assert [result.completions[0].text for result in results] == ["I heard: a", "I heard: b", "I heard: c"]
    assert executor.batch_share("acme/thing-1") is None


@pytest.mark.parametrize("plugin", PLUGINS)
def test_a_plugin_that_only_makes_requests_has_the_defaults(register, tmp_path, plugin):
    register(plugin)
    client = LocalContext(str(tmp_path)).get_client("acme/thing-1")
    assert isinstance(client, Client)
    assert client.limiter is client.useful_concurrency is client.batches is client.missing_key is None
    assert not (client.caches_prompts or client.retries_requests or client.waits_for_endpoint or client.lacks)
    assert not waits_for_endpoint("acme/thing-1")
    assert probe(client, "acme/thing", "acme/thing-1", [LOGPROBS]).capabilities[0].works is False, "it gives no tokens"


def test_no_plugin_is_changed_by_another(register):
    OwnsNames()
    assert "endpoint" not in vars(Client) and Client.lacks == {}


def test_a_dry_run_asks_nothing_of_a_client_that_does_not_say_it_could_be_asked(register, tmp_path):
    from helm.benchmark.running.estimate import _look_up

    register(ForgetsItsBase)
    context = LocalContext(str(tmp_path))
    assert _look_up([Request(model_deployment="acme/thing-1", prompt="a")], context) == ([], [])
    assert context.get_client("acme/thing-1").calls == 0


def test_a_client_says_how_many_requests_at_once_are_of_use(register, tmp_path):
    register(Slow)
    executor = make_executor(tmp_path, parallelism=16)
    executor.execute(state_of([f"{number}" for number in range(8)]))
    assert executor.context.get_client("acme/thing-1").most == 2


@pytest.mark.parametrize(
    "class_name, expected",
    [
        ("helm.clients.openai_client.OpenAIClient", True),
        ("helm.clients.openai_client.OpenAITranscriptionThenCompletionClient", True),
        ("helm.clients.simple_client.SimpleClient", False),
        ("plugin_of_this_test.NoClientAtAll", False),
        ("plugin_of_this_test.answer", False),
        ("plugin_of_this_test.Missing", False),
        ("no_such_package.Client", False),
        ("NoDot", False),
    ],
)
def test_whether_an_endpoint_is_asked_is_known_without_a_client(register, class_name, expected):
    register(class_name)
    assert waits_for_endpoint("acme/thing-1") is expected
    assert not waits_for_endpoint("acme/unknown")


def test_classes_that_wait_for_an_endpoint_have_a_limiter():
    from hosted_clients import CLIENTS, make

    class Server:
        origin = "http://127.0.0.1:9"

    for name in CLIENTS:
        client = make(name, Server)
        assert type(client).waits_for_endpoint and client.limiter is client.endpoint.limiter, name
        assert client.batches is None or client.batches.endpoint is client.endpoint, name


def test_a_wrapping_client_can_do_what_the_wrapped_one_can():
    class Polite(WrappingClient):
        def make_request(self, request):
            return self.client.make_request(request)

    inner = OpenAIClient(BlackHoleCacheConfig(), base_url="http://127.0.0.1:9/v1")
    outer = Polite(inner)
    for name in (
        "limiter",
        "batches",
        "missing_key",
        "retries_requests",
        "lacks",
        "caches_prompts",
        "useful_concurrency",
    ):
        assert getattr(outer, name) is getattr(inner, name), name
    assert outer.limiter is not None and outer.batches is not None and outer.retries_requests


def test_two_requests_of_which_one_needs_the_other_are_no_batch():
    client = OpenAITranscriptionThenCompletionClient(BlackHoleCacheConfig(), api_key="k")
    assert client.limiter is client.client.limiter and client.batches is None


def test_a_context_without_clients_says_so():
    from helm.common.authentication import Authentication
    from helm.common.remote_context import RemoteContext

    assert RemoteContext("http://127.0.0.1:9", Authentication("")).get_client("acme/thing-1") is None


def test_nobody_asks_a_client_by_guessing_its_attributes():
    """`hasattr(client, ...)` would bring back a second, untyped contract."""
    source = Path(__file__).parent.parent.parent / "src" / "helm"
    suspects = []
    for path in [*source.glob("clients/**/*.py"), *source.glob("proxy/**/*.py"), *source.glob("benchmark/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("getattr", "hasattr")
            ):
                asked, name = ast.unparse(node.args[0]), ast.unparse(node.args[1])
                is_about_client = "client" in asked.lower() or name.strip("'\"") in vars(Client)
                if is_about_client and name != "'make_request'":
                    suspects.append(f"{path.relative_to(source)}:{node.lineno}: {ast.unparse(node)}")
    assert not suspects


def test_an_auto_client_gives_the_object_itself_where_it_is_a_client(register, tmp_path):
    register(OnlyMakesRequests)
    auto_client = AutoClient({}, str(tmp_path), BlackHoleCacheBackendConfig())
    assert type(auto_client.get_client("acme/thing-1")) is OnlyMakesRequests


def test_the_key_of_ones_own_server_is_sent(monkeypatch):
    from conformance_server import ConformanceServer
    from hosted_clients import make, request_for

    server = ConformanceServer()
    try:
        for key in ("", "k-of-mine"):
            monkeypatch.setenv("HELM_HTTP_MODEL_API_KEY", key)
            assert make("http_model_client.HTTPModelClient", server).make_request(request_for()).success
            assert server.requests[-1]["headers"].get("Authorization") == (f"Bearer {key}" if key else None)
    finally:
        server.close()
