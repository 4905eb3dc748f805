"""What a cache knows to be missing in its file, and when it must look all the same."""

import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from helm.common.cache import Cache, SqliteCacheConfig
from helm.common.caching.absent_keys import FIND_INTERVAL, AbsentKeys
from helm.common.key_value_store import SqliteKeyValueStore, request_to_key


@pytest.fixture
def path(tmp_path):
    yield str(tmp_path / "shard.sqlite")
    SqliteKeyValueStore.close_all()


@pytest.fixture
def slowly(monkeypatch):
    """Time never ends the claim of all keys, only other processes and a lull of answers do."""
    monkeypatch.setattr(SqliteKeyValueStore, "COMMIT_EVERY_S", 3600.0)


def key(number):
    return {"prompt": f"question {number}"}


def ask(cache, numbers):
    """Ask questions; returns those that had to be computed."""
    computed = []
    for number in numbers:
        cache.get(key(number), lambda number=number: computed.append(number) or {"x": number})
    return computed


def count_lookups(store, work):
    statements = []
    store._connection.set_trace_callback(statements.append)
    try:
        work()
    finally:
        store._connection.set_trace_callback(None)
    return sum("SELECT value" in statement for statement in statements)


def wait_until(is_so):
    deadline = time.monotonic() + 30
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def known_alone(path):
    """Ask 300 questions, which are written in the background after 256 of them."""
    cache = Cache(SqliteCacheConfig(path))
    assert ask(cache, range(300)) == list(range(300))
    store = SqliteKeyValueStore.shared(path)
    wait_until(lambda: store._absent is not None and store._absent.is_sure)
    return cache, store


def test_a_process_that_is_alone_does_not_look_for_what_it_knows_to_be_missing(path, slowly):
    cache, store = known_alone(path)
    assert count_lookups(store, lambda: ask(cache, range(1000, 1100))) < 10  # after a hit it looks twice
    assert ask(cache, range(1000, 1100)) == [], "what was computed is found"
    store.commit()
    assert ask(cache, range(300)) == [], "also behind those that are in the file"
    store.close()


def test_answers_are_written_when_the_claim_of_all_keys_ends(path, slowly):
    """Fewer of them may wait then, since each holds a claim of its own."""
    cache, store = known_alone(path)
    ask(cache, range(1000, 1500))
    assert len(store._pending) > store._COMMIT_AT
    with store._lock:
        store._let_others_write()
    ask(cache, [1500])
    wait_until(lambda: not store._pending and not store._committing)


def test_answers_do_not_come_faster_than_they_are_written(path, slowly):
    """Otherwise more and more claims are held, and the thread that writes gets too little of the processor."""
    cache, store = known_alone(path)
    most = store._MOST_BEHIND * store._COMMIT_AT_ALONE
    with store._commit_lock:  # somebody writes, and is slow
        asking = threading.Thread(target=ask, args=(cache, range(1000, 1000 + 2 * most)))
        asking.start()
        wait_until(lambda: len(store._pending) >= most)
        asking.join(0.2)
        assert asking.is_alive() and len(store._pending) == most
    asking.join(30)
    assert not asking.is_alive() and ask(cache, range(1000, 1000 + 2 * most)) == []


