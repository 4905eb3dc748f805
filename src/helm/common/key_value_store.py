"""Where cached responses lie: JSON values under text keys."""

import io
import json
import os
import pickle
import threading
import time
from abc import ABC, abstractmethod
from typing import Any, Dict, Generator, Iterable, Mapping, Optional, Tuple

from helm.common.errors import HelmError


class CacheError(HelmError):
    """A cache file cannot be used."""


def request_to_key(request: Mapping) -> str:
    """The exact key text of a request: JSON with sorted keys, ASCII only."""
    return json.dumps(request, sort_keys=True)


class KeyValueStore(ABC):
    """Maps requests (JSON objects) to responses (JSON objects). Used through `with`."""

    def __enter__(self) -> "KeyValueStore":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    def close(self) -> None:
        """Write what is pending and let go."""

    @abstractmethod
    def contains(self, key: Mapping) -> bool:
        pass

    @abstractmethod
    def get(self, key: Mapping) -> Optional[Dict]:
        """The response, or None."""

    @abstractmethod
    def get_all(self) -> Generator[Tuple[Dict, Dict], None, None]:
        """All (request, response) pairs, oldest first."""

    @abstractmethod
    def put(self, key: Mapping, value: Dict) -> None:
        pass

    @abstractmethod
    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        pass

    @abstractmethod
    def remove(self, key: Mapping) -> None:
        """Raises KeyError when there is no such request."""


class _PlainUnpickler(pickle.Unpickler):
    """Reads only containers, texts, numbers and None: a cache file from elsewhere must not run code."""

    def find_class(self, module: str, name: str) -> Any:
        raise CacheError(f"A cached value holds an object of {module}.{name}; only plain JSON-like values are read.")

    def persistent_load(self, pid: Any) -> Any:
        raise CacheError("A cached value refers to an object outside the cache.")


def _decode(value: Any) -> Any:
    """JSON text as we write it, or (from HELM's own cache files) a pickled dict of plain values."""
    if isinstance(value, str):
        return json.loads(value)
    return _PlainUnpickler(io.BytesIO(bytes(value))).load()


class SqliteKeyValueStore(KeyValueStore):
    """A table of a SQLite file, in the layout that HELM reads and writes, values as JSON text.

    One connection for each file serves the whole process; several processes may share the file. Writes are committed in
    batches: at the latest after `COMMIT_EVERY_S` seconds of further writes, and on close.
    """

    COMMIT_EVERY_S = 0.25
    _open: Dict[str, "SqliteKeyValueStore"] = {}
    _open_lock = threading.Lock()

    def __init__(self, path: str):
        self._path = os.path.abspath(path)
        self._lock = threading.Lock()
        self._last_commit = time.monotonic()
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        import sqlite3

        from sqlitedict import SqliteDict

        try:
            # Opened once by hand: a broken file raises here, with its name, and not in the worker thread.
            with sqlite3.connect(self._path, timeout=60) as connection:
                connection.execute("PRAGMA journal_mode=WAL").fetchone()
                connection.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
            connection.close()
        except sqlite3.Error as e:
            raise CacheError(f"Cannot use {self._path} as a response cache: {e}") from e
        self._dict = SqliteDict(
            self._path,
            tablename="unnamed",
            journal_mode="WAL",
            timeout=60,
            outer_stack=False,
            encode=json.dumps,
            decode=_decode,
        )

    @classmethod
    def shared(cls, path: str) -> "SqliteKeyValueStore":
        """The process's store for the file, opened on first use."""
        path = os.path.abspath(path)
        with cls._open_lock:
            store = cls._open.get(path)
            if store is None:
                import atexit

                if not cls._open:
                    atexit.register(cls.close_all)
                store = cls._open[path] = cls(path)
            return store

    @classmethod
    def commit_all(cls) -> None:
        """Wait until everything put so far, into any shared store, is in its file."""
        with cls._open_lock:
            stores = list(cls._open.values())
        for store in stores:
            store.commit()

    @classmethod
    def close_all(cls) -> None:
        """Commit and close every shared store; they open again when they are used again."""
        with cls._open_lock:
            stores, cls._open = list(cls._open.values()), {}
        for store in stores:
            store.close()

    def contains(self, key: Mapping) -> bool:
        return request_to_key(key) in self._dict

    def get(self, key: Mapping) -> Optional[Dict]:
        return self._dict.get(request_to_key(key))

    def get_all(self) -> Generator[Tuple[Dict, Dict], None, None]:
        for key, value in self._dict.items():
            yield json.loads(key), value

    def put(self, key: Mapping, value: Dict) -> None:
        self._dict[request_to_key(key)] = value
        now = time.monotonic()
        if now - self._last_commit >= self.COMMIT_EVERY_S:
            self._last_commit = now
            self._dict.commit(blocking=False)

    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        for key, value in pairs:
            self._dict[request_to_key(key)] = value
        self.commit()

    def remove(self, key: Mapping) -> None:
        del self._dict[request_to_key(key)]
        self.commit()

    def commit(self) -> None:
        """Wait until everything put so far is in the file."""
        self._dict.commit(blocking=True)
        self._last_commit = time.monotonic()

    def close(self) -> None:
        with self._lock:
            if self._dict.conn is not None:
                self._dict.commit(blocking=True)
                self._dict.close()
        with self._open_lock:
            if self._open.get(self._path) is self:
                del self._open[self._path]


class BlackHoleKeyValueStore(KeyValueStore):
    """Keeps nothing."""

    def contains(self, key: Mapping) -> bool:
        return False

    def get(self, key: Mapping) -> Optional[Dict]:
        return None

    def get_all(self) -> Generator[Tuple[Dict, Dict], None, None]:
        yield from ()

    def put(self, key: Mapping, value: Dict) -> None:
        pass

    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        pass

    def remove(self, key: Mapping) -> None:
        raise KeyError(request_to_key(key))
