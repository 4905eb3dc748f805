"""For tests of clusters: a model behind HTTP that counts, a command in a folder, and files without their timings."""

import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

MODEL = "openai-compat/loopback"


class CountingModel:
    """Answers every prompt with a digest of it after `delay_s`; counts how often each prompt came, and how many were with it
    at once.
    """

    def __init__(self, delay_s: float = 0.02):
        self.delay_s = delay_s
        self.counts: Counter = Counter()
        self.in_flight = self.most_in_flight = 0
        self.may_answer = threading.Event()
        """While it is not set, requests are counted and wait."""
        self.may_answer.set()
        lock = threading.Lock()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                prompt = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"][0]["content"]
                with lock:
                    model.counts[prompt] += 1
                    model.in_flight += 1
                    model.most_in_flight = max(model.most_in_flight, model.in_flight)
                model.may_answer.wait()
                time.sleep(model.delay_s)
                with lock:
                    model.in_flight -= 1
                text = hashlib.sha256(prompt.encode()).hexdigest()[:8]
                message = {"role": "assistant", "content": text}
                usage = {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}
                answer = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}
                data = json.dumps(answer).encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(data)))
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass  # the worker was killed

            def log_message(self, *args: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def num_requests(self) -> int:
        return sum(self.counts.values())

    def wait_for(self, number: int, seconds: float = 120.0) -> None:
        """Until so many requests have come."""
        deadline = time.monotonic() + seconds
        while self.num_requests < number:
            assert time.monotonic() < deadline, f"{self.num_requests} of {number} requests came"
            time.sleep(0.005)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def start_run(folder: Path, *arguments: str, **environment: str) -> subprocess.Popen:
    """`helm-run` in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return subprocess.Popen(
        [sys.executable, "-m", "helm.benchmark.run", *arguments],
        cwd=folder,
        env={"HELM_LOG_LEVEL": "INFO", **os.environ, **environment},  # of every stage, as with -v
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish_run(folder: Path, *arguments: str, status: int = 0, **environment: str) -> str:
    """The same, waited for; returns what it printed."""
    process = start_run(folder, *arguments, **environment)
    output = process.communicate(timeout=300)[0]
    assert process.returncode == status, output
    return output


TIMED = re.compile(r"runtime|time_(min_|max_)?s$|elapsed|seconds|derivative_over_primal")
"""Names of statistics that are measured with a clock."""


def without_timings(path: Path) -> str:
    """The text of a file of a run, but for what depends on the clock."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(
        r'"(request_time|request_datetime|elapsed_s|elapsed_ns|policy_s|nanoseconds)": [0-9.e+-]+', r'"\1": TIME', text
    )
    if path.name.endswith("stats.json"):
        stats = json.loads(text)
        lists = [stats] if path.name == "stats.json" else [entry["stats"] for entry in stats]
        for entries in lists:
            entries[:] = [{"name": s["name"]} if TIMED.search(s["name"]["name"]) else s for s in entries]
        text = json.dumps(stats, indent=2)
    elif path.name == "intervals.json":
        scores = json.loads(text)["scores"]  # the sizes of files with timings differ, too
        text = json.dumps([{"name": s["name"]} if TIMED.search(s["name"]["name"]) else s for s in scores], indent=2)
    return text


def run_files(suite: Path) -> dict[str, str]:
    """`run/file` to content, for all runs of a suite."""
    paths = [path for path in suite.glob("*/*") if path.is_file() and path.parent.name != "eval_cache"]
    return {f"{path.parent.name}/{path.name}": without_timings(path) for path in sorted(paths)}


def differences(expected: dict[str, str], found: dict[str, str]) -> list[str]:
    """Which files differ, and in which line first."""
    result = [f"only one side has {name}" for name in sorted(expected.keys() ^ found.keys())]
    for name in sorted(expected.keys() & found.keys()):
        pairs = zip(expected[name].split("\n"), found[name].split("\n"), strict=False)
        line = next((f"{a!r} != {b!r}" for a, b in pairs if a != b), None)
        if expected[name] != found[name]:
            result.append(f"{name}: {line or 'lengths differ'}")
    return result
