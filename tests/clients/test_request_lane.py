"""A lane makes of requests what `make_request` makes of them one by one: the same is sent, as often, kept and returned."""

import threading
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace

import pytest

import conformance_server as faults
from conformance_server import ConformanceServer
from helm.clients.http import http_endpoint
from helm.clients.http.request_lane import lane_for
from helm.clients.openai_compatible_client import OpenAICompatibleClient
from helm.common import answer_limits
from helm.common.cache import BlackHoleCacheConfig, Cache, SqliteCacheConfig, request_to_key
from helm.common.key_value_store import SqliteKeyValueStore
from helm.common.lane_work import LaneWork
from helm.common.request import Request
from helm.common.sending import after_first_try, at_place
from hosted_clients import CLIENTS, make, profile, request_for

DEPLOYMENT = "openai-compat/m"
PROMPTS = [
    "plain",
    "",
    'quotes " and \\',
    "null",
    "Grüße, 世界 🙂",
    "half \ud83d",
    "line\nbreak \x7f",
    "x" * 3000,
    "again",
]


@pytest.fixture(scope="module")
def one_server():
    server = ConformanceServer()
    yield server
    server.close()


@pytest.fixture
def server(one_server, monkeypatch):
    monkeypatch.setattr("helm.clients.pacing.pace.FIRST_PAUSE_S", 0.01)
    policies = {name: replace(one, first_pause_s=0.0) for name, one in http_endpoint.RETRY_POLICIES.items()}
    monkeypatch.setattr(http_endpoint, "RETRY_POLICIES", policies)
    one_server.released.set()
    one_server.reset()
    return one_server


class Work(LaneWork):
    """What a run does around a lane, without its files."""

    def __init__(self, client, requests, places=False):
        self.client, self.requests, self.places = client, requests, places
        self.results = {}
        self.handed_over = []
        self._left = iter(range(len(requests)))
        self._threads = []
        self.is_stopped = False

    def take(self, most):
        return [(item, self.requests[item]) for _, item in zip(range(most), self._left, strict=False)]

    def place_of(self, item):
        return f"run:{item}" if self.places else None

    def finish(self, answered):
        self.results.update(answered)

    def hand_over(self, item, first_try):
        self.handed_over.append(item)
        self._threads.append(threading.Thread(target=self._go_on, args=(item, first_try)))
        self._threads[-1].start()

    def _go_on(self, item, first_try):
        with after_first_try(first_try) if first_try is not None else nullcontext():
            with at_place(self.place_of(item)) if self.places else nullcontext():
                self.results[item] = self.client.make_request(self.requests[item])

    @property
    def num_elsewhere(self):
        return sum(thread.is_alive() for thread in self._threads)

    @property
    def is_stopping(self):
        return self.is_stopped

    def run(self, most=100):
        lane = lane_for(self.client, self.requests[0].model_deployment, self.requests[0], most)
        assert lane is not None
        lane.run(self)
        for thread in self._threads:
            thread.join()
        return [self.results[item] for item in range(len(self.requests)) if item in self.results]


def alike(result):
    """A result without its times."""
    return replace(result, request_time=None, request_datetime=None)


def compatible(server, config=None, profile="openai", **args):
    return OpenAICompatibleClient(
        config or BlackHoleCacheConfig(), f"{server.origin}/{profile}/v1", "k", model_name="org/m", **args
    )


def ask(prompt, **fields):
    return Request(model="org/m", model_deployment=DEPLOYMENT, prompt=prompt, **{"temperature": 0.0, **fields})


def sent_by(server):
    found = [(r["path"], repr(r["body"]), r["headers"].get("Idempotency-Key")) for r in server.requests]
    server.requests.clear()
    return Counter(found)


# --- every client -----------------------------------------------------------------------------------------------------

NAMES = [name for name in CLIENTS if profile(name) not in ("vertex", "watsonx")]
FAULTS = [[faults.OK], [faults.SERVER_ERROR, faults.OK], [faults.RATE_LIMIT, faults.OK], [faults.BROKEN_JSON, faults.OK],
          [faults.BAD_REQUEST, faults.OK], [faults.FILTERED, faults.OK], [faults.RESET, faults.OK], [faults.LENGTH],
          [faults.THINKING], [faults.NO_USAGE]]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_what_is_sent_and_returned_is_that_of_single_requests(name, server, tmp_path):
    requests = [request_for(prompt=text) for text in ("one", "twö", "three")]
    if lane_for(make(name, server), requests[0].model_deployment, requests[0], 8) is None:
        pytest.fail(f"{name} has no lane")
    for several in FAULTS:
        single, client = make(name, server), make(name, server)
        server.faults = list(several)
        with at_place("run:0"):
            expected = alike(single.make_request(requests[0]))
        was_sent = sent_by(server)
        server.faults = list(several)
        work = Work(client, requests[:1], places=True)
        assert [alike(result) for result in work.run()] == [expected], several
        assert sent_by(server) == was_sent, several
        assert client.limiter.in_flight == 0


