"""`parallel_map` and `overlap`: order, errors, how many threads there are, and what a stop leaves."""

import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import nullcontext

import pytest

from helm.common import concurrency
from helm.common.concurrency import overlap, parallel_map, stoppable_by, track


def test_results_are_in_the_order_of_the_items():
    for parallelism in (1, 2, 8, 100):
        assert parallel_map(lambda n: n * n, range(20), parallelism) == [n * n for n in range(20)]
    assert parallel_map(lambda n: n, [], 4) == []


def test_one_thread_is_the_calling_one_and_more_are_others():
    mine = threading.get_ident()
    assert set(parallel_map(lambda _: threading.get_ident(), range(5), 1)) == {mine}
    assert mine not in parallel_map(lambda _: threading.get_ident(), range(5), 2)


def test_as_many_threads_as_items_at_the_most():
    meet = threading.Barrier(3, timeout=60)
    assert len(set(parallel_map(lambda _: meet.wait() * 0 + threading.get_ident(), range(3), 3))) == 3
    before = threading.active_count()
    assert max(parallel_map(lambda _: threading.active_count(), range(2), 50)) <= before + 2


def test_the_first_error_in_the_order_of_the_items_propagates_and_nothing_more_is_begun():
    begun, both = [], threading.Barrier(2, timeout=60)

    def process(number):
        begun.append(number)
        if number < 2:
            both.wait()
            raise ValueError(number)

    with pytest.raises(ValueError, match="0"):
        parallel_map(process, range(100), 2)
    assert sorted(begun) == [0, 1]
    with pytest.raises(ZeroDivisionError):
        parallel_map(lambda n: 1 // n, [1, 0, 1], 1)


def test_a_stop_is_a_keyboard_interrupt(monkeypatch):
    for parallelism in (1, 2):
        done = []
        monkeypatch.setattr(concurrency, "is_stop_requested", lambda done=done: len(done) >= 3)
        with pytest.raises(KeyboardInterrupt):
            parallel_map(done.append, range(100), parallelism)
        assert 3 <= len(done) <= 4


def test_threads_are_started_as_more_are_wanted():
    started = []
    numbers = iter([1, 1, 3, 3, 3, 3, 9, 9])
    last = [1]

    def wanted():
        last[0] = next(numbers, 9)
        return last[0]

    workers = concurrency._Workers(lambda _: started.append(len(workers._threads)), range(50), lambda count: None)
    workers.run(5, wanted)
    assert len(workers._threads) == 5 and len(started) == 50
    few = concurrency._Workers(lambda _: None, range(50), lambda count: None)
    few.run(5, lambda: 2)
    assert len(few._threads) == 2


def test_no_thread_is_started_that_another_one_has_made_needless():
    """Between the look and the lock fewer may be wanted."""
    answers = iter([2, 1])
    workers = concurrency._Workers(lambda _: None, range(50), lambda count: None)
    workers.run(5, lambda: next(answers, 1))
    assert len(workers._threads) == 1


def test_threads_end_when_fewer_are_wanted_for_a_while():
    """Each of them does some items more, and the last one does the rest."""
    together = threading.Barrier(4)
    began, owners = [], []

    def process(item):
        began.append(item)
        if len(began) <= 4:
            together.wait(10)
        owners.append(threading.get_ident())
        time.sleep(0.0005)

    workers = concurrency._Workers(process, range(400), lambda count: None)
    workers.run(4, lambda: 4 if len(owners) < 4 else 1)
    assert len(workers._threads) == 4 and workers._num_working == 1
    assert len(owners) == 400 and len(set(owners[-200:])) == 1
    assert all(not thread.is_alive() for thread in workers._threads)


def test_work_that_does_not_wait_stays_in_the_calling_thread():
    mine = threading.get_ident()
    seen = parallel_map(lambda _: threading.get_ident(), range(500), 4, threads_after_s=600)
    assert set(seen) == {mine}


def _runs(can_overlap, items, width):
    groups, seen, lock = [], Counter(), threading.Lock()

    def process(item):
        with lock:
            seen[item] += 1

    overlap(process, items, can_overlap, width, groups.append)
    return groups, seen


@pytest.mark.parametrize(
    ("can_overlap", "items", "width", "groups"),
    [
        (lambda item: True, "abcde", 1, [1, 1, 1, 1, 1]),
        (lambda item: True, "abcde", 2, [5]),
        (lambda item: False, "abc", 4, [1, 1, 1]),
        (lambda item: item.islower(), "abCdeF", 4, [2, 1, 2, 1]),
        (lambda item: item.islower(), "AbCDef", 4, [1, 1, 1, 1, 2]),
        (lambda item: True, "a", 4, [1]),
        (lambda item: True, "", 4, []),
    ],
)
def test_neighbours_that_can_overlap_begin_together(can_overlap, items, width, groups):
    assert _runs(can_overlap, items, width) == (groups, Counter(items))


def test_neighbours_overlap_as_far_as_is_allowed():
    meet = threading.Barrier(2, timeout=60)
    overlap(lambda _: meet.wait(), range(4), lambda _: True, 2)
    order = []
    overlap(order.append, range(4), lambda _: True, 1)
    assert order == [0, 1, 2, 3]


def test_after_an_error_or_a_stop_nothing_more_is_begun(monkeypatch):
    begun = []

    def process(item):
        begun.append(item)
        raise ValueError(item)

    with pytest.raises(ValueError, match="0"):
        overlap(process, range(3), lambda _: False, 4)
    assert begun == [0]
    monkeypatch.setattr(concurrency, "is_stop_requested", lambda: True)
    begun.clear()
    with pytest.raises(KeyboardInterrupt):
        overlap(begun.append, range(3), lambda _: False, 4)
    assert begun == [0]


class Clock:
    """Time passes only while an item is worked on: for each item, the seconds it takes and those on the processor."""

    def __init__(self, monkeypatch, durations):
        self._now = self._worked = 0.0
        self._durations = iter(durations)
        self.here = 0
        """The number of items that the calling thread did."""
        self._main = threading.get_ident()
        monkeypatch.setattr(concurrency.time, "perf_counter", lambda: self._now)
        monkeypatch.setattr(concurrency.time, "thread_time", lambda: self._worked)

    def work(self, item):
        if threading.get_ident() == self._main:
            self.here += 1
            seconds, worked = next(self._durations)
            self._now += seconds
            self._worked += worked
        return item


@pytest.mark.parametrize(
    ("durations", "here"),
    [
        ([(1, 0)] * 50, 1),
        ([(1, 1)] + [(1, 0)] * 49, 3),  # the first one made things ready: two of three are slow
        ([(1, 0.5)] + [(0, 0)] * 49, 1),
        ([(0, 0)] + [(1, 1)] * 49, 3),  # later ones count whole
        ([(1 / 64, 0)] * 50, 50),  # exactly as long as is borne
        ([(1 / 32, 0)] * 50, 2),  # a twentieth of a second together
        ([(0.05, 0), (1, 0)] * 25, 2),
        ([(0, 0), (1, 0)] * 25, 50),  # half of them are slow
        ([(0, 0)] * 30 + [(1, 0)] * 20, 41),  # most of the last twenty
        ([(0, 0)] * 5 + [(1, 0)] * 45, 11),
    ],
)
def test_threads_are_started_when_most_items_took_long_lately(monkeypatch, durations, here):
    clock = Clock(monkeypatch, durations)
    assert parallel_map(clock.work, range(50), 2, threads_after_s=1 / 64) == list(range(50))
    assert clock.here == here


def test_one_thread_alone_is_the_calling_one_however_long_items_take(monkeypatch):
    clock = Clock(monkeypatch, [(1, 0)] * 50)
    parallel_map(clock.work, range(50), 1, threads_after_s=1 / 64)
    assert clock.here == 50


def test_a_stop_before_threads_are_started(monkeypatch):
    done = []
    monkeypatch.setattr(concurrency, "is_stop_requested", lambda: len(done) >= 3)
    with pytest.raises(KeyboardInterrupt):
        parallel_map(done.append, range(100), 2, threads_after_s=600)
    assert done == [0, 1, 2]


@pytest.mark.parametrize(("max_threads", "calls"), [(1, 0), (5, 50)])
def test_who_works_asks_once_for_each_item_whether_more_threads_are_wanted(max_threads, calls):
    asked = []
    workers = concurrency._Workers(lambda _: None, range(50), lambda count: None)
    workers.run(max_threads, lambda: asked.append(1) or 1)
    assert len(asked) == calls and len(workers._threads) == 1


def test_progress_counts_each_item(monkeypatch):
    counts = []
    monkeypatch.setattr(concurrency, "progress", lambda *args: nullcontext(lambda count: counts.append((args, count))))
    for parallelism, after_s in ((1, None), (3, None), (3, 600)):
        counts.clear()
        parallel_map(lambda n: n, range(4), parallelism, description="x", threads_after_s=after_s)
        assert counts == [(("x", 4), 1)] * 4
    counts.clear()
    assert list(track([1, 2], "y")) == [1, 2] and counts == [(("y", 2), 1)] * 2
    counts.clear()
    assert list(track(iter([1, 2]), "y")) == [1, 2] and counts == [(("y", None), 1)] * 2
    counts.clear()
    assert list(track([1, 2], "y", 7)) == [1, 2] and counts == [(("y", 7), 1)] * 2


def test_a_stop_ends_what_is_tracked(monkeypatch):
    stop, seen = threading.Event(), []
    with stoppable_by(stop), pytest.raises(KeyboardInterrupt):
        for item in track(range(10), "x"):
            seen.append(item)
            if item == 2:
                stop.set()
    assert seen == [0, 1, 2]


def test_plain_progress_is_said_every_ten_seconds(monkeypatch, caplog):
    now = [100.0]
    monkeypatch.setattr(concurrency.time, "monotonic", lambda: now[0])
    caplog.set_level("INFO", "helm")
    known, unknown = concurrency._PlainProgress("known", 9), concurrency._PlainProgress("unknown", None)
    for seconds in (0, 9.5, 10, 10.5, 19.5, 20):
        now[0] = 100 + seconds
        known.advance()
        unknown.advance(2)
    said = [record.getMessage().strip() for record in caplog.records]
    assert said == ["known: 3 of 9", "unknown: 6", "known: 6 of 9", "unknown: 12"]


def test_a_bar_on_a_terminal_goes_away(monkeypatch, capsys):
    made = []

    class Bar(nullcontext):
        def __init__(self, **how):
            super().__init__(self)
            made.append(how)
            self.update = made.append

    monkeypatch.setattr("tqdm.tqdm", Bar)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(track("ab", "letters")) == ["a", "b"]
    assert made == [{"total": 2, "desc": "letters", "leave": False}, 1, 1]


def test_ctrl_c_ends_a_process_whose_items_never_end():
    code = (
        "import os, signal, threading\n"
        "from helm.common.concurrency import parallel_map\n"
        "def work(item):\n"
        "    if item == 0: os.kill(os.getpid(), signal.SIGINT)\n"
        "    threading.Event().wait()\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "try: parallel_map(work, range(2), 2)\n"
        "except KeyboardInterrupt: print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("stopped\n", 0)


def test_an_object_is_one_threads_at_a_time():
    held, order = concurrency.ThreadSafeWrapper([]), []

    def second():
        with held as items:
            order.append(list(items))

    with held as items, held as same:  # its holder may ask again
        assert items is same
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.2)
        items.append("first")
    thread.join()
    assert order == [["first"]]
