"""Opening a file that others are making at the same moment."""

import sqlite3
import threading

import pytest

from helm.common.caching.sqlite_connection import connect_to_table


@pytest.fixture
def locked(tmp_path):
    """A file that somebody holds for himself, and how to let go of it."""
    path = str(tmp_path / "cache.sqlite")
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN EXCLUSIVE")
    yield path, lambda: holder.execute("COMMIT")
    holder.close()


def test_a_file_that_others_are_making_is_waited_for(locked):
    path, let_go = locked
    timer = threading.Timer(0.2, let_go)
    timer.start()
    connection = connect_to_table(path, busy_timeout_s=0, open_timeout_s=20)
    timer.join()
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute('SELECT COUNT(*) FROM "unnamed"').fetchone() == (0,)
    connection.close()


def test_not_for_ever(locked):
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        connect_to_table(locked[0], busy_timeout_s=0, open_timeout_s=0)


def test_a_page_of_a_new_file_holds_a_long_key_and_a_file_that_exists_stays_as_it_is(tmp_path):
    old = str(tmp_path / "old.sqlite")
    with sqlite3.connect(old) as connection:
        connection.execute("PRAGMA page_size = 4096")
        connection.execute('CREATE TABLE "unnamed" (key TEXT PRIMARY KEY, value BLOB)')
        connection.execute('INSERT INTO "unnamed" VALUES (?, ?)', ("k", "v"))
    for path, page_bytes, rows in ((old, 4096, [("k", "v")]), (str(tmp_path / "new.sqlite"), 8192, [])):
        connection = connect_to_table(path, busy_timeout_s=1, open_timeout_s=20)
        assert connection.execute("PRAGMA page_size").fetchone() == (page_bytes,)
        assert connection.execute('SELECT * FROM "unnamed"').fetchall() == rows
        connection.close()
