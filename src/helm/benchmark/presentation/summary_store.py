"""What `helm-summarize` remembers of its last pass over a suite, so that the next one reads only the runs that changed.

It is a SQLite file in `.helm-index` next to the results, may be deleted at any time, and is made from sizes and times of files:
a file with other content but the same size and time is not noticed, as with `make` and the viewer's index. Only one process
uses it at a time; a second one works without.
"""

import hashlib
import json
import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from helm.common.codec import asdict_without_nones
from helm.common.commands.output_path import INDEX_FOLDER
from helm.results.run_files.compact_run import CompactRun, CompactRunReader, StatNames
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    DISPLAY_FILE_NAMES,
    ERROR_FILE_NAME,
    INTERVALS_FILE_NAME,
    JOURNAL_FILE_NAME,
    RUN_FILE_NAMES,
    plain_name,
)
from helm.results.run_files.run_reader import Run

_VERSION = 1
_SUMMARIES_FOLDER = "summaries"
_LOCK_TIMEOUT_S = 0.2
_SOURCES = frozenset((*RUN_FILE_NAMES, COVERAGE_FILE_NAME, ERROR_FILE_NAME))
_MEASURED = _SOURCES | {*DISPLAY_FILE_NAMES, INTERVALS_FILE_NAME}
_SCHEMA = """
CREATE TABLE runs (
    name TEXT PRIMARY KEY, sources TEXT, spec BLOB, names INTEGER, numbers BLOB, display TEXT, start INTEGER, end INTEGER
) WITHOUT ROWID;
CREATE TABLE names (number INTEGER PRIMARY KEY, json BLOB UNIQUE);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
"""


@dataclass(frozen=True, slots=True)
class FolderState:
    """The files of a run's folder at one time, as digests of their names, sizes and times."""

    names: frozenset[str]
    """The files that a summary is made from, by name."""

    has_journal: bool
    """Whether the run is not finished, or was begun again."""

    sources: str
    """The state of the files that a summary is made from."""

    display: str
    """The state of the display files."""

    intervals: str
    """The state of the file of intervals."""


_NO_FILES = FolderState(frozenset(), False, "", "", "")


def measure_folder(path: str) -> FolderState:
    """Measure the folder of a run, without reading any file. A folder that cannot be listed has no files."""
    versions: dict[str, tuple[int, int]] = {}
    has_journal = False
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                if entry.name == JOURNAL_FILE_NAME:
                    has_journal = True
                name = plain_name(entry.name)
                is_hidden = name != entry.name and name in versions  # by the plain form
                if name in _MEASURED and not is_hidden and entry.is_file():
                    status = entry.stat()
                    versions[name] = (status.st_size, status.st_mtime_ns)
    except OSError:  # it was removed meanwhile
        return _NO_FILES

    def digest_of(names: Iterable[str]) -> str:
        return digest([(name, versions[name]) for name in names if name in versions])

    names = frozenset(versions.keys() & _SOURCES)
    return FolderState(
        _same(names),
        has_journal,
        digest_of(sorted(names)) + ("+" if has_journal else ""),
        digest_of(DISPLAY_FILE_NAMES),
        digest_of((INTERVALS_FILE_NAME,)),
    )


@cache
def _same(names: frozenset[str]) -> frozenset[str]:
    """Return the same object for equal sets, of which there are few."""
    return names


def measure_file(path: str) -> str:
    """Return the version of a file: another one if it was replaced or written to; empty if there is none."""
    try:
        return version_of(os.stat(path))
    except OSError:
        return ""


def version_of(status: os.stat_result) -> str:
    """Return the version of a file whose status is known."""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"


@cache
def code_version() -> str:
    """Return a digest of the names, sizes and times of the package's files, on which all that is remembered depends."""
    import helm

    found = hashlib.sha256()
    for root in helm.__path__:
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(names):
                found.update(f"{name} {measure_file(os.path.join(folder, name))}\n".encode())
    return found.hexdigest()[:24]


def digest(value: object) -> str:
    """Return a short digest of plain values."""
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:24]


