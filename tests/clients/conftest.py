"""Clients under test try once, and what one test taught a limiter is of no matter to the next."""

import pytest


@pytest.fixture(autouse=True)
def fresh_limiters(monkeypatch):
    from helm.clients.limiter import forget_limiters

    monkeypatch.setenv("HELM_RETRIES", "0")
    forget_limiters()
    yield
    forget_limiters()
