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

    One store for each file serves the whole process; several processes may share the file. `SqliteDict` writes, in a
    thread of its own, in batches: at the latest after `COMMIT_EVERY_S` seconds of further writes, and on close; until
    then responses are answered from memory. Reads go over a second connection, because each question to that thread
    costs two thread switches.
    """

    COMMIT_EVERY_S = 0.25
    _open: Dict[str, "SqliteKeyValueStore"] = {}
    _open_lock = threading.Lock()

    def __init__(self, path: str):
        import sqlite3

        from sqlitedict import SqliteDict

        self._path = os.path.abspath(path)
        self._lock = threading.Lock()
        self._commit_lock = threading.Lock()
        self._last_commit = time.monotonic()
        self._pending: Dict[str, Dict] = {}
        self._committing: Dict[str, Dict] = {}
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        try:
            self._reader = sqlite3.connect(self._path, timeout=60, check_same_thread=False, isolation_level=None)
            self._reader.execute("PRAGMA journal_mode=WAL").fetchone()
            self._reader.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
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
        return self.get(key) is not None

    def get(self, key: Mapping) -> Optional[Dict]:
        text = request_to_key(key)
        with self._lock:
            value = self._pending.get(text) or self._committing.get(text)
            if value is not None:
                return value
            row = self._reader.execute('SELECT value FROM "unnamed" WHERE key = ?', (text,)).fetchone()
        return None if row is None else _decode(row[0])

    def get_all(self) -> Generator[Tuple[Dict, Dict], None, None]:
        self.commit()
        for key, value in self._dict.items():
            yield json.loads(key), value

    def put(self, key: Mapping, value: Dict) -> None:
        text = request_to_key(key)
        with self._lock:
            self._pending[text] = value
        if time.monotonic() - self._last_commit >= self.COMMIT_EVERY_S:
            self.commit()

    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        with self._lock:
            self._pending.update((request_to_key(key), value) for key, value in pairs)
        self.commit()

    def remove(self, key: Mapping) -> None:
        self.commit()
        del self._dict[request_to_key(key)]
        self.commit()

    def commit(self) -> None:
        """Wait until everything put so far is in the file."""
        with self._commit_lock:
            with self._lock:
                self._committing, self._pending = self._pending, {}
                self._last_commit = time.monotonic()
            if self._committing:
                self._dict.update(self._committing)
                self._dict.commit(blocking=True)
            with self._lock:
                self._committing = {}

    def close(self) -> None:
        with self._open_lock:
            if self._open.get(self._path) is self:
                del self._open[self._path]
        if self._dict.conn is not None:
            self.commit()
            self._dict.close()
            self._reader.close()


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
