"""Writing to a response cache, through `SqliteDict`, whose files HELM reads."""

import os
from collections.abc import Iterable
from typing import Any

from helm.common.caching.sqlite_connection import connect_to_table


class SqliteWriter:
    """The one writer of a process for a file. Values are the texts that go there. Not for several threads at once.

    `SqliteDict` has a thread that writes. An error of a statement comes back from there with the next one that is waited
    for; an error of `SqliteDict.commit` ends the thread, and whoever waits for it waits for ever (a full disk does that). So
    transactions begin and end with statements.

    Args:
        busy_timeout_s: how long a statement waits for the locks of other processes.
    """

    def __init__(self, path: str, busy_timeout_s: float):
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._pid = os.getpid()
        self._dict: Any | None = None

    def write(self, pairs: Iterable[tuple[str, str]], replaces: bool) -> None:
        """All of them or none. Raises: sqlite3.Error."""
        import sqlite3

        try:
            table = self._open()
        except RuntimeError:  # from Python 3.12 on the interpreter starts no thread any more when it ends
            self._write_without_thread(pairs, replaces)
            return
        self._do("BEGIN IMMEDIATE")
        try:
            found: list[tuple[str, str]] = list(pairs)
            table.update(found if replaces else [(key, value) for key, value in found if key not in table])
            self._wait()
            self._do("COMMIT")
        except BaseException:
            try:
                self._do("ROLLBACK")
            except sqlite3.Error:
                pass  # there is nothing to take back any more
            raise

    def _write_without_thread(self, pairs: Iterable[tuple[str, str]], replaces: bool) -> None:
        connection = connect_to_table(self._path, self._busy_timeout_s, self._busy_timeout_s)
        verb = "REPLACE" if replaces else "IGNORE"
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(f'INSERT OR {verb} INTO "unnamed" (key, value) VALUES (?, ?)', pairs)
            connection.execute("COMMIT")
        finally:
            connection.close()  # takes back what was begun

    def close(self) -> None:
        if self._dict is not None and self._pid == os.getpid():  # a forked process has no such thread
            self._dict.close(do_log=False)
        self._dict = None

    def _open(self) -> Any:
        if self._dict is None:
            import logging

            from sqlitedict import SqliteDict

            logging.getLogger("sqlitedict").setLevel(logging.CRITICAL)  # errors are raised as well
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
        return self._dict

    def _do(self, statement: str) -> None:
        assert self._dict is not None
        self._dict.conn.execute(statement)
        self._wait()

    def _wait(self) -> None:
        """Until everything up to here is done. Raises: sqlite3.Error of what was done."""
        assert self._dict is not None
        self._dict.conn.select_one("SELECT 1")
