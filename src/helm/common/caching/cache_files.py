"""Operations on cache files: survey, import (also of HELM's caches), export and pruning.

Evaluations may be using a file at the same time, so it is read without locking others out, and written in short
transactions. If a command is interrupted, repeating it does the rest.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import quote

from helm.common.caching.sqlite_connection import connect_to_table
from helm.common.errors import HelmError
from helm.common.key_value_store import CacheError, decode_value

if TYPE_CHECKING:
    import sqlite3

SUFFIX = ".sqlite"
# Transactions of milliseconds, between which evaluations get to write.
_ROWS_PER_TRANSACTION = 200
# Others hold the write lock only for moments; a minute is generous even on a slow network file system.
_BUSY_TIMEOUT_S = 60
_OPEN_TIMEOUT_S = 20
_MODEL_KEYS = ("model", "engine", "model_name", "model_deployment", "model_name_or_path", "tokenizer")
_DATE_KEY = "request_datetime"

Row = tuple[str, Any]
"""The key and the value as they are stored."""


@dataclass(frozen=True)
class Problem:
    """An entry that was not imported or exported, and the reason."""

    key: str

    reason: str

    def describe(self) -> str:
        shown = self.key if len(self.key) <= 120 else self.key[:117] + "..."
        return f"{shown}: {self.reason}"


@dataclass
class CacheSurvey:
    """The contents of a cache file."""

    path: str

    size_bytes: int = 0
    """The size of the file and its write-ahead log."""

    entries: int = 0

    pickled: int = 0
    """The number of entries written by HELM."""

    refused: list[Problem] = field(default_factory=list)

    models: Counter = field(default_factory=Counter)
    """The number of entries by model or tokenizer; `?` if the key names none."""

    first_date: int | None = None
    """The time of the oldest answer, in seconds since 1970."""

    last_date: int | None = None


@dataclass
class ImportReport:
    """The outcome of importing the entries of one file."""

    source: str

    target: str

    read: int = 0

    added: int = 0

    same: int = 0
    """The number of entries that the target has already."""

    converted: int = 0
    """The number of pickles converted to JSON when a file is imported into itself."""

    replaced: int = 0

    conflicts: list[Problem] = field(default_factory=list)
    """Entries for which the target has another answer, which it keeps."""

    refused: list[Problem] = field(default_factory=list)
    """Entries that are not plain values."""


def find_cache_files(path: str) -> list[str]:
    """Return the cache files at a path: a file, a folder of files, or a `prod_env` with a folder `cache`.

    Raises CacheError if there are none.
    """
    if os.path.isfile(path):
        return [path]
    if not os.path.isdir(path):
        raise CacheError(f"There is no file or folder {path}.")
    for folder in (path, os.path.join(path, "cache")):
        if os.path.isdir(folder):
            names = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
            if names:
                return [os.path.join(folder, name) for name in names]
    raise CacheError(f"There are no cache files (*{SUFFIX}) in {path}.")


# --- reading ----------------------------------------------------------------------------------------------------------


@contextmanager
def _reading(path: str) -> Iterator["sqlite3.Connection"]:
    """Open a read-only connection. Raises CacheError for a file that is not a cache."""
    import sqlite3

    if not os.path.isfile(path):
        raise CacheError(f"There is no file {path}.")
    address = f"file:{quote(os.path.abspath(path))}?mode=ro"
    if not os.access(os.path.dirname(os.path.abspath(path)), os.W_OK) and not os.path.exists(f"{path}-wal"):
        address += "&immutable=1"  # SQLite cannot create its files here, and none is in use
    try:
        connection = sqlite3.connect(address, uri=True, timeout=_BUSY_TIMEOUT_S, isolation_level=None)
        try:
            rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            tables = [name for (name,) in rows.fetchall()]
            if "unnamed" not in tables:
                there = f"it has {', '.join(tables)}" if tables else "it has none"
                raise CacheError(f"{path} is not a response cache: it has no table 'unnamed' ({there}).")
            connection.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
            yield connection
        finally:
            connection.close()
    except sqlite3.Error as e:
        raise CacheError(f"{path} cannot be read as a response cache: {e}.") from e


def iterate_rows(path: str) -> Iterator[Row]:
    """Yield all rows as they are stored, oldest first. Raises CacheError."""
    with _reading(path) as connection:
        yield from connection.execute('SELECT key, value FROM "unnamed" ORDER BY rowid')


def decode_row(row: Row) -> tuple[dict[str, Any], dict[str, Any]]:
    """Decode a row to (request, response). Raises CacheError that says what is wrong with the entry."""
    key_text, stored = row
    try:
        key = json.loads(key_text)
    except (TypeError, ValueError, RecursionError) as e:
        raise CacheError(f"The key is not JSON: {e}.") from e
    value = decode_value(stored)
    if not isinstance(key, dict) or not isinstance(value, dict):
        raise CacheError("A cache maps JSON objects to JSON objects.")
    return key, value


def model_of(key: dict[str, Any]) -> str:
    """Return the model or tokenizer that a request names, or `?`."""
    return next((str(key[name]) for name in _MODEL_KEYS if isinstance(key.get(name), str)), "?")


def date_of(value: dict[str, Any]) -> int | None:
    """Return the time of a response in seconds since 1970; those of tokenizers have none."""
    date = value.get(_DATE_KEY)
    return int(date) if isinstance(date, (int, float)) and not isinstance(date, bool) and date == date else None


def survey_cache(path: str) -> CacheSurvey:
    """Count the contents of a file. Raises CacheError."""
    survey = CacheSurvey(path)
    survey.size_bytes = sum(os.path.getsize(p) for p in (path, f"{path}-wal") if os.path.exists(p))
    for row in iterate_rows(path):
        survey.entries += 1
        survey.pickled += isinstance(row[1], bytes)
        try:
            key, value = decode_row(row)
        except CacheError as e:
            survey.refused.append(Problem(str(row[0]), str(e)))
            continue
        survey.models[model_of(key)] += 1
        date = date_of(value)
        if date is not None:
            survey.first_date = date if survey.first_date is None else min(survey.first_date, date)
            survey.last_date = date if survey.last_date is None else max(survey.last_date, date)
    return survey


def export_cache(path: str, stream: IO[str]) -> tuple[int, list[Problem]]:
    """Write every entry as a line `{"key": ..., "value": ...}`; return their number, and those that cannot be read."""
    count, refused = 0, []
    for row in iterate_rows(path):
        try:
            key, value = decode_row(row)
        except CacheError as e:
            refused.append(Problem(str(row[0]), str(e)))
            continue
        stream.write(json.dumps({"key": key, "value": value}) + "\n")
        count += 1
    return count, refused


# --- writing ----------------------------------------------------------------------------------------------------------


@contextmanager
def _writing(path: str) -> Iterator["sqlite3.Connection"]:
    """Open a connection to a file, which is created if missing. Raises CacheError."""
    import sqlite3

    folder = os.path.dirname(os.path.abspath(path))
    try:
        os.makedirs(folder, exist_ok=True)
        connection = connect_to_table(path, _BUSY_TIMEOUT_S, _OPEN_TIMEOUT_S)
        try:
            yield connection
        finally:
            connection.close()
    except OSError as e:
        raise CacheError(f"Cannot make the folder {folder}: {e.strerror}.") from e
    except sqlite3.Error as e:
        raise CacheError(f"{path} cannot be written: {e}.") from e


@contextmanager
def _transaction(connection: "sqlite3.Connection") -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == _ROWS_PER_TRANSACTION:
            yield batch
            batch = []
    if batch:
        yield batch


def import_cache(
    source: str,
    target: str,
    replace: bool = False,
    dry_run: bool = False,
    advance: Callable[[int], Any] = lambda count: None,
) -> ImportReport:
    """Add the entries of one file to another, values as JSON. A file imported into itself is converted in place.

    Args:
        replace: whether the source's answer replaces another answer of the target; otherwise the target keeps its own.
        advance: called with the number of rows read since the last call.

    Raises CacheError if a file cannot be used. Entries that cannot be read are listed in the report.
    """
    report = ImportReport(source, target)
    is_same_file = os.path.exists(target) and os.path.samefile(source, target)
    if dry_run and not os.path.exists(target):
        for rows in _batches(iterate_rows(source)):
            report.added += len(_read_batch(rows, report))
            advance(len(rows))
        return report
    opener = _reading if dry_run else _writing
    with opener(target) as connection:
        for rows in _batches(iterate_rows(source)):
            entries = _read_batch(rows, report)
            if dry_run:
                _import_batch(connection, entries, report, replace, is_same_file, write=False)
            else:
                with _transaction(connection):
                    _import_batch(connection, entries, report, replace, is_same_file, write=True)
            advance(len(rows))
    return report


def _read_batch(rows: Sequence[Row], report: ImportReport) -> list[tuple[str, Any, dict[str, Any]]]:
    """Return (key, stored value, decoded value) of readable rows; the others go into the report."""
    entries = []
    for row in rows:
        report.read += 1
        try:
            entries.append((row[0], row[1], decode_row(row)[1]))
        except CacheError as e:
            report.refused.append(Problem(str(row[0]), str(e)))
    return entries


def _import_batch(
    connection: "sqlite3.Connection",
    entries: Sequence[tuple[str, Any, dict[str, Any]]],
    report: ImportReport,
    replace: bool,
    is_same_file: bool,
    write: bool,
) -> None:
    for key, stored, value in entries:
        text = json.dumps(value)
        if is_same_file:
            if isinstance(stored, str):
                report.same += 1
                continue
            report.converted += 1
            if write:  # unless a run has stored another answer meanwhile
                connection.execute('UPDATE "unnamed" SET value = ? WHERE key = ? AND value = ?', (text, key, stored))
            continue
        row = connection.execute('SELECT value FROM "unnamed" WHERE key = ?', (key,)).fetchone()
        if row is None:
            report.added += 1
            if write:
                connection.execute('INSERT INTO "unnamed" (key, value) VALUES (?, ?)', (key, text))
        elif _is_same_value(row[0], text, value):
            report.same += 1
        elif replace:
            report.replaced += 1
            if write:
                connection.execute('UPDATE "unnamed" SET value = ? WHERE key = ?', (text, key))
        else:
            report.conflicts.append(Problem(key, "the target has another answer, which stays"))


def _is_same_value(stored: Any, text: str, value: dict[str, Any]) -> bool:
    if stored == text:
        return True
    try:
        return json.dumps(decode_value(stored), sort_keys=True) == json.dumps(value, sort_keys=True)
    except HelmError:
        return False


def prune_cache(
    path: str,
    older_than: int | None = None,
    models: Sequence[str] = (),
    dry_run: bool = False,
    compact: bool = False,
) -> tuple[int, int]:
    """Delete entries; return the number deleted, and the number kept because they have no date.

    Args:
        older_than: only answers before this time, in seconds since 1970, are deleted.
        models: only entries of models that match one of these patterns (`*` matches anything) are deleted.
        compact: whether to return the space to the file system, which locks the file meanwhile.

    Entries that cannot be read are kept. Raises CacheError, or ValueError if there is no condition at all.
    """
    import fnmatch

    if older_than is None and not models:
        raise ValueError("prune_cache needs a date or a model")
    deleted = undated = 0
    with _reading(path) if dry_run else _writing(path) as connection:
        for rows in _batches(iterate_rows(path)):
            chosen = []
            for row in rows:
                try:
                    key, value = decode_row(row)
                except CacheError:
                    continue
                if models and not any(fnmatch.fnmatchcase(model_of(key), pattern) for pattern in models):
                    continue
                date = date_of(value)
                if older_than is not None and date is None:
                    undated += 1
                elif older_than is None or (date is not None and date < older_than):
                    chosen.append(row)
            deleted += len(chosen)
            if chosen and not dry_run:
                with _transaction(connection):
                    connection.executemany('DELETE FROM "unnamed" WHERE key = ? AND value = ?', chosen)
        if compact and not dry_run:
            connection.execute("VACUUM")
    return deleted, undated
