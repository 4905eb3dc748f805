"""The SQLite store of responses: what several threads and processes see of each other, and what a file may hold."""

import glob
import json
import pickle
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from helm.common import cache as cache_module
from helm.common.cache import (
    BlackHoleCacheConfig,
    Cache,
    CacheStats,
    KeyValueStoreCacheConfig,
    MongoCacheConfig,
    SharedCacheConfig,
    SqliteCacheConfig,
    create_key_value_store,
    get_all_from_sqlite,
    write_to_key_value_store,
)
from helm.common.caching.entry_texts import encode_value
from helm.common.errors import ConfigError
from helm.common.key_value_store import CacheError, SqliteKeyValueStore, request_to_key


@pytest.fixture
def path(tmp_path):
    yield str(tmp_path / "shard.sqlite")
    SqliteKeyValueStore.close_all()


def rows(path):
    with sqlite3.connect(path) as connection:
        return connection.execute('SELECT key, value FROM "unnamed" ORDER BY rowid').fetchall()


def test_what_was_put_is_there_at_once_and_in_the_file_soon(path):
    store = SqliteKeyValueStore(path)
    store.put({"b": 1, "a": "é"}, {"x": [1, None]})
    assert store.get({"a": "é", "b": 1}) == {"x": [1, None]}
    assert store.contains({"a": "é", "b": 1}) and not store.contains({"a": "e"})
    deadline = time.monotonic() + 10
    while not rows(path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert rows(path) == [('{"a": "\\u00e9", "b": 1}', '{"x": [1, null]}')]
    store.close()


def test_closing_writes_what_is_pending(path):
    with SqliteKeyValueStore(path) as store:
        store.put({"a": 1}, {"x": 1})
    assert len(rows(path)) == 1
    with pytest.raises(CacheError, match="closed"):
        store.get({"a": 2})


PUTS_AND_ENDS = """
import sys
from helm.common.key_value_store import SqliteKeyValueStore
store = SqliteKeyValueStore.shared(sys.argv[1])
store.COMMIT_EVERY_S = 60
store.put({"a": 1}, {"x": 1})
"""


COUNT_ROWS = """
import shutil, sqlite3, sys
shutil.copy(*sys.argv[1:])
try:
    print(sqlite3.connect(sys.argv[2]).execute('SELECT count(*) FROM "unnamed"').fetchone()[0])
except sqlite3.DatabaseError:  # without the table, or copied while it was written
    print(0)
"""


def _in_the_file_alone(path, copy):
    """The number of rows that are in the file without its write-ahead log. A process that closes the file loses its locks."""
    command = [sys.executable, "-c", COUNT_ROWS, path, copy]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_long_log_is_copied_before_the_file_is_closed(path, tmp_path):
    store = SqliteKeyValueStore.shared(path)
    for number in range(30):
        store.put({"a": number}, {"x": "long " * 40_000})  # 6 MB in all, less than what SQLite itself waits for
    store.commit()
    assert len(rows(path)) == 30 and _in_the_file_alone(path, tmp_path / "copy") == 0
    store.put({"a": 30}, {"x": 1})
    SqliteKeyValueStore.commit_soon()
    deadline = time.monotonic() + 10
    while _in_the_file_alone(path, tmp_path / "copy") < 31 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert _in_the_file_alone(path, tmp_path / "copy") == 31
    store.put({"a": 31}, {"x": 1})
    SqliteKeyValueStore.close_all()
    assert len(rows(path)) == 32


def test_what_cannot_be_written_soon_is_an_error_of_the_next_commit(path, monkeypatch):
    store = SqliteKeyValueStore.shared(path)
    store.put({"a": 1}, {"x": 1})
    tried = threading.Event()

    def write(pairs, replaces):
        tried.set()
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "_write", write)
    SqliteKeyValueStore.commit_soon()
    assert tried.wait(10)
    with pytest.raises(CacheError, match="full"):
        SqliteKeyValueStore.commit_all()
    monkeypatch.undo()
    SqliteKeyValueStore.close_all()
    assert rows(path) == [('{"a": 1}', '{"x": 1}')]


