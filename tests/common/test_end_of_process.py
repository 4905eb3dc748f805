"""Temporary folders that go with their process."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helm.common.processes import end_of_process
from helm.common.processes.end_of_process import ScratchFolder


def _wait(condition) -> bool:
    deadline = time.monotonic() + 5
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def test_a_folder_is_made_when_needed_and_removed_once():
    folder = ScratchFolder("helm-test-")
    folder.close()
    path = folder.path
    assert path.is_dir() and folder.path == path and path.name.startswith("helm-test-")
    (path / "file").write_text("x")
    folder.close()
    folder.close()
    assert not path.exists()


def test_a_dropped_folder_is_removed():
    folder = ScratchFolder("helm-test-")
    path = folder.path
    del folder
    assert not path.exists()


_CLIENT = """
import sys
from helm.common.processes.end_of_process import ScratchFolder
first, second, closed = ScratchFolder("helm-test-"), ScratchFolder("helm-test-"), ScratchFolder("helm-test-")
(first.path / "deep").mkdir()
(first.path / "deep" / "file").write_text("x")
print(first.path, second.path, closed.path, flush=True)
path = closed.path
closed.close()
path.mkdir()  # of another owner now
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_process_leaves_no_folder(number):
    process = subprocess.Popen(
        [sys.executable, "-c", _CLIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    first, second, closed = map(Path, process.stdout.readline().split())
    assert process.stdout.readline() == "ready\n"
    assert first.is_dir() and second.is_dir()
    process.send_signal(number)
    process.wait()
    process.stdin.close(), process.stdout.close()
    assert _wait(lambda: not first.exists() and not second.exists())
    assert closed.is_dir()
    closed.rmdir()


_KILLED_WHILE_IT_IS_MADE = """
import os, signal
from helm.common.processes.end_of_process import ScratchFolder
make = os.mkdir
def make_and_be_killed(*args, **kwargs):
    make(*args, **kwargs)
    os.kill(os.getpid(), signal.SIGKILL)
os.mkdir = make_and_be_killed
ScratchFolder("helm-test-").path
"""


def test_a_process_that_is_killed_while_it_makes_a_folder_leaves_none(tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", _KILLED_WHILE_IT_IS_MADE], env=environment)
    assert done.returncode == -signal.SIGKILL
    assert _wait(lambda: not list(tmp_path.iterdir()))


def test_a_folder_of_somebody_else_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(end_of_process.tempfile, "tempdir", str(tmp_path))
    names = iter(["a", "a", "b"])
    monkeypatch.setattr(end_of_process.secrets, "token_hex", lambda size: next(names))
    (tmp_path / "helm-test-a").mkdir()
    folder = ScratchFolder("helm-test-")
    assert folder.path == tmp_path / "helm-test-b"
    folder.close()
    assert [path.name for path in tmp_path.iterdir()] == ["helm-test-a"]


def test_a_killed_watcher_is_replaced():
    with_watcher = ScratchFolder("helm-test-")
    with_watcher.path.exists()
    process = end_of_process._watcher._process
    assert process is not None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    another = ScratchFolder("helm-test-")
    another.path.exists()
    assert end_of_process._watcher._process is not process
    another.close(), with_watcher.close()
