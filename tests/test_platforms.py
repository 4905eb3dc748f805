"""What runs on Linux runs on macOS, too, and Windows is told about WSL.

Linux is hidden from real processes by `tests/without_linux/sitecustomize.py`: no `/proc`, no `prctl`, no `memfd_create`, and
none of the other calls that only Linux has.
"""

import configparser
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from counting_server import CountingServer
from test_kill_and_resume import (
    NUM_INSTANCES,
    NUM_THREADS,
    finish,
    finished_prompts,
    prompts_in_order,
    start,
    wait_for_requests,
)

ROOT = Path(__file__).resolve().parent.parent
HIDING = ROOT / "tests/without_linux"

# The main job of `make demo`, one run of each kind of subject.
CONF = """entries: [
  {description: "simple_mcqa:model=simple/model1", priority: 1}
  {description: "gradbench_llsq:n=16,m=8,min_seconds=0.01,tool=gradbench/numpy", priority: 1}
  {description: "llvm:program=crc32,compiler=llvm/Oz", priority: 1}
]"""


def run_python(folder, *words, status=0, env=None):
    """Standard output and error of a Python to which Linux is hidden."""
    environment = {**os.environ, "PYTHONPATH": str(HIDING), **(env or {})}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def test_the_hiding_hides_here_and_in_children(tmp_path):
    code = """
import ctypes, os, resource, subprocess, sys
found = [name for name in ("memfd_create", "sched_getaffinity", "posix_fallocate", "waitid") if hasattr(os, name)]
assert not found and not hasattr(resource, "prlimit"), found
assert not os.path.exists("/proc/self") and os.path.exists("/")
for attempt in (lambda: open("/proc/self/status"), lambda: os.listdir("/proc"), lambda: os.stat("/dev/shm")):
    try:
        attempt()
    except FileNotFoundError:
        continue
    raise AssertionError(attempt)
assert not hasattr(ctypes.CDLL(None), "prctl")
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"], check=True)
"""
    (tmp_path / "look.py").write_text(code)
    run_python(tmp_path, "look.py")


def test_the_demo_runs_without_linux(tmp_path):
    (tmp_path / "demo.conf").write_text(CONF)
    run_python(tmp_path, "-m", "helm.benchmark.run", "-c", "demo.conf", "--suite", "demo", "-m", "5")
    tables = run_python(tmp_path, "-m", "helm.benchmark.presentation.summarize", "--suite", "demo")
    assert "3 runs summarized." in tables
    states = {
        path.parent.name.split(":")[0]: json.loads(path.read_text())["request_states"]
        for path in (tmp_path / "benchmark_output/runs/demo").glob("*/scenario_state.json")
    }
    assert {name: len(some) > 0 for name, some in states.items()} == {
        "simple_mcqa": True,
        "gradbench_llsq": True,
        "llvm": True,
    }
    assert [state for some in states.values() for state in some if not state["result"]["success"]] == []


def test_a_killed_run_goes_on_without_linux(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(HIDING))
    server = CountingServer(delay_s=0.03)
    try:
        process = start(tmp_path, server.url)
        wait_for_requests(server, process, 2 * NUM_THREADS)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        done, counts_at_kill = finished_prompts(tmp_path), dict(server.counts)
        assert done
        finish(tmp_path, server.url)
        prompts = prompts_in_order(tmp_path)
        assert len(prompts) == NUM_INSTANCES
        assert all(server.counts[prompts[i]] == counts_at_kill[prompts[i]] for i in done), "sent again"
    finally:
        server.close()


def test_the_journal_works_without_linux():
    names = "tests/common/test_append_log.py"
    output = run_python(ROOT, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", names)
    assert " passed" in output and " skipped" not in output


def test_without_linux_the_sandbox_says_what_is_missing_and_runs_nothing(tmp_path):
    output = run_python(tmp_path, "-m", "helm.common.sandbox", status=1, env={"HELM_SANDBOX": "bubblewrap"})
    assert "bubblewrap: /proc does not list the children of a process" in output
    code = """
import sys
sys.platform = "darwin"
from helm.common.sandbox import SandboxError, run_python
try:
    run_python("open('written', 'w')")
except SandboxError as error:
    print(error)
"""
    output = run_python(tmp_path, "-c", code, env={"HELM_SANDBOX": "bubblewrap"})
    assert "bubblewrap is a program for Linux; this is darwin." in output
    assert "here podman or docker is the sandbox" in output
    assert list(tmp_path.iterdir()) == []


def test_programs_of_models_are_judged_without_linux():
    """The harness runs in containers on macOS, and without any where HELM_SANDBOX=none says so."""
    names = ["tests/gradbench/test_ad_programs.py", "-k", "dies or is_killed or not_callable"]
    output = run_python(
        ROOT, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *names, env={"HELM_SANDBOX": "none"}
    )
    assert " passed" in output and " skipped" not in output


def list_commands():
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    lines = setup["options.entry_points"]["console_scripts"].strip().splitlines()
    return sorted({line.partition("=")[2].strip() for line in lines})


@pytest.mark.parametrize("command", list_commands())
def test_on_windows_every_command_names_wsl(command):
    """The modules of a command are imported without those that Windows does not have."""
    module, _, function = command.partition(":")
    code = f"""
import sys
for name in ("fcntl", "resource", "termios", "pwd", "grp"):
    sys.modules[name] = None
import {module} as command
sys.platform = "win32"
command.{function}(["--help"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1, done.stderr
    assert "On Windows it runs inside WSL" in done.stderr and done.stderr.count("\n") == 1
