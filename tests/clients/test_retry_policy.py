"""Tries by type of failure: how many, how far apart, and not beyond the deadline."""

import json
import threading
import time
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.clients.http import http_endpoint
from helm.clients.http.http_connections import (
    BrokenExchange,
    ConnectError,
    ConnectTimeout,
    DeadlineExceeded,
    ReadTimeout,
)
from helm.clients.http.http_endpoint import (
    RETRY_POLICIES,
    HTTPEndpoint,
    RetryPolicy,
    allowances,
    max_retries,
)
from helm.clients.http.request_failure import RequestFailure
from helm.clients.pacing.pace import Allowance
from helm.common.answer_limits import AnswerTooLong
from helm.common.budgets.spending import BudgetExceeded
from helm.common.errors import ConfigError
from helm.common.sending import trying_once
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


@pytest.mark.parametrize("fault, outcome, num_retries", [
    (faults.SERVER_ERROR, "server", 6), (faults.BROKEN_JSON, "malformed", 2), (faults.RESET, "server", 6),
])  # fmt: skip
def test_so_many_tries_by_type(server, pauses, fault, outcome, num_retries):
    server.faults = [fault]
    result = make(NAME, server).make_request(request_for())
    assert result.outcome == outcome and len(server.requests) == 1 + num_retries == 1 + len(pauses)
    for retry, pause_s in enumerate(pauses, start=1):
        assert 2 ** (retry - 1) / 2 <= pause_s < 2 ** (retry - 1)


def test_who_is_refused_for_the_rate_comes_back_when_the_limiter_says_so():
    assert RETRY_POLICIES["rate-limited"] == RetryPolicy(30, 0.0, 60.0)
    assert RETRY_POLICIES["timed-out"] == RetryPolicy(2, 2.0, 60.0)
    assert set(RETRY_POLICIES) == {"rate-limited", "timed-out", "server", "malformed"}


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
    assert "No more tries: that would be more than 1 s" in result.error


@pytest.mark.parametrize("fault", [faults.BAD_REQUEST, faults.AUTH, faults.FILTERED, faults.NO_CREDIT])
def test_what_cannot_pass_has_one_try(server, pauses, fault):
    server.faults = [fault]
    make(NAME, server).make_request(request_for())
    assert len(server.requests) == 1 and pauses == []


# ---- One endpoint


@pytest.fixture
def endpoint(monkeypatch):
    """An endpoint of a server that gives `answers`, a list of (status, headers, JSON), the last one for ever."""
    monkeypatch.delenv("HELM_RETRIES", raising=False)
    seen, answers = [], []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append((self.path, dict(self.headers), self.rfile.read(int(self.headers["Content-Length"] or 0))))
            status, headers, value = answers.pop(0) if len(answers) > 1 else answers[0]
            body = json.dumps(value).encode()
            self.send_response(status)
            for name, text in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    endpoint = HTTPEndpoint(f"http://ann:secret@127.0.0.1:{server.server_port}/v1/", {"X-Mine": "1"}, "the-key")
    endpoint.answers, endpoint.seen = answers, seen
    yield endpoint
    server.shutdown()
    server.server_close()


class Ledger:
    """Notes what it is told; has room when `rooms` says so."""

    def __init__(self, *rooms):
        self.rooms, self.failed, self.waited = list(rooms), [], 0

    def take_room(self, is_sent):
        assert is_sent, "the request is to be sent at once"
        room = self.rooms.pop(0) if self.rooms else True
        if isinstance(room, BaseException):
            raise room
        return room

    def wait_for_room(self):
        self.waited += 1

    def note_failed_try(self, usage):
        self.failed.append(usage)

    def check_time(self):
        pass

    def check_used_up(self):
        pass


@pytest.fixture
def ledger(monkeypatch):
    ledger = Ledger()
    monkeypatch.setattr(http_endpoint, "get_ledger", lambda: ledger)
    return ledger


@pytest.fixture
def exchanges(endpoint):
    """What the endpoint asks its connections for: the times, the most bytes, and whether room is taken."""
    asked = []

    def exchange(*arguments):
        asked.append((*arguments[4:8], arguments[8] is not None))
        return 200, {}, b"{}"

    endpoint._pool = SimpleNamespace(exchange=exchange)
    return asked


