"""`parallel_map` and `overlap`: order, errors, how many threads there are, and what a stop leaves."""

import threading
from collections import Counter

import pytest

from helm.common import concurrency
from helm.common.concurrency import overlap, parallel_map


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