def test_the_end_of_the_process_writes_what_is_pending(path):
    done = subprocess.run([sys.executable, "-c", PUTS_AND_ENDS, path], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert rows(path) == [('{"a": 1}', '{"x": 1}')]
    assert glob.glob(f"{path}-pending-*") == []


def test_writing_needs_no_thread(path, monkeypatch):
    """Python 3.12 and later start none when the interpreter ends."""

    def start(self):
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr("sqlitedict.SqliteMultithread.start", start)
    with SqliteKeyValueStore(path) as store:
        store.multi_put([({"a": 1}, {"x": 1}), ({"b": 1}, {"x": 1})])
        store.multi_put([({"a": 1}, {"x": 2})])
        assert store.get({"a": 1}) == {"x": 2}
    assert len(rows(path)) == 2


def test_an_error_that_nobody_foresaw_loses_nothing(path, monkeypatch):
    def write(self, pairs, replaces):
        raise MemoryError

    with monkeypatch.context() as context, SqliteKeyValueStore(path) as store:
        context.setattr("helm.common.caching.sqlite_writer.SqliteWriter.write", write)
        store.put({"a": 1}, {"x": 1})
        with pytest.raises(MemoryError):
            store.commit()
        assert store.get({"a": 1}) == {"x": 1}
        context.undo()
    assert len(rows(path)) == 1


def test_all_pairs_come_oldest_first(path):
    with SqliteKeyValueStore(path) as store:
        store.multi_put([({"n": 2}, {"x": 2}), ({"n": 1}, {"x": 1})])
        store.put({"n": 0}, {"x": 0})
    assert list(get_all_from_sqlite(path)) == [({"n": n}, {"x": n}) for n in (2, 1, 0)]


def test_removing(path):
    with SqliteKeyValueStore(path) as store:
        store.put({"a": 1}, {"x": 1})
        store.remove({"a": 1})
        assert store.get({"a": 1}) is None
        with pytest.raises(KeyError):
            store.remove({"a": 1})


def test_pickled_plain_values_are_read_and_objects_are_not(path):
    with SqliteKeyValueStore(path):
        pass
    with sqlite3.connect(path) as connection:
        good = pickle.dumps({"x": [1, 2.5, None, "é", (True,)]}, protocol=pickle.HIGHEST_PROTOCOL)
        connection.execute('INSERT INTO "unnamed" VALUES (?, ?)', (request_to_key({"k": 1}), good))
        bad = pickle.dumps({"x": threading.Event}, protocol=pickle.HIGHEST_PROTOCOL)
        connection.execute('INSERT INTO "unnamed" VALUES (?, ?)', (request_to_key({"k": 2}), bad))
    with SqliteKeyValueStore(path) as store:
        assert store.get({"k": 1}) == {"x": [1, 2.5, None, "é", [True]]}  # as JSON has it
        with pytest.raises(CacheError, match="threading.Event"):
            store.get({"k": 2})


def test_a_file_that_is_no_database_is_named(path):
    with open(path, "w") as file:
        file.write("not a database, and long enough to be taken for one" * 50)
    with pytest.raises(CacheError, match="shard.sqlite"):
        SqliteKeyValueStore(path)


def test_two_processes_write_the_same_file(path):
    code = (
        "import sys; from helm.common.key_value_store import SqliteKeyValueStore as S\n"
        "with S(sys.argv[1]) as s:\n"
        "    for i in range(200): s.put({'p': sys.argv[2], 'i': i}, {'x': i})\n"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code, path, name]) for name in "ab"]
    assert [process.wait(timeout=60) for process in processes] == [0, 0]
    assert len(rows(path)) == 400


def test_an_idle_process_does_not_keep_others_from_writing(path):
    """The write lock is held only while a batch is written."""
    store = SqliteKeyValueStore(path)
    store.put({"a": 1}, {"x": 1})
    with sqlite3.connect(path, timeout=5) as other:
        other.execute('INSERT INTO "unnamed" VALUES (?, ?)', ("{}", "{}"))
    store.close()
    assert len(rows(path)) == 2


