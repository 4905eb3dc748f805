"""The response cache: `Cache.get(request, compute)` only computes responses to new requests."""

import threading
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from helm.common.caching.entry_texts import decode_value
from helm.common.hierarchical_logger import hlog
from helm.common.key_value_store import (
    BlackHoleKeyValueStore,
    KeyValueStore,
    SqliteKeyValueStore,
    request_to_key,
)

__all__ = ["request_to_key"]


class CacheConfig(ABC):
    """Where a cache keeps its responses."""

    @property
    @abstractmethod
    def cache_stats_key(self) -> str:
        """The name under which queries are counted."""


class KeyValueStoreCacheConfig(CacheConfig):
    """A cache on a key-value store."""


@dataclass(frozen=True)
class SqliteCacheConfig(KeyValueStoreCacheConfig):
    path: str
    """The SQLite file."""

    @property
    def cache_stats_key(self) -> str:
        return self.path


@dataclass(frozen=True)
class BlackHoleCacheConfig(KeyValueStoreCacheConfig):
    """No cache."""

    @property
    def cache_stats_key(self) -> str:
        return "disabled_cache"


@dataclass(frozen=True)
class MongoCacheConfig(KeyValueStoreCacheConfig):
    """HELM's class for MongoDB; this package has no such store and refuses to create one."""

    uri: str
    """The URI of the database."""

    collection_name: str

    @property
    def cache_stats_key(self) -> str:
        return f"{self.uri}/{self.collection_name}"


@dataclass(frozen=True)
class SharedCacheConfig(KeyValueStoreCacheConfig):
    """A cache in PostgreSQL or Redis, shared between machines."""

    uri: str
    """`postgresql://...` or `redis://...`"""

    shard: str

    @property
    def cache_stats_key(self) -> str:
        from helm.common.caching.shared_key_value_stores import without_password

        return f"{without_password(self.uri)}/{self.shard}"


class CacheStats:
    """Counts the queries of each cache, and how many responses had to be computed."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.num_queries: Counter = Counter()
        self.num_computes: Counter = Counter()

    def increment_query(self, path: str, number: int = 1) -> None:
        with self.lock:
            self.num_queries[path] += number

    def increment_compute(self, path: str, number: int = 1) -> None:
        with self.lock:
            self.num_computes[path] += number

    def reset(self) -> None:
        with self.lock:
            self.num_queries.clear()
            self.num_computes.clear()

    def print_status(self) -> None:
        for key, queries in self.num_queries.items():
            hlog(f"{key}: {queries} queries, {self.num_computes[key]} computes")


cache_stats = CacheStats()


def create_key_value_store(config: KeyValueStoreCacheConfig) -> KeyValueStore:
    """Return the store of a config; the SQLite stores of a process share one connection per file."""
    if isinstance(config, MongoCacheConfig):
        from helm.common.mongo_key_value_store import refuse_mongo

        refuse_mongo()
    if isinstance(config, SqliteCacheConfig):
        return SqliteKeyValueStore.shared(config.path)
    if isinstance(config, SharedCacheConfig):
        from helm.common.caching.shared_key_value_stores import create_shared_store

        return create_shared_store(config.uri, config.shard)
    if isinstance(config, BlackHoleCacheConfig):
        return BlackHoleKeyValueStore()
    raise ValueError(f"CacheConfig {config} does not correspond to a KeyValueStore")


def get_all_from_sqlite(path: str) -> Generator[tuple[dict, dict], None, None]:
    """Yield all (request, response) pairs of a cache file, oldest first."""
    yield from SqliteKeyValueStore.shared(path).get_all()


def write_to_key_value_store(key_value_store: KeyValueStore, key: Mapping, response: dict) -> bool:
    """Store one response and return True. Exceptions of the store are passed on."""
    key_value_store.put(key, response)
    return True


class _InFlight:
    """The requests being computed in this process, for all caches of one store."""

    _by_store: dict[str, "_InFlight"] = {}
    _lock = threading.Lock()

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.changed = threading.Condition(self.lock)
        self.keys: set[str] = set()
        self.num_waiting = 0

    @classmethod
    def of(cls, stats_key: str) -> "_InFlight":
        with cls._lock:
            return cls._by_store.setdefault(stats_key, cls())


def _find(
    store: KeyValueStore,
    key: str,
    request: Mapping,
    older_request: Mapping | None,
    is_answer: Callable[[dict], bool],
) -> dict | None:
    """Return the answer stored under a request's key or an older key; None if there is none that `is_answer` accepts."""
    response = store.get_with_text(key, request)
    if response is not None and is_answer(response):
        return response
    if older_request is None:
        return None
    response = store.get(older_request)
    return response if response is not None and is_answer(response) else None


def _find_all(
    store: SqliteKeyValueStore, keys: Sequence[str], older: Mapping[str, str], is_answer: Callable[[dict], bool]
) -> dict[str, dict]:
    """Return the answers stored under several keys, or under the older key of one."""
    found: dict[str, dict] = {}
    for key, value in store.get_values(keys).items():
        response = decode_value(value)
        if is_answer(response):
            found[key] = response
    asked = {older[key]: key for key in keys if key in older and key not in found}
    for older_key, value in store.get_values(list(asked)).items():
        response = decode_value(value)
        if is_answer(response):
            found[asked[older_key]] = response
    return found


