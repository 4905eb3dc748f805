"""A lock on a file: one holder, in this process or another one, and no longer than it lives."""

import os
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from helm.common.processes import file_lock as module
from helm.common.processes.file_lock import file_lock, is_locked, try_file_lock

HOLD = """
import sys
from helm.common.processes.file_lock import try_file_lock
lock = try_file_lock(sys.argv[1])
print("held" if lock else "refused", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "lock")


def test_of_two_one_gets_it_until_it_lets_go(path):
    first = try_file_lock(path)
    assert first is not None and is_locked(path)
    assert try_file_lock(path) is None
    assert os.path.exists(path), "who does not get it leaves the file of the holder"
    first.release()
    assert not os.path.exists(path) and not is_locked(path)
    second = try_file_lock(path)
    assert second is not None
    second.release()


def test_what_a_dead_holder_wrote_is_replaced(path):
    with open(path, "w") as file:
        file.write("a much longer text of before")
    assert not is_locked(path), "a file alone is no lock"
    lock = try_file_lock(path)
    lock.write("me")
    with open(path) as file:
        assert file.read() == "me"
    lock.release()


def test_looking_takes_nothing(path):
    assert not is_locked(path) and not os.path.exists(path)
    open(path, "w").close()
    with open(path) as reader:
        import fcntl

        fcntl.flock(reader, fcntl.LOCK_SH)  # another one that looks at the same moment
        assert not is_locked(path)
    os.chmod(path, 0o400)
    assert not is_locked(path)


def test_a_lock_ends_with_its_process(path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    assert is_locked(path) and try_file_lock(path) is None
    process.kill()
    process.communicate()
    assert not is_locked(path)


def test_who_waits_gets_it_when_the_holder_lets_go(path, caplog):
    caplog.set_level("INFO", "helm")
    got = threading.Event()

    def wait():
        with file_lock(path, "the data"):
            got.set()

    with file_lock(path, None):
        thread = threading.Thread(target=wait)
        thread.start()
        assert not got.wait(0.3), "it is held"
    assert got.wait(60)
    thread.join()
    assert not os.path.exists(path)
    assert caplog.text.count("Waiting for another process: the data") == 1


def test_waiting_with_a_limit_ends_in_an_error_and_nothing_is_said(path, caplog):
    caplog.set_level("INFO", "helm")
    with file_lock(path, None, max_wait_s=600):
        with pytest.raises(TimeoutError, match="is locked by another process"):
            with file_lock(path, None, max_wait_s=0):
                raise AssertionError("two holders")
        assert is_locked(path)
    assert not is_locked(path)
    assert "Waiting" not in caplog.text


def test_a_limit_that_is_not_reached_changes_nothing(path):
    order = []

    def wait():
        with file_lock(path, None, max_wait_s=600):
            order.append("second")

    with file_lock(path, None):
        thread = threading.Thread(target=wait)
        thread.start()
        thread.join(0.3)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_an_error_inside_lets_go(path):
    with pytest.raises(ValueError), file_lock(path, None):
        raise ValueError
    assert not is_locked(path) and not os.path.exists(path)


def test_a_lock_on_a_file_that_was_removed_is_none(path, monkeypatch):
    """Between opening and locking the last holder may remove the file: then the next one makes a new one."""

    for number, take in enumerate((try_file_lock, lambda path: _entered(file_lock(path, None)))):
        this, removed, real = f"{path}{number}", [], module._try_lock

        def try_lock(handle, *args, this=this, removed=removed, real=real):
            if not removed:
                removed.append(handle)
                os.unlink(this)
            return real(handle, *args)

        monkeypatch.setattr(module, "_try_lock", try_lock)
        taken = take(this)
        monkeypatch.setattr(module, "_try_lock", real)
        assert taken is not None and os.path.exists(this) and is_locked(this)


def _entered(context):
    context.__enter__()
    return context


def test_no_descriptor_is_left_open(path):
    before = os.listdir("/dev/fd")
    for _ in range(3):
        lock = try_file_lock(path)
        assert try_file_lock(path) is None and is_locked(path)
        with pytest.raises(TimeoutError), file_lock(path, None, max_wait_s=0):
            pass
        lock.release()
        with file_lock(path, None):
            pass
    assert os.listdir("/dev/fd") == before


def test_who_waits_looks_ten_times_a_second_and_no_longer_than_its_limit(path, monkeypatch):
    now, pauses = [1000.0], []

    def sleep(seconds):
        pauses.append(seconds)
        now[0] += 0.25

    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(module.time, "sleep", sleep)
    with file_lock(path, None):
        for limit_s, number in ((0, 0), (0.25, 1), (0.3, 2), (1, 4)):
            pauses.clear()
            with pytest.raises(TimeoutError), file_lock(path, None, max_wait_s=limit_s):
                pass
            assert pauses == [0.1] * number


def test_the_file_of_a_lock(path):
    mask = os.umask(0)
    try:
        lock = try_file_lock(path)
        assert os.stat(path).st_mode & 0o777 == 0o644
        lock.write("some text")
        lock.write("")
        assert os.path.getsize(path) == 0
        lock.release()
        with file_lock(path, None):
            assert os.stat(path).st_mode & 0o777 == 0o644
    finally:
        os.umask(mask)


def test_a_text_that_cannot_be_written_leaves_the_lock(path, monkeypatch):
    def fail(*args):
        raise OSError(28, "No space left on device")

    lock = try_file_lock(path)
    monkeypatch.setattr(os, "pwrite", fail)
    lock.write("me")
    monkeypatch.undo()
    assert is_locked(path)
    lock.release()


def test_a_file_system_without_locks_is_said_and_nobody_waits(path, monkeypatch, caplog):
    import fcntl

    def fail(*args):
        raise OSError(37, "No locks available")

    caplog.set_level("INFO", "helm")
    monkeypatch.setattr(fcntl, "flock", fail)
    first, second = try_file_lock(path), try_file_lock(path)
    assert first is not None and second is not None
    assert caplog.text.count("This file system has no locks (No locks available)") == 2
    first.release()
    second.release()  # its file is not there any more


def test_a_system_that_has_locks_of_its_own_kind(path, monkeypatch):
    """Windows, as far as it can be seen from here."""
    asked, is_taken = [], [False]

    def locking(handle, mode, number):
        asked.append((mode, number))
        if is_taken[0]:
            raise OSError(13, "Permission denied")

    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    lock = try_file_lock(path)
    assert lock is not None and is_locked(path) is False
    is_taken[0] = True
    assert try_file_lock(path) is None and is_locked(path) is True
    assert asked == [(2, 1)] * 4


def test_yes_and_no(path):
    assert is_locked(path) is False
    first, second = (os.open(path, os.O_RDWR | os.O_CREAT) for _ in range(2))
    assert module._try_lock(first) is True and module._try_lock(second) is False
    assert is_locked(path) is True and module._is_same(path, first) is True
    os.unlink(path)
    assert module._is_same(path, first) is False
    os.close(first)
    os.close(second)