def test_threads_compute_equal_requests_once(path):
    cache, calls, results = Cache(SqliteCacheConfig(path)), [], []

    def compute():
        calls.append(1)
        time.sleep(0.05)
        return {"x": 1}

    threads = [threading.Thread(target=lambda: results.append(cache.get({"a": 1}, compute))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(calls) == 1
    assert sorted(cached for _, cached in results) == [False] + [True] * 7
    assert [response for response, _ in results] == [{"x": 1}] * 8


def test_errors_and_empty_responses_are_not_cached(path):
    for config in SqliteCacheConfig(path), BlackHoleCacheConfig():
        cache = Cache(config)
        with pytest.raises(ZeroDivisionError):
            cache.get({"a": 1}, lambda: 1 / 0)
        assert cache.get({"a": 1}, lambda: {}) == ({}, False)
        assert cache.get({"a": 1}, lambda: {"x": 1}) == ({"x": 1}, False)
    assert Cache(SqliteCacheConfig(path)).get({"a": 1}, lambda: {}) == ({"x": 1}, True)


def test_the_key_text_is_sorted_ascii_json():
    key = {"b": float("nan"), "a": {"é": None, "d": True}}
    assert request_to_key(key) == json.dumps(key, sort_keys=True)


KILLED = """
import os, signal, sys
from helm.common.cache import Cache, SqliteCacheConfig
from helm.common.key_value_store import SqliteKeyValueStore
SqliteKeyValueStore.COMMIT_EVERY_S = 60
cache = Cache(SqliteCacheConfig(sys.argv[1]))
for i in range(int(sys.argv[2])):
    cache.get({"n": i}, lambda: {"answer": i, "text": "é\\n" * i})
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("count", [1, 300])
def test_a_response_outlives_the_process_from_the_moment_it_is_there(path, count):
    assert subprocess.run([sys.executable, "-c", KILLED, path, str(count)]).returncode == -9
    assert rows(path) == [], "the process was killed before it had written anything into the file itself"
    with SqliteKeyValueStore(path) as store:
        for i in range(count):
            assert store.get({"n": i}) == {"answer": i, "text": "é\n" * i}
    assert len(rows(path)) == count
    assert glob.glob(f"{path}-pending-*") == []


def test_logs_of_a_process_that_lives_are_left_alone(path):
    with SqliteKeyValueStore(path) as first:
        first.COMMIT_EVERY_S = 60
        first.put({"a": 1}, {"x": 1})
        assert len(glob.glob(f"{path}-pending-*")) == 2
        with SqliteKeyValueStore(path) as second:
            assert second.get({"a": 1}) is None
        assert len(glob.glob(f"{path}-pending-*")) == 2


def test_a_line_that_is_damaged_is_left_out(path, caplog):
    subprocess.run([sys.executable, "-c", KILLED, path, "3"])
    (log,) = [name for name in glob.glob(f"{path}-pending-*") if b"answer" in open(name, "rb").read()]
    with open(log, "r+b") as file:
        data = file.read()
        file.seek(data.index(b'"answer": 1'))
        file.write(b"}")
    with SqliteKeyValueStore(path) as store:
        assert store.get({"n": 0}) and store.get({"n": 2})
        assert store.get({"n": 1}) is None


def test_files_are_those_of_sqlitedict(path):
    """As HELM's are; a `SqliteDict` with JSON values reads ours, and the other way round."""
    import sqlitedict

    def open_dict():
        return sqlitedict.SqliteDict(path, encode=json.dumps, decode=json.loads, journal_mode="WAL")

    with SqliteKeyValueStore(path) as store:
        store.put({"a": 1}, {"x": 1})
    with open_dict() as theirs:
        assert dict(theirs.items()) == {'{"a": 1}': {"x": 1}}
        theirs['{"a": 2}'] = {"x": 2}
        theirs.commit()
    with SqliteKeyValueStore(path) as store:
        assert store.get({"a": 2}) == {"x": 2} and len(list(store.get_all())) == 2


def test_a_response_can_be_written_to_any_store(path):
    store = SqliteKeyValueStore(path)
    assert write_to_key_value_store(store, {"prompt": "p"}, {"text": "t"}) is True
    assert store.get({"prompt": "p"}) == {"text": "t"}
    store.close()


def test_under_which_name_the_queries_of_a_cache_are_counted():
    assert SqliteCacheConfig("a.sqlite").cache_stats_key == "a.sqlite"
    assert BlackHoleCacheConfig().cache_stats_key == "disabled_cache"
    assert MongoCacheConfig("mongodb://host/db", "m").cache_stats_key == "mongodb://host/db/m"
    shared = SharedCacheConfig("redis://ann:secret@host:1/0", "m").cache_stats_key
    assert shared.startswith("redis://") and shared.endswith("@host:1/0/m") and "secret" not in shared


def test_a_cache_counts_what_it_is_asked_and_what_it_computes(caplog):
    stats = CacheStats()
    for key in ("a", "a", "b"):
        stats.increment_query(key)
    stats.increment_compute("a")
    caplog.set_level("INFO", logger="helm")
    stats.print_status()
    assert "a: 2 queries, 1 computes" in caplog.text and "b: 1 queries, 0 computes" in caplog.text
    stats.reset()
    assert (dict(stats.num_queries), dict(stats.num_computes)) == ({}, {})


def test_configs_that_are_none_are_refused():
    class Other(KeyValueStoreCacheConfig):
        cache_stats_key = "other"

    with pytest.raises(ValueError, match="with unknown type"):
        Cache("a.sqlite")
    with pytest.raises(ValueError, match="does not correspond to a KeyValueStore"):
        create_key_value_store(Other())


class NotingStore:
    """Notes what a cache asks of it."""

    def __init__(self):
        self.steps, self.content, self.is_closed = [], {}, False

    def get_with_text(self, text, key):
        self.steps.append("find")
        return self.content.get(text)

    def get(self, key):
        self.steps.append("find older")
        return self.content.get(request_to_key(key))

    def prepare_to_put(self):
        self.steps.append("prepare")

    @contextmanager
    def exclusively(self, text):
        self.steps.append("claim")
        yield
        self.steps.append("give back")

    def put_with_text(self, text, key, response):
        self.steps.append("put")
        self.content[text] = response


@pytest.fixture
def noting(monkeypatch):
    stores = []

    def create(config):
        stores.append(NotingStore())
        return stores[-1]

    monkeypatch.setattr("helm.common.cache.create_key_value_store", create)
    monkeypatch.setattr("helm.common.cache.cache_stats", CacheStats())
    return stores


def test_what_is_there_is_looked_up_once_and_what_is_not_is_claimed_first(noting):
    cache = Cache(SqliteCacheConfig("noted"))
    miss = ["prepare", "claim", "find", "put", "give back"]

    def get(number):
        for store in noting:
            store.steps.clear()
        found = cache.get({"n": number}, lambda: {"x": number})
        assert found[0] == {"x": number}
        return noting[0].steps, found[1]

    assert get(1) == (["find", *miss], False)
    assert get(2) == (miss, False), "after one miss the next one is expected"
    assert get(1) == (["prepare", "claim", "find", "give back"], True)
    assert get(2) == (["find"], True)
    assert get(3) == (["find", *miss], False)
    cache_stats = cache_module.cache_stats
    assert (dict(cache_stats.num_queries), dict(cache_stats.num_computes)) == ({"noted": 5}, {"noted": 3})
    assert len(noting) == 1
    noting[0].is_closed = True
    assert cache.get({"n": 3}, lambda: {"x": 3}) == ({"x": 3}, False) and len(noting) == 2, "a store is opened again"


def test_an_older_key_is_looked_under_when_there_is_no_answer_under_the_new_one(noting):
    cache = Cache(SqliteCacheConfig("older"))
    new, old = {"new": 1}, {"old": 1}
    cache.get(old, lambda: {"x": "old"})
    cache.get(old, lambda: {"x": "old"})
    steps = noting[0].steps
    steps.clear()
    assert cache.get(new, dict, older_request=old) == ({"x": "old"}, True)
    assert steps == ["find", "find older"]

    def is_new(response):
        return response["x"] == "new"

    assert cache.get(new, lambda: {"x": "new"}, is_answer=is_new, older_request=old) == ({"x": "new"}, False)
    assert cache.get(new, dict, is_answer=is_new, older_request=old) == ({"x": "new"}, True)
    assert cache.get(new, dict, older_request={"none": 1}) == ({"x": "new"}, True)
    assert cache.get({"third": 1}, lambda: {"x": 3}, older_request={"none": 1}) == ({"x": 3}, False)
    assert cache.get({"third": 1}, dict, text=request_to_key(new)) == ({"x": "new"}, True)


def test_a_cache_that_is_off_counts_and_stores_nothing(noting):
    cache_stats = cache_module.cache_stats
    cache = Cache(BlackHoleCacheConfig())
    assert cache.is_enabled is False and Cache(SqliteCacheConfig("on")).is_enabled is True
    for _ in range(2):
        assert cache.get({"n": 1}, lambda: {"x": 1}) == ({"x": 1}, False)
    assert noting == []
    assert (cache_stats.num_queries["disabled_cache"], cache_stats.num_computes["disabled_cache"]) == (2, 2)


def test_a_cache_gives_all_that_it_holds(path):
    cache = Cache(SqliteCacheConfig(path))
    cache.get({"a": 1}, lambda: {"x": 1})
    assert list(cache.get_all()) == [({"a": 1}, {"x": 1})] == list(get_all_from_sqlite(path))
    assert list(Cache(BlackHoleCacheConfig()).get_all()) == []


def test_mongodb_is_refused_with_what_there_is_instead():
    with pytest.raises(ConfigError, match="--cache-uri"):
        create_key_value_store(MongoCacheConfig("mongodb://host/db", "m"))


@pytest.mark.parametrize(
    "request_", [{"a": 1.5, "b": None, "c": True, "d": [1, {"z": 1, "y": "é"}], "e": float("nan")}, {1: 2}, {}]
)
def test_keys_and_values_are_what_the_standard_library_writes(request_):
    assert request_to_key(request_) == json.dumps(request_, sort_keys=True)
    assert encode_value(request_) == json.dumps(request_)


def test_values_that_json_does_not_have_are_refused():
    circle: list = []
    circle.append(circle)
    with pytest.raises(TypeError, match="not JSON serializable"):
        encode_value({"a": object()})
    with pytest.raises(RecursionError):
        encode_value(circle)
    assert encode_value({"a": [circle[:0]]}) == '{"a": [[]]}'