def test_prompts_of_all_kinds_are_sent_and_keyed_alike(server, tmp_path):
    requests = [ask(prompt, stop_sequences=["\n"]) for prompt in PROMPTS]
    requests += [ask("other", temperature=0.5), ask("", messages=[{"role": "user", "content": "hi"}])]
    single = compatible(server, SqliteCacheConfig(str(tmp_path / "single.sqlite")))
    expected = [alike(single.make_request(request)) for request in requests]
    was_sent = sent_by(server)
    client = compatible(server, SqliteCacheConfig(str(tmp_path / "lane.sqlite")))
    work = Work(client, requests)
    assert [alike(result) for result in work.run()] == expected and not work.handed_over
    assert sent_by(server) == was_sent
    SqliteKeyValueStore.commit_all()
    keys = []
    for name in ("single", "lane"):
        with SqliteKeyValueStore(str(tmp_path / f"{name}.sqlite")) as store:
            keys.append({request_to_key(key): value["choices"] for key, value in store.get_all()})
    assert keys[0] == keys[1] and len(keys[0]) == len(requests)


# --- the cache --------------------------------------------------------------------------------------------------------


def test_what_is_cached_is_not_sent_and_said_to_be_cached(server, tmp_path):
    config = SqliteCacheConfig(str(tmp_path / "c.sqlite"))
    requests = [ask(str(number)) for number in range(100)]
    first = Work(compatible(server, config), requests[:60]).run()
    assert len(sent_by(server)) == 60 and not any(result.cached for result in first)
    second = Work(compatible(server, config), requests).run()
    assert len(sent_by(server)) == 40
    assert [result.cached for result in second] == [True] * 60 + [False] * 40
    assert [replace(alike(result), cached=False) for result in second[:60]] == [alike(result) for result in first]


def test_answers_under_keys_without_address_are_found(server, tmp_path):
    config = SqliteCacheConfig(str(tmp_path / "c.sqlite"))
    client = compatible(server, config)
    client.reads_keys_without_address = True
    key = dict(client.ordinary_call(ask("old")).key)
    del key["base_url"]
    answer = {"choices": [{"message": {"content": "kept"}}], "request_time": 1.0, "request_datetime": 1}
    Cache(config).get(key, lambda: answer)
    old, new = Work(client, [ask("old"), ask("new")]).run()
    assert old.cached and old.completions[0].text == "kept" and not new.cached
    assert [request["body"]["messages"][0]["content"] for request in server.requests] == ["new"]


@pytest.mark.parametrize("is_kept", [True, False])
def test_equal_requests_are_sent_once(is_kept, server, tmp_path):
    config = SqliteCacheConfig(str(tmp_path / "c.sqlite")) if is_kept else BlackHoleCacheConfig()
    server.latency_s = 0.05
    results = Work(compatible(server, config), [ask("same")] * 5).run()
    assert len(server.requests) == 1 and sum(not result.cached for result in results) == 1


def test_a_key_that_another_process_has_claimed_is_waited_for_elsewhere(server, tmp_path):
    path = str(tmp_path / "c.sqlite")
    client = compatible(server, SqliteCacheConfig(path))
    key = request_to_key(client.ordinary_call(ask("mine")).key)
    store = SqliteKeyValueStore.shared(path)
    taken = store.try_claim
    store.try_claim = lambda keys: [one for one in taken(keys) if one != key]
    work = Work(client, [ask("mine"), ask("free")])
    assert all(result.success for result in work.run()) and work.handed_over == [0]


def test_answers_that_cannot_be_stored_are_not_sent_again(server, tmp_path, monkeypatch):
    client = compatible(server, SqliteCacheConfig(str(tmp_path / "c.sqlite")))
    settle, failed = Cache.settle, []

    def fail_once(self, keys, answers):
        if answers and not failed:
            failed.append(settle(self, keys, []))
            raise OSError("no space")
        return settle(self, keys, answers)

    monkeypatch.setattr(Cache, "settle", fail_once)
    work = Work(client, [ask("a")])
    assert work.run()[0].success and work.handed_over == [0] and len(server.requests) == 1


# --- what goes on elsewhere -------------------------------------------------------------------------------------------


def test_tries_are_counted_once(server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "2")
    server.faults = [faults.SERVER_ERROR]
    client = compatible(server)
    (result,) = Work(client, [ask("a")]).run()
    assert not result.success and len(server.requests) == 3
    assert client.limiter.failed_tries["server"] == 3


