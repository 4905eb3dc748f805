"""Fixtures shared by all tests: isolated registries, the plugin of the golden vectors, and `helm-run` in a folder."""

import importlib

import pytest

from vectors_support import vectors_dir


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch):
    """Tests run without keys from outside."""
    for name in ("HELM_CREDENTIALS", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def plugin(monkeypatch):
    """The plugin module that the helm-core vectors use, importable by its own name."""
    monkeypatch.syspath_prepend(str(vectors_dir() / "helm-core" / "plugin"))
    return importlib.import_module("helm_core_vectors_plugin")
