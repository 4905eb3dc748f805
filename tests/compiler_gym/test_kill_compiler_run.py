"""`helm-run` with a compiler, killed with SIGKILL and started again."""

import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from process_support import eventually, is_running

_NUM_PROGRAMS = 3
_RUN = "llvm:program=all,model=llvm_greedy"


def _start(folder: Path) -> subprocess.Popen:
    entry = "llvm:program=all,model=llvm/greedy"
    command = [
        sys.executable,
        "-m",
        "helm.benchmark.run",
        "-r",
        entry,
        "-m",
        str(_NUM_PROGRAMS),
        "--suite",
        "s",
        "-n",
        "2",
    ]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # a thread that has ended
            found += map(int, task.read_text().split())
    return found


def _read_results(folder: Path) -> list[dict]:
    path = folder / "benchmark_output" / "runs" / "s" / _RUN / "scenario_state.json"
    results = [state["result"] for state in json.loads(path.read_text())["request_states"]]
    return [{key: value for key, value in result.items() if key not in ("elapsed_s", "policy_s")} for result in results]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds child processes in /proc")
def test_a_killed_run_leaves_no_service_behind_and_goes_on_where_it_was(tmp_path):
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    undisturbed.mkdir(), killed.mkdir()
    assert _start(undisturbed).wait(120) == 0
    journal = killed / "benchmark_output" / "runs" / "s" / _RUN / "requests.journal"
    first = _start(killed)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and first.poll() is None:
        if journal.exists() and '"success"' in journal.read_text():
            break
        time.sleep(0.01)
    services = _children(first.pid)
    first.kill()
    first.wait()
    assert services, "no service was running when the run was killed"
    assert eventually(lambda: not any(map(is_running, services)), within_s=30)
    finished = [json.loads(line) for line in journal.read_text().splitlines()[1:] if "success" in line]
    assert 0 < len(finished) < _NUM_PROGRAMS
    assert _start(killed).wait(120) == 0
    assert _read_results(killed) == _read_results(undisturbed)
    assert all(result["success"] for result in _read_results(killed))
