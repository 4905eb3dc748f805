"""Chaos: a faulty server, sandboxes that are killed, and helm-run killed again and again, against an undisturbed run."""

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from agent_support import ToolCallServer, function_call
from helm.common.sandbox.session import _LOADER, is_available
from helm.common.sandbox.supervision import find_descendants

pytestmark = pytest.mark.skipif(not is_available(), reason="there is no bubblewrap")

_THREADS = 3
_STALL_S = 300.0
"""After so long without any progress, the run is stuck. Its whole time depends on how busy the machine is."""
_FAULTS = {0: 500, 1: 429, 2: 503, 3: "drop", 4: "drop_twice", 5: "drop_paid"}
"""The first answer to a request, by a digest of it modulo 12; others are answered at once. A connection is dropped before the
model has answered, twice in a row so that the client gives up and the episode begins again, or after the answer was paid for.
"""


class FaultyModel:
    """Solves tasks in three turns, every fourth one wrongly. The first try of a third of the requests fails.

    With `keeps`, it is a provider that keeps answers by the header `Idempotency-Key`: a request whose key it has answered is
    given that answer again, at no price, and one whose answer it is still making is told to come later.
    """

    def __init__(self, delay_s=0.0, keeps=False):
        self.paid, self.tries, self._lock = Counter(), Counter(), threading.Lock()
        self.num_lost = 0
        """Answers that were paid for, and lost on their way by a dropped connection."""
        self.is_faulty, self._delay_s = False, delay_s
        self._kept = {} if keeps else None
        self.server = ToolCallServer(self.answer, reads_key=True)

    def answer(self, body, idempotency_key):
        if self._kept is None:
            return self.make(body)
        assert idempotency_key.startswith("helm-")
        with self._lock:
            kept = self._kept.setdefault(idempotency_key, {"body": body})
            if kept["body"] != body:
                return 422, "this key belongs to another request"
            if kept.get("is_in_work"):
                return 409, "this request is in work"
            if "message" in kept:
                return json.loads(kept["message"])
            kept["is_in_work"] = True
        try:
            found = self.make(body, kept)
        finally:
            kept["is_in_work"] = False
        return found

    def make(self, body, kept=None):
        key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        with self._lock:
            self.tries[key] += 1
            fault = _FAULTS.get(int(key, 16) % 12) if self.is_faulty else None
            is_hit = fault is not None and self.tries[key] <= (2 if fault == "drop_twice" else 1)
        if is_hit and fault in ("drop", "drop_twice"):
            raise ConnectionAbortedError
        if is_hit and fault != "drop_paid":
            return fault, "try again"
        time.sleep(self._delay_s)
        with self._lock:
            self.paid[key] += 1
            self.num_lost += is_hit
        message = self.solve(body["messages"])
        if kept is not None:
            kept["message"] = json.dumps(message)
        if is_hit:
            raise ConnectionAbortedError
        return message

    def solve(self, messages):
        number = int(next(m["content"] for m in messages if m["role"] == "user").rpartition(" ")[2])
        turn = sum(m["role"] == "assistant" for m in messages)
        if turn == 0:
            return {"tool_calls": [function_call("bash", {"command": f"echo {number} > a.txt; cat a.txt"})]}
        if turn == 1:
            said = messages[-1]["content"].strip()
            wanted = int(said) * (3 if number % 4 == 0 else 2)
            return {"tool_calls": [function_call("bash", {"command": f"echo {wanted} > b.txt; cat a.txt b.txt"})]}
        return {"tool_calls": [function_call("submit", {"answer": messages[-1]["content"].split()[-1]})]}


def write_tasks(folder, number):
    box = "helm.agents.environments.bubblewrap_box.BubblewrapBox"
    lines = [
        "defaults:",
        f"  environment: {{class_name: {box}, args: {{memory_mb: 128, storage_mb: 4}}}}",
        "  agent: {class_name: helm.agents.agents.ReactLoop}",
        "tasks:",
    ]
    for task in range(number):
        check = f'{{class_name: agent_support.FileCheck, args: {{path: /app/b.txt, text: "{2 * task}\\n"}}}}'
        lines.append(f"  - {{id: t{task}, instruction: Write the double of {task}, check: {check}}}")
    (folder / "tasks.yaml").write_text("\n".join(lines))


def command(suite, url):
    entry = f"agent_tasks:path=tasks.yaml,retries=50,model={url}#m"
    return [
        sys.executable, "-m", "helm.benchmark.run", "--suite", suite, "-m", "1000", "--progress", "lines", "--no-probe",
        "--disable-cache", "-n", str(_THREADS), "-r", entry,
    ]  # fmt: skip


def start(folder, suite, url):
    support = os.path.dirname(__import__("agent_support").__file__)
    with open(folder / f"{suite}.log", "ab") as log:
        return subprocess.Popen(
            command(suite, url), cwd=folder, env={**os.environ, "PYTHONPATH": support}, stdout=log, stderr=log
        )


