"""Keys go to the addresses that they are for, whatever a run entry or a file with models names."""

import json

import pytest

from conformance_server import AUTH, ConformanceServer
from helm.benchmark import run
from helm.clients.auto_client import AutoClient
from helm.clients.http.address_keys import key_from_credentials, key_from_environment, withheld_key
from helm.common import hierarchical_logger
from helm.common.cache_backend_config import BlackHoleCacheBackendConfig
from helm.common.errors import ConfigError
from helm.common.general import get_credentials
from helm.common.request import Request

OPENAI_KEY, OWN_KEY, HOST_KEY = "sk-of-openai", "key-of-ones-own", "key-of-the-host"


@pytest.fixture
def server(monkeypatch, caplog):
    from helm.clients.pacing.limiter import forget_limiters

    caplog.set_level("INFO", "helm")
    monkeypatch.setattr(hierarchical_logger, "_told", set())
    monkeypatch.setenv("OPENAI_BASE_URL", "")  # what a command sets is taken back
    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    server = ConformanceServer()
    yield server
    server.close()
    forget_limiters()


@pytest.fixture
def ask(server, tmp_path, monkeypatch, isolated_registries):
    """Asks `openai-compat/m` at the server with keys in the environment; gives the key that arrived, and the result."""

    def ask(credentials=None, name="openai-compat/m@{origin}/openai/v1", **environment):
        for variable, value in environment.items():
            monkeypatch.setenv(variable, value.format(origin=server.origin))
        name = name.format(origin=server.origin)
        client = AutoClient(credentials or {}, str(tmp_path), BlackHoleCacheBackendConfig())
        result = client.make_request(Request(model=name, model_deployment=name, prompt="Say hi"))
        return server.requests[-1]["headers"].get("Authorization"), result

    return ask


def test_the_key_for_openai_is_not_sent_to_other_addresses(server, ask, caplog):
    key, result = ask(OPENAI_API_KEY=OPENAI_KEY)
    assert key is None and result.success
    place = server.origin.removeprefix("http://")
    (line,) = [record.getMessage() for record in caplog.records if "OPENAI_API_KEY" in record.getMessage()]
    assert f"not sent to {place}" in line and "OPENAI_COMPAT_API_KEY" in line and OPENAI_KEY not in line
    assert ask()[0] is None
    assert caplog.text.count("is not sent to") == 1, "it is said once"


def test_a_server_that_wants_a_key_says_how_to_give_it(server, ask):
    server.key = OWN_KEY
    key, result = ask(OPENAI_API_KEY=OPENAI_KEY)
    assert key is None and result.outcome == "auth"
    place = server.origin.removeprefix("http://")
    assert f'openai-compatApiKeys: {{"{place}": "KEY"}}' in result.error and OPENAI_KEY not in result.error


def test_without_any_key_nothing_is_said(server, ask, caplog):
    assert ask()[0] is None
    assert "API_KEY" not in caplog.text
    server.faults = [AUTH]
    assert "API_KEY" not in ask()[1].error


@pytest.mark.parametrize("name", ["openai-compat/m", "openai-compat/m@{origin}/openai/v1"])
def test_who_sets_address_and_key_means_both(ask, caplog, name):
    key, _ = ask(name=name, OPENAI_API_KEY=OPENAI_KEY, OPENAI_BASE_URL="{origin}/openai/v1")
    assert key == f"Bearer {OPENAI_KEY}" and "is not sent" not in caplog.text


def test_another_address_than_that_of_the_environment_gets_no_key(ask):
    assert ask(OPENAI_API_KEY=OPENAI_KEY, OPENAI_BASE_URL="http://127.0.0.1:9/v1")[0] is None


def test_keys_for_addresses_of_ones_own(server, ask, caplog):
    place = server.origin.removeprefix("http://")
    assert ask(OPENAI_API_KEY=OPENAI_KEY, OPENAI_COMPAT_API_KEY=OWN_KEY)[0] == f"Bearer {OWN_KEY}"
    assert ask({"openai-compatApiKey": OWN_KEY})[0] == f"Bearer {OWN_KEY}"
    for name in (place, "127.0.0.1"):
        credentials = {"openai-compatApiKey": OWN_KEY, "openai-compatApiKeys": {name: HOST_KEY, "other.example": "x"}}
        assert ask(credentials)[0] == f"Bearer {HOST_KEY}"
    name = f"openai-compat/m@{server.origin}/openai/v1"
    assert ask({"deployments": {name: HOST_KEY}})[0] == f"Bearer {HOST_KEY}"
    assert "is not sent" not in caplog.text


