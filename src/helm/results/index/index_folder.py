"""The indexes of an output folder: one database with all of its runs, and one for the instances of each run looked at.

They are in `.helm-index` next to the results, follow changes of the results, and may be deleted at any time.
"""

import hashlib
import json
import os
import sqlite3
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import closing
from itertools import islice
from operator import gt
from typing import Any

from helm.common.commands.output_path import INDEX_FOLDER, RUNS_FOLDER
from helm.results.index.index_build import build_index, measure_files
from helm.results.index.index_entry import RunEntry, SharedValues
from helm.results.index.index_query import RunIndex, is_current
from helm.results.index.index_scan import Scan
from helm.results.index.index_scan import scan_runs as scan_runs
from helm.results.index.index_summary import compute_run_facts, summarize_run
from helm.results.metric_choice import MetricCatalogue
from helm.results.run_results import RunResults

_VERSION = 10
_SCHEMA = """
CREATE TABLE runs (path TEXT PRIMARY KEY, signature TEXT, change INTEGER, summary TEXT, facts TEXT);
CREATE INDEX runs_by_change ON runs (change);
CREATE TABLE details (path TEXT PRIMARY KEY, stats TEXT, intervals TEXT);
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
"""


class IndexFolder:
    """Stores and builds the indexes of an output folder.

    Args:
        output_path: the folder that contains `runs`.
        index_path: the folder for the indexes; None means `.helm-index` in the output folder, or a temporary folder if that
            is not writable.
        suite: the only suite to look at, in the files and in the indexes; None for all.
    """

    def __init__(self, output_path: str, index_path: str | None = None, suite: str | None = None):
        self.suite = suite
        self.output_path = os.path.realpath(output_path)
        self.runs_folder = os.path.join(self.output_path, RUNS_FOLDER)
        self.is_temporary = False
        self.path = index_path or os.path.join(self.output_path, INDEX_FOLDER)
        try:
            self._prepare()
        except (OSError, sqlite3.Error):
            if index_path is not None:
                raise
            self._temporary = tempfile.TemporaryDirectory(prefix="helm-index-")
            self.path, self.is_temporary = self._temporary.name, True
            self._prepare()
        self._lock = threading.Lock()
        self._entries: dict[str, RunEntry] = {}
        self._by_suite: dict[str, dict[str, RunEntry]] = {}
        self._by_task: dict[str, list[RunEntry]] = {}
        self._grouped_at = -1
        """The version for which runs are grouped by task, which only pages of runs and instances need."""
        self._without_facts: set[str] = set()
        self._values = SharedValues()
        self._last_change = 0
        self._connection = self._connect()

    @property
    def database_path(self) -> str:
        return os.path.join(self.path, "runs.sqlite")

    def _prepare(self) -> None:
        """Create the database of runs, and discard one of another version."""
        if os.path.islink(self.path):
            raise OSError(f"{self.path} is a link; an index needs a folder of its own.")
        os.makedirs(self.path, exist_ok=True)
        for _ in range(2):
            try:
                with closing(self._connect()) as connection:
                    found = connection.execute("PRAGMA user_version").fetchone()[0]
                    if found == _VERSION:
                        with connection:
                            connection.execute("UPDATE runs SET change = change WHERE 0")  # can it be written to?
                        return
                    if found == 0:
                        connection.execute("PRAGMA journal_mode = WAL")
                        with connection:
                            connection.execute("BEGIN IMMEDIATE")
                            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                                for statement in filter(str.strip, _SCHEMA.split(";")):
                                    connection.execute(statement)
                                connection.execute(f"PRAGMA user_version = {_VERSION}")
                        return
            except sqlite3.DatabaseError as e:
                if isinstance(e, sqlite3.OperationalError):  # locked, or it cannot be written to
                    raise
            for name in ("runs.sqlite", "runs.sqlite-wal", "runs.sqlite-shm"):
                if os.path.exists(os.path.join(self.path, name)):
                    os.remove(os.path.join(self.path, name))
        raise sqlite3.OperationalError(f"{self.database_path} cannot be made.")

    def _connect(self) -> sqlite3.Connection:
        found = sqlite3.connect(self.database_path, timeout=20.0, check_same_thread=False, isolation_level=None)
        found.execute("PRAGMA trusted_schema = OFF")  # the file may come from somebody else's results
        return found

    def close(self) -> None:
        """Close the database; remove a temporary folder."""
        self._connection.close()
        if self.is_temporary:
            self._temporary.cleanup()

    # --- runs ---------------------------------------------------------------------------------------------------------

    def run_path(self, path: str) -> str:
        """Return the folder of a run; `path` must come from a scan."""
        return os.path.join(self.runs_folder, *path.split("/"))

    @property
    def version(self) -> int:
        """A number that grows whenever an entry changes that was looked at: what is made of entries is valid as long."""
        return self._last_change

    def entries(self) -> dict[str, RunEntry]:
        """Return all runs in the database by path, in order. Only changed rows are read."""
        with self._lock:
            self._read_changes()
            return dict(self._entries)

    def suite_entries(self, suite: str) -> dict[str, RunEntry]:
        """Return the runs of a suite by path, in order."""
        with self._lock:
            self._read_changes()
            return dict(self._by_suite.get(suite, {}))

    def task_entries(self, task: str) -> Sequence[RunEntry]:
        """Return the runs of a task, of all suites, in order of their paths. Many calls cost as much as one."""
        with self._lock:
            self._read_changes()
            if self._grouped_at != self._last_change:
                self._by_task = {}
                for entry in self._entries.values():
                    self._by_task.setdefault(entry.task, []).append(entry)
                self._grouped_at = self._last_change
            return self._by_task.get(task, [])

    def suites(self) -> list[str]:
        """Return the suites that have runs in the database, sorted."""
        with self._lock:
            self._read_changes()
            return sorted(self._by_suite)

    def known_paths(self) -> Set[str]:
        """Return the paths of all runs in the database, as they are now, without a copy."""
        return self._entries.keys()

    def _read_changes(self) -> None:
        # A slash sorts before a zero, and all paths in the suite begin with its name and a slash.
        scope, bounds = (
            ("", ()) if self.suite is None else (" AND path > ? AND path < ?", (f"{self.suite}/", f"{self.suite}0"))
        )
        rows = self._connection.execute(
            f"SELECT path, signature, change, summary, facts FROM runs WHERE change > ?{scope}",
            (self._last_change, *bounds),
        )
        unordered: dict[int, dict[str, RunEntry]] = {}
        last = self._last_change
        for path, signature, change, summary, facts in rows:
            last = max(last, change)
            of_suite = self._by_suite.setdefault(path.rpartition("/")[0], {})
            for found in (self._entries, of_suite):
                if signature is not None and path not in found:
                    unordered[id(found)] = found
            self._without_facts.discard(path)
            if signature is None:
                self._entries.pop(path, None)
                of_suite.pop(path, None)
                continue
            self._entries[path] = of_suite[path] = self._read_row(path, signature, summary, facts)
            if facts is None:
                self._without_facts.add(path)
        self._last_change = last
        for found in unordered.values():
            paths = list(found)
            if any(map(gt, paths, islice(paths, 1, None))):
                items = sorted(found.items())
                found.clear()
                found.update(items)
        for suite in [name for name, of_suite in self._by_suite.items() if not of_suite]:
            del self._by_suite[suite]

    def _read_row(self, path: str, signature: str, summary: str, facts: str | None) -> RunEntry:
        return RunEntry(
            path, signature, self._values.read(summary), None if facts is None else self._values.read(facts)
        )

    def known_entry(self, path: str) -> RunEntry | None:
        """Return one of the runs of `entries`, or None."""
        with self._lock:
            self._read_changes()
            return self._entries.get(path)

    def entry(self, path: str) -> RunEntry | None:
        """Return one run, without looking at the others; None if it is not in the database."""
        with self._lock:
            row = self._connection.execute(
                "SELECT signature, summary, facts FROM runs WHERE path = ? AND signature IS NOT NULL", (path,)
            ).fetchone()
        return None if row is None else self._read_row(path, *row)

    def update(self, scan: Scan) -> tuple[list[str], list[str]]:
        """Forget runs that no longer exist. Return the paths that need a summary, and those that need facts."""
        with self._lock:
            self._read_changes()
            known, found = self._entries, scan.signatures
            gone: list[str] = []
            if scan.changed is None or len(known.keys() - found.keys()) != 0:
                gone = [path for path in known if path not in found]
            paths = found if scan.changed is None else sorted(scan.changed & found.keys())
            stale = [path for path in paths if _signature(known, path) != found[path]]
            is_stale = set(stale)
            without = sorted(path for path in self._without_facts if path in found and path not in is_stale)
            if gone:
                with self._writing():
                    for path in gone:
                        self._write_row(path, None)
                        self._remove_index(path)
        return stale, without

    def _writing(self) -> Any:
        return _Transaction(self._connection)

    def _write_row(self, path: str, signature: str | None, **columns: Any) -> None:
        """Add or replace a row; unnamed columns become null."""
        execute = self._connection.execute
        change = execute("SELECT coalesce(max(change), 0) + 1 FROM runs").fetchone()[0]
        summary, facts, stats, intervals = (
            None if columns.get(name) is None else json.dumps(columns[name])
            for name in ("summary", "facts", "stats", "intervals")
        )
        execute("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?, ?)", (path, signature, change, summary, facts))
        if signature is None:
            execute("DELETE FROM details WHERE path = ?", (path,))
        else:
            execute("INSERT OR REPLACE INTO details VALUES (?, ?, ?)", (path, stats, intervals))

    def _remove_index(self, path: str) -> None:
        if os.path.exists(self.instances_path(path)):
            os.remove(self.instances_path(path))

    def write_summaries(self, items: Sequence[tuple[str, str]]) -> None:
        """Read runs and store what tables show of them. `items` are paths with their signatures."""
        catalogue = _catalogue()
        rows = [(path, signature, *summarize_run(self.run_path(path), catalogue)) for path, signature in items]
        with self._lock, self._writing():
            for path, signature, summary, stats in rows:
                self._write_row(path, signature, summary=summary, stats=stats)

    def write_facts(self, path: str) -> None:
        """Compute the facts that need all instances of a run."""
        entry = self.entry(path)
        if entry is None:
            return
        facts, intervals = compute_run_facts(self.run_path(path), entry.summary)
        stats = self.stats(path)[0]
        with self._lock, self._writing():
            self._write_row(path, entry.signature, summary=entry.summary, facts=facts, stats=stats, intervals=intervals)

    def stats(self, path: str) -> tuple[list[list[Any]], list[list[Any]]]:
        """Return the rows of all statistics of a run, and of all known intervals."""
        with self._lock:
            row = self._connection.execute("SELECT stats, intervals FROM details WHERE path = ?", (path,)).fetchone()
        stats, intervals = row or (None, None)
        return json.loads(stats or "[]"), json.loads(intervals or "[]")

    # --- instances ----------------------------------------------------------------------------------------------------

    def instances_path(self, path: str) -> str:
        """Return the path of the index of a run's instances."""
        return os.path.join(self.path, "instances", hashlib.sha256(path.encode()).hexdigest()[:24] + ".sqlite")

    def unfinished_path(self, path: str) -> str:
        """Return the path of the file while this process (or its worker) builds it."""
        return self.instances_path(path) + f".{os.getpid()}.unfinished"

    def has_instances_index(self, path: str) -> bool:
        """Return whether the index of a run's instances exists and was built from the present files."""
        return is_current(self.instances_path(path), measure_files(RunResults(self.run_path(path))))

    def write_instances(self, path: str, unfinished_path: str | None = None) -> None:
        """Build the index of a run's instances. Raises OSError or sqlite3.Error."""
        unfinished = unfinished_path or self.unfinished_path(path)
        build_index(self.run_path(path), self.instances_path(path), unfinished)

    def open_instances(self, path: str, is_finished: bool) -> RunIndex | None:
        """Open the index of a run's instances, even unfinished; return None if not begun. Raises sqlite3.Error."""
        name = self.instances_path(path) if is_finished else self.unfinished_path(path)
        return RunIndex(name, self.run_path(path), is_finished) if os.path.isfile(name) else None

    def remove_leftovers(self) -> None:
        """Remove unfinished files of dead processes and, if all suites are looked at, indexes of runs that no longer exist."""
        folder = os.path.join(self.path, "instances")
        if not os.path.isdir(folder):
            return
        wanted = {os.path.basename(self.instances_path(path)) for path in self.entries()}
        for name in os.listdir(folder):
            base, _, rest = name.partition(".sqlite.")
            is_leftover = rest and not _is_alive(rest.partition(".")[0])
            is_unwanted = not rest and name.endswith(".sqlite") and name not in wanted
            if is_leftover or (is_unwanted and self.suite is None):
                os.remove(os.path.join(folder, name))


class _Transaction:
    """Runs BEGIN IMMEDIATE and COMMIT, or ROLLBACK if an exception is raised."""

    def __init__(self, connection: sqlite3.Connection):
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: Any, *_: object) -> None:
        self._connection.execute("COMMIT" if kind is None else "ROLLBACK")


def _signature(known: Mapping[str, RunEntry], path: str) -> str | None:
    return known[path].signature if path in known else None


def _is_alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        pass
    return True


_CATALOGUES: list[MetricCatalogue] = []


def _catalogue() -> MetricCatalogue:
    """Return the catalogue, which is read once per process."""
    if not _CATALOGUES:
        _CATALOGUES.append(MetricCatalogue())
    return _CATALOGUES[0]


def chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield the items in chunks of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
