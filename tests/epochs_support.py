"""A chat server that answers by the seed, questions for it, and runs of `helm-run` about them."""

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

NUM_QUESTIONS = 4
ENTRY = "custom_mcqa:path=q.jsonl,prompt=chat,seed=100,model=openai-compat/m"
ANSWERS = {0: "AAAAA", 1: "BABAA", 2: "BBBAB", 3: "BBBBB"}
"""The letters of each question in epochs 1 to 5; A is correct."""


class SeededServer:
    """A chat server that answers by the question and the seed, and keeps what it was asked."""

    def __init__(self):
        self.asked, self.failing, self.delay_s = Counter(), set(), 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                prompt = body["messages"][-1]["content"]
                found = re.search(r"Question (\d+)\?", prompt)
                if found is None:
                    return self.reply(200, self.message("Hi."))
                place = (int(found[1]), body["seed"] - 100 + 1)
                outer.asked[place] += 1
                time.sleep(outer.delay_s)
                if place in outer.failing:
                    return self.reply(400, {"error": {"message": "out of order"}})
                return self.reply(200, self.message(f"The answer is {ANSWERS[place[0]][place[1] - 1]}."))

            def do_GET(self):
                self.reply(200, {"object": "list", "data": [{"id": "m", "max_model_len": 65536}]})

            @staticmethod
            def message(text):
                message = {"role": "assistant", "content": text}
                return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}

            def reply(self, status, value):
                data = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def write_questions(folder: Path) -> None:
    """The data of `ENTRY`, in an output folder there."""
    data = folder / "benchmark_output" / "scenarios" / "custom_mcqa" / "q.jsonl"
    data.parent.mkdir(parents=True)
    references = [{"output": {"text": "yes"}, "tags": ["correct"]}, {"output": {"text": "no"}, "tags": []}]
    lines = [
        {"input": {"text": f"Question {i}?"}, "references": references, "split": "test"} for i in range(NUM_QUESTIONS)
    ]
    data.write_text("".join(json.dumps(line) + "\n" for line in lines))


def start(place: Path, server: SeededServer, entry: str, *flags: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "helm.benchmark.run", "-r", entry, "-m", "10", *flags],
        cwd=place,
        env={**os.environ, "OPENAI_BASE_URL": server.url, "HELM_RETRIES": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def helm_run(place: Path, server: SeededServer, entry: str, *flags: str, status: int = 0) -> str:
    process = start(place, server, entry, *flags)
    output = process.communicate(timeout=120)[0].decode()
    assert process.returncode == status, output
    return output


def run_folder(place: Path, part: str = "") -> Path:
    (folder,) = [path for path in place.glob("benchmark_output/runs/*/custom_mcqa*") if part in path.name]
    return folder


def read(folder: Path, name: str):
    return json.loads((folder / name).read_text())


def mean_of(folder: Path, name: str) -> float:
    (found,) = [
        stat["mean"]
        for stat in read(folder, "stats.json")
        if stat["name"]["name"] == name and "perturbation" not in stat["name"]
    ]
    return found


def instance_values(folder: Path, name: str) -> dict:
    found = {}
    for entry in read(folder, "per_instance_stats.json"):
        for stat in entry["stats"]:
            if stat["name"]["name"] == name:
                assert entry["instance_id"] not in found
                found[entry["instance_id"]] = stat.get("mean")
    return found
