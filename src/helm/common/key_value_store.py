"""Where cached responses lie: JSON values under text keys."""

import json
import os
import threading
import time
from abc import ABC, abstractmethod
from contextlib import contextmanager, nullcontext
from json.encoder import encode_basestring_ascii as _quote
from typing import Any, ContextManager, Dict, Generator, Iterable, Iterator, Mapping, Optional, Tuple

from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.plain_pickle import PickleError, load_plain


class CacheError(HelmError):
    """A cache file cannot be used."""


_KEY_ENCODER = json.JSONEncoder(sort_keys=True)
_VALUE_ENCODER = json.JSONEncoder()


def request_to_key(request: Mapping) -> str:
    """The exact key text of a request: `json.dumps(request, sort_keys=True)`, ASCII only."""
    parts = []
    try:
        for name, value in sorted(request.items()):
            kind = type(value)
            text = _quote(value) if kind is str else str(value) if kind is int else _KEY_ENCODER.encode(value)
            parts.append(f"{_quote(name)}: {text}")
    except TypeError:  # names that are not all texts
        return _KEY_ENCODER.encode(request)
    return "{" + ", ".join(parts) + "}"


class KeyValueStore(ABC):
    """Maps requests (JSON objects) to responses (JSON objects). Used through `with`."""

    def __enter__(self) -> "KeyValueStore":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    def close(self) -> None:
        """Write what is pending and let go."""

    def commit(self) -> None:
        """Wait until everything put so far survives the end of the process."""

    @property
    def is_closed(self) -> bool:
        """Whether `close` was called on a store that cannot be used again."""
        return False

    def exclusively(self, key_text: str) -> ContextManager[None]:
        """Inside, no other process that shares the store computes this response. Threads of one process see to that by
        themselves."""
        return nullcontext()

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

    def get_with_text(self, key_text: str, key: Mapping) -> Optional[Dict]:
        """`get(key)` for callers that have `request_to_key(key)` at hand."""
        return self.get(key)

    def put_with_text(self, key_text: str, key: Mapping, value: Dict) -> None:
        """`put(key, value)` for callers that have `request_to_key(key)` at hand."""
        self.put(key, value)

    @abstractmethod
    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        pass

    @abstractmethod
    def remove(self, key: Mapping) -> None:
        """Raises KeyError when there is no such request."""


def decode_value(value: Any) -> Any:
    """A stored value: JSON text as we write it, or (in HELM's own cache files) a pickle of plain values.

    Raises: CacheError for anything else.
    """
    try:
        if isinstance(value, str):
            return json.loads(value)
        if isinstance(value, (bytes, memoryview)):
            return load_plain(bytes(value))
    except PickleError as e:
        raise CacheError(f"A cached value {e}.") from e
    except ValueError as e:
        raise CacheError(f"A cached value is no JSON: {e}.") from e
    raise CacheError(f"A cached value is neither JSON nor a pickle, but of the SQL type {type(value).__name__}.")


