"""Response caches in a database that several machines share: PostgreSQL or Redis.

Both use the keys and JSON values of the SQLite files. While one process computes a response, others that need the same one
wait for it, however long it takes: a claim is valid as long as its process sends heartbeats. A dead process blocks others for
at most `_LIFE_S`.
"""

import hashlib
import json
import queue
import threading
import time
import uuid
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hdebug
from helm.common.key_value_store import CacheError, KeyValueStore, decode_value, request_to_key
from helm.common.optional_dependencies import needs_extra

POSTGRES_SCHEMES = ("postgresql", "postgres")
REDIS_SCHEMES = ("redis", "rediss", "unix")
# A process without a heartbeat for this long is considered dead. Three heartbeats may be late or lost before that.
_LIFE_S = 15.0
_SIGN_EVERY_S = 4.0
# Servers allow about 100 connections by default, which a dozen processes may thus share.
_MAX_CONNECTIONS = 8
_FIRST_POLL_S, _LONGEST_POLL_S = 0.02, 0.5


def without_password(uri: str) -> str:
    """Return a URI without its password, for messages."""
    parts = urlsplit(uri)
    return uri.replace(f":{parts.password}@", ":***@") if parts.password else uri


def create_shared_store(uri: str, shard: str) -> KeyValueStore:
    """Open the store of a shard. Raises ConfigError for an unknown scheme, or CacheError if the database cannot be used."""
    scheme = urlsplit(uri).scheme
    if scheme in POSTGRES_SCHEMES:
        return PostgresKeyValueStore.shared(uri, shard)
    if scheme in REDIS_SCHEMES:
        return RedisKeyValueStore.shared(uri, shard)
    known = ", ".join(f"{name}://..." for name in ("postgresql", "redis", "rediss"))
    raise ConfigError(f"A shared response cache has an address such as {known}, not '{without_password(uri)}'.")


class _SharedStore(KeyValueStore):
    """A store with one object per address and shard in a process."""

    _open: dict[tuple[type, str, str], "_SharedStore"] = {}
    _open_lock = threading.Lock()

    def __init__(self, uri: str, shard: str):
        self.uri, self.shard = uri, shard
        self._owner = uuid.uuid4().hex
        """The identity of this process in claims."""
        self._alive_lock = threading.Lock()
        self._is_alive = False

    @classmethod
    def shared(cls, uri: str, shard: str) -> "_SharedStore":
        """Return the process's store, which is opened on first use."""
        with cls._open_lock:
            store = cls._open.get((cls, uri, shard))
            if store is None:
                store = cls._open[cls, uri, shard] = cls(uri, shard)
            return store

    def _give_sign(self) -> None:
        """Send a heartbeat of this process, which is valid for `_LIFE_S`."""
        raise NotImplementedError

    def _take_claim(self, name: str) -> bool:
        """Take a claim unless a living process has it; return whether this process has it now."""
        raise NotImplementedError

    def _end_claim(self, name: str) -> None:
        raise NotImplementedError

    def _live(self) -> None:
        """Send heartbeats from now on."""
        with self._alive_lock:
            if not self._is_alive:
                self._give_sign()
                threading.Thread(target=self._keep_alive, daemon=True).start()
                self._is_alive = True

    def _keep_alive(self) -> None:
        while True:
            time.sleep(_SIGN_EVERY_S)
            try:
                self._give_sign()
            except CacheError as e:  # users of the store get errors of their own
                hdebug(str(e))

    @contextmanager
    def exclusively(self, key_text: str) -> Iterator[None]:
        if not self._is_alive:
            self._live()
        name = hashlib.sha256(key_text.encode()).hexdigest()
        poll_s = _FIRST_POLL_S
        while not self._take_claim(name):
            sleep_until_stopped(poll_s)
            poll_s = min(2 * poll_s, _LONGEST_POLL_S)
        try:
            yield
        finally:
            self._end_claim(name)

    def contains(self, key: Mapping) -> bool:
        return self.get(key) is not None

    def get(self, key: Mapping) -> dict | None:
        return self.get_with_text(request_to_key(key), key)

    def put(self, key: Mapping, value: dict) -> None:
        self.put_with_text(request_to_key(key), key, value)

    def multi_put(self, pairs: Iterable[tuple[dict, dict]]) -> None:
        for key, value in pairs:
            self.put(key, value)

    def _decode(self, text: str | bytes) -> Any:
        """Decode a key or a value. Raises CacheError if it is not JSON, as for cache files."""
        try:
            return decode_value(text if isinstance(text, str) else text.decode())
        except (CacheError, UnicodeDecodeError) as e:
            raise self._failed(e) from e

    def _failed(self, error: Exception) -> CacheError:
        text = str(error).replace(self.uri, without_password(self.uri))
        return CacheError(f"The response cache {without_password(self.uri)} failed: {text.strip()}")