def test_the_times_of_one_try(endpoint, exchanges):
    endpoint.send("POST", "x", b"{}")
    endpoint.send("POST", "x", b"{}", max_bytes=5)
    for seconds in (7.0, 1000.0):
        with trying_once(seconds):
            endpoint.send("POST", "x", b"{}")
    assert [(connect_s, silent_s, *rest) for connect_s, silent_s, _, *rest in exchanges] == [
        (20, 300, None, True), (20, 300, 5, False), (7, 7, None, True), (20, 300, None, True),
    ]  # fmt: skip
    assert all(1700 < whole_s <= 1800 for _, _, whole_s, *_ in exchanges)
    endpoint._exchange("POST", endpoint.url("x"), b"{}", {}, time.monotonic() - 1, None, lambda number: None)
    assert exchanges[-1][2] == 0.1, "a deadline that has just passed"


def test_retries_are_told_but_not_all_of_them(endpoint, pauses, monkeypatch):
    said, turns = [], iter([0, None, 3])
    for name in ("hwarn", "hdebug"):
        monkeypatch.setattr(http_endpoint, name, lambda text, name=name: said.append((name, text)))
    monkeypatch.setattr(endpoint.limiter, "turn_to_warn", lambda: next(turns))
    endpoint.answers[:] = [*[(500, {}, {})] * 3, (429, {"Retry-After": "0"}, {}), (200, {}, {})]
    endpoint.send("POST", "x", b"{}")
    assert [name for name, _ in said] == ["hwarn", "hdebug", "hwarn", "hdebug"]
    assert [f"Trying again (server, retry {number})" in text for number, (_, text) in enumerate(said, 1)] == [
        True
    ] * 3 + [False]
    assert ["more failures since" in text for _, text in said] == [False, False, True, False]
    assert "(3 more failures since the last such line.)" in said[2][1]


def test_failed_tries_are_counted(endpoint, pauses):
    endpoint.answers[:] = [(500, {}, {}), (500, {}, {}), (200, {}, {})]
    endpoint.send("POST", "x", b"{}")
    assert endpoint.limiter.failed_tries == {"server": 2} and endpoint.limiter.num_retrying == 0


@pytest.mark.parametrize("status, way", [
    (200, "accepted"), (400, "accepted"), (429, "rejected"), (500, "overloaded"), (408, "timed_out"),
])  # fmt: skip
def test_the_limiter_is_told_how_a_try_ended(endpoint, monkeypatch, status, way):
    told = []
    for name in ("accepted", "rejected", "overloaded", "timed_out", "unreachable", "abandoned"):
        monkeypatch.setattr(endpoint.limiter, name, lambda *_, name=name: told.append(name))
    endpoint.answers[:] = [(status, {}, {})]
    try:
        endpoint.send("POST", "x", b"{}", is_retried=False)
    except RequestFailure as failure:
        assert failure.status == status
    assert told == [way]


@pytest.mark.parametrize("error, outcome, message", [
    (ConnectTimeout(), "timed-out", "no connection within 20 s."),
    (ConnectError("refused"), "server", "cannot connect: refused. Is the server running?"),
    (DeadlineExceeded(), "timed-out", "no complete answer within 1800 s."),
    (ReadTimeout(), "timed-out", "no answer within 300 s."),
    (AnswerTooLong(1 << 20), "malformed", str(AnswerTooLong(1 << 20))),
    (BrokenExchange("reset by the-key"), "server", "the connection broke off: reset by ***"),
])  # fmt: skip
def test_an_exchange_that_fails_says_how(endpoint, error, outcome, message):
    def fail(*_):
        raise error

    endpoint._pool = SimpleNamespace(exchange=fail)
    with pytest.raises(RequestFailure) as caught:
        endpoint.send("POST", "x", b"{}", is_retried=False)
    failure = caught.value
    assert (failure.outcome, failure.message) == (outcome, f"{endpoint.public_url}/x: {message}")
    assert failure.is_unreachable == (type(error) is ConnectError)
    assert failure.is_retriable == (type(error) is not AnswerTooLong)


def test_no_turn_in_time(endpoint):
    while endpoint.limiter.try_acquire() is not None:
        pass
    endpoint.deadline_s = 0.01
    with pytest.raises(RequestFailure, match=r"/v1/x: the request could not be sent within 0.01 s\.") as caught:
        endpoint.send("POST", "x", b"{}")
    assert (caught.value.outcome, caught.value.is_retriable, endpoint.seen) == ("rate-limited", False, [])


