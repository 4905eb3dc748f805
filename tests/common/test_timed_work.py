"""Timed work runs alone, across threads and processes."""

import os
import subprocess
import sys
import tempfile
import threading

import pytest

from helm.common.processes.timed_work import timed_work


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("HELM_TIMING_LOCK")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)


def test_threads_take_turns():
    inside, most = [], []

    def work():
        with timed_work():
            inside.append(1)
            most.append(len(inside))
            inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 4


def test_another_process_is_waited_for_and_a_killed_one_is_not():
    code = "from helm.common.processes.timed_work import timed_work\nwith timed_work():\n print('in', flush=True)\n input()\n"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        entered = threading.Event()

        def work():
            with timed_work():
                entered.set()

        thread = threading.Thread(target=work)
        thread.start()
        assert not entered.wait(0.3)
        process.kill()
        thread.join(30)
    assert entered.is_set()


def test_the_place_of_the_lock_can_be_chosen(tmp_path, monkeypatch):
    monkeypatch.setenv("HELM_TIMING_LOCK", str(tmp_path / "mine"))
    with timed_work():
        assert (tmp_path / "mine").exists()
    monkeypatch.setenv("HELM_TIMING_LOCK", "off")
    with timed_work(), timed_work():
        pass


def test_a_folder_that_is_no_folder_means_no_turns_and_a_warning(tmp_path, caplog):
    (tmp_path / f"helm-{os.getuid()}").write_text("in the way")
    with timed_work():
        pass
    assert "Other timed work may run at the same time on this machine" in caplog.text


def test_a_lock_that_cannot_be_made_means_no_turns_and_a_warning(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("HELM_TIMING_LOCK", str(tmp_path / "absent" / "lock"))
    with timed_work():
        pass
    assert "Other timed work may run at the same time on this machine" in caplog.text


def test_an_error_of_the_work_is_its_own(caplog):
    with pytest.raises(FileNotFoundError), timed_work():
        raise FileNotFoundError
    assert not caplog.text
