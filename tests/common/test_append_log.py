"""Lines that outlive their process: whole or not there, and an error before the disk is full."""

import io
import os
import signal
import subprocess
import sys

import pytest

from helm.common.budgets.spending import Budget, BudgetExceeded, Ledger
from helm.common.budgets.spending_file import SpendingFile
from helm.common.errors import HelmError
from helm.common.processes.append_log import AppendLog, read_lines, stream_lines_around_damage


def lines(path):
    with open(path, "rb") as file:
        return read_lines(file)


def test_lines_are_there_at_once_and_the_space_behind_them_goes_at_the_end(tmp_path):
    path = tmp_path / "log"
    log = AppendLog(open(path, "w+b"))
    expected = [b"%d " % i + b"x" * (i * 37 % 5000) for i in range(1000)]  # grows several times
    for number, line in enumerate(expected, 1):
        log.append(line)
        if number in (1, 999):
            assert lines(path) == expected[:number]
    log.close()
    assert path.read_bytes() == b"".join(line + b"\n" for line in expected)


@pytest.mark.parametrize("reserve", [0, 1, 100, 1 << 17])
def test_space_is_reserved_before_it_is_needed(tmp_path, reserve):
    """Behind every line are a zero byte, and the bytes that were asked for; the space grows by whole pieces."""
    path = tmp_path / "log"
    log, written, sizes = AppendLog(open(path, "w+b"), reserve_bytes=reserve), 0, set()
    for length in [1, 100, 60_000, 5_000, 1, 200_000, 3, 1 << 16, (1 << 16) - 1]:
        log.append(b"x" * length)
        written += length + 1
        assert log.end == written
        size = path.stat().st_size
        assert size >= written + 1 + reserve
        sizes.add(size)
    assert len(sizes) < 9, "not every line makes the file longer"
    log.close()
    assert path.stat().st_size == written


def test_only_the_end_of_a_long_log_is_mapped(tmp_path):
    """What is mapped counts as memory of the process."""
    path = tmp_path / "log"
    log = AppendLog(open(path, "w+b"))
    line = b"x" * 99_999
    for _ in range(200):
        log.append(line)
    assert len(log._map) < 9 << 20 and log.end == 20_000_000
    assert lines(path) == [line] * 200
    log.clear()
    assert lines(path) == []
    log.append(b"y")
    assert lines(path) == [b"y"]
    log.close()
    assert path.read_bytes() == b"y\n"


def test_a_line_fits_exactly(tmp_path):
    path = tmp_path / "log"
    log = AppendLog(open(path, "w+b"))
    free = path.stat().st_size
    log.append(b"x" * (free - 2))  # with a line break and a zero
    assert path.stat().st_size == free
    log.append(b"y")
    assert free < path.stat().st_size < 3 * free, "it doubles"
    log.close()
    assert lines(path) == [b"x" * (free - 2), b"y"]


def test_of_two_processes_that_are_done_at_the_same_time_both_may_remove_what_was_spent(tmp_path):
    one, other = SpendingFile(str(tmp_path / "spent")), SpendingFile(str(tmp_path / "spent"))
    one.close(remove=True)
    other.close(remove=True)
    assert os.listdir(tmp_path) == []


def test_clearing_hides_longer_lines_of_before(tmp_path):
    path = tmp_path / "log"
    log = AppendLog(open(path, "w+b"))
    for number in range(20):
        log.append(b"old line %d" % number)
    log.clear()
    assert lines(path) == []
    log.append(b"n")
    assert lines(path) == [b"n"]
    log.append(b"e")
    assert lines(path) == [b"n", b"e"]


@pytest.mark.parametrize("torn", [b"\0bc\n\0", b"ab\0", b"ab", b"\0" * 50])
def test_half_a_line_is_none(torn):
    assert read_lines(io.BytesIO(b"first\nsecond\n" + torn)) == [b"first", b"second"]


@pytest.mark.parametrize(
    "data",
    [
        b"", b"ab", b"\n", b"a\n\nb\n", b"a\nb", b"a\n" + b"\0" * 50, b"a\n\0bc\n\0", b"a\n\0\0\0d\nb\n", b"a\n\0d\nb\n\0\0",
        b"a\n\0\0\nb\n", b"\0\0\n", b"a\nb\0c\n\0",
    ],
)  # fmt: skip
def test_lines_around_damage_are_streamed(data):
    whole = data.rstrip(b"\0").split(b"\n")[:-1]
    assert list(stream_lines_around_damage(io.BytesIO(data))) == (whole[:-1] if whole and b"\0" in whole[-1] else whole)


FULL = """
import os, resource, signal, sys
from helm.common.processes.append_log import AppendLog
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
log = AppendLog(open(sys.argv[1], "w+b"), reserve_bytes=100_000)
count = after = 0
while True:
    try:
        log.append(b"x" * 999)
    except OSError as e:
        print(count, after, e.strerror)
        break
    count += 1
    after += log.error is not None
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_full_disk_is_known_before_it_is_full(tmp_path):
    path = str(tmp_path / "log")
    done = subprocess.run([sys.executable, "-c", FULL, path], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    count, after, reason = done.stdout.split(maxsplit=2)
    assert reason == "File too large\n"
    assert int(after) >= 99, "so much was reserved for what is under way"
    assert lines(path) == [b"x" * 999] * int(count)


def test_several_processes_share_a_budget(tmp_path):
    path = str(tmp_path / "spending.jsonl")
    script = "import sys; from helm.common.budgets.spending_file import SpendingFile; f = SpendingFile(sys.argv[1])\n"
    script += "for _ in range(200): f.add(3, 2, 0.001)\n"
    processes = [subprocess.Popen([sys.executable, "-c", script, path]) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    file = SpendingFile(path)
    assert file.tokens == 3000 and file.cost == pytest.approx(0.6)
    ledger = Ledger(Budget(max_cost=0.65), earlier=file)
    ledger.check()
    other = SpendingFile(path)
    for _ in range(50):
        other.add(3, 2, 0.001)
    with pytest.raises(BudgetExceeded, match=r"\$0.6500 are spent \(some of it by other processes"):
        ledger.check()
    file.close(remove=False)
    assert os.path.exists(path)
    other.close(remove=True)
    assert not os.path.exists(path)


def test_a_line_that_a_full_disk_cut_off_is_left_out(tmp_path):
    path = tmp_path / "spending.jsonl"
    path.write_text("[1, 2, 0.5]\n[1, 2\n[1, 2, 0.25]\n[7")
    file = SpendingFile(str(path))
    assert file.tokens == 6 and file.cost == 0.75
    with pytest.raises(HelmError, match="Cannot record spending in .*: Is a directory"):
        SpendingFile(str(tmp_path))


def test_the_first_space_is_no_more_than_is_needed(tmp_path):
    for reserve, size in ((0, 1 << 18), (1, 1 << 18), (1 << 20, 1 << 20)):
        log = AppendLog(open(tmp_path / "log", "w+b"), reserve_bytes=reserve)
        assert (tmp_path / "log").stat().st_size == size
        log.close()


def test_what_lay_behind_the_end_does_not_come_back(tmp_path):
    """A process may be killed at any time, so it is gone before anything is written."""
    path = tmp_path / "log"
    path.write_bytes(b"kept\n" + b"half a line\n" * 10)
    log = AppendLog(open(path, "r+b"), end=5)
    assert path.read_bytes().rstrip(b"\0") == b"kept\n"
    log.append(b"new")
    assert path.read_bytes().rstrip(b"\0") == b"kept\nnew\n"
    log.close()