class SqliteKeyValueStore(KeyValueStore):
    """A table of a SQLite file, in the layout that HELM reads and writes, values as JSON text.

    One store for each file serves the whole process; several processes may share the file. Writes wait in memory for at
    most `COMMIT_EVERY_S` seconds and go to the file together through `SqliteDict`, so the file's write lock is held only for
    moments. Single reads go over a connection of their own: `SqliteDict` passes every access to its thread, and two thread
    switches for each request took longer than all else.
    """

    COMMIT_EVERY_S = 0.25
    _BUSY_TIMEOUT_S = 60
    _OPEN_TIMEOUT_S = 20
    _open: Dict[str, "SqliteKeyValueStore"] = {}
    _open_lock = threading.Lock()

    def __init__(self, path: str):
        self._path = os.path.abspath(path)
        self._lock = threading.RLock()
        self._commit_lock = threading.Lock()
        self._pending: Dict[str, str] = {}
        self._committing: Dict[str, str] = {}
        self._timer: Optional[threading.Timer] = None
        self._dict: Optional[Any] = None
        self._locks: Optional[int] = None
        self._can_lock = True
        self._locked: Dict[int, int] = {}
        os.makedirs(os.path.dirname(self._path), exist_ok=True)
        import sqlite3

        deadline = time.monotonic() + self._OPEN_TIMEOUT_S
        while True:
            try:
                self._connection: Optional[sqlite3.Connection] = self._connect()
                return
            except sqlite3.Error as e:
                # Two processes that make one file at the same time: switching to WAL does not wait for a lock.
                if "locked" not in str(e) or time.monotonic() > deadline:
                    raise CacheError(f"Cannot use {self._path} as a response cache: {e}") from e
                time.sleep(0.01)

    def _connect(self) -> Any:
        import sqlite3

        connection = sqlite3.connect(
            self._path, timeout=self._BUSY_TIMEOUT_S, check_same_thread=False, isolation_level=None
        )
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
        except sqlite3.Error:
            connection.close()
            raise
        return connection

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

    @property
    def is_closed(self) -> bool:
        return self._connection is None

    @contextmanager
    def exclusively(self, key_text: str) -> Iterator[None]:
        """A byte of a file for locks, chosen by the key, is locked; the lock ends with the process at the latest."""
        try:
            import fcntl
        except ModuleNotFoundError:  # no such locks on this system: at worst a response is computed twice
            yield
            return
        import zlib

        if self._locks is None and self._can_lock:
            with self._lock:
                if self._locks is None:
                    self._locks = _open_lock_file(self._path)
                    self._can_lock = self._locks is not None
        if self._locks is None:
            yield
            return
        position, poll_s = zlib.crc32(key_text.encode()), 0.005
        with self._lock:
            self._locked[position] = self._locked.get(position, 0) + 1
        try:
            while True:
                try:
                    fcntl.lockf(self._locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, position)
                    break
                except OSError:
                    sleep_until_stopped(poll_s)
                    poll_s = min(2 * poll_s, 0.25)
            yield
        finally:
            with self._lock:
                self._locked[position] -= 1
                if self._locked[position] == 0:
                    del self._locked[position]
                    if self._locks is not None:
                        fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, position)

    def _execute(self, statement: str, values: Tuple[Any, ...] = ()) -> Any:
        import sqlite3

        if self._connection is None:
            raise CacheError(f"The response cache {self._path} is closed.")
        try:
            return self._connection.execute(statement, values)
        except sqlite3.Error as e:
            raise CacheError(f"The response cache {self._path} failed: {e}") from e

    def _writer(self) -> Any:
        """The `SqliteDict`, opened on first use. Its values are the JSON texts, made before they get here."""
        if self._connection is None:
            raise CacheError(f"The response cache {self._path} is closed.")
        if self._dict is None:
            from sqlitedict import SqliteDict

            self._dict = SqliteDict(
                self._path,
                tablename="unnamed",
                journal_mode="WAL",
                timeout=self._BUSY_TIMEOUT_S,
                outer_stack=False,
                encode=lambda text: text,
                decode=decode_value,
            )
        return self._dict

    def contains(self, key: Mapping) -> bool:
        return self._value(request_to_key(key)) is not None

    def get(self, key: Mapping) -> Optional[Dict]:
        return self.get_with_text(request_to_key(key), key)

    def get_with_text(self, key_text: str, key: Mapping) -> Optional[Dict]:
        value = self._value(key_text)
        return None if value is None else decode_value(value)

    def _value(self, key: str) -> Any:
        """The stored value as it is in the file, or None."""
        with self._lock:
            for waiting in (self._pending, self._committing):
                if key in waiting:
                    return waiting[key]
            row = self._execute('SELECT value FROM "unnamed" WHERE key = ?', (key,)).fetchone()
        return None if row is None else row[0]

    def get_all(self) -> Generator[Tuple[Dict, Dict], None, None]:
        self.commit()
        with self._lock:
            writer = self._writer()
        for key, value in writer.items():
            yield json.loads(key), value

    def put(self, key: Mapping, value: Dict) -> None:
        self.put_with_text(request_to_key(key), key, value)

    def put_with_text(self, key_text: str, key: Mapping, value: Dict) -> None:
        text = _VALUE_ENCODER.encode(value)
        with self._lock:
            self._pending[key_text] = text
            if self._timer is None:
                self._timer = threading.Timer(self.COMMIT_EVERY_S, self._commit_in_background)
                self._timer.daemon = True
                self._timer.start()

    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        with self._lock:
            self._pending.update((request_to_key(key), json.dumps(value)) for key, value in pairs)
        self.commit()

    def remove(self, key: Mapping) -> None:
        self.commit()
        with self._lock:
            writer = self._writer()
            del writer[request_to_key(key)]
            writer.commit(blocking=True)

    def commit(self) -> None:
        """Write everything put so far to the file. Raises CacheError when that is not possible.

        Readers and writers go on meanwhile; what is being written is answered from memory.
        """
        import sqlite3

        with self._commit_lock:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                if not self._pending or self._connection is None:
                    return
                self._committing, self._pending = self._pending, {}
                writer = self._writer()
            try:
                writer.update(self._committing)
                writer.commit(blocking=True)
                writer.conn.check_raise_error()
            except sqlite3.Error as e:
                with self._lock:  # the next commit tries again
                    self._pending = {**self._committing, **self._pending}
                raise CacheError(f"The response cache {self._path} failed: {e}") from e
            finally:
                with self._lock:
                    self._committing = {}

    def _commit_in_background(self) -> None:
        try:
            self.commit()
        except CacheError as e:  # What is pending stays so, and the next commit tries again.
            hwarn(str(e))

    def close(self) -> None:
        self.commit()
        with self._commit_lock, self._lock:
            if self._connection is not None:
                if self._dict is not None:
                    self._dict.close()
                    self._dict = None
                self._connection.close()
                self._connection = None
            if self._locks is not None:
                os.close(self._locks)
                self._locks = None
        with self._open_lock:
            if self._open.get(self._path) is self:
                del self._open[self._path]


def _open_lock_file(path: str) -> Optional[int]:
    """A file for the locks of a store, for processes of one user on one machine; None: there is no place for it.

    It is not beside the store, where nobody expects a file; and the store's own file is for SQLite to lock.
    """
    import hashlib
    import tempfile

    folder = os.path.join(tempfile.gettempdir(), f"helm-locks-{os.getuid()}")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.lstat(folder).st_uid != os.getuid():
            return None
        name = hashlib.sha256(os.path.realpath(path).encode()).hexdigest()[:32]
        return os.open(os.path.join(folder, name), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as e:
        hwarn(f"Processes that share {path} may compute a response twice: no file for locks in {folder}: {e.strerror}")
        return None


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
