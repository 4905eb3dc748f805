"""Temporary folders that go with their process."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helm.common.processes import end_of_process
from helm.common.processes.end_of_process import ScratchFolder
from process_support import eventually, is_running


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
    assert eventually(lambda: not first.exists() and not second.exists())
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
    assert eventually(lambda: not list(tmp_path.iterdir()))


def test_a_folder_of_somebody_else_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(end_of_process.tempfile, "tempdir", str(tmp_path))
    names = iter(["a", "a", "b"])
    monkeypatch.setattr(end_of_process.secrets, "token_hex", lambda size: next(names))
    (tmp_path / "helm-test-a").mkdir()
    told = []
    monkeypatch.setattr(end_of_process._watcher, "tell", lambda sign, name: told.append(sign + name))
    folder = ScratchFolder("helm-test-")
    assert folder.path == tmp_path / "helm-test-b"
    assert (tmp_path / "helm-test-b").stat().st_mode & 0o777 == 0o700
    folder.close()
    name = end_of_process._name_folder(tmp_path / "helm-test-b")
    assert told == ["+" + name, "-" + name], "nobody may remove a folder that was there before"
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


def watched():
    return set(end_of_process._watcher._watched)


def test_what_is_closed_is_watched_no_more(tmp_path):
    before = watched()
    folder = ScratchFolder("helm-test-")
    name = end_of_process._name_folder(folder.path)
    assert watched() - before == {name}
    folder.path.rmdir()  # somebody else was first
    folder.close()
    assert watched() == before


def test_a_folder_that_cannot_be_made_is_not_watched(tmp_path, monkeypatch):
    before = watched()
    monkeypatch.setattr(end_of_process.tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(FileNotFoundError):
        ScratchFolder("helm-test-").path.exists()
    assert watched() == before


def test_the_watcher_keeps_no_folder_busy_and_gets_no_ctrl_c():
    folder = ScratchFolder("helm-test-")
    folder.path.exists()
    pid = end_of_process._watcher._process.pid
    assert os.getsid(pid) == pid != os.getsid(0)
    if sys.platform == "linux":
        assert eventually(lambda: os.readlink(f"/proc/{pid}/cwd") == "/")
    folder.close()


_FORKS = """
import os, sys, time
from helm.common.processes.end_of_process import ScratchFolder
mine = ScratchFolder("helm-test-")
mine.path.exists()
pid = os.fork()
if pid == 0:
    print(mine.path, ScratchFolder("helm-test-").path, flush=True)
    os._exit(0)  # as if it had been killed
os.waitpid(pid, 0)
sys.stdin.read()
"""


def test_the_folder_of_a_fork_goes_with_the_fork():
    process = subprocess.Popen([sys.executable, "-c", _FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        parents, forks = map(Path, process.stdout.readline().split())
        try:
            assert eventually(lambda: not forks.exists())
            assert parents.is_dir()
        finally:
            process.stdin.close()
    assert process.returncode == 0 and not parents.exists()


_WITH_A_CHILD = """
import subprocess, sys
from helm.common.processes import end_of_process
child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True)
with end_of_process.killed_with_us(child):
    print(child.pid, flush=True)
    sys.stdin.readline()
    child.communicate(b"x")
print(end_of_process._watcher._watched, flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("is_killed", [True, False])
def test_a_child_is_killed_with_us_until_it_has_ended(is_killed):
    process = subprocess.Popen(
        [sys.executable, "-c", _WITH_A_CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        pid = int(process.stdout.readline())
        if is_killed:
            process.kill()
        process.stdin.write("go on\n") if not is_killed else None
        process.stdin.close()
        said = process.stdout.read()
    assert said == ("" if is_killed else "set()\n")
    assert eventually(lambda: not is_running(pid))