class RedisKeyValueStore(_SharedStore):
    """A store with one hash per shard: `helm:SHARD` maps keys to JSON texts. Heartbeats are keys that expire."""

    def __init__(self, uri: str, shard: str):
        super().__init__(uri, shard)
        with needs_extra("redis"):
            import redis
        self._errors = redis.RedisError
        self._client: Any = redis.Redis.from_url(uri)
        self._name = f"helm:{shard}"
        self._call("ping")

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return getattr(self._client, method)(*args, **kwargs)
        except self._errors as e:
            raise self._failed(e) from e

    def get_with_text(self, key_text: str, key: Mapping) -> dict | None:
        value = self._call("hget", self._name, key_text)
        return None if value is None else self._decode(value)

    def put_with_text(self, key_text: str, key: Mapping, value: dict) -> None:
        self._call("hset", self._name, key_text, json.dumps(value))

    def get_all(self) -> Generator[tuple[dict, dict], None, None]:
        cursor = 0
        while True:
            cursor, found = self._call("hscan", self._name, cursor, count=1000)
            for key, value in found.items():
                yield self._decode(key), self._decode(value)
            if cursor == 0:
                return

    def remove(self, key: Mapping) -> None:
        if not self._call("hdel", self._name, request_to_key(key)):
            raise KeyError(request_to_key(key))

    def _give_sign(self) -> None:
        self._call("set", f"helm:alive:{self._owner}", 1, px=int(_LIFE_S * 1000))

    def _take_claim(self, name: str) -> bool:
        return bool(self._call("eval", _TAKE_CLAIM, 1, f"{self._name}:claim:{name}", self._owner))

    def _end_claim(self, name: str) -> None:
        self._call("eval", _END_CLAIM, 1, f"{self._name}:claim:{name}", self._owner)


_TAKE_CLAIM = """
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] and redis.call('exists', 'helm:alive:' .. owner) == 1 then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'ex', 86400)
return 1
"""
_END_CLAIM = "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) end"


class PostgresKeyValueStore(_SharedStore):
    """A store in tables: `helm_cache` (shard, key's digest, key, value), `helm_cache_claims`, `helm_cache_processes`."""

    _SCHEMA = (
        "CREATE TABLE IF NOT EXISTS helm_cache (shard TEXT NOT NULL, digest TEXT NOT NULL, key TEXT NOT NULL, "
        "value TEXT NOT NULL, number BIGSERIAL, PRIMARY KEY (shard, digest))",
        "CREATE TABLE IF NOT EXISTS helm_cache_claims (name TEXT PRIMARY KEY, owner TEXT NOT NULL)",
        "CREATE TABLE IF NOT EXISTS helm_cache_processes (owner TEXT PRIMARY KEY, lives_until TIMESTAMPTZ NOT NULL)",
        "DELETE FROM helm_cache_processes WHERE lives_until < now() - interval '1 day'",
    )

    def __init__(self, uri: str, shard: str):
        super().__init__(uri, shard)
        with needs_extra("postgres"):
            import psycopg
        self._psycopg = psycopg
        self._idle: queue.LifoQueue[Any] = queue.LifoQueue()
        """Idle connections; None is one that is not open yet."""
        for _ in range(_MAX_CONNECTIONS):
            self._idle.put(None)
        deadline = time.monotonic() + 10
        while True:
            try:
                for statement in self._SCHEMA:
                    self._execute(statement)
                return
            except CacheError as e:
                # If two processes create the tables at the same time, one of them fails and then finds them.
                if "already exists" not in str(e) and "duplicate key" not in str(e) or time.monotonic() > deadline:
                    raise

    def _execute(self, statement: str, values: tuple[Any, ...] = ()) -> Any:
        """Execute a statement, and return a cursor that has read its rows."""
        connection = self._idle.get()
        try:
            if connection is None or connection.closed:
                connection = None
                connection = self._psycopg.connect(self.uri, autocommit=True)
            return connection.execute(statement, values)
        except self._psycopg.Error as e:
            raise self._failed(e) from e
        finally:
            self._idle.put(connection)

    @staticmethod
    def _digest(key_text: str) -> str:
        return hashlib.sha256(key_text.encode()).hexdigest()

    def get_with_text(self, key_text: str, key: Mapping) -> dict | None:
        statement = "SELECT value FROM helm_cache WHERE shard = %s AND digest = %s"
        row = self._execute(statement, (self.shard, self._digest(key_text))).fetchone()
        return None if row is None else self._decode(row[0])

    def put_with_text(self, key_text: str, key: Mapping, value: dict) -> None:
        self._execute(
            "INSERT INTO helm_cache (shard, digest, key, value) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT (shard, digest) DO UPDATE SET value = EXCLUDED.value",
            (self.shard, self._digest(key_text), key_text, json.dumps(value)),
        )

    def get_all(self) -> Generator[tuple[dict, dict], None, None]:
        statement = "SELECT key, value FROM helm_cache WHERE shard = %s ORDER BY number"
        for key, value in self._execute(statement, (self.shard,)):
            yield self._decode(key), self._decode(value)

    def remove(self, key: Mapping) -> None:
        statement = "DELETE FROM helm_cache WHERE shard = %s AND digest = %s"
        if self._execute(statement, (self.shard, self._digest(request_to_key(key)))).rowcount == 0:
            raise KeyError(request_to_key(key))

    def _give_sign(self) -> None:
        self._execute(
            "INSERT INTO helm_cache_processes (owner, lives_until) VALUES (%s, now() + make_interval(secs => %s)) "
            "ON CONFLICT (owner) DO UPDATE SET lives_until = EXCLUDED.lives_until",
            (self._owner, _LIFE_S),
        )

    def _take_claim(self, name: str) -> bool:
        result = self._execute(
            "INSERT INTO helm_cache_claims AS c (name, owner) VALUES (%s, %s) "
            "ON CONFLICT (name) DO UPDATE SET owner = EXCLUDED.owner WHERE c.owner = EXCLUDED.owner OR NOT EXISTS "
            "(SELECT 1 FROM helm_cache_processes p WHERE p.owner = c.owner AND p.lives_until > now())",
            (f"{self.shard}:{name}", self._owner),
        )
        return result.rowcount == 1

    def _end_claim(self, name: str) -> None:
        statement = "DELETE FROM helm_cache_claims WHERE name = %s AND owner = %s"
        self._execute(statement, (f"{self.shard}:{name}", self._owner))
