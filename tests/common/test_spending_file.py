"""The file in which processes that share a budget say what they have spent, and what they have in flight."""

import errno
import fcntl
import os
import subprocess
import sys
import threading

import pytest

from helm.common.budgets.spending_file import NOTHING, InFlight, SpendingFile
from helm.common.errors import HelmError

HELD = InFlight(150.0, 10, 1)
HOLD = """
import sys
from helm.common.budgets.spending_file import InFlight, SpendingFile
file = SpendingFile(sys.argv[1])
file.add(1, 2, 3.0, InFlight(150.0, 10, 1))
print("held", flush=True)
sys.stdin.readline()
"""
# Whether each byte is free for one more that would share it.
LOOK = """
import fcntl, sys
file = open(sys.argv[1], "r+b")
for position in map(int, sys.argv[2:]):
    try: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, position)
    except OSError: print("held")
    else: print("free")
"""
DECIDING = 1 << 62


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "spent")


@pytest.fixture
def other_process(path):
    """Another process that has something in flight."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def look(path, *positions):
    """What another process finds."""
    command = [sys.executable, "-c", LOOK, path, *map(str, positions)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_what_another_process_has_in_flight_counts_as_long_as_it_lives(path, other_process):
    mine = SpendingFile(path)
    with mine.deciding():
        assert mine.living_others_in_flight() == mine.others_in_flight() == HELD
    other_process.kill()
    other_process.wait()
    with mine.deciding():
        assert mine.others_in_flight() == HELD
        assert mine.living_others_in_flight() == mine.others_in_flight() == NOTHING
    assert (mine.tokens, mine.cost) == (3, 3.0), "what it has spent is spent"


def test_who_looks_for_the_dead_takes_nothing_from_them(path, other_process):
    mine = SpendingFile(path)
    (number,) = mine._others
    assert look(path, number) == ["held"]
    other_process.kill()
    other_process.wait()
    mine.living_others_in_flight()
    assert look(path, number) == ["free"]


def test_a_process_marks_that_it_lives_and_that_it_decides(path):
    mine = SpendingFile(path)
    number = mine._number
    assert look(path, number - 1, number, number + 1, DECIDING) == ["free", "held", "free", "free"]
    with pytest.raises(ValueError), mine.deciding():
        assert look(path, number, DECIDING - 1, DECIDING, DECIDING + 1) == ["held", "free", "held", "free"]
        raise ValueError
    assert look(path, number, DECIDING) == ["held", "free"]
    mine.close(remove=False)
    assert look(path, number) == ["free"]


def test_one_thread_decides_at_a_time(path):
    one, other, order = SpendingFile(path), SpendingFile(path), []

    def decide():
        with other.deciding():
            order.append("second")

    with one.deciding():
        thread = threading.Thread(target=decide)
        thread.start()
        thread.join(0.2)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_what_a_closed_file_had_in_flight_is_forgotten(path):
    one, other = SpendingFile(path), SpendingFile(path)
    one.add(0, 0, 0.0, HELD)
    other.refresh()
    assert other.living_others_in_flight() == HELD, "of the same process, which lives"
    one.close(remove=False)
    assert other.living_others_in_flight() == NOTHING


def test_closing_leaves_no_descriptor_and_removes_the_file_if_told(path):
    before = os.listdir("/dev/fd")
    files = [SpendingFile(path) for _ in range(3)]
    files[0].close(remove=False)
    assert os.path.exists(path)
    with pytest.raises(HelmError, match="Cannot record spending"):
        files[0].refresh()
    files[1].close(remove=True)
    assert not os.path.exists(path)
    files[2].close(remove=True)
    assert os.listdir("/dev/fd") == before


def test_without_locks_it_is_said_once_and_what_others_have_in_flight_is_not_known(
    path, other_process, monkeypatch, caplog
):
    def lockf(*args):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "lockf", lockf)
    mine = SpendingFile(path)
    for _ in range(2):
        with mine.deciding():
            assert mine.living_others_in_flight() == NOTHING
    assert caplog.text.count(f"{path} cannot be locked: No locks available") == 1
    assert (mine.tokens, mine.cost) == (3, 3.0)


def test_the_lines(path):
    mask = os.umask(0)
    try:
        mine = SpendingFile(path)
    finally:
        os.umask(mask)
    assert os.stat(path).st_mode & 0o777 == 0o666
    mine.add(1, 2, 3)
    mine.add(4, 5, 0.5, HELD)
    number = mine._number
    with open(path) as file:
        assert file.read() == f"[1, 2, 3.0, {number}, 0.0, 0, 0]\n[4, 5, 0.5, {number}, 150.0, 10, 1]\n"


def test_a_line_cut_by_a_full_disk_spoils_no_other(path, monkeypatch):
    mine, real = SpendingFile(path), os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:9]))
    mine.add(1, 2, 3.0)
    monkeypatch.setattr(os, "write", real)
    mine.add(10, 20, 30.0)
    assert (mine.tokens, mine.cost) == (33, 33.0)
    other = SpendingFile(path)
    assert (other.tokens, other.cost) == (30, 30.0)


@pytest.mark.parametrize("call", ["write", "pread"])
def test_a_file_that_fails_is_an_error(path, call, monkeypatch):
    mine = SpendingFile(path)
    with open(path, "a") as file:
        file.write("[1, 2, 3.0]\n")

    def fail(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    with pytest.raises(HelmError, match=f"^Cannot record spending in {path}: No space left on device"):
        mine.add(1, 2, 3.0) if call == "write" else mine.refresh()
    assert (mine.tokens, mine.cost) == (0, 0.0)


def test_a_folder_that_is_not_there_is_an_error():
    with pytest.raises(HelmError, match="in /no/such/folder/spent: No such file or directory"):
        SpendingFile("/no/such/folder/spent")


def test_lines_without_a_process_hold_nothing(path):
    with open(path, "w") as file:
        file.write("[1, 2, 3.5]\n[1, 2, 3.5, 7, 0.0, 0, 1]\n[0, 0, 0, 8, 0.5, 0, 0]\n[0, 0, 0, 9, 0, 3, 0]\n")
    mine = SpendingFile(path)
    assert (mine.tokens, mine.cost, mine.others_in_flight()) == (6, 7.0, InFlight(0.5, 3, 1))
    assert mine._others.keys() == {7, 8, 9}


def test_who_decides_waits_for_another_process_that_does(path):
    mine, entered = SpendingFile(path), threading.Event()
    code = LOOK.replace("LOCK_SH | fcntl.LOCK_NB", "LOCK_EX").replace(
        'print("free")', 'print("mine", flush=True); input()'
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, path, str(DECIDING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout.readline() == "mine\n"

    def decide():
        with mine.deciding():
            entered.set()

    thread = threading.Thread(target=decide)
    thread.start()
    assert not entered.wait(0.3)
    other.communicate("go on\n")
    assert entered.wait(60)
    thread.join()


def test_locks_that_fail_later_are_known_from_then_on(path, other_process, monkeypatch, caplog):
    def lockf(*args):
        raise OSError(errno.ENOLCK, "No locks available")

    mine = SpendingFile(path)
    (number,) = mine._others
    assert mine._lock_byte(number, waits=False) is False
    monkeypatch.setattr(fcntl, "lockf", lockf)
    assert mine.living_others_in_flight() == NOTHING
    assert caplog.text.count("cannot be locked") == 1


def test_one_byte_is_given_back(path):
    mine = SpendingFile(path)
    for position in (5, 6, 7):
        assert mine._lock_byte(position) is True
    mine._unlock_byte(6)
    assert look(path, 4, 5, 6, 7, 8) == ["free", "held", "free", "held", "free"]