class Cache:
    """Answers requests from a store, and computes missing responses.

    A response is computed once, even if several threads, caches or processes request it at the same time. It survives this
    process from the moment that `get` returns it.
    """

    def __init__(self, config: CacheConfig):
        if not isinstance(config, KeyValueStoreCacheConfig):
            raise ValueError(f"CacheConfig with unknown type: {config}")
        self.config = config
        self._stats_key = config.cache_stats_key
        self.is_enabled = not isinstance(config, BlackHoleCacheConfig)
        """Whether responses are stored at all."""
        self._in_flight = _InFlight.of(self._stats_key)
        self._expects_miss = False
        """Whether the last request was a miss, so that the next one probably is, too. If no other process can compute it,
        a single lookup is then enough."""
        self._store: KeyValueStore | None = None

    def _get_store(self) -> KeyValueStore:
        if self._store is None or self._store.is_closed:
            self._store = create_key_value_store(self.config)
        return self._store

    def get(
        self,
        request: Mapping,
        compute: Callable[[], dict],
        text: str | None = None,
        is_answer: Callable[[dict], bool] = bool,
        older_request: Mapping | None = None,
    ) -> tuple[dict, bool]:
        """Return the response and whether it was cached.

        Exceptions of `compute` are passed on and not stored.

        Args:
            text: `request_to_key(request)`, if the caller has it already.
            is_answer: whether a stored response is valid; others count as misses and are replaced. As in HELM, empty ones
                are invalid by default.
            older_request: another key under which the response may be stored; it is only read.
        """
        cache_stats.increment_query(self._stats_key)
        if not self.is_enabled:
            cache_stats.increment_compute(self._stats_key)
            return compute(), False
        key = request_to_key(request) if text is None else text
        in_flight = self._in_flight
        with in_flight.lock:
            while key in in_flight.keys:
                in_flight.num_waiting += 1
                try:
                    in_flight.changed.wait()
                finally:
                    in_flight.num_waiting -= 1
            in_flight.keys.add(key)
        try:
            store = self._get_store()
            if not self._expects_miss:
                response = _find(store, key, request, older_request, is_answer)
                if response is not None:
                    return response, True
            store.prepare_to_put()
            with store.exclusively(key):
                # Another process may have computed it while this one waited for the claim.
                response = _find(store, key, request, older_request, is_answer)
                self._expects_miss = response is None
                if response is not None:
                    return response, True
                cache_stats.increment_compute(self._stats_key)
                response = compute()
                store.put_with_text(key, request, response)
                return response, False
        finally:
            with in_flight.lock:
                in_flight.keys.discard(key)
                if in_flight.num_waiting:
                    in_flight.changed.notify_all()

    # --- many requests of one thread ----------------------------------------------------------------------------------

    @property
    def can_reserve(self) -> bool:
        """Whether `reserve` works with this cache."""
        return not self.is_enabled or isinstance(self.config, SqliteCacheConfig)

    def reserve(
        self, keys: Sequence[str], older_keys: Sequence[str | None], is_answer: Callable[[dict], bool] = bool
    ) -> list[dict | None | bool]:
        """Return for each key what `get` would return of the cache without waiting for anything.

        That is the response if it is there; None if it is missing, and the caller is the one to compute it; False if another
        thread or process is computing it. Those that are None must be given to `settle`.

        Args:
            keys: `request_to_key` of the requests.
            older_keys: other keys under which responses may be stored; they are only read.
            is_answer: as in `get`.
        """
        cache_stats.increment_query(self._stats_key, len(keys))
        if not self.is_enabled:
            cache_stats.increment_compute(self._stats_key, len(keys))
            return [None] * len(keys)
        mine: list[str] = []
        with self._in_flight.lock:
            for key in keys:
                if key not in self._in_flight.keys:
                    self._in_flight.keys.add(key)
                    mine.append(key)
        claimed: list[str] = []
        missing: list[str] = []
        is_well = False
        try:
            store = self._get_store()
            assert isinstance(store, SqliteKeyValueStore), "can_reserve is false"
            older = {key: older_key for key, older_key in zip(keys, older_keys, strict=True) if older_key is not None}
            found: dict[str, dict] = {}
            if not self._expects_miss:
                found = _find_all(store, mine, older, is_answer)
            wanted = [key for key in mine if key not in found]
            if wanted:
                store.prepare_to_put()
                claimed = store.try_claim(wanted)
                # Another process may have computed them before they were claimed.
                found.update(_find_all(store, claimed, older, is_answer))
            missing = [key for key in claimed if key not in found]
            self._expects_miss = bool(missing)
            is_well = True
        finally:
            self._release(set(mine).difference(missing if is_well else ()), claimed)
        cache_stats.increment_compute(self._stats_key, len(missing))
        free = set(missing)
        answers: list[dict | None | bool] = []
        for key in keys:
            if key in free:
                free.remove(key)  # the next equal one is in flight then
                answers.append(None)
            else:
                answers.append(found.get(key, False))
        return answers

    def settle(self, keys: Sequence[str], answers: Sequence[tuple[str, str]]) -> None:
        """End reservations: store those that were answered, as texts of key and response, and let others go on.

        Raises: CacheError if they cannot be stored.
        """
        if not self.is_enabled:
            return
        try:
            if answers:
                store = self._get_store()
                assert isinstance(store, SqliteKeyValueStore)
                store.put_texts(answers)
        finally:
            self._release(set(keys), keys)

    def _release(self, keys: set[str], claimed: Iterable[str]) -> None:
        """Let others compute the responses to keys, of which some were claimed."""
        ended = [key for key in claimed if key in keys]
        if ended:
            store = self._get_store()
            assert isinstance(store, SqliteKeyValueStore)
            store.end_claims(ended)
        if keys:
            in_flight = self._in_flight
            with in_flight.lock:
                in_flight.keys.difference_update(keys)
                if in_flight.num_waiting:
                    in_flight.changed.notify_all()

    def get_all(self) -> Iterable[tuple[dict, dict]]:
        return create_key_value_store(self.config).get_all()