@pytest.mark.parametrize("reason, outcome, message", [
    (ValueError("enough"), "cancelled", "/v1/x: enough"),
    (RequestFailure("auth", "a bad key", status=401), "auth", "a bad key (Nothing more is sent there.)"),
])  # fmt: skip
def test_nothing_is_sent_to_a_server_that_is_stopped(endpoint, reason, outcome, message):
    endpoint.limiter.stop(reason)
    with pytest.raises(RequestFailure) as caught:
        endpoint.send("POST", "x", b"{}")
    assert caught.value.outcome == outcome and caught.value.message.endswith(message) and endpoint.seen == []
    assert caught.value.status == getattr(reason, "status", None)


@pytest.mark.parametrize("status, is_good", [(200, True), (299, True), (300, False), (400, False)])
def test_an_answer_has_a_status_of_two_hundred_and_more(endpoint, status, is_good):
    endpoint.answers[:] = [(status, {}, {"a": 1})]
    try:
        assert endpoint.send("POST", "x", b"{}", is_retried=False).value == {"a": 1} and is_good
    except RequestFailure as failure:
        assert not is_good and failure.status == status


@pytest.mark.parametrize("body, message", [
    (b"", "the answer is not JSON: it is empty"), (b"{the-key", "the answer is not JSON: {***"),
    (b"[" * 100_000, "the answer cannot be read, for "),
])  # fmt: skip
def test_answers_that_are_no_json(endpoint, body, message):
    endpoint._pool = SimpleNamespace(exchange=lambda *_: (200, {}, body))
    with pytest.raises(RequestFailure) as caught:
        endpoint.send("POST", "x", b"{}", is_retried=False)
    assert caught.value.outcome == "malformed" and message in caught.value.message and caught.value.status == 200
    assert endpoint.limiter.in_flight == 0


def test_a_budget_that_is_used_up_ends_the_wait_for_a_server(endpoint, ledger, monkeypatch):
    asked = []
    monkeypatch.setattr(endpoint.limiter, "acquire", lambda deadline, check: asked.append(check))
    for name in ("check_time", "check_used_up"):
        monkeypatch.setattr(ledger, name, lambda name=name: asked.append(name))
    for is_paid in (True, False):
        with pytest.raises(RequestFailure):
            endpoint.send("POST", "x", b"{}", is_paid=is_paid)
        asked.pop()()
    assert asked == ["check_time", "check_used_up"]


def test_an_answer_is_its_json(endpoint):
    endpoint.answers[:] = [(200, {}, {"a": [1]})]
    before = int(time.time())
    sent = endpoint.send("POST", "", b"{}")
    assert sent.value == {"a": [1]} and before <= sent.began_at <= time.time() and 0 < sent.seconds < 60
    endpoint.send("POST", "route", b"{}", headers={"X-Further": "2"})
    assert [path for path, _, _ in endpoint.seen] == ["/v1", "/v1/route"]
    assert endpoint.seen[1][1].items() >= {"X-Mine": "1", "X-Further": "2", "Content-Type": "application/json"}.items()
    assert "X-Further" not in endpoint.seen[0][1]


@pytest.mark.parametrize("answers, renewals, is_good", [
    ([(200, {}, {})], [False], True), ([(401, {}, {}), (200, {}, {})], [False, True], True),
    ([(401, {}, {})], [False, True], False),
])  # fmt: skip
def test_a_token_that_is_refused_is_renewed_once(endpoint, answers, renewals, is_good):
    endpoint.answers[:], asked = answers, []
    try:
        endpoint.send("POST", "x", b"{}", headers=lambda renews: asked.append(renews) or {"X-Token": "t"})
        assert is_good
    except RequestFailure as failure:
        assert not is_good and failure.status == 401
    assert asked == renewals


@pytest.mark.parametrize("is_retried, num_tries", [(True, 2), (False, 1)])
def test_what_must_not_be_done_twice_has_one_try(endpoint, pauses, is_retried, num_tries):
    endpoint.answers[:] = [(500, {}, {}), (200, {}, {})]
    try:
        endpoint.send("POST", "x", b"{}", is_retried=is_retried)
    except RequestFailure:
        assert not is_retried
    assert len(endpoint.seen) == num_tries


