"""Runs with epochs, from the run entry to the files: what is sent, what is kept, and what the numbers are."""

import json
import os
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


@pytest.fixture
def server():
    server = SeededServer()
    yield server
    server.close()


@pytest.fixture
def place(tmp_path):
    folder = tmp_path / "benchmark_output" / "scenarios" / "custom_mcqa"
    folder.mkdir(parents=True)
    lines = [
        {
            "input": {"text": f"Question {i}?"},
            "references": [{"output": {"text": "yes"}, "tags": ["correct"]}, {"output": {"text": "no"}, "tags": []}],
            "split": "test",
        }
        for i in range(NUM_QUESTIONS)
    ]
    (folder / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


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


def test_three_epochs_are_three_requests_and_growing_to_five_sends_two_more(place, server):
    helm_run(place, server, f"{ENTRY},epochs=3")
    assert server.asked == {(i, epoch): 1 for i in range(NUM_QUESTIONS) for epoch in (1, 2, 3)}
    folder = run_folder(place)
    spec = read(folder, "run_spec.json")
    assert spec["epochs"] == {"number": 3, "reducers": ["mean"]}
    states = read(folder, "scenario_state.json")["request_states"]
    assert [(state["instance"]["id"], state["epoch"]) for state in states] == [
        (f"id{i}", epoch) for i in range(NUM_QUESTIONS) for epoch in (1, 2, 3)
    ]
    assert [state["request"].get("random") for state in states[:3]] == [None, "1", "2"]

    assert instance_values(folder, "exact_match") == pytest.approx({"id0": 1, "id1": 1 / 3, "id2": 0, "id3": 0})
    assert instance_values(folder, "exact_match[epoch=2]") == {"id0": 1, "id1": 1, "id2": 0, "id3": 0}
    assert mean_of(folder, "exact_match") == pytest.approx(1 / 3)
    assert read(folder, "coverage.json")["epochs"] == {
        "number": 3, "reducers": ["mean"], "instances": 4, "complete": 4, "fewer": 0, "too_few": {}, "tied_votes": 0,
    }  # fmt: skip

    helm_run(place, server, f"{ENTRY},epochs=5")
    assert server.asked == {(i, epoch): 1 for i in range(NUM_QUESTIONS) for epoch in range(1, 6)}
    assert mean_of(run_folder(place, "epochs=5"), "exact_match") == pytest.approx((5 + 3 + 1) / 20)


def test_the_first_epoch_is_the_run_without_epochs(place, server):
    helm_run(place, server, ENTRY)
    plain = run_folder(place)
    assert "epochs" not in read(plain, "run_spec.json") and "epochs" not in read(plain, "coverage.json")
    assert all("epoch" not in state for state in read(plain, "scenario_state.json")["request_states"])
    helm_run(place, server, f"{ENTRY},epochs=2")
    assert set(server.asked.values()) == {1}


def test_all_reducers_in_one_run(place, server):
    helm_run(place, server, f"{ENTRY},epochs=5,reducer=majority+mean+max+pass@2+pass^2+at_least_3")
    folder = run_folder(place)
    expected = {
        "exact_match": [1, 1, 0, 0],
        "exact_match[mean]": [1, 0.6, 0.2, 0],
        "exact_match[max]": [1, 1, 1, 0],
        "exact_match[pass@2]": [1, 0.9, 0.4, 0],
        "exact_match[pass^2]": [1, 0.3, 0, 0],
        "exact_match[at_least_3]": [1, 1, 0, 0],
    }
    for name, values in expected.items():
        assert list(instance_values(folder, name).values()) == pytest.approx(values), name
        assert mean_of(folder, name) == pytest.approx(sum(values) / 4)
    # Numbers of tokens and the like are not reduced.
    names = {stat["name"]["name"] for stat in read(folder, "stats.json")}
    assert "num_output_tokens" in names and not [name for name in names if re.match(r"(num_|inference_).*\[", name)]


def test_the_interval_counts_instances(place, server):
    from helm.results.run_results import RunResults
    from helm.results.scores import ScoreKey, compute_score_facts

    helm_run(place, server, f"{ENTRY},epochs=5")
    found = compute_score_facts(RunResults(str(run_folder(place))))[ScoreKey("exact_match", "test")]
    assert (found.count, found.clusters) == (4, 4)
    values = [1, 0.6, 0.2, 0]
    mean = sum(values) / 4
    assert found.variance == pytest.approx(sum((value - mean) ** 2 for value in values) / 3 / 4)
    assert not [key for key in compute_score_facts(RunResults(str(run_folder(place)))) if "[epoch=" in key.name]


def test_a_failed_request_is_not_a_wrong_answer(place, server):
    server.failing = {(0, 2), (1, 1), (1, 3)}
    output = helm_run(place, server, f"{ENTRY},epochs=3,reducer=mean+pass@2", "--on-failure", "exclude")
    folder = run_folder(place)
    assert instance_values(folder, "exact_match") == {"id0": 1, "id1": 1, "id2": 0, "id3": 0}
    assert instance_values(folder, "exact_match[epoch=1]") == {"id0": 1, "id2": 0, "id3": 0}
    assert instance_values(folder, "exact_match[pass@2]") == {"id0": 1, "id1": None, "id2": 0, "id3": 0}
    assert list(instance_values(folder, "exact_match")) == ["id0", "id1", "id2", "id3"]
    counts = read(folder, "coverage.json")["epochs"]
    assert (counts["complete"], counts["fewer"], counts["too_few"]) == (2, 2, {"pass@2": 1})
    assert "2 of 4 instances have fewer than 3 epochs, because requests failed" in output


def test_a_tie_goes_to_the_first_answer_and_is_said(place, server):
    output = helm_run(place, server, f"{ENTRY},epochs=4,reducer=majority")
    folder = run_folder(place)
    # BABA: a tie, and B came first.
    assert instance_values(folder, "exact_match") == {"id0": 1, "id1": 0, "id2": 0, "id3": 0}
    assert read(folder, "coverage.json")["epochs"]["tied_votes"] == 1
    assert "1 of 4 votes were ties, won by the answer that came first" in output


@pytest.mark.parametrize("flags", [(), ("--disable-cache",)], ids=["cache", "no-cache"])
def test_kill_9_and_resume_send_no_request_twice(place, server, flags):
    server.delay_s = 0.1
    process = start(place, server, f"{ENTRY},epochs=5", "-n", "1", *flags)
    deadline = time.monotonic() + 60
    while sum(server.asked.values()) < 6 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert not (run_folder(place) / "stats.json").exists()
    num_sent = sum(server.asked.values())
    server.delay_s = 0.0
    output = helm_run(place, server, f"{ENTRY},epochs=5", *flags)
    assert "Resuming: " in output
    assert set(server.asked) == {(i, epoch) for i in range(NUM_QUESTIONS) for epoch in range(1, 6)}
    # Only what was in flight when the process was killed may come again.
    assert sum(server.asked.values()) <= 20 + 1 and num_sent >= 6


def test_the_same_entry_gives_the_same_bytes_and_rescoring_changes_none(place, server):
    helm_run(place, server, f"{ENTRY},epochs=3,reducer=mean+majority", "--suite", "one")
    helm_run(place, server, f"{ENTRY},epochs=3,reducer=mean+majority", "--suite", "two")
    one, two = sorted(place.glob("benchmark_output/runs/*/custom_mcqa*"))
    for name in ("run_spec.json", "stats.json", "per_instance_stats.json"):
        assert (one / name).read_bytes() == (two / name).read_bytes(), name
    before = {name: (one / name).read_bytes() for name in os.listdir(one) if name.endswith(".json")}
    rescore = [sys.executable, "-m", "helm.benchmark.commands.rescore", "--suite", "one"]
    environment = {**os.environ, "OPENAI_BASE_URL": server.url}
    subprocess.run(rescore, cwd=place, env=environment, check=True, timeout=120, capture_output=True)
    assert {name: (one / name).read_bytes() for name in before} == before
