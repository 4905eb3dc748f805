"""A server that goes away is waited for: one line when it goes, one a minute, one when it is back."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from conformance_server import ConformanceServer
from helm.clients.pacing.limiter import Limiter, ServerGone
from helm.clients.pacing.outage import Outage
from helm.common.concurrency import stoppable_by
from hosted_clients import make, request_for

NAME = "openai_compatible_client.OpenAICompatibleClient openai"
SERVER = """
import json, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        time.sleep(0.05)
        choice = {"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}
        body = json.dumps({"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *args):
        pass

class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
print("ready", flush=True)
server.serve_forever()
"""


class Restartable:
    """A server process at an address that stays the same."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.origin = f"http://127.0.0.1:{self.port}"
        self.process = None

    def start(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout.readline() == "ready\n"

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process = None


@pytest.fixture
def server():
    server = Restartable()
    yield server
    server.kill()


@pytest.fixture
def said(monkeypatch):
    """Lines about the endpoint, whatever level they have."""
    lines = []
    for name in ("hlog", "hprogress", "hwarn"):
        monkeypatch.setattr(f"helm.clients.pacing.limiter.{name}", lines.append)
    monkeypatch.setattr("helm.clients.http.http_endpoint.hwarn", lines.append)
    return lines


@pytest.fixture(autouse=True)
def frequent_probes(monkeypatch):
    monkeypatch.delenv("HELM_RETRIES")
    monkeypatch.setattr("helm.clients.pacing.outage._FIRST_PROBE_S", 0.05)
    monkeypatch.setattr("helm.clients.pacing.outage._LONGEST_PROBE_S", 0.1)


def wait_until(is_so):
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_server_that_is_killed_and_started_again_loses_nothing(server, said):
    server.start()
    client = make(NAME, server)
    assert client.make_request(request_for()).success
    with ThreadPoolExecutor(20) as pool:
        asked = [pool.submit(client.make_request, request_for(prompt=f"question {i}")) for i in range(60)]
        wait_until(lambda: sum(done.done() for done in asked) >= 10)
        server.kill()
        wait_until(lambda: client.limiter._outage.num_probes >= 3)
        other = ConformanceServer()
        try:
            assert make(NAME, other).make_request(request_for()).success, "other endpoints are waiting, too"
        finally:
            other.close()
        server.start()
        results = [done.result() for done in asked]
    assert all(result.success for result in results), {result.error for result in results}
    gone = [line for line in said if "Waiting for it, for up to 10 min" in line]
    back = [line for line in said if "answers again" in line]
    assert len(gone) == len(back) == 1 and server.origin in gone[0] and server.origin in back[0]
    assert len(said) <= 2 + 5, said


def test_when_patience_is_over_all_that_wait_fail_at_once(server, said, monkeypatch):
    monkeypatch.setenv("HELM_SERVER_PATIENCE_S", "0.5")
    server.start()
    client = make(NAME, server)
    assert client.make_request(request_for()).success
    server.kill()
    with ThreadPoolExecutor(20) as pool:
        results = list(pool.map(client.make_request, [request_for(prompt=f"question {i}") for i in range(100)]))
    assert {result.outcome for result in results} == {"server"}
    assert all(f"{server.origin}/" in result.error and "cannot connect" in result.error for result in results)
    assert len([line for line in said if "Waiting for it, for up to 0 s" in line or "Waiting for it" in line]) == 1
    server.start()
    wait_until(lambda: client.make_request(request_for(prompt="later")).success)


def test_an_address_where_nobody_ever_answered_is_not_waited_for_long(server, monkeypatch):
    monkeypatch.setattr("helm.clients.pacing.outage.UNKNOWN_PATIENCE_S", 0.2)
    result = make(NAME, server).make_request(request_for())
    assert result.outcome == "server" and server.origin in result.error and "Is the server running?" in result.error


@pytest.mark.parametrize("number", [1, 2])
def test_retries_limit_how_often_an_unknown_address_is_tried(server, monkeypatch, number):
    monkeypatch.setenv("HELM_RETRIES", str(number))
    client = make(NAME, server)
    assert client.make_request(request_for()).outcome == "server"
    assert client.limiter.num_sent == 1 + number and client.limiter.failed_tries == {"server": 1}


def test_without_retries_nobody_waits(server, monkeypatch):
    monkeypatch.setenv("HELM_RETRIES", "0")
    client = make(NAME, server)
    for _ in range(3):
        assert "cannot connect" in client.make_request(request_for()).error
    assert client.limiter.num_sent == 3


def test_ctrl_c_ends_the_wait(server):
    server.start()
    client = make(NAME, server)
    assert client.make_request(request_for()).success
    server.kill()
    stop, ended = threading.Event(), []

    def ask():
        with stoppable_by(stop):
            try:
                client.make_request(request_for(prompt="another"))
            except KeyboardInterrupt:
                ended.append(True)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    wait_until(lambda: client.limiter._outage.num_probes >= 2)
    stop.set()
    thread.join(30)
    assert ended == [True]


def test_what_is_said_while_nobody_answers():
    outage = Outage()
    outage.answered(0.0, 0.0)
    said = []
    now = 10.0
    while outage.is_waiting(now, 600.0, 9):
        outage.unreachable(now, now, "http://x: cannot connect.")
        said.append((now, outage.report(now, 600.0)))
        now += 5.0
    lines = [(at, line) for at, line in said if line]
    assert lines[0] == (10.0, "http://x: cannot connect. Waiting for it, for up to 10 min.")
    assert [at for at, _ in lines] == [10.0 + 60 * minute for minute in range(10)]
    assert lines[1][1] == "Still waiting: no connection for 60 s, of at most 10 min."
    assert outage.answered(now, now + 1) == "It answers again, after 10 min."
    assert outage.answered(now, now + 1) is None


def test_one_request_at_a_time_looks_whether_it_is_back():
    now = [0.0]
    limiter = Limiter(clock=lambda: now[0])
    first, second = limiter.try_acquire(), limiter.try_acquire()
    limiter.unreachable(first, "gone", 600.0, 9)
    assert limiter.try_acquire() is None, "one is on its way"
    limiter.unreachable(second, "gone", 600.0, 9)
    assert limiter.try_acquire() is None, "it is too early"
    now[0] += 1.0
    probe = limiter.try_acquire()
    assert probe is not None and limiter.try_acquire() is None
    limiter.accepted(probe)
    assert limiter.try_acquire() is not None and limiter.try_acquire() is not None


def test_a_deadline_in_an_outage_names_its_cause():
    limiter = Limiter()
    limiter.unreachable(limiter.acquire(), "nobody is there", 600.0, 9)
    with pytest.raises(ServerGone, match="nobody is there"):
        limiter.acquire(deadline=time.monotonic())


def test_warnings_about_retries_are_few():
    now = [100.0]
    limiter = Limiter(clock=lambda: now[0])
    assert [limiter.turn_to_warn() for _ in range(1000)] == [0] * 5 + [None] * 995
    now[0] += 61
    assert limiter.turn_to_warn() == 995


@pytest.mark.slow
def test_a_run_outlives_the_restart_of_its_server(server, tmp_path):
    """A whole `helm-run`, whose server is killed in the middle and started again."""
    lines = [
        {"input": {"text": f"{i}?"}, "references": [{"output": {"text": "hi"}, "tags": ["correct"]}], "split": "test"}
        for i in range(600)
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    server.start()
    run = subprocess.Popen(
        [sys.executable, "-m", "helm.benchmark.run", "-r", f"custom_mcqa:path={tmp_path}/q.jsonl,model=openai-compat/m"]
        + ["-m", "600", "-n", "8"],
        cwd=tmp_path,
        env={**os.environ, "OPENAI_BASE_URL": f"{server.origin}/v1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    wait_until(
        lambda: any(path.stat().st_size > 20_000 for path in tmp_path.glob("benchmark_output/runs/*/*/*.journal"))
    )
    server.kill()
    time.sleep(3)
    server.start()
    output = run.communicate(timeout=120)[0]
    assert run.returncode == 0, output
    assert output.count("Waiting for it") == output.count("It answers again") == 1, output
