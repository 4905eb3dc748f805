"""Connections to the SQLite files of caches, which several processes may be creating at the same moment."""

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_PAUSE_S = 0.01
# Keys are whole requests. With SQLite's usual 4 KiB, a key of more than 1 KiB needs pages of its own in the table's index, and
# writing these took half the time of an answer. Files that exist keep the size that they were made with.
_PAGE_BYTES = 8192


def connect_to_table(
    path: str, busy_timeout_s: float, open_timeout_s: float, check_same_thread: bool = True
) -> "sqlite3.Connection":
    """Connect, without implicit transactions, to a file with our table; both are created if missing.

    Args:
        busy_timeout_s: how long statements wait for locks of other processes.
        open_timeout_s: how long to retry opening a file that others are creating: switching to WAL does not wait for locks.

    Raises sqlite3.Error.
    """
    import sqlite3

    deadline = time.monotonic() + open_timeout_s
    while True:
        connection = sqlite3.connect(
            path, timeout=busy_timeout_s, check_same_thread=check_same_thread, isolation_level=None
        )
        try:
            connection.execute(f"PRAGMA page_size={_PAGE_BYTES}")
            connection.execute("PRAGMA journal_mode=WAL").fetchone()
            connection.execute('CREATE TABLE IF NOT EXISTS "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
            connection.execute('SELECT key, value FROM "unnamed" LIMIT 1').fetchone()
            return connection
        except sqlite3.Error as e:
            connection.close()
            if "locked" not in str(e) or time.monotonic() > deadline:
                raise
        time.sleep(_PAUSE_S)
