"""`kill -9` at any moment loses only what was in flight: no finished request is sent again, the files come out the same.

The subject is a real HTTP server on loopback that speaks the chat protocol, takes its time, and counts requests.
"""

import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

NUM_THREADS = 4
NUM_INSTANCES = 40
ENTRY = "synthetic_reasoning:mode=pattern_match,model=openai-compat/loopback"
RUN_FOLDER = Path("benchmark_output/runs/default")


class CountingServer:
    """Answers every prompt with a digest of it after `delay_s`, and counts how often each prompt came."""

    def __init__(self, delay_s: float):
        counts, lock = Counter(), threading.Lock()
        self.counts = counts

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][0]["content"]
                with lock:
                    counts[prompt] += 1
                time.sleep(delay_s)
                text = hashlib.sha256(prompt.encode()).hexdigest()[:8]
                answer = {
                    "choices": [
                        {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
                    ]
                }
                data = json.dumps(answer).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass  # the client was killed

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server():
    server = CountingServer(delay_s=0.03)
    yield server
    server.close()


def start(folder: Path, url: str, *flags: str) -> subprocess.Popen:
    command = [
        sys.executable,
        "-m",
        "helm.benchmark.run",
        "-r",
        ENTRY,
        "-m",
        str(NUM_INSTANCES),
        "-n",
        str(NUM_THREADS),
    ]
    return subprocess.Popen(
        [*command, *flags],
        cwd=folder,
        env={**os.environ, "OPENAI_BASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def finish(folder: Path, url: str, *flags: str) -> str:
    process = start(folder, url, *flags)
    output = process.communicate(timeout=120)[0].decode()
    assert process.returncode == 0, output
    return output


def run_folder(folder: Path) -> Path:
    (path,) = [p for p in (folder / RUN_FOLDER).iterdir() if p.name != "eval_cache"]
    return path


def final_files(folder: Path) -> dict:
    """The bytes of the run's files with request times taken out."""
    files = {}
    for path in sorted(run_folder(folder).iterdir()):
        text = path.read_text()
        if path.name == "scenario_state.json":
            text = re.sub(r'"request_(time|datetime)": [0-9.e+-]+', r'"request_\1": TIME', text)
        elif path.name.endswith("stats.json"):
            text = re.sub(r'"name": "inference_runtime".*?"stddev": [0-9.e+-]+', "TIME", text, flags=re.DOTALL)
            text = re.sub(r'"name": "inference_\w*runtime".*?\}', "TIME", text, flags=re.DOTALL)
        files[path.name] = text
    return files


def finished_prompts(folder: Path) -> set:
    """Positions of the requests whose results the journal holds."""
    journal = run_folder(folder) / "requests.journal" if (folder / RUN_FOLDER).exists() else None
    if journal is None or not journal.exists():
        return set()
    lines = [line for line in journal.read_bytes().splitlines(keepends=True)[1:] if line.endswith(b"\n")]
    return {entry[0] for entry in map(json.loads, lines) if len(entry) == 2}


def prompts_in_order(folder: Path) -> list:
    states = json.loads((run_folder(folder) / "scenario_state.json").read_text())["request_states"]
    return [state["request"]["prompt"] for state in states]


def wait_for_requests(server, process, number):
    """Until the server has had so many since it was last asked, or the command has ended."""
    before = sum(server.counts.values())
    deadline = time.monotonic() + 60
    while sum(server.counts.values()) < before + number and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)


@pytest.mark.parametrize("flags", [(), ("--disable-cache",)], ids=["cache", "no-cache"])
def test_kill_9_at_random_moments(tmp_path, server, flags):
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    started = time.monotonic()
    finish(undisturbed, server.url, *flags)
    duration = time.monotonic() - started
    expected, prompts = final_files(undisturbed), prompts_in_order(undisturbed)
    assert set(server.counts.values()) == {1} and len(server.counts) == NUM_INSTANCES

    rng = random.Random(0)
    kills, num_killed_with_results, attempt = 10, 0, 0
    while kills:
        attempt += 1
        folder = tmp_path / f"killed{attempt}"
        folder.mkdir()
        server.counts.clear()
        done: set = set()
        for _ in range(min(kills, rng.randrange(1, 4))):  # kill the same run several times
            # A run that ends before its kill is not to be done again.
            process = start(folder, server.url, *flags, "--skip-completed-runs")
            if kills % 2:
                time.sleep(rng.uniform(0.2, duration))
            else:  # among the requests, however long the command takes to begin
                wait_for_requests(server, process, rng.randrange(1, NUM_INSTANCES))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills -= 1
            counts_at_kill = dict(server.counts)
            assert done <= finished_prompts(folder) or (run_folder(folder) / "stats.json").exists()
            done = finished_prompts(folder)
            num_killed_with_results += bool(done)
        counts_at_kill = dict(server.counts)
        finish(folder, server.url, *flags, "--skip-completed-runs")
        assert final_files(folder) == expected
        for index in done:
            assert server.counts[prompts[index]] == counts_at_kill[prompts[index]], "a finished request was sent again"
        assert sum(server.counts.values()) <= NUM_INSTANCES + 3 * NUM_THREADS
    assert num_killed_with_results > 0, "no kill hit the time of the requests"


def test_interrupt_finishes_what_is_in_flight_and_saves_it(tmp_path, server):
    process = start(tmp_path, server.url)
    deadline = time.monotonic() + 30
    while sum(server.counts.values()) < 8 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30)[0].decode()
    assert process.returncode == 130, output
    sent = sum(server.counts.values())
    assert NUM_THREADS <= len(finished_prompts(tmp_path)) == sent < NUM_INSTANCES, "something in flight was lost"
    finish(tmp_path, server.url)
    assert set(server.counts.values()) == {1}


def test_a_failed_run_resumes_too_and_says_where_it_failed(tmp_path, server):
    """A server that goes away in the middle: what it answered is kept, `error.json` names stage and instance."""
    process = start(tmp_path, server.url)
    deadline = time.monotonic() + 30
    while sum(server.counts.values()) < 8 and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = len(finished_prompts(tmp_path))
    dead = subprocess.run(
        [sys.executable, "-m", "helm.benchmark.run", "-r", ENTRY, "-m", str(NUM_INSTANCES), "-n", "1"],
        cwd=tmp_path,
        env={**os.environ, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "HELM_RETRIES": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert dead.returncode == 1 and "Failed runs" in dead.stderr
    error = json.loads((run_folder(tmp_path) / "error.json").read_text())
    assert error["stage"] == "execution" and error["instance_id"].startswith("id") and "127.0.0.1:9" in error["message"]
    assert len(finished_prompts(tmp_path)) == before


def test_what_a_kill_in_the_middle_of_writing_left_is_cleared_away(tmp_path, server):
    finish(tmp_path, server.url)
    folder = run_folder(tmp_path)
    expected = sorted(path.name for path in folder.iterdir())
    (folder / "stats.json").unlink()
    (folder / ".stats.json.abc123.tmp").write_text("[")
    finish(tmp_path, server.url)
    assert sorted(path.name for path in folder.iterdir()) == expected
