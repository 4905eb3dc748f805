"""The header by which a provider recognizes a request that it has answered before."""

import http.server
import json
import threading
from collections import Counter

import pytest

from helm.agents.episode import Episode
from helm.agents.events import EventLog
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import RequestJournal
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.clients.openai_client import OpenAIClient
from helm.clients.openai_compatible_client import OpenAICompatibleClient
from helm.common.agent_request import AgentRequest
from helm.common.cache import BlackHoleCacheConfig
from helm.common.request import Request
from helm.common.sending import at_place


class WithoutKeys(OpenAICompatibleClient):
    IDEMPOTENCY_HEADER = ""


@pytest.fixture
def server(monkeypatch):
    """Answers each second request; `keys` has the header of all of them."""

    monkeypatch.setenv("HELM_RETRIES", "1")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            keys.append(self.headers["Idempotency-Key"])
            choice = {"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}
            data = json.dumps({"choices": [choice]}).encode()
            self.send_response(503 if len(keys) % 2 else 200)
            self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    keys = []
    found = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.keys, found.url = keys, f"http://127.0.0.1:{found.server_port}/v1"
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def ask(prompt="a", **fields):
    return Request(model="x/y", model_deployment="x/y", prompt=prompt, **fields)


def run(folder, client, num=2, until=None):
    """Send equal requests as a run does; `until` ends it before that number."""
    states = [new_request_state(Instance(Input(text="a"), [], id=f"id{n}"), ask()) for n in range(num)]

    def send(state):
        if until is not None and state.instance.id == f"id{until}":
            client.make_request(state.request)
            raise KeyboardInterrupt
        return state.with_result(client.make_request(state.request))

    run_journaled(states, send, 1, RequestJournal(str(folder), "f"))


def test_tries_share_a_key_and_draws_have_their_own(server, tmp_path):
    run(tmp_path, OpenAICompatibleClient(BlackHoleCacheConfig(), server.url, ""), 3)
    assert sorted(Counter(server.keys).values()) == [2, 2, 2]
    assert all(key.startswith("helm-") and len(key) == 37 for key in server.keys)


def test_a_resumed_run_has_the_same_keys_and_another_run_others(server, tmp_path):
    client = OpenAICompatibleClient(BlackHoleCacheConfig(), server.url, "")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "one", client, until=1)  # the second one is answered, but not recorded
    first = set(server.keys)
    run(tmp_path / "one", client)
    assert set(server.keys) == first and len(server.keys) == 6 and len(first) == 2
    run(tmp_path / "two", client)
    assert len(set(server.keys)) == 4


def test_completions_that_are_asked_for_one_by_one_have_keys_of_their_own(server):
    with at_place("p"):
        result = OpenAICompatibleClient(BlackHoleCacheConfig(), server.url, "").make_request(
            ask(num_completions=3, temperature=1.0)
        )
    assert result.success and sorted(Counter(server.keys).values()) == [2, 2, 2]


def test_only_requests_of_a_journal_have_keys_and_only_where_the_provider_reads_them(server):
    OpenAICompatibleClient(BlackHoleCacheConfig(), server.url, "").make_request(ask())
    with at_place("p"):
        WithoutKeys(BlackHoleCacheConfig(), server.url, "").make_request(ask())
    assert set(server.keys) == {None}
    with at_place("p"):
        assert OpenAIClient(BlackHoleCacheConfig(), api_key="k", base_url=server.url).make_request(ask()).success
    assert len(set(server.keys)) == 2 and server.keys[-1].startswith("helm-")


def test_an_episode_names_equal_requests_by_their_number_and_a_further_attempt_does_so_again(server):
    client = OpenAICompatibleClient(BlackHoleCacheConfig(), server.url, "")
    request = AgentRequest(task="t", model_deployment="x/y", messages=[{"role": "user", "content": "a"}])
    seen = []
    for _ in range(2):
        with at_place("run:0"):
            episode = Episode(request, client.make_request, EventLog())
        first = len(server.keys)
        episode.ask()
        episode.ask()  # a draw of its own
        seen.append(list(dict.fromkeys(server.keys[first:])))
    assert seen[0] == seen[1] and len(seen[0]) == 2
