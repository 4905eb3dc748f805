"""Caches that several processes use at once: a file, and real PostgreSQL and Redis servers started here."""

import hashlib
import json
import subprocess
import sys
import time

import pytest

from database_servers import free_port
from helm.common.cache import Cache, SharedCacheConfig, SqliteCacheConfig
from helm.common.caching.shared_key_value_stores import create_shared_store, without_password
from helm.common.errors import ConfigError
from helm.common.key_value_store import CacheError, SqliteKeyValueStore, request_to_key

WORKER = """
import json, sys, time
from helm.common.cache import Cache, SharedCacheConfig, SqliteCacheConfig
kind, where, log, count, answer_s, start = sys.argv[1:]
from helm.common.caching import shared_key_value_stores as stores
stores._LIFE_S, stores._SIGN_EVERY_S = 1.5, 0.3
config = SqliteCacheConfig(where) if kind == "sqlite" else SharedCacheConfig(where, log)
cache = Cache(config)

def compute(i):
    with open(log, "a") as file:
        file.write(f"{i}\\n")
    time.sleep(float(answer_s))
    return {"answer": i}

time.sleep(max(0.0, float(start) - time.time()))  # all at the same moment
for i in range(int(count)):
    response, cached = cache.get({"prompt": f"p{i}"}, lambda: compute(i))
    assert response["answer"] == i
"""


@pytest.fixture(params=["redis", "postgres"])
def uri(request):
    return request.getfixturevalue(f"{request.param}_uri")


@pytest.fixture(params=["sqlite", "redis", "postgres"])
def place(request, tmp_path):
    """Kind and address of a cache."""
    if request.param == "sqlite":
        return "sqlite", str(tmp_path / "cache.sqlite")
    return "shared", request.getfixturevalue(f"{request.param}_uri")


def begin(place, log, count, answer_s, start=0.0):
    return subprocess.Popen([sys.executable, "-c", WORKER, *place, str(log), str(count), str(answer_s), str(start)])


def computed(log):
    return sorted(map(int, log.read_text().split())) if log.exists() else []


@pytest.mark.parametrize(
    "num_processes, answer_s",
    [(2, 0.0), (4, 0.005), *(pytest.param(*case, marks=pytest.mark.slow) for case in [(2, 0.02), (8, 0.005)])],
)
def test_processes_that_share_a_cache_compute_nothing_twice(place, tmp_path, num_processes, answer_s):
    log = tmp_path / "computed"
    start = time.time() + 1 + 0.3 * num_processes
    processes = [begin(place, log, 20, answer_s, start) for _ in range(num_processes)]
    assert [process.wait(60) for process in processes] == [0] * num_processes
    assert computed(log) == list(range(20))


