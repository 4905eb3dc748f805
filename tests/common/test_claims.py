"""Claims on names: held by one process at a time, and by none that has ended."""

import errno
import fcntl
import os
import subprocess
import sys

import pytest

from helm.common.caching import claims
from helm.common.caching.claims import Claims

HOLD = """
import sys
from helm.common.caching.claims import Claims
claims = Claims(sys.argv[1])
claims.take("name")
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path):
    return str(tmp_path / "claims")


@pytest.fixture
def holder(path):
    """Another process that has claimed "name"."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_who_waits_looks_ever_more_seldom_and_at_least_ten_times_a_second(path, holder, monkeypatch):
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 9:
            holder.kill()
            holder.wait()

    monkeypatch.setattr(claims, "sleep_until_stopped", sleep)
    mine = Claims(path)
    assert mine.take("another name") is False and pauses == []
    assert mine.take("name") is True, "another process had it"
    assert pauses == [0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.1, 0.1, 0.1]
    mine.close()


def test_ctrl_c_while_waiting_claims_nothing(path, holder, monkeypatch):
    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(claims, "sleep_until_stopped", interrupt)
    mine = Claims(path)
    with pytest.raises(KeyboardInterrupt):
        mine.take("name")
    assert mine._held == {}
    mine.close()
    assert os.path.exists(path), "the other one is still there"


def _is_free(path, name):
    """Whether another process could claim it."""
    code = (
        "import fcntl, sys, zlib\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "try: fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, zlib.crc32(sys.argv[2].encode()))\n"
        "except OSError: print('held')\n"
        "else: print('free')\n"
    )
    output = subprocess.run([sys.executable, "-c", code, path, name], capture_output=True, text=True, check=True).stdout
    return output == "free\n"


def test_what_is_claimed_while_all_is_stays_claimed_when_the_rest_is_given_back(path):
    mine = Claims(path)
    mine.take("earlier")
    assert mine.take_all()
    for name in ("a", "a", "b", "c"):
        mine.take(name)
    mine.release(["a", "c"])
    mine.give_back()
    assert {name: _is_free(path, name) for name in ("earlier", "a", "b", "c", "d")} == {
        "earlier": False, "a": False, "b": False, "c": True, "d": True
    }  # fmt: skip
    mine.release(["a", "b", "earlier"])
    assert _is_free(path, "a") and _is_free(path, "b") and _is_free(path, "earlier") and mine._held == {}
    mine.close()


def test_names_that_share_a_byte_share_its_claim(path, monkeypatch):
    monkeypatch.setattr("helm.common.caching.claims.zlib.crc32", lambda name: 7)
    mine = Claims(path)
    mine.take("a")
    mine.take("b")
    monkeypatch.undo()
    first = Claims(path)  # the same process: one more descriptor, which is not closed while claims are held
    monkeypatch.setattr("helm.common.caching.claims.zlib.crc32", lambda name: 7)
    mine.release(["a"])
    assert mine._held == {7: 1}
    mine.release(["b"])
    assert mine._held == {}
    mine.release(["c"])  # never claimed
    first.close()
    mine.close()
    assert not os.path.exists(path), "whoever is the last one removes the file"


def test_a_released_name_is_free(path):
    mine = Claims(path)
    mine.take("name")
    mine.take("other")
    assert not _is_free(path, "name")
    mine.release(["name"])
    assert _is_free(path, "name") and not _is_free(path, "other")
    mine.close()


def test_a_file_that_cannot_be_locked_is_said_once_and_claims_are_given(path, monkeypatch, caplog):
    def lockf(file, *args):
        raise OSError(errno.ENOLCK, "No locks available")

    mine = Claims(path)
    assert mine._open()
    monkeypatch.setattr(fcntl, "lockf", lockf)
    assert mine.take("name") is False and mine.take("other") is False
    assert caplog.text.count("cannot be locked: No locks available") == 1
    monkeypatch.undo()
    mine.close()
    nowhere = Claims("/no/such/folder/claims")
    assert nowhere.take("name") is False and nowhere.take("name") is False
    assert caplog.text.count("/no/such/folder/claims cannot be locked: No such file or directory") == 1
    nowhere.release(["name"])
    nowhere.close()


def test_a_file_that_was_just_removed_is_made_again(path, monkeypatch):
    real, removed = fcntl.lockf, []

    def lockf(file, *args):
        if not removed:
            removed.append(file)
            os.unlink(path)
        return real(file, *args)

    before = os.listdir("/dev/fd")
    mine = Claims(path)
    monkeypatch.setattr(fcntl, "lockf", lockf)
    assert mine.take("name") is False
    assert os.path.exists(path) and os.fstat(mine._file).st_nlink == 1
    mine.close()
    assert os.listdir("/dev/fd") == before