def test_what_another_process_writes_is_found(path, slowly):
    cache, store = known_alone(path)
    code = (
        "import sys\n"
        "from helm.common.cache import Cache, SqliteCacheConfig\n"
        "cache = Cache(SqliteCacheConfig(sys.argv[1]))\n"
        "print(cache.get({'prompt': 'question 5000'}, lambda: {'x': 'theirs'}))\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True)
    number = 10_000
    while other.poll() is None:  # a process that answers many questions lets the other one in
        ask(cache, range(number, number + 64))
        number += 64
    assert "theirs" in other.communicate()[0]
    assert cache.get(key(5000), lambda: {"x": "mine"}) == ({"x": "theirs"}, True)


def test_what_others_wrote_without_a_claim_is_seen_with_the_next_batch(path, slowly):
    cache, store = known_alone(path)
    store.commit()
    store.commit()  # which has little to write
    assert not store._claims.has_all
    with sqlite3.connect(path) as other:
        other.execute('INSERT INTO "unnamed" VALUES (?, ?)', (request_to_key(key(7000)), '{"x": "theirs"}'))
    earlier = store._absent
    ask(cache, range(20_000, 20_300))
    wait_until(lambda: store._absent is not earlier)  # a question behind the batch may have looked anew already
    assert cache.get(key(7000), lambda: {"x": "mine"}) == ({"x": "theirs"}, True)


def test_a_lull_gives_the_claim_back(path, monkeypatch):
    monkeypatch.setattr(SqliteKeyValueStore, "COMMIT_EVERY_S", 0.05)
    cache, store = known_alone(path)
    code = (
        "import sys\n"
        "from helm.common.cache import Cache, SqliteCacheConfig\n"
        "print(Cache(SqliteCacheConfig(sys.argv[1])).get({'prompt': 'other'}, lambda: {'x': 1}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, timeout=60, check=True)
    assert "'x': 1" in done.stdout
    assert not store._claims.has_all


def test_many_processes_compute_each_answer_once(path, tmp_path):
    """They come and go while others claim all keys."""
    log = tmp_path / "computed"
    code = (
        "import os, sys\n"
        "from helm.common.cache import Cache, SqliteCacheConfig\n"
        "cache = Cache(SqliteCacheConfig(sys.argv[1]))\n"
        "log = os.open(sys.argv[2], os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "for number in range(int(sys.argv[3]), int(sys.argv[4])):\n"
        "    cache.get({'prompt': f'question {number}'}, lambda: os.write(log, f'{number}\\n'.encode()) and {'x': number})\n"
        "from helm.common.key_value_store import SqliteKeyValueStore\n"
        "SqliteKeyValueStore.close_all()\n"
    )
    ranges = [(0, 3000), (1000, 4000), (2000, 5000)]
    processes = [
        subprocess.Popen([sys.executable, "-c", code, path, str(log), str(first), str(end)]) for first, end in ranges
    ]
    assert [process.wait(timeout=120) for process in processes] == [0, 0, 0]
    assert sorted(map(int, log.read_text().split())) == list(range(5000))


def test_keys_beside_the_interval_and_written_ones_are_looked_up():
    absent = AbsentKeys(3, b"b", b"d\xff")
    assert not absent.has("c"), "not before it is sure"
    absent.is_sure = True
    assert absent.has("c") and absent.has("d") and not absent.has("b") and not absent.has("a") and not absent.has("e")
    absent.note(["c", "cc"])
    assert not absent.has("c") and not absent.has("cc") and absent.has("ccc")
    assert absent.agrees(5) and not absent.agrees(6) and not absent.agrees(None)
    everything = AbsentKeys(None, None, None)
    assert everything.covers("") is False and everything.covers("x") and everything.agrees(0)


def test_the_interval_is_that_of_the_file(tmp_path):
    connection = sqlite3.connect(tmp_path / "x.sqlite")
    connection.execute('CREATE TABLE "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
    assert connection.execute(FIND_INTERVAL, ("b",)).fetchone() == (None, None, None)
    for name in ("a", "c", b"\xff", None):
        connection.execute('INSERT INTO "unnamed" VALUES (?, 1)', (name,))
    assert connection.execute(FIND_INTERVAL, ("b",)).fetchone() == (4, b"a", b"c")
    assert connection.execute(FIND_INTERVAL, ("x",)).fetchone() == (4, b"c", b"\xff")
    connection.close()


def test_a_table_without_row_numbers_is_used_all_the_same(path):
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "unnamed" (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID')
    cache = Cache(SqliteCacheConfig(path))
    assert len(ask(cache, range(300))) == 300 and ask(cache, range(300)) == []
    assert SqliteKeyValueStore.shared(path)._absent is None