def test_a_slow_answer_is_waited_for(place, tmp_path):
    """Longer than a process may be silent."""
    log = tmp_path / "computed"
    processes = [begin(place, log, 1, 4.0) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert computed(log) == [0]


def test_what_a_killed_process_had_claimed_is_computed_by_another(place, tmp_path):
    log = tmp_path / "computed"
    first = begin(place, log, 1, 60.0)
    deadline = time.monotonic() + 30
    while not computed(log) and time.monotonic() < deadline:
        time.sleep(0.01)
    second = begin(place, log, 1, 0.1)
    time.sleep(0.5)
    first.kill()
    killed_at = time.monotonic()
    first.wait()
    assert second.wait(30) == 0 and time.monotonic() - killed_at < 15
    assert computed(log) == [0, 0]


def test_what_a_killed_process_had_answered_is_found_by_another_that_waits(tmp_path):
    """In the log beside the file, before it is in the file itself."""
    log, path = tmp_path / "computed", str(tmp_path / "cache.sqlite")
    worker = WORKER.replace("for i in range", "from helm.common.key_value_store import SqliteKeyValueStore\n"
                            "SqliteKeyValueStore.COMMIT_EVERY_S = 60\nfor i in range") + "time.sleep(60)\n"  # fmt: skip
    first = subprocess.Popen([sys.executable, "-c", worker, "sqlite", path, str(log), "5", "0", "0"])
    deadline = time.monotonic() + 30
    while len(computed(log)) < 5 and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    second = begin(("sqlite", path), log, 5, 0.0)
    time.sleep(1.0)
    assert second.poll() is None, "it waits for the first"
    first.kill()
    first.wait()
    assert second.wait(30) == 0
    assert computed(log) == list(range(5))


def test_a_store_gives_back_what_was_put(uri):
    store = create_shared_store(uri, "s1")
    other = create_shared_store(uri, "s2")
    pairs = [({"prompt": "ä\n'", "n": i}, {"text": "ü\u2028", "n": [i, None, 0.5]}) for i in range(5)]
    store.multi_put(pairs)
    assert store.get(pairs[0][0]) == pairs[0][1] and store.contains(pairs[4][0])
    assert store.get({"prompt": "another"}) is None and other.get(pairs[0][0]) is None
    store.put(pairs[0][0], {"text": "new"})
    assert store.get(pairs[0][0]) == {"text": "new"}
    assert sorted(json.dumps(key, sort_keys=True) for key, _ in store.get_all()) == sorted(
        json.dumps(key, sort_keys=True) for key, _ in pairs
    )
    store.remove(pairs[1][0])
    assert not store.contains(pairs[1][0])
    with pytest.raises(KeyError):
        store.remove(pairs[1][0])


def write_value(place, shard, key, text):
    """Put a text into a cache as another program would."""
    kind, where = place
    if kind == "sqlite":
        import sqlite3

        SqliteKeyValueStore.close_all()
        with sqlite3.connect(where) as connection:
            connection.execute('INSERT INTO "unnamed" (key, value) VALUES (?, ?)', (key, text))
    elif where.startswith("redis"):
        import redis

        redis.Redis.from_url(where).hset(f"helm:{shard}", key, text)
    else:
        import psycopg

        values = (shard, hashlib.sha256(key.encode()).hexdigest(), key, text)
        with psycopg.connect(where, autocommit=True) as connection:
            connection.execute("INSERT INTO helm_cache (shard, digest, key, value) VALUES (%s, %s, %s, %s)", values)


@pytest.mark.parametrize("text", [
    "[" * 500 + "]" * 500, "[" * 5_000 + "]" * 5_000, '{"a":' * 100_000 + "1" + "}" * 100_000, '{"text": ', "none", "",
], ids=lambda text: f"{text[:8]}-{len(text)}")  # fmt: skip
def test_a_damaged_value_is_an_error_of_one_line_as_in_a_file(place, text):
    """Whoever may write to a shared cache may write anything."""
    shard = f"damaged-{text[:8]}-{len(text)}"
    make = lambda: Cache(SqliteCacheConfig(place[1]) if place[0] == "sqlite" else SharedCacheConfig(place[1], shard))  # noqa: E731
    make().get({"prompt": "fine"}, lambda: {"text": "fine"})
    write_value(place, shard, request_to_key({"prompt": "x"}), text)
    with pytest.raises(CacheError, match="A cached value is not JSON") as raised:
        make().get({"prompt": "x"}, lambda: {"text": "computed"})
    assert "\n" not in str(raised.value) and "secret" not in str(raised.value)
    if place[0] == "shared":
        assert "The response cache" in str(raised.value)
        store = create_shared_store(place[1], shard)
        with pytest.raises(CacheError, match="A cached value is not JSON"):
            list(store.get_all())
        store.remove({"prompt": "x"})  # and so it is mended
        assert make().get({"prompt": "x"}, lambda: {"text": "computed"}) == ({"text": "computed"}, False)
    assert make().get({"prompt": "fine"}, lambda: {"text": "computed"}) == ({"text": "fine"}, True)


def test_bytes_that_are_no_text_are_damage_too(redis_uri):
    write_value(("shared", redis_uri), "bytes", request_to_key({"prompt": "x"}), b'{"text": "\xff"}')
    with pytest.raises(CacheError, match="utf-8"):
        create_shared_store(redis_uri, "bytes").get({"prompt": "x"})


def test_an_error_is_not_stored_and_ends_the_claim(uri):
    cache = Cache(SharedCacheConfig(uri, "errors"))

    def fail():
        raise ValueError("no answer")

    with pytest.raises(ValueError):
        cache.get({"prompt": "x"}, fail)
    assert cache.get({"prompt": "x"}, lambda: {"answer": 1}) == ({"answer": 1}, False)
    assert cache.get({"prompt": "x"}, fail) == ({"answer": 1}, True)


def test_two_caches_of_one_process_share_what_is_in_flight(tmp_path):
    import threading

    config, computed = SqliteCacheConfig(str(tmp_path / "c.sqlite")), []

    def compute():
        time.sleep(0.05)
        computed.append(1)
        return {"answer": 1}

    threads = [threading.Thread(target=Cache(config).get, args=({"prompt": "x"}, compute)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert computed == [1]


@pytest.mark.parametrize("scheme", ["redis", "postgresql"])
def test_a_server_that_is_not_there_is_named_without_its_password(scheme):
    pytest.importorskip("redis" if scheme == "redis" else "psycopg")
    address = f"{scheme}://me:secret@127.0.0.1:{free_port()}/0"
    with pytest.raises(CacheError, match="127.0.0.1") as error:
        create_shared_store(address, "s")
    assert "secret" not in str(error.value) and "secret" not in without_password(address)


def test_an_address_of_another_kind():
    with pytest.raises(ConfigError, match="postgresql://"):
        create_shared_store("mysql://x", "s")