class SummaryStore:
    """The store of one suite or release; a transaction lasts from opening to `commit` or `close`.

    Args:
        output_path: the folder that contains `runs`.
        target: the suites, and what they are summarized as; each target has a store of its own.

    Raises:
        OSError: The folder cannot be written to.
        sqlite3.Error: Another process uses the store, or the file is damaged and cannot be replaced.
    """

    def __init__(self, output_path: str, target: Sequence[str | None]):
        folder = os.path.join(output_path, INDEX_FOLDER, _SUMMARIES_FOLDER)
        if os.path.islink(os.path.join(output_path, INDEX_FOLDER)) or os.path.islink(folder):
            raise OSError(f"{folder} is a link; an index needs a folder of its own.")
        os.makedirs(folder, exist_ok=True)
        self._path = os.path.join(folder, digest(list(target)) + ".sqlite")
        self._connection = self._open()
        self._names: dict[int, StatNames] = {}
        self._numbers_of_names: dict[int, int] = {}
        self._states: dict[str, FolderState] = {}

    def _open(self) -> sqlite3.Connection:
        for _ in range(2):
            connection = sqlite3.connect(self._path, timeout=_LOCK_TIMEOUT_S, isolation_level=None)
            try:
                connection.execute("PRAGMA trusted_schema = OFF")  # the file may come from somebody else's results
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute("BEGIN IMMEDIATE")
                found = connection.execute("PRAGMA user_version").fetchone()[0]
                if found == 0:
                    for statement in filter(str.strip, _SCHEMA.split(";")):
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
                if found in (0, _VERSION):
                    return connection
            except sqlite3.OperationalError:
                connection.close()
                raise
            except sqlite3.DatabaseError:
                pass
            connection.close()
            os.remove(self._path)
        raise sqlite3.OperationalError(f"{self._path} cannot be made.")

    def close(self) -> None:
        """Forget everything since the last commit, and let others use the store."""
        self._connection.close()

    def remove(self) -> None:
        """Remove the file, which a process that has it open can still use."""
        if os.path.exists(self._path):
            os.remove(self._path)

    def commit(self) -> None:
        """Keep what was put into the store so far."""
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN IMMEDIATE")

    # --- runs ---------------------------------------------------------------------------------------------------------

    def state_of(self, path: str) -> FolderState:
        """Return the state of a run's folder, measured when it is first asked for."""
        found = self._states.get(path)
        if found is None:
            found = self._states[path] = measure_folder(path)
        return found

    def get_run(self, name: str, path: str, reader: CompactRunReader) -> CompactRun | None:
        """Return a run as it was read last time; None if it is new, or its files have changed."""
        row = self._connection.execute(
            "SELECT spec, names, numbers FROM runs WHERE name = ? AND sources = ?", (name, self.state_of(path).sources)
        ).fetchone()
        if row is None:
            return None
        spec, number, packed = row
        numbers = array("d")
        numbers.frombytes(packed)
        run_spec = reader.specs.decode(spec, self._path)
        return reader.make_run(path, run_spec, self._get_names(number, reader), numbers)

    def put_run(self, name: str, run: Run, spec_line: str) -> None:
        """Remember a run, for the state of its folder; one that is not compact is forgotten."""
        if not isinstance(run, CompactRun):
            self._connection.execute("DELETE FROM runs WHERE name = ?", (name,))
            return
        row = (name, self.state_of(run.run_path).sources, spec_line.encode())
        self._connection.execute(
            "INSERT OR REPLACE INTO runs (name, sources, spec, names, numbers) VALUES (?, ?, ?, ?, ?)",
            (*row, self._put_names(run.shared_names), run.numbers.tobytes()),
        )

    def _get_names(self, number: int, reader: CompactRunReader) -> StatNames:
        found = self._names.get(number)
        if found is None:
            (text,) = self._connection.execute("SELECT json FROM names WHERE number = ?", (number,)).fetchone()
            names = [
                reader.names.get(name, split, sub_split, perturbation, self._path)
                for name, split, sub_split, perturbation in json.loads(text)
            ]
            found = self._names[number] = reader.share(names)
        return found

    def _put_names(self, names: StatNames) -> int:
        found = self._numbers_of_names.get(id(names))
        if found is None:
            plain = [asdict_without_nones(name) for name in names.names]
            fields = ("name", "split", "sub_split", "perturbation")
            text = json.dumps([[item.get(field) for field in fields] for item in plain]).encode()
            self._connection.execute("INSERT OR IGNORE INTO names (json) VALUES (?)", (text,))
            (found,) = self._connection.execute("SELECT number FROM names WHERE json = ?", (text,)).fetchone()
            self._numbers_of_names[id(names)] = found
            self._names[found] = names  # which also keeps its id from being used again
        return found

    def forget_all_but(self, names: Iterable[str]) -> None:
        """Forget runs that are gone."""
        known = {name for (name,) in self._connection.execute("SELECT name FROM runs")}
        self._connection.executemany("DELETE FROM runs WHERE name = ?", [(name,) for name in known - set(names)])

    def spec_line(self, name: str) -> str | None:
        """Return the run's spec as JSON on one line; None if the run is not known."""
        row = self._connection.execute("SELECT spec FROM runs WHERE name = ?", (name,)).fetchone()
        return row[0].decode() if row else None

    # --- what is derived ----------------------------------------------------------------------------------------------

    def display_state(self, name: str) -> str | None:
        """Return the state for which the run's display files were written; None if they were not, or it has changed."""
        row = self._connection.execute("SELECT display FROM runs WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def put_display_states(self, states: Iterable[tuple[str, str | None]]) -> None:
        """Remember for each run, by name, for which state its display files were written."""
        rows = [(state, name) for name, state in states]
        self._connection.executemany("UPDATE runs SET display = ? WHERE name = ?", rows)

    def spans(self, version: str) -> dict[str, tuple[int, int]]:
        """Return where unchanged runs are in runs.json, in bytes; nothing unless the file has this version."""
        if self.get_text("runs.json") != version:
            return {}
        rows = self._connection.execute("SELECT name, start, end FROM runs WHERE start IS NOT NULL")
        return {name: (start, end) for name, start, end in rows}

    def put_spans(self, version: str, spans: Iterator[tuple[str, int, int]]) -> None:
        """Remember where the runs are in runs.json."""
        self._connection.executemany(
            "UPDATE runs SET start = ?, end = ? WHERE name = ?", [(start, end, name) for name, start, end in spans]
        )
        self.put_text("runs.json", version)

    def get_text(self, key: str) -> str | None:
        """Return a text that was stored under a key."""
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def put_text(self, key: str, value: str) -> None:
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
