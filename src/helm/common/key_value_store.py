"""Stores of cached responses: JSON values under text keys."""

import json
import os
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any

from helm.common.caching.absent_keys import FIND_INTERVAL, FIND_LAST_ROW, AbsentKeys
from helm.common.caching.claims import Claims
from helm.common.caching.entry_texts import CacheError, decode_value, encode_value, request_to_key
from helm.common.caching.key_value_stores import BlackHoleKeyValueStore, KeyValueStore
from helm.common.caching.pending_answers import PendingAnswers, take_over
from helm.common.caching.sqlite_connection import connect_to_table
from helm.common.caching.sqlite_writer import SqliteWriter
from helm.common.hierarchical_logger import hwarn

__all__ = ["BlackHoleKeyValueStore", "CacheError", "KeyValueStore", "SqliteKeyValueStore", "request_to_key"]

# Rows are read in batches, so that no read transaction stays open while the caller works with them.
_ROWS_AT_ONCE = 1000

_KEYS_AT_ONCE = 64
"""The most keys of one look at the file."""


class SqliteKeyValueStore(KeyValueStore):
    """A table of a SQLite file in HELM's layout, with values as JSON text.

    One store per file serves the whole process, and several processes may share the file. New entries are kept in memory, and
    in a log that survives the process (`helm.common.caching.pending_answers`), for at most `COMMIT_EVERY_S` seconds. They are
    written to the file together, so its write lock is only held for moments. Reads and writes have separate connections;
    `SqliteDict` writes (`helm.common.caching.sqlite_writer`). While answers come faster than they are written and no other
    process has the file open, this one claims all keys at once, so it knows what is not in the file.
    """

    COMMIT_EVERY_S = 0.25
    _COMMIT_AT = 256
    """Answers that go to the file without waiting for that: a system takes the longer for a claim the more are held."""
    _COMMIT_AT_ALONE = 1024
    """The same while this process has all keys: the more are written at once, the fewer pages are written twice."""
    _MOST_BEHIND = 4
    """How many times as many answers may wait before a thread that brings more has to wait, too. Without this limit, the thread
    that writes them gets too little of the processor, and each waiting answer holds a claim; a system frees a claim the more
    slowly the more there are."""
    _BUSY_AT = 32
    """With at least as many answers at once, it pays to be alone."""
    _BUSY_TIMEOUT_S = 60
    _OPEN_TIMEOUT_S = 20
    _open: dict[str, "SqliteKeyValueStore"] = {}
    _open_lock = threading.Lock()

    def __init__(self, path: str):
        self._path = os.path.abspath(path)
        self._lock = threading.RLock()
        self._read_lock = threading.Lock()
        """The lock of the read connection. It is separate from the other lock, so that `put` never waits for the disk."""
        self._commit_lock = threading.Lock()
        self._pending: dict[str, str] = {}
        self._committing: dict[str, str] = {}
        self._claimed: dict[str, list[str]] = {"pending": [], "committing": []}
        self._claims = Claims(f"{self._path}-locks")
        self._absent: AbsentKeys | None = None
        self._can_search = True
        self._log: PendingAnswers | None = None
        self._can_log = True
        self._failure: CacheError | None = None
        self._timer: threading.Timer | None = None
        self._is_commit_due = False
        """Whether a thread has been started that commits what is pending."""
        self._writer = SqliteWriter(self._path, self._BUSY_TIMEOUT_S)
        self._write_lock = threading.Lock()
        self._connection: Any | None = None
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
        except OSError as e:
            raise CacheError(
                f"Cannot make the folder of the response cache {self._path}: {e.strerror}. {_ELSEWHERE}"
            ) from e
        import sqlite3

        try:
            self._connection = connect_to_table(
                self._path, self._BUSY_TIMEOUT_S, self._OPEN_TIMEOUT_S, check_same_thread=False
            )
        except sqlite3.Error as e:
            raise self._explained(e, "cannot be used") from e
        self._take_over()

    def _explained(self, error: Exception, what: str = "failed") -> CacheError:
        """Return an error that says what went wrong with which file, and what to do about it."""
        text = str(error)
        advice = ""
        if "not a database" in text or "malformed" in text:
            advice = f" The file is damaged. `helm-cache repair {self._path}` puts it aside and saves what can be read."
        elif "no such column" in text:
            advice = f" It is a database of something else: its table 'unnamed' lacks the columns key and value. {_ELSEWHERE}"
        elif "readonly" in text or "unable to open" in text:
            advice = f" The file and its folder must be writable. {_ELSEWHERE}"
        elif "locked" in text:
            advice = " Another process holds it: wait for that to end, or end it."
        elif "full" in text or "disk I/O" in text:
            advice = f" Is there space left on the disk? {_ELSEWHERE}"
        if self._pending and self._log is not None:
            where = f"{self._path}-pending-*"
            advice += f" {len(self._pending)} answers wait in {where} and are taken over when the cache is used again."
        return CacheError(f"The response cache {self._path} {what}: {text}.{advice}")

    @classmethod
    def shared(cls, path: str) -> "SqliteKeyValueStore":
        """Return the process's store for the file, which is opened on first use."""
        path = os.path.abspath(path)
        with cls._open_lock:
            store = cls._open.get(path)
            if store is None:
                import atexit

                if not cls._open:
                    atexit.register(cls._close_at_exit)
                store = cls._open[path] = cls(path)
            return store

    @classmethod
    def _all_open(cls) -> "list[SqliteKeyValueStore]":
        with cls._open_lock:
            return list(cls._open.values())

    @classmethod
    def commit_all(cls) -> None:
        """Wait until everything put so far into any shared store is in its file."""
        for store in cls._all_open():
            store.commit()

    @classmethod
    def commit_soon(cls) -> None:
        """Do the same in another thread, and leave little for `close_all` to do. Errors are raised by the next commit."""

        def work() -> None:
            with suppress(CacheError):
                for store in cls._all_open():
                    store.commit()
                    store._shorten_log()

        threading.Thread(target=work, daemon=True).start()

    @classmethod
    def close_all(cls) -> None:
        """Commit and close every shared store; they are opened again on their next use."""
        with cls._open_lock:
            stores, cls._open = list(cls._open.values()), {}
        errors = []
        for store in stores:
            try:
                store.close()
            except CacheError as e:
                errors.append(e)
        if errors:
            raise errors[0]

    @classmethod
    @contextmanager
    def closed_at_end(cls) -> Iterator[None]:
        """Close the shared stores after the block.

        Raises CacheError if something cannot be written, unless the block raises an exception itself.
        """
        try:
            yield
        except BaseException:
            cls._close_at_exit()
            raise
        cls.close_all()

    @classmethod
    def _close_at_exit(cls) -> None:
        try:
            cls.close_all()
        except CacheError as e:  # the command has already failed for the same reason
            hwarn(str(e))

    @property
    def is_closed(self) -> bool:
        return self._connection is None

    # --- processes that share the file --------------------------------------------------------------------------------

    def exclusively(self, key_text: str) -> AbstractContextManager[None]:
        """Claim the key in a way that other processes see.

        The claim ends when entries put meanwhile are in the file, or with the process.
        """
        return _Claim(self, key_text)

    def _claim(self, key_text: str) -> None:
        if self._claims.take(key_text):
            self._take_over()  # the previous owner may have been killed

    def try_claim(self, key_texts: Sequence[str]) -> list[str]:
        """Claim keys like `exclusively`, and return those that other processes do not have now."""
        return self._claims.try_take(key_texts)

    def end_claims(self, key_texts: Iterable[str]) -> None:
        """End claims of `try_claim`."""
        with self._lock:
            free = []
            for key_text in key_texts:
                if key_text in self._pending:
                    self._claimed["pending"].append(key_text)
                elif key_text in self._committing:
                    self._claimed["committing"].append(key_text)
                else:
                    free.append(key_text)
            if free:
                self._claims.release(free)

    def _take_over(self) -> None:
        """Write the entries that killed processes have left in their logs."""
        import sqlite3

        def put(pairs: list[tuple[str, str]]) -> None:
            try:
                self._write(pairs, replaces=False)
            except sqlite3.Error as e:
                raise self._explained(e) from e

        try:
            if take_over(self._path, put):
                self._absent = None
        except OSError as e:
            raise CacheError(
                f"Cannot take over the pending answers next to {self._path}, {e.filename}: {e.strerror}."
            ) from e

    # --- single entries -----------------------------------------------------------------------------------------------

    def _execute(self, statement: str, values: tuple[Any, ...] = (), fetch: bool = False) -> Any:
        """Execute a statement; the caller holds the read lock. With `fetch`, return the first row or None."""
        if self._connection is None:
            raise CacheError(f"The response cache {self._path} is closed.")
        try:
            cursor = self._connection.execute(statement, values)
            return cursor.fetchone() if fetch else cursor
        except self._connection.Error as e:
            raise self._explained(e) from e

    def contains(self, key: Mapping) -> bool:
        return self._value(request_to_key(key)) is not None

    def get(self, key: Mapping) -> dict | None:
        return self.get_with_text(request_to_key(key), key)

    def get_with_text(self, key_text: str, key: Mapping) -> dict | None:
        value = self._value(key_text)
        return None if value is None else decode_value(value)

    def get_values(self, key_texts: Sequence[str]) -> dict[str, Any]:
        """Return what is stored under several keys, for `decode_value`; those that are absent are left out."""
        found: dict[str, Any] = {}
        absent, others = self._absent, []
        for key in key_texts:
            value = self._waiting_value(key)
            if value is not None:
                found[key] = value
            elif absent is None or not absent.has(key):
                others.append(key)
        for start in range(0, len(others), _KEYS_AT_ONCE):
            chunk = others[start : start + _KEYS_AT_ONCE]
            marks = ", ".join("?" * len(chunk))
            with self._read_lock:
                statement = f'SELECT key, value FROM "unnamed" WHERE key IN ({marks})'
                found.update(self._execute(statement, tuple(chunk)).fetchall())
                if chunk[0] not in found and self._can_search and (absent is None or not absent.covers(chunk[0])):
                    self._search(chunk[0])
        return found

    def _waiting_value(self, key: str) -> Any:
        """Return the value of an entry that is not in the file yet, or None."""
        for waiting in (self._pending, self._committing):  # in the order in which entries move, so that none is missed
            value = waiting.get(key)
            if value is not None:
                return value
        return None

    def _value(self, key: str) -> Any:
        """Return the stored value as it is in the file, or None."""
        value = self._waiting_value(key)
        if value is not None:
            return value
        absent = self._absent
        if absent is not None and absent.has(key):
            return None
        with self._read_lock:
            row = self._execute('SELECT value FROM "unnamed" WHERE key = ?', (key,), fetch=True)
            if row is None and self._can_search and (absent is None or not absent.covers(key)):
                self._search(key)
        return None if row is None else row[0]

    def _search(self, key: str) -> None:
        """Note what is missing around a key, unless something is being written; the caller holds the read lock."""
        with self._lock:
            if not self._pending and not self._committing:
                try:
                    self._absent = AbsentKeys(*self._execute(FIND_INTERVAL, (key,), fetch=True))
                except CacheError:  # a table without row numbers, which can be used all the same
                    self._can_search = False

    def get_all(self) -> Generator[tuple[dict, dict], None, None]:
        self.commit()
        last = -1
        while True:
            with self._read_lock:
                statement = 'SELECT rowid, key, value FROM "unnamed" WHERE rowid > ? ORDER BY rowid LIMIT ?'
                rows = self._execute(statement, (last, _ROWS_AT_ONCE)).fetchall()
            if not rows:
                return
            for _, key, value in rows:
                yield json.loads(key), decode_value(value)
            last = rows[-1][0]

    def put(self, key: Mapping, value: dict) -> None:
        self.put_with_text(request_to_key(key), key, value)

    def prepare_to_put(self) -> None:
        if self._failure is not None:
            self.commit()
        log = self._log
        if log is not None and log.error is None:
            return
        with self._lock:
            if self._log is None and self._can_log:
                try:
                    self._log = PendingAnswers(self._path)
                except NotImplementedError:
                    self._can_log = False
                except OSError as e:
                    raise self._no_log(e) from e
            if self._log is not None and self._log.error is not None:
                raise self._no_log(self._log.error)

    def _no_log(self, error: OSError) -> CacheError:
        return CacheError(
            f"The response cache {self._path} cannot keep new answers: {error.strerror}. What was answered until now is "
            f"kept. Free some space, and the same command continues from there. {_ELSEWHERE}"
        )

    def put_with_text(self, key_text: str, key: Mapping, value: dict) -> None:
        self.put_texts([(key_text, encode_value(value))])

    def put_texts(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Store the texts of values under the texts of their keys: all of them, or none if there is no space."""
        if self._log is None and self._can_log:
            self.prepare_to_put()
        with self._lock:
            if self._log is not None:
                try:
                    self._log.append(pairs)
                except OSError as e:
                    self._pending.update(pairs)
                    raise self._no_log(e) from e
            self._pending.update(pairs)
            self._start_timer()
            commit_at = self._COMMIT_AT_ALONE if self._claims.has_all else self._COMMIT_AT
            if len(self._pending) >= commit_at and not self._is_commit_due:
                threading.Thread(target=self._commit_in_background, daemon=True).start()
                self._is_commit_due = True
            is_behind = len(self._pending) >= self._MOST_BEHIND * commit_at
        if self._log is None:
            self.commit()
        elif is_behind:
            self._commit_in_background()

    def multi_put(self, pairs: Iterable[tuple[dict, dict]]) -> None:
        with self._lock:
            self._pending.update((request_to_key(key), json.dumps(value)) for key, value in pairs)
        self.commit()

    def remove(self, key: Mapping) -> None:
        self.commit()
        with self._read_lock:
            removed = self._execute('DELETE FROM "unnamed" WHERE key = ?', (request_to_key(key),)).rowcount
        if not removed:
            raise KeyError(request_to_key(key))

    def _write(self, pairs: Iterable[tuple[str, str]], replaces: bool) -> None:
        """Write entries in one transaction; existing ones are replaced or kept. Raises sqlite3.Error."""
        with self._write_lock:
            self._writer.write(pairs, replaces)

    def _stay_alone(self) -> None:
        """Claim all keys if no other process has the file open; the caller has just written, and does not hold the lock."""
        absent, is_sure, is_alone = self._absent, False, self._claims.take_all()
        if is_alone and absent is not None:
            with self._read_lock, suppress(CacheError):
                is_sure = absent.agrees(self._execute(FIND_LAST_ROW, fetch=True)[0])
        with self._lock:
            if not is_alone:
                self._let_others_write()
                return
            if absent is not None and self._absent is absent:  # otherwise, somebody has found other answers meanwhile
                absent.is_sure = is_sure
                self._absent = absent if is_sure else None
            self._start_timer()  # others wait at most until then

    def _let_others_write(self) -> None:
        """Give back the claim to all keys; the caller holds the lock."""
        if self._absent is not None:
            self._absent.is_sure = False
        self._claims.give_back()

    def _start_timer(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self.COMMIT_EVERY_S, self._commit_in_background)
            self._timer.daemon = True
            self._timer.start()

    def commit(self) -> None:
        """Write everything put so far to the file. Raises CacheError if that is not possible.

        Readers and writers continue meanwhile; entries being written are read from memory.
        """
        import sqlite3

        with self._commit_lock:
            with self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                self._is_commit_due = False
                if not self._pending or self._connection is None:
                    self._let_others_write()
                    return
                if self._absent is not None:
                    self._absent.note(self._pending)
                self._committing, self._pending = self._pending, {}
                self._claimed = {"committing": self._claimed["pending"], "pending": []}
                clear_log = self._log.switch() if self._log is not None else None
            try:
                self._write(self._committing.items(), replaces=True)
            except BaseException as e:
                with self._lock:  # the next commit tries again
                    self._pending = {**self._committing, **self._pending}
                    self._claimed["pending"] += self._claimed["committing"]
                    self._claimed["committing"] = []
                    self._let_others_write()
                    if not isinstance(e, sqlite3.Error):
                        raise
                    self._failure = self._explained(e)
                raise self._failure from e
            else:
                with self._lock:
                    self._failure = None
                    if clear_log is not None:
                        clear_log()
                    is_busy = len(self._committing) >= self._BUSY_AT
                    if not is_busy:
                        self._let_others_write()
                if is_busy:
                    self._stay_alone()
            finally:
                with self._lock:
                    self._committing = {}
                    self._claims.release(self._claimed["committing"])
                    self._claimed["committing"] = []

    def _commit_in_background(self) -> None:
        try:
            self.commit()
        except CacheError:  # entries stay pending, and the next `put` raises the error
            pass

    def _shorten_log(self) -> None:
        import sqlite3

        with self._write_lock, suppress(OSError, sqlite3.Error):  # then the log stays long
            self._writer.shorten_log()

    def close(self) -> None:
        """Commit and release. If the file cannot be written, its missing entries stay in the log next to it."""
        try:
            self.commit()
        finally:
            with self._commit_lock, self._read_lock, self._lock:
                if self._timer is not None:
                    self._timer.cancel()
                    self._timer = None
                if self._connection is not None:
                    with self._write_lock:
                        self._writer.close()
                    self._connection.close()
                    self._connection = None
                if self._log is not None:
                    self._log.close(keep=bool(self._pending))
                    self._log = None
                self._claims.close()
            with self._open_lock:
                if self._open.get(self._path) is self:
                    del self._open[self._path]


class _Claim(AbstractContextManager[None]):
    """A generator would cost as much again as the claim."""

    def __init__(self, store: SqliteKeyValueStore, key_text: str):
        self._store, self._key_text = store, key_text

    def __enter__(self) -> None:
        self._store._claim(self._key_text)

    def __exit__(self, *exc_info: Any) -> None:
        self._store.end_claims([self._key_text])


_ELSEWHERE = "Another cache can be had with --local-path, none with --disable-cache."
