"""Tries by type of failure: how many, how far apart, and not beyond the deadline."""

import time

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.clients.http.http_endpoint import RETRY_POLICIES, RetryPolicy
from hosted_clients import make, request_for

NAME = "openai_compatible_client.OpenAICompatibleClient openai"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.delenv("HELM_RETRIES")
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def pauses(monkeypatch):
    """The pauses that are made, in seconds; none takes any time."""
    made = []
    monkeypatch.setattr("helm.clients.http.http_endpoint.sleep_until_stopped", made.append)
    return made


@pytest.mark.parametrize("draw", [0.0, 0.3, 0.999])
def test_pauses_double_and_have_jitter(draw):
    policy = RetryPolicy(max_retries=9, first_pause_s=2.0, max_pause_s=20.0)
    pauses = [policy.pause_s(retry, draw) for retry in range(1, 7)]
    assert pauses == pytest.approx([whole * (0.5 + draw / 2) for whole in (2, 4, 8, 16, 20, 20)])


@pytest.mark.parametrize(
    "fault, outcome", [(faults.SERVER_ERROR, "server"), (faults.BROKEN_JSON, "malformed"), (faults.RESET, "server")]
)
def test_so_many_tries_by_type(server, pauses, fault, outcome):
    server.faults = [fault]
    result = make(NAME, server).make_request(request_for())
    policy = RETRY_POLICIES[outcome]
    assert result.outcome == outcome and len(server.requests) == 1 + policy.max_retries == 1 + len(pauses)
    for retry, pause_s in enumerate(pauses, start=1):
        whole = policy.first_pause_s * 2 ** (retry - 1)
        assert whole / 2 <= pause_s < whole


def test_each_type_has_its_own_count(server, pauses):
    mixed = [faults.BROKEN_JSON, faults.SERVER_ERROR] * 2
    server.faults = [*mixed, faults.SERVER_ERROR, faults.OK]
    assert make(NAME, server).make_request(request_for()).success and len(server.requests) == 6


def test_timeouts_are_tried_again_twice(server, pauses, monkeypatch):
    monkeypatch.setenv("HELM_REQUEST_TIMEOUT_S", "0.2")
    server.faults = [faults.HANG]
    result = make(NAME, server).make_request(request_for())
    server.released.set()
    assert result.outcome == "timed-out" and len(server.requests) == 3 and len(pauses) == 2


def test_no_try_beyond_the_deadline(server, monkeypatch):
    monkeypatch.setenv("HELM_REQUEST_DEADLINE_S", "0.4")
    server.faults = [faults.SERVER_ERROR]
    started = time.monotonic()
    result = make(NAME, server).make_request(request_for())
    assert result.outcome == "server" and "No more tries: that would be more than 0.4 s" in result.error
    assert time.monotonic() - started < 2


def test_a_pause_that_is_asked_for_beyond_the_deadline_is_not_made(server, monkeypatch):
    monkeypatch.setenv("HELM_REQUEST_DEADLINE_S", "1")
    server.faults = [faults.RATE_LIMIT_RETRY_DATE]  # two seconds from now
    started = time.monotonic()
    result = make(NAME, server).make_request(request_for())
    assert result.outcome == "rate-limited" and len(server.requests) <= 2 and time.monotonic() - started < 3


@pytest.mark.parametrize("fault", [faults.BAD_REQUEST, faults.AUTH, faults.FILTERED, faults.NO_CREDIT])
def test_what_cannot_pass_has_one_try(server, pauses, fault):
    server.faults = [fault]
    make(NAME, server).make_request(request_for())
    assert len(server.requests) == 1 and pauses == []
