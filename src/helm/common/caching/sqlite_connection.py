"""Connections to the SQLite files of caches, which several processes may be making at the same moment."""

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_PAUSE_S = 0.01


def connect_to_table(
    path: str, busy_timeout_s: float, open_timeout_s: float, check_same_thread: bool = True
) -> "sqlite3.Connection":
    """A connection, without implicit transactions, to a file with our table; both are made when they are not there.

    Args:
        busy_timeout_s: how long statements wait for the locks of others.
        open_timeout_s: how long to try anew when the file cannot be opened because others make it: switching to WAL does
            not wait for a lock.

    Raises: sqlite3.Error.
    """
    import sqlite3

    deadline = time.monotonic() + open_timeout_s
    while True:
        connection = sqlite3.connect(
            path, timeout=busy_timeout_s, check_same_thread=check_same_thread, isolation_level=None
        )
        try:
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
            connection.execute('SELECT key, value FROM "unnamed" LIMIT 1').fetchone()
            return connection
        except sqlite3.Error as e:
            connection.close()
            if "locked" not in str(e) or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE_S)