def test_an_answer_that_needs_another_request_is_not_asked_for_twice(server):
    server.faults = [faults.THINKING]
    server.text = ""
    single = compatible(server)
    request = ask("a", stop_sequences=["x"])
    expected = alike(single.make_request(request))
    number = len(server.requests)
    server.requests.clear()
    (result,) = Work(compatible(server), [request]).run()
    assert alike(result) == expected and len(server.requests) == number


def test_a_first_try_is_not_taken_for_one_of_another_request(server):
    """The client has learned meanwhile that the server has another route."""
    client = compatible(server)
    lane = lane_for(client, DEPLOYMENT, ask("a"), 4)
    plan = lane.plan(0, ask("a"))
    plan.data = b"{}"
    with after_first_try(lane._first_try(plan, http_endpoint.RequestFailure("refused", "no"), 0.0)):
        assert client.make_request(ask("a")).success


def test_requests_that_are_not_ordinary_go_on_elsewhere(server):
    others = [
        ask("a", num_completions=2),
        ask("b", echo_prompt=True, max_tokens=0),
        replace(ask("c"), model_deployment="o/m"),
    ]
    work = Work(compatible(server), [ask("plain"), *others])
    assert all(result.success for result in work.run()) and work.handed_over == [1, 2, 3]


class Watching(OpenAICompatibleClient):
    def _exchange(self, request, call):
        return super()._exchange(request, call)


class Saying(OpenAICompatibleClient):
    def _raw_request(self, route, request, num_completions):
        raw = super()._raw_request(route, request, num_completions)
        return {**raw, "user": f"{len(request.prompt)} letters"}


def test_a_client_that_changes_a_step_has_no_lane_and_one_that_changes_calls_no_template(server):
    client = Watching(BlackHoleCacheConfig(), f"{server.origin}/openai/v1", "k", model_name="org/m")
    assert lane_for(client, DEPLOYMENT, ask("a"), 4) is None
    client = Saying(BlackHoleCacheConfig(), f"{server.origin}/openai/v1", "k", model_name="org/m")
    Work(client, [ask("abc"), ask("abcd")]).run()
    assert sorted(body["user"] for body in server.bodies) == ["3 letters", "4 letters"]


# --- limits, silence, ends --------------------------------------------------------------------------------------------


def test_no_more_are_in_flight_than_the_limiter_allows(server):
    server.latency_s = 0.02
    client = compatible(server)
    client.limiter.max_window = 3
    assert len(Work(client, [ask(str(number)) for number in range(30)]).run()) == 30
    assert server.max_in_flight <= 3


def test_a_silent_server_is_given_up_as_in_a_single_request(server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "0")
    server.released.clear()
    server.faults = [faults.HANG]
    client = compatible(server, timeout_s=0.4)
    (result,) = Work(client, [ask("a")]).run()
    server.released.set()
    assert result.outcome == "timed-out" and "no answer within 0.4 s" in result.error


def test_large_answers_wait_for_room_and_all_arrive(server, monkeypatch):
    room = answer_limits.AnswerRoom(150_000)
    monkeypatch.setattr("helm.clients.http.http_transfers.ANSWERS", room)
    server.text = "long " * 30_000
    results = Work(compatible(server), [ask(str(number), max_tokens=99_999) for number in range(12)]).run()
    assert [result.completions[0].text for result in results] == [server.text] * 12
    assert room._used == 0 and not room._taken


def test_when_the_work_stops_what_is_in_flight_is_finished(server):
    server.latency_s = 0.05
    client = compatible(server)
    work = Work(client, [ask(str(number)) for number in range(200)])
    finish = work.finish

    def stop(answered):
        finish(answered)
        work.is_stopped = True

    work.finish = stop
    assert 0 < len(work.run()) < 200
    assert len(work.results) == len(server.requests) and client.limiter.in_flight == 0


def test_an_interrupt_gives_back_everything(server, tmp_path, monkeypatch):
    server.latency_s = 0.05
    client = compatible(server, SqliteCacheConfig(str(tmp_path / "c.sqlite")))
    work = Work(client, [ask(str(number)) for number in range(50)])

    def interrupt(answered):
        raise KeyboardInterrupt

    work.finish = interrupt
    with pytest.raises(KeyboardInterrupt):
        work.run()
    assert client.limiter.in_flight == 0 and not client.cache._in_flight.keys
    again = Work(client, [ask(str(number)) for number in range(50)])
    assert len(again.run()) == 50


def test_a_budget_of_time_ends_requests_as_usual(server, monkeypatch):
    from helm.common.budgets import spending

    monkeypatch.setattr(spending, "_ledger", spending.Ledger(spending.Budget(max_seconds=0.0)))
    work = Work(compatible(server), [ask("a")])
    work._go_on = lambda item, first_try: None
    assert work.run() == [] and work.handed_over == [0] and not server.requests
