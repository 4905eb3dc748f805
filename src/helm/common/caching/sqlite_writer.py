"""Writes to a response cache through `SqliteDict`, whose files HELM can read."""

import os
from collections.abc import Iterable, Iterator
from typing import Any

from helm.common.caching.sqlite_connection import connect_to_table

# Each statement is handed to another thread, which costs as much as writing a row.
_ROWS_AT_ONCE = 256

# Answers change the same pages again and again, so the longer they stay in the log (at most 32 MiB), the fewer are copied.
_CHECKPOINT_PAGES = 4000

# A log of this many bytes takes some 20 ms to copy, which is better done while there is other work than when a command ends.
_LONG_LOG_BYTES = 4 << 20

# Keys come in any order, so each belongs to another page of the index. With SQLite's usual 2 MB, most pages would be read again
# for every transaction, which took a third of the time of an answer.
_CACHE_KIB = 16_000


class SqliteWriter:
    """A process's only writer for a file. Values are stored as texts. Not thread-safe.

    `SqliteDict` writes in a thread. An error of a statement is returned with the next statement that is waited for, but an
    error of `SqliteDict.commit` (such as a full disk) ends the thread, and waiting for it never ends. Therefore transactions
    begin and end with statements.

    Args:
        busy_timeout_s: how long a statement waits for locks of other processes.
    """

    def __init__(self, path: str, busy_timeout_s: float):
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._pid = os.getpid()
        self._dict: Any | None = None

    def write(self, pairs: Iterable[tuple[str, str]], replaces: bool) -> None:
        """Write all pairs or none. Raises sqlite3.Error."""
        import sqlite3

        try:
            table = self._open()
        except RuntimeError:  # since Python 3.12, no thread can be started at interpreter exit
            self._write_without_thread(pairs, replaces)
            return
        self._do("BEGIN IMMEDIATE")
        try:
            for statement, values in _statements(pairs, replaces):
                table.conn.execute(statement, values)
            self._wait()
            self._do("COMMIT")
        except BaseException:
            try:
                self._do("ROLLBACK")
            except sqlite3.Error:
                pass  # there is nothing left to roll back
            raise

    def _write_without_thread(self, pairs: Iterable[tuple[str, str]], replaces: bool) -> None:
        connection = connect_to_table(self._path, self._busy_timeout_s, self._busy_timeout_s)
        try:
            connection.execute("BEGIN IMMEDIATE")
            for statement, values in _statements(pairs, replaces):
                connection.execute(statement, values)
            connection.execute("COMMIT")
        finally:
            connection.close()  # rolls back an open transaction

    def shorten_log(self) -> None:
        """Copy a long write-ahead log to the file, as SQLite does when the file is closed. Raises sqlite3.Error or OSError."""
        if self._dict is not None and self._has_thread() and os.path.getsize(f"{self._path}-wal") >= _LONG_LOG_BYTES:
            self._do("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        if self._dict is not None and self._has_thread():
            self._dict.close(do_log=False)
        self._dict = None

    def _has_thread(self) -> bool:
        return self._pid == os.getpid()  # a forked process does not have it

    def _open(self) -> Any:
        if self._dict is None:
            import logging

            from sqlitedict import SqliteDict

            logging.getLogger("sqlitedict").setLevel(logging.CRITICAL)  # errors are raised anyway
            self._dict = SqliteDict(
                self._path,
                tablename="unnamed",
                journal_mode="WAL",
                outer_stack=False,
                encode=lambda text: text,
                decode=lambda text: text,
            )
            self._do(f"PRAGMA busy_timeout = {round(1000 * self._busy_timeout_s)}")
            self._do("PRAGMA synchronous = NORMAL")  # a loss of power must not damage the file
            self._do(f"PRAGMA cache_size = -{_CACHE_KIB}")
            self._do(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        return self._dict

    def _do(self, statement: str) -> None:
        assert self._dict is not None
        self._dict.conn.execute(statement)
        self._wait()

    def _wait(self) -> None:
        """Wait until all statements so far are done. Raises the sqlite3.Error of any of them."""
        assert self._dict is not None
        self._dict.conn.select_one("SELECT 1")


def _statements(pairs: Iterable[tuple[str, str]], replaces: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield statements that write all pairs, with their values. Existing pairs are replaced or kept."""
    verb = "REPLACE" if replaces else "IGNORE"
    values = [text for pair in pairs for text in pair]
    for start in range(0, len(values), 2 * _ROWS_AT_ONCE):
        chunk = values[start : start + 2 * _ROWS_AT_ONCE]
        rows = ", ".join(["(?, ?)"] * (len(chunk) // 2))
        yield f'INSERT OR {verb} INTO "unnamed" (key, value) VALUES {rows}', chunk
