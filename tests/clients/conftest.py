"""Clients under test try once; limiters and caches of one test are of no matter to the next."""

import pytest


@pytest.fixture(autouse=True)
def fresh_limiters(monkeypatch):
    from helm.clients.pacing.limiter import forget_limiters

    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    yield
    forget_limiters()


@pytest.fixture(autouse=True)
def closed_caches():
    """A thousand clients with caches of their own would leave as many files open."""
    yield
    from helm.common.key_value_store import SqliteKeyValueStore

    SqliteKeyValueStore.close_all()
