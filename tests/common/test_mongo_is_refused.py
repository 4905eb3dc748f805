"""HELM's options for a cache in MongoDB are there, and say what to use instead before anything is sent or written."""

import os

import pytest

from helm.common.cache import Cache, MongoCacheConfig
from helm.common.cache_backend_config import MongoCacheBackendConfig
from helm.common.errors import ConfigError

URI = "mongodb://127.0.0.1:27017/helm"
ADVICE = "cannot be cached in MongoDB .*--cache-uri and a PostgreSQL or Redis"


def test_helm_run_refuses(tmp_path, monkeypatch, capsys):
    from helm.benchmark import run

    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        run.main(["-r", "simple_mcqa:model=simple/model1", "-m", "1", "--mongo-uri", URI])
    assert stopped.value.code == 1
    assert "--cache-uri and a PostgreSQL or Redis" in capsys.readouterr().err
    assert not os.listdir(tmp_path)


def test_whoever_calls_it_is_refused():
    from helm.benchmark.run import run_benchmarking
    from helm.common.authentication import Authentication

    values = ([], Authentication(""), None, "x", 1, "o", "s", True, False, False, False, False, False, None, URI)
    with pytest.raises(ConfigError, match=ADVICE):
        run_benchmarking(*values)


def test_the_proxy_server_refuses(tmp_path):
    from helm.proxy.server import build_parser, make_service

    with pytest.raises(ConfigError, match=ADVICE):
        make_service(build_parser().parse_args(["--base-path", str(tmp_path), "--mongo-uri", URI]))


def test_a_cache_of_that_kind_is_refused():
    config = MongoCacheBackendConfig(URI).get_cache_config("openai")
    assert config == MongoCacheConfig(URI, "openai")
    with pytest.raises(ConfigError, match=ADVICE):
        Cache(config).get({"a": 1}, lambda: {"b": 2})