def test_a_server_that_asks_for_a_longer_pause_gets_it(endpoint, pauses):
    endpoint.answers[:] = [(500, {"Retry-After": "2"}, {}), (500, {"Retry-After": "0"}, {}), (200, {}, {})]
    endpoint.send("POST", "x", b"{}")
    assert pauses[0] == 2 and 1 <= pauses[1] < 2


def test_a_refusal_that_was_counted_is_paid(endpoint, ledger, pauses):
    usage = {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}
    endpoint.answers[:] = [(200, {}, {"usage": usage}), (500, {}, {}), (200, {}, {"good": 1})]

    def check(value):
        if "good" not in value:
            raise RequestFailure("malformed", "no answer", is_retriable=True)

    endpoint.send("POST", "x", b"{}", check=check)
    assert [failed and (failed.prompt_tokens, failed.completion_tokens) for failed in ledger.failed] == [(5, 7), None]


def test_who_finds_no_room_waits_and_holds_nobody_up(endpoint, ledger):
    endpoint.answers[:] = [(200, {}, {})]
    ledger.rooms = [False, False, True]
    endpoint.send("POST", "x", b"{}")
    assert (ledger.waited, len(endpoint.seen), endpoint.limiter.in_flight) == (2, 1, 0)
    ledger.rooms = [BudgetExceeded("over")]
    with pytest.raises(BudgetExceeded):
        endpoint.send("POST", "x", b"{}")
    assert endpoint.limiter.in_flight == 0 and len(endpoint.seen) == 1


def test_who_waits_for_room_has_as_much_more_time(endpoint, ledger):
    ledger.rooms = [False, True]
    _, deadline = endpoint._wait_for_turn("x", 1e6, True)
    assert 0 <= deadline - 1e6 < time.monotonic()


def test_a_budget_that_is_used_up_stops_what_is_paid(endpoint, ledger):
    endpoint.answers[:] = [(200, {}, {})]
    ledger.rooms = [BudgetExceeded("no room"), BudgetExceeded("no room")]
    with pytest.raises(BudgetExceeded):
        endpoint.send("POST", "x", b"{}")
    endpoint.send("POST", "x", b"{}", is_paid=False)
    assert len(endpoint.seen) == len(ledger.rooms) == 1


@pytest.mark.parametrize("status, is_told", [(200, True), (429, True), (503, False)])
def test_what_is_left_is_told_to_the_limiter(endpoint, pauses, monkeypatch, status, is_told):
    told = []
    monkeypatch.setattr(endpoint.limiter, "told", lambda kind, allowance: told.append((kind, allowance.limit)))
    left = {
        "x-ratelimit-limit-requests": "9",
        "x-ratelimit-remaining-requests": "8",
        "x-ratelimit-reset-requests": "1s",
    }
    endpoint.answers[:] = [(status, {**left, "Retry-After": "0"}, {}), (200, {}, {})]
    endpoint.send("POST", "x", b"{}")
    assert told == [("requests", 9.0)] * is_told


def style(prefix, **texts):
    return {prefix.format(part=part): text for part, text in texts.items()}


@pytest.mark.parametrize("headers, found", [
    ({}, {}), ({"Content-Type": "x"}, {}),
    (style("X-RateLimit-{part}-Requests", limit="60", remaining="59", reset="1.5s"), {"requests": (60, 59, 1.5)}),
    (style("x-ratelimit-{part}-tokens", limit="6", remaining="5", reset="6m0s"), {"tokens": (6, 5, 360)}),
    (style("x-ratelimit-{part}-tokens", limit="6", remaining="5", reset="20ms"), {"tokens": (6, 5, 0.02)}),
    (style("anthropic-ratelimit-requests-{part}", limit="7", remaining="6", reset="1h1s"), {"requests": (7, 6, 3601)}),
    (style("ratelimit-{part}", limit="8", remaining="7", reset="12"), {"requests": (8, 7, 12)}),
    (style("ratelimit-{part}", limit="8", remaining="7", reset="2001-01-01T00:00:00Z"), {"requests": (8, 7, 0)}),
    (style("ratelimit-{part}", limit="8", remaining="7"), {}), (style("ratelimit-{part}", limit="8", reset="1"), {}),
    (style("ratelimit-{part}", limit="many", remaining="7", reset="1"), {}),
    (style("ratelimit-{part}", limit="8", remaining="7", reset="1s and more"), {}),
    ({**style("x-ratelimit-{part}-requests", limit="1", remaining="1", reset="1"),
      **style("ratelimit-{part}", limit="2", remaining="2", reset="2")}, {"requests": (1, 1, 1)}),
    ({**style("x-ratelimit-{part}-requests", limit="1", remaining="1", reset="1"),
      **style("anthropic-ratelimit-tokens-{part}", limit="2", remaining="2", reset="2")},
     {"requests": (1, 1, 1), "tokens": (2, 2, 2)}),
])  # fmt: skip
def test_what_headers_say_is_left(headers, found):
    assert allowances(headers) == {kind: Allowance(*numbers) for kind, numbers in found.items()}