def test_keys_of_hosts_are_read_from_the_file(tmp_path):
    text = (
        'openai-compatApiKeys: {"llm.lab.example:8000": "a", "llm.lab.example": "b", "[::1]:8000": "c", localhost: d}'
    )
    (tmp_path / "credentials.conf").write_text(text)
    credentials = get_credentials(str(tmp_path))
    for url, key in (
        ("http://llm.lab.example:8000/v1", "a"),
        ("https://LLM.lab.example/v1", "b"),
        ("http://[::1]:8000/v1", "c"),
        ("http://localhost:8000/v1", "d"),
        ("http://llm.lab.example@localhost.example/v1", None),
        ("http://lab.example:8000", None),
        ("http://llm.lab.example:x", None),
    ):
        assert key_from_credentials(credentials, url) == key, url
    with pytest.raises(ConfigError, match="openai-compatApiKeys takes hosts"):
        key_from_credentials({"openai-compatApiKeys": "sk"}, "http://localhost")


@pytest.mark.parametrize(
    "url, is_openai",
    [
        ("https://api.openai.com/v1", True),
        ("https://API.OpenAI.com:443/v1", True),
        ("http://api.openai.com/v1", False),
        ("https://api.openai.com:8443/v1", False),
        ("https://api.openai.com.evil.example/v1", False),
        ("https://api.openai.com@evil.example/v1", False),
        ("https://api.openai.com\\@evil.example/v1", False),
        ("https://evil.example/https://api.openai.com/v1", False),
        ("https://evil.example#@api.openai.com/v1", False),
        ("https://evil.example?@api.openai.com/v1", False),
        ("https://openai.com/v1", False),
    ],
)
def test_which_address_is_openais(monkeypatch, url, is_openai):
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI_KEY)
    assert key_from_environment(url) == (OPENAI_KEY if is_openai else None)
    assert (withheld_key(url) is None) == is_openai
    monkeypatch.setenv("OPENAI_COMPAT_API_KEY", OWN_KEY)
    assert key_from_environment(url) == (OPENAI_KEY if is_openai else OWN_KEY)
    assert withheld_key(url) is None


def test_deployments_of_the_catalogue_stay_as_they_are(server, ask):
    from helm.benchmark.model_deployment_registry import read_model_deployment, register_model_deployment

    client = "helm.clients.openai_compatible_client.OpenAICompatibleClient"
    for name in ("lab/m", "openai-compat/m"):
        spec = {"class_name": client, "args": {"base_url": f"{server.origin}/openai/v1"}}
        register_model_deployment(read_model_deployment({"name": name, "client_spec": spec}, "test"))
        assert ask(name=name, OPENAI_API_KEY=OPENAI_KEY)[0] == f"Bearer {OPENAI_KEY}"
        assert ask({f"{name.partition('/')[0]}ApiKey": OWN_KEY}, name=name)[0] == f"Bearer {OWN_KEY}"


def test_a_run_entry_does_not_choose_who_gets_the_key(server, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", OPENAI_KEY)
    flags = ["-m", "1", "--disable-cache", "--no-probe"]
    run.main(["-r", f"simple_mcqa:model=openai-compat/m@{server.origin}/openai/v1", *flags])
    assert server.requests
    assert OPENAI_KEY not in json.dumps([request["headers"] for request in server.requests])
    run.main(["-r", "simple_mcqa:model=openai-compat/m", "--base-url", f"{server.origin}/openai/v1", *flags])
    assert server.requests[-1]["headers"]["Authorization"] == f"Bearer {OPENAI_KEY}"


def test_the_address_that_a_batch_recorded_is_not_the_users(monkeypatch):
    import os
    from types import SimpleNamespace

    from helm.benchmark.commands.manage_batches import _with_address

    record = SimpleNamespace(deployment="openai-compat/m", address="http://127.0.0.1:9/v1")
    assert _with_address(record) == "openai-compat/m@http://127.0.0.1:9/v1" and "OPENAI_BASE_URL" not in os.environ
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert _with_address(record) == "openai-compat/m"
    monkeypatch.delenv("OPENAI_BASE_URL")
    for name in ("openai-compat/m@http://127.0.0.1:9/v1", "openai/gpt-4o"):
        assert _with_address(SimpleNamespace(deployment=name, address="http://x/v1")) == name
