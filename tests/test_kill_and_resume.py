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
import time
from pathlib import Path
from typing import Any

import pytest

from cluster_support import without_timings
from counting_server import CountingServer
from helm.common.processes.append_log import read_lines
from helm.results.run_files.compressed_files import read_run_file
from helm.results.run_files.run_folder import plain_name, stored_path

NUM_THREADS = 4
NUM_INSTANCES = 40
ENTRY = "simple_mcqa:model=openai-compat/loopback"
"""79 questions, which are made in no time."""
MANY = "synthetic_reasoning:mode=pattern_match,model=openai-compat/loopback"
RUN_FOLDER = Path("benchmark_output/runs/default")


@pytest.fixture
def server():
    server = CountingServer(delay_s=0.03)
    yield server
    server.close()


def start(
    folder: Path,
    url: str,
    *flags: str,
    entry: str = ENTRY,
    instances: int = NUM_INSTANCES,
    threads: int = NUM_THREADS,
) -> subprocess.Popen:
    run = [sys.executable, "-m", "helm.benchmark.run"]
    command = [*run, "-r", entry, "-m", str(instances), "-n", str(threads)]
    return subprocess.Popen(
        [*command, *flags],
        cwd=folder,
        env={**os.environ, "OPENAI_BASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def finish(folder: Path, url: str, *flags: str, status: int = 0, **run: Any) -> str:
    process = start(folder, url, *flags, **run)
    output = process.communicate(timeout=120)[0].decode()
    assert process.returncode == status, output
    return output


def run_folders(folder: Path) -> list:
    """The one run's folder, or none: the command may have been ended before it made it."""
    return [path for path in folder.glob(f"{RUN_FOLDER}/*") if path.is_dir() and path.name != "eval_cache"]


def run_folder(folder: Path) -> Path:
    (path,) = run_folders(folder)
    return path


def is_complete(folder: Path) -> bool:
    return any((path / "stats.json").exists() for path in run_folders(folder))


def final_files(folder: Path) -> dict:
    """The bytes of the run's files with request times taken out."""
    files = {}
    for path in sorted(run_folder(folder).iterdir()):
        text, name = read_run_file(str(path)).decode(), plain_name(path.name)
        if name == "scenario_state.json":
            text = re.sub(r'"request_(time|datetime)": [0-9.e+-]+', r'"request_\1": TIME', text)
        elif name.endswith("stats.json"):
            text = re.sub(r'"name": "inference_runtime".*?"stddev": [0-9.e+-]+', "TIME", text, flags=re.DOTALL)
            text = re.sub(r'"name": "inference_\w*runtime".*?\}', "TIME", text, flags=re.DOTALL)
        elif name == "intervals.json":
            text = without_timings(path)
        files[path.name] = text
    return files


def finished_prompts(folder: Path) -> set:
    """Positions of the requests whose results the journal holds."""
    finished = set()
    for path in run_folders(folder):
        if (path / "requests.journal").exists():
            with open(path / "requests.journal", "rb") as file:
                finished |= {entry[0] for entry in map(json.loads, read_lines(file)[1:]) if len(entry) == 2}
    return finished


def prompts_in_order(folder: Path) -> list:
    states = json.loads(read_run_file(stored_path(str(run_folder(folder)), "scenario_state.json")))["request_states"]
    return [state["request"]["prompt"] for state in states]


def wait_for_requests(server, process, number):
    """Until the server has had so many since it was last asked, or the command has ended."""
    before = sum(server.counts.values())
    deadline = time.monotonic() + 60
    while sum(server.counts.values()) < before + number and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)


@pytest.mark.parametrize("flags", [(), ("--disable-cache", "--compact-files")], ids=["cache", "no-cache"])
@pytest.mark.parametrize("kills", [4, pytest.param(10, marks=pytest.mark.slow)])
def test_kill_9_at_random_moments(tmp_path, server, flags, kills):
    undisturbed = tmp_path / "undisturbed"
    undisturbed.mkdir()
    started = time.monotonic()
    finish(undisturbed, server.url, *flags)
    duration = time.monotonic() - started
    expected, prompts = final_files(undisturbed), prompts_in_order(undisturbed)
    assert set(server.counts.values()) == {1} and len(server.counts) == NUM_INSTANCES

    rng = random.Random(0)
    num_killed_with_results, attempt = 0, 0
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
            assert done <= finished_prompts(folder) or is_complete(folder)
            done = finished_prompts(folder)
            num_killed_with_results += bool(done)
        counts_at_kill = dict(server.counts)
        finish(folder, server.url, *flags, "--skip-completed-runs")
        assert final_files(folder) == expected
        for index in done:
            assert server.counts[prompts[index]] == counts_at_kill[prompts[index]], "a finished request was sent again"
        assert sum(server.counts.values()) <= NUM_INSTANCES + 3 * NUM_THREADS
    assert num_killed_with_results > 0, "no kill hit the time of the requests"


IN_FLIGHT = 64
LATE_S = 1.0
"""An answer may lie unread in the connection for so long when the machine is busy; until then it is in flight."""


@pytest.mark.parametrize(
    "flags",
    [pytest.param((), id="cache", marks=pytest.mark.slow), pytest.param(("--disable-cache",), id="no-cache")],
)
@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_kill_9_with_64_in_flight(tmp_path, kills, flags, capsys):
    """Nothing that was answered is lost or sent again, and one budget holds for all processes together."""
    server = CountingServer(0.0, max_delay_s=0.2)
    size = {"entry": MANY, "instances": 80 * kills, "threads": IN_FLIGHT}
    budget = server.TOKENS * 60 * kills
    limits = ("--max-tokens-total", str(budget))
    rng = random.Random(kills)
    num_with_answers = 0
    try:
        for _ in range(kills):
            answered, finished = server.num_answered, finished_prompts(tmp_path)
            process = start(tmp_path, server.url, *flags, *limits, **size)
            wanted, deadline = answered + rng.randrange(1, 80), time.monotonic() + 60
            while server.num_answered < wanted and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            server.client_was_killed()
            output = process.communicate()[0].decode()
            assert process.returncode == -9, output
            time.sleep(0.25)  # what was in flight is answered to nobody
            server.answered_at.clear()
            assert finished <= finished_prompts(tmp_path)
            num_with_answers += bool(finished_prompts(tmp_path) - finished)
        assert num_with_answers > kills / 2, "too few kills hit the time of the requests"
        output = finish(tmp_path, server.url, *flags, *limits, status=3, **size)
        assert "tokens are used (some of it by other processes" in output
        uncounted = len(server.repeats_after_s) + 2 * IN_FLIGHT
        assert budget <= server.TOKENS * server.num_answered <= budget + server.TOKENS * uncounted
        finish(tmp_path, server.url, *flags, **size)
    finally:
        server.close()
    assert len(server.counts) == size["instances"]
    assert len(server.repeats_after_s) <= kills * IN_FLIGHT
    with capsys.disabled():
        print(
            f" [{len(server.repeats_after_s)} sent again, at most {max(server.repeats_after_s, default=0):.3f} s old]"
        )
    assert all(age_s < LATE_S for age_s in server.repeats_after_s), "an answer that was received was lost"
    states = json.loads((run_folder(tmp_path) / "scenario_state.json").read_text())["request_states"]
    for state in states:
        digest = hashlib.sha256(state["request"]["prompt"].encode()).hexdigest()[:8]
        assert [completion["text"] for completion in state["result"]["completions"]] == [digest]
        assert state["result"]["cached"] is False
    assert not list((tmp_path / RUN_FOLDER).glob("spending-*")), "the work is done"
    assert not list(tmp_path.glob("prod_env/cache/*-pending-*"))


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