def kill_a_sandbox(process, draw):
    """Kill the first process of one of the sandboxes, whose end ends all others inside; return whether there was one."""
    found = []
    for pid in find_descendants(process.pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
            if words[4:5] == [_LOADER.encode()]:
                found.append(pid)
        except OSError:
            continue
    if not found:
        return False
    try:
        os.kill(draw.choice(found), signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def outcomes(folder, suite):
    """What was scored: outcome, reward and answer by task, and the lists of failures and divergences."""
    (run,) = [
        name for name in os.listdir(folder / "benchmark_output" / "runs" / suite) if name.startswith("agent_tasks")
    ]
    path = folder / "benchmark_output" / "runs" / suite / run
    states = json.loads((path / "scenario_state.json").read_text())["request_states"]
    found = {}
    for state in states:
        result = state["result"]
        assert result["success"] == (result["outcome"] != "infrastructure")
        found[state["request"]["task"]] = (result["outcome"], result["reward"], result["answer"])
    assert not (path / "episodes").exists()
    return found, [state["result"] for state in states]


class Progress:
    """Notices when nothing more is paid for, or far too much, while a process runs."""

    def __init__(self, model, most_paid, log):
        self._model, self._most_paid, self._log = model, most_paid, log
        self._seen, self._seen_at = None, 0.0

    def check(self, num_started):
        """Raise AssertionError if nothing has happened for `_STALL_S` seconds, by answers and processes started."""
        paid = sum(self._model.paid.values())
        assert paid <= self._most_paid, f"{paid} answers were paid for\n{self._log.read_text()[-3000:]}"
        if self._seen != (paid, num_started):
            self._seen, self._seen_at = (paid, num_started), time.monotonic()
        stalled_s = time.monotonic() - self._seen_at
        assert stalled_s < _STALL_S, (
            f"nothing in {stalled_s:.0f} s after {paid} answers\n{self._log.read_text()[-3000:]}"
        )

    def wait(self, process):
        """Wait for a process that makes progress, and return its exit status."""
        while process.poll() is None:
            self.check(0)
            time.sleep(0.05)
        return process.returncode


def run_chaos(folder, number, kills, sandbox_kills, keeps, seed=1):
    model, draw, process = FaultyModel(0.01, keeps), random.Random(seed), None
    try:
        write_tasks(folder, number)
        process = start(folder, "quiet", model.server.url)
        log = folder / "quiet.log"
        assert Progress(model, 3 * number, log).wait(process) == 0, log.read_text()[-3000:]
        quiet, _ = outcomes(folder, "quiet")
        assert sum(model.paid.values()) == 3 * number and set(model.paid.values()) == {1}
        model.paid.clear()
        model.tries.clear()
        model.is_faulty = True
        done = sandboxes = 0
        progress = Progress(model, 6 * number + kills * _THREADS, folder / "chaos.log")
        every = max(1, 3 * number // (kills + 1))
        while done < kills:
            tried, before = sum(model.tries.values()), sum(model.paid.values())
            process = start(folder, "chaos", model.server.url)
            while process.poll() is None and sum(model.paid.values()) < before + every - 1 + draw.randrange(3):
                is_at_work = sum(model.tries.values()) > tried + 1  # the machine is checked, episodes have begun
                if is_at_work and sandboxes < sandbox_kills * (done + 1) / (kills + 1) and draw.random() < 0.1:
                    sandboxes += kill_a_sandbox(process, draw)
                progress.check(done)
                time.sleep(0.005)
            assert process.poll() is None, (folder / "chaos.log").read_text()[-3000:]
            process.kill()
            process.wait()
            done += 1
        tried = sum(model.tries.values())
        process = start(folder, "chaos", model.server.url)
        while process.poll() is None:
            if sum(model.tries.values()) > tried + 1 and sandboxes < sandbox_kills and draw.random() < 0.1:
                sandboxes += kill_a_sandbox(process, draw)
            progress.check(done)
            time.sleep(0.005)
        assert process.returncode == 0, (folder / "chaos.log").read_text()[-3000:]
        chaos, results = outcomes(folder, "chaos")
    finally:
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()
        model.server.close()
    assert chaos == quiet
    assert {reward for _, reward, _ in quiet.values()} == {0.0, 1.0}
    assert sandboxes >= sandbox_kills * 0.7
    # Answers that were on their way when the process was killed or their connection was dropped are unknown, so they are asked
    # for again; no others are. A provider that keeps answers is paid once for each.
    repeated = sum(count - 1 for count in model.paid.values())
    assert model.num_lost > 0
    allowed = 0 if keeps else kills * _THREADS + model.num_lost
    assert repeated <= allowed, f"{repeated} answers were paid for twice"
    assert sum(model.tries.values()) > sum(model.paid.values())
    assert not any(result.get("divergence") for result in results)
    return repeated


@pytest.mark.parametrize("keeps", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_run_that_is_disturbed_everywhere_gives_the_same_results(tmp_path, keeps):
    run_chaos(tmp_path, number=12, kills=2, sandbox_kills=3, keeps=keeps)


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [False, True])
def test_200_episodes_and_25_kills(tmp_path, keeps):
    run_chaos(tmp_path, number=200, kills=25, sandbox_kills=30, keeps=keeps)