def test_a_file_that_cannot_be_marked_as_used_is_closed_once_and_the_reason_is_said(path, monkeypatch, caplog):
    def lockf(file, *args):
        raise OSError(errno.ENOLCK, "No locks available")

    before = os.listdir("/dev/fd")
    monkeypatch.setattr(fcntl, "lockf", lockf)
    assert Claims(path).take("name") is False
    assert os.listdir("/dev/fd") == before
    assert caplog.text.count("cannot be locked: No locks available") == 1


def _look(path, *positions):
    """Which bytes another process finds locked."""
    code = (
        "import fcntl, sys\n"
        "file = open(sys.argv[1], 'r+b')\n"
        "for position in map(int, sys.argv[2:]):\n"
        "    try: fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB, 1, position)\n"
        "    except OSError: print(position)\n"
    )
    command = [sys.executable, "-c", code, path, *map(str, positions)]
    return [int(line) for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()]


def test_a_name_takes_one_byte_and_gives_that_back(path, monkeypatch):
    monkeypatch.setattr("helm.common.caching.claims.zlib.crc32", lambda name: int(name))
    mine = Claims(path)
    for name in ("7", "9", "10"):
        mine.take(name)
    assert _look(path, *range(5, 13)) == [7, 9, 10]
    mine.release(["9", "12"])
    assert _look(path, *range(5, 13)) == [7, 10]
    mine.close()
    mine.take("7")
    mine.release(["7"])
    assert _look(path, *range(5, 13)) == [], "what was claimed before the end is claimed no more"
    mine.close()


def test_whoever_may_write_the_folder_may_claim(path):
    mask = os.umask(0)
    try:
        mine = Claims(path)
        mine.take("name")
    finally:
        os.umask(mask)
    assert os.stat(path).st_mode & 0o777 == 0o666
    mine.close()


def test_names_that_end_together_leave_the_others_claimed(path):
    mine = Claims(path)
    names = [f"name {number}" for number in range(30)]
    for name in [*names, "kept", "kept, too"]:
        assert mine.take(name) is False
    mine.release(names)
    assert {_is_free(path, name) for name in names[::7]} == {True}
    assert not _is_free(path, "kept") and not _is_free(path, "kept, too")
    mine.release(["kept", "kept, too"])
    assert _is_free(path, "kept") and _is_free(path, "kept, too")
    other = subprocess.run(
        [sys.executable, "-c", "import sys; from helm.common.caching.claims import Claims as C; c = C(sys.argv[1]); "
         "c.take('x'); c.close()", path], check=True,
    )  # fmt: skip
    assert other.returncode == 0 and os.path.exists(path), "the file is still marked as in use"
    mine.close()
    assert not os.path.exists(path)


def test_all_names_can_be_claimed_at_once_and_given_back(path):
    mine = Claims(path)
    assert mine.take_all() is False, "nothing is open yet"
    mine.take("name")
    assert mine.take_all() is True and mine.has_all
    mine.take("other")
    assert _look(path, 0, 7, 2**32 - 1) == [0, 7, 2**32 - 1]
    mine.release(["other"])
    assert not _is_free(path, "other"), "all are still claimed"
    mine.give_back()
    assert not mine.has_all
    assert not _is_free(path, "name") and _is_free(path, "other") and _look(path, 0, 2**32 - 1) == []
    mine.take_all()
    mine.close()
    assert not mine.has_all and not os.path.exists(path)


def test_whoever_has_all_names_makes_room_for_others(path):
    mine = Claims(path)
    mine.take("mine")
    assert mine.take_all() is True
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while mine.take_all():  # until it has opened the file
        pass
    assert other.stdout.readline() == "held\n"
    assert mine.take_all() is False and not mine.has_all
    assert not _is_free(path, "mine") and _is_free(path, "another")
    other.communicate("\n")
    assert mine.take_all() is True
    mine.close()


def test_a_forked_process_has_not_what_its_parent_has(path, monkeypatch):
    mine = Claims(path)
    mine.take("name")
    assert mine.take_all()
    monkeypatch.setattr("helm.common.caching.claims.os.getpid", lambda: -1)
    assert not mine.has_all
    monkeypatch.undo()
    mine.close()


def test_who_waits_long_is_told_why_once(path, holder, monkeypatch, caplog):
    pauses = []

    def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == 300:
            holder.kill()
            holder.wait()

    monkeypatch.setattr(claims, "sleep_until_stopped", sleep)
    mine = Claims(path)
    assert mine.take("name") is True
    assert caplog.text.count("Waiting for another process") == 1 and "Ctrl-Z" in caplog.text
    mine.close()
