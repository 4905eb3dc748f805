"""Repairs a damaged cache file: sets it aside, and creates a new file with everything that can still be read."""

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from helm.common.caching.cache_files import Problem, decode_row
from helm.common.key_value_store import CacheError, SqliteKeyValueStore

if TYPE_CHECKING:
    import sqlite3

# Limits the time spent on damaged parts in the middle of a file.
_MOST_PROBES = 10_000

Row = tuple[int, Any, Any]
"""The row id, the key and the value."""


@dataclass
class RepairReport:
    """The outcome of a repair."""

    path: str

    aside: str | None = None
    """The new path of the damaged file; None if there was nothing to repair."""

    saved: int = 0
    """The number of entries in the new file."""

    refused: list[Problem] = field(default_factory=list)
    """Rows that could be read, but are not valid entries of a cache."""


def repair_cache(path: str) -> RepairReport:
    """Repair a file that no evaluation is using. Raises CacheError if it does not exist or cannot be moved."""
    report = RepairReport(path)
    if not os.path.isfile(path):
        raise CacheError(f"There is no file {path}.")
    if os.path.getsize(path) == 0 or _is_whole(path):
        return report
    report.aside = _put_aside(path)
    pairs = []
    for _, key, value in _readable_rows(report.aside):
        try:
            pairs.append(decode_row((key, value)))
        except CacheError as e:
            report.refused.append(Problem(str(key), str(e)))
    with SqliteKeyValueStore(path) as store:
        if pairs:
            store.multi_put(pairs)
    report.saved = len(pairs)
    return report


def _is_whole(path: str) -> bool:
    import sqlite3

    try:
        connection = _open_read_only(path)
        try:
            connection.execute('SELECT key, value FROM "unnamed" LIMIT 1').fetchone()
            return bool(connection.execute("PRAGMA integrity_check").fetchone() == ("ok",))
        finally:
            connection.close()
    except sqlite3.Error:
        return False


def _open_read_only(path: str) -> "sqlite3.Connection":
    import sqlite3

    connection = sqlite3.connect(f"file:{quote(os.path.abspath(path))}?mode=ro", uri=True, isolation_level=None)
    connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    return connection


def _put_aside(path: str) -> str:
    """Rename the file and SQLite's files next to it; return the new name."""
    stem = f"{path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}"
    aside, number = stem, 1
    while os.path.exists(aside):
        number += 1
        aside = f"{stem}-{number}"
    try:
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(path + suffix):
                os.rename(path + suffix, aside + suffix)
    except OSError as e:
        raise CacheError(f"Cannot put {path} aside as {aside}: {e.strerror}.") from e
    return aside


def _readable_rows(path: str) -> list[Row]:
    """Return the rows before the first damage, after the last one, and readable ones in between."""
    import sqlite3

    try:
        connection = _open_read_only(path)
        connection.execute("PRAGMA writable_schema=ON")  # otherwise SQLite refuses a truncated file
    except sqlite3.Error:
        return []
    try:
        first = _read(connection, "rowid > ? ORDER BY rowid", (-1,))
        end = first[-1][0] if first else -1
        last = _read(connection, "rowid > ? ORDER BY rowid DESC", (end,))[::-1]
        between = _probe(connection, end + 1, last[0][0] - 1) if last else []
        return [*first, *between, *last]
    finally:
        connection.close()


def _read(connection: "sqlite3.Connection", condition: str, values: tuple[int, ...]) -> list[Row]:
    """Read rows until there are no more, or one cannot be read."""
    import sqlite3

    rows: list[Row] = []
    try:
        for row in connection.execute(f'SELECT rowid, key, value FROM "unnamed" WHERE {condition}', values):
            rows.append(row)
    except sqlite3.Error:
        pass  # this is the damage
    return rows


def _probe(connection: "sqlite3.Connection", start: int, end: int) -> list[Row]:
    """Return the readable rows of a range by repeatedly halving the parts that cannot be read."""
    rows: list[Row] = []
    parts = [(start, end)]
    for _ in range(_MOST_PROBES):
        if not parts:
            break
        low, high = parts.pop()
        found = _read(connection, "rowid BETWEEN ? AND ? ORDER BY rowid", (low, high))
        rows += found
        low = found[-1][0] + 1 if found else low
        middle = (low + high) // 2
        if low < high:
            parts += [(middle + 1, high), (low, middle)]
    return sorted(rows)