def test_a_point_in_time_is_as_far_away_as_it_is():
    reset = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    found = allowances(style("anthropic-ratelimit-tokens-{part}", limit="2", remaining="2", reset=reset))
    assert 3000 < found["tokens"].reset_s <= 3600


@pytest.mark.parametrize("value, number", [
    ({"usage": {"total_tokens": 7}}, 7), ({"usage": {"total_tokens": "7"}}, None), ({"usage": [7]}, None), ([], None),
    ({}, None),
])  # fmt: skip
def test_the_tokens_of_an_answer_are_told_to_the_limiter(value, number):
    assert http_endpoint.num_tokens(value) == number


@pytest.mark.parametrize("variable, value, message", [
    ("HELM_REQUEST_TIMEOUT_S", "soon", "HELM_REQUEST_TIMEOUT_S takes a number of seconds, not 'soon'"),
    ("HELM_REQUEST_DEADLINE_S", "0", "must be a positive number of seconds, not 0.0"),
    ("HELM_SERVER_PATIENCE_S", "inf", "must be a positive number of seconds, not inf"),
])  # fmt: skip
def test_times_that_are_none(monkeypatch, variable, value, message):
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError, match=message):
        HTTPEndpoint("http://localhost/v1")


def test_times_that_hold_where_nothing_is_said(monkeypatch):
    for variable in ("HELM_REQUEST_TIMEOUT_S", "HELM_REQUEST_DEADLINE_S", "HELM_SERVER_PATIENCE_S"):
        monkeypatch.delenv(variable, raising=False)
    endpoint = HTTPEndpoint("http://localhost/v1")
    assert (endpoint.timeout_s, endpoint.deadline_s, endpoint.patience_s) == (300, 1800, 600)
    assert HTTPEndpoint("http://localhost/v1", timeout_s=0.5).timeout_s == 0.5


@pytest.mark.parametrize("url", ["localhost/v1", "ftp://localhost/v1", "http:///v1", ""])
def test_addresses_that_are_none(url):
    with pytest.raises(ConfigError, match="base_url must be like http://localhost:8000/v1"):
        HTTPEndpoint(url)


def test_failures_name_the_address_without_its_password(endpoint):
    address = endpoint.public_url
    assert "secret" not in address and address.startswith("http://127.0.0.1:") and address.endswith("/v1")
    assert endpoint.failure("malformed", "route", "bad the-key").message == f"{address}/route: bad ***"
    assert endpoint.failure("malformed", "", "bad").message == f"{address}: bad"
    for answer in ((400, {}, {}), (200, {}, {"error": "no"})):
        endpoint.answers[:] = [answer]
        with pytest.raises(RequestFailure) as caught:
            endpoint.send("POST", "route", b"{}")
        assert caught.value.message.startswith(f"{address}/route: ")


@pytest.mark.parametrize("setting, numbers", [(None, (6, 30, 0)), ("4", (4, 4, 0)), ("0", (0, 0, 0)), ("9", (6, 9, 0))])
def test_retries_are_limited_for_all(monkeypatch, setting, numbers):
    monkeypatch.delenv("HELM_RETRIES", raising=False)
    if setting is not None:
        monkeypatch.setenv("HELM_RETRIES", setting)
    assert tuple(max_retries(outcome) for outcome in ("server", "rate-limited", "auth")) == numbers
    with trying_once(5.0):
        assert max_retries("server") == 0
    monkeypatch.setenv("HELM_RETRIES", "-1")
    with pytest.raises(ConfigError, match="HELM_RETRIES takes a whole number of retries, 0 or more, not '-1'"):
        max_retries("server")
