"""Keeps the indexes of an output folder up to date in a separate process, so that pages are served meanwhile."""

import heapq
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.results.index.index_build import build_preview
from helm.results.index.index_entry import RunEntry
from helm.results.index.index_folder import IndexFolder, chunks
from helm.results.index.index_query import RunIndex
from helm.results.index.index_scan import Scan, Scanner
from helm.results.index.index_summary import summarize_run

SCAN_INTERVAL_S = 2.0
# Scans of many runs happen while pages are served, and take at most this share of a processor.
_MAX_SCANNING_SHARE = 0.05
# Small chunks, so that the first runs appear soon and pages of instances, which have priority, wait only briefly.
_RUNS_AT_ONCE = 10
_PARENT_INTERVAL_S = 1.0
# The most rows that a page may read from the run's file while there is no index; more would keep the page waiting.
_MOST_PREVIEWED = 2000
# An estimate of request states per row: most rows have one, but some methods make one request per reference.
_STATES_PER_ROW = 4
_INSTANCES, _SUMMARIES, _FACTS = range(3)
"""The kinds of tasks, by priority."""

_Task = tuple[int, int, tuple[Any, ...]]
_FOLDERS: dict[tuple[str, str], IndexFolder] = {}
"""The folders of a worker process, each opened once."""


def _end_with_parent(pid: int) -> None:
    """End the worker process when the viewer ends, however that happens; nothing else would notify it."""

    def watch() -> None:
        while os.getppid() == pid:
            time.sleep(_PARENT_INTERVAL_S)
        os._exit(1)  # unfinished work can be discarded

    threading.Thread(target=watch, name="parent", daemon=True).start()


def _work(output_path: str, index_path: str, kind: int, arguments: tuple[Any, ...]) -> None:
    """Do a task in the worker process."""
    folder = _FOLDERS.get((output_path, index_path))
    if folder is None:
        folder = _FOLDERS[output_path, index_path] = IndexFolder(output_path, index_path)
    _perform(folder, kind, arguments)


def _get_ready() -> None:
    """Import in the worker process what the first new run needs, so that it appears as soon as later ones."""
    import helm.results.main_metric
    import helm.results.scores  # noqa: F401


def _perform(folder: IndexFolder, kind: int, arguments: tuple[Any, ...]) -> None:
    if kind == _SUMMARIES:
        folder.write_summaries(arguments[0])
    elif kind == _FACTS:
        folder.write_facts(arguments[0])
    else:
        folder.write_instances(*arguments)


class Indexer:
    """Provides a viewer with runs. The folder is scanned on request, at most every two seconds.

    Args:
        folder: the indexes.
        in_background: whether a worker process builds indexes; False builds them on request (exports, tests).
        looks_once: whether changes of the results after the first look are left out, as an export shows one moment, and
            each of its many pages asks for a look.
    """

    def __init__(self, folder: IndexFolder, in_background: bool = True, looks_once: bool = False):
        self.folder = folder
        self._in_background = in_background
        self._looks_once = looks_once
        self._has_looked = False
        self._condition = threading.Condition()
        self._queue: list[_Task] = []
        self._queued: set[tuple[int, Any]] = set()
        self._problems: dict[str, str] = {}
        """Why an index could not be written, by path of the run."""
        self._given_up: set[tuple[int, Any]] = set()
        """Tasks that failed for reasons outside of the results, such as a full disk."""
        self._number = 0
        self._is_closed = False
        self._last_scan = -1e9
        self._scanner = Scanner(folder.runs_folder, folder.suite)
        self._looking = threading.Lock()
        self._complete_scan: threading.Thread | None = None
        self._next_complete_scan = 0.0
        self.scan = Scan()
        self._counted = self.scan, 0, 0
        """A scan, the version of the index, and how many runs were then without a summary."""
        self._thread: threading.Thread | None = None
        self._pool: ProcessPoolExecutor | None = None
        if in_background:
            self._thread = threading.Thread(target=self._run, name="indexer", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Stop the worker and close the indexes."""
        with self._condition:
            self._is_closed = True
            self._queue.clear()
            self._condition.notify_all()
        pool = self._pool
        if pool is not None:
            for process in list(getattr(pool, "_processes", {}).values()):
                process.terminate()  # unfinished work can be discarded
            pool.shutdown(wait=True, cancel_futures=True)
        if self._thread is not None:
            self._thread.join()
        complete_scan = self._complete_scan
        if complete_scan is not None:
            complete_scan.join()
        self.folder.close()

    # --- runs ---------------------------------------------------------------------------------------------------------

    def refresh(self, wait_s: float = 0.0) -> dict[str, RunEntry]:
        """Return the existing runs by path, after waiting at most `wait_s` seconds for summaries of new ones."""
        self.look(wait_s)
        return self.folder.entries()

    def look(self, wait_s: float = 0.0) -> None:
        """Look for changes if the last look was a while ago, and wait at most `wait_s` seconds for summaries of new runs.

        In a folder with very many runs, new ones are found at once, and changes of others by a scan in the background.
        """
        if self._looks_once and self._has_looked:
            return
        self._has_looked = True
        if not self._in_background:
            self._look()
            return
        if self._scanner.is_large:
            if self._scanner.has_new_runs():
                self._look(only_new=True)
            self._begin_complete_scan()
        else:
            with self._condition:
                is_due = time.monotonic() - self._last_scan >= SCAN_INTERVAL_S
                if is_due:
                    self._last_scan = time.monotonic()
            if is_due or self._scanner.has_new_runs():
                self._look()
        end = time.monotonic() + wait_s
        while time.monotonic() < end and self.num_pending(_SUMMARIES):
            time.sleep(0.02)

    def _begin_complete_scan(self) -> None:
        def scan() -> None:
            began = time.monotonic()
            self._look()
            took = time.monotonic() - began
            self._next_complete_scan = began + max(SCAN_INTERVAL_S, took / _MAX_SCANNING_SHARE)
            self._complete_scan = None

        with self._condition:
            if self._complete_scan is not None or time.monotonic() < self._next_complete_scan or self._is_closed:
                return
            self._complete_scan = threading.Thread(target=scan, name="scan", daemon=True)
        self._complete_scan.start()

    def _look(self, only_new: bool = False) -> None:
        with self._looking:
            scan = self._scanner.scan_new_runs() if only_new else self._scanner.scan()
            stale, without_facts = self.folder.update(scan)
            self.scan = scan
        # What changed earlier is summarized already, or is waiting for it.
        items = [(path, scan.signatures[path]) for path in stale]
        for some in chunks(items, _RUNS_AT_ONCE):
            self._add(_SUMMARIES, some[0][0], (list(some),))
        if not self._in_background:
            known = self.folder.entries()
            without_facts = [path for path, entry in known.items() if entry.facts is None]
        for path in without_facts:
            self._add(_FACTS, path, (path,))

    def num_pending(self, kind: int | None = None) -> int:
        """Return the number of unfinished tasks: of all kinds, or of one kind."""
        with self._condition:
            return sum(kind is None or found == kind for found, _ in self._queued)

    @property
    def num_without_facts(self) -> int:
        """Return the number of runs whose intervals are not known yet."""
        with self._condition:
            return sum(kind == _FACTS for kind, _ in self._queued)

    @property
    def num_without_summary(self) -> int:
        """Return the number of runs that no table shows yet."""
        scan, version = self.scan, self.folder.version
        if self._counted[0] is not scan or self._counted[1] != version:
            self._counted = scan, version, len(scan.signatures.keys() - self.folder.known_paths())
        return self._counted[2]

    def provisional_entry(self, path: str) -> RunEntry | None:
        """Return an entry, from its small files, for a run without a summary; None if there is no such run."""
        signature = self.scan.signatures.get(path)
        if signature is None:
            return None
        return RunEntry(path, signature, summarize_run(self.folder.run_path(path))[0], None)

    # --- instances ----------------------------------------------------------------------------------------------------

    def open_instances(self, path: str, wanted_rows: int = 50, wait_s: float = 0.3) -> RunIndex | None:
        """Return the index of a run's instances, complete or with what exists after waiting for `wanted_rows` rows.

        If there are not that many yet, the first rows are read here; None if that would be too many.

        Raises:
            HelmError: The index cannot be written.
            sqlite3.Error: The index is damaged.
        """
        if self.folder.has_instances_index(path):
            return self.folder.open_instances(path, True)
        self._problems.pop(path, None)
        self._add(_INSTANCES, path, (path, self.folder.unfinished_path(path)))
        end = time.monotonic() + wait_s
        while True:
            if path in self._problems:
                raise HelmError(f"The index of {path} could not be made: {self._problems[path]}")
            if not self._is_queued(_INSTANCES, path):
                return self.folder.open_instances(path, True)
            found = self._try_unfinished(path)
            is_over = time.monotonic() > end
            if found is not None and (found.count() >= wanted_rows or (is_over and wanted_rows > _MOST_PREVIEWED)):
                return found
            if found is not None:
                found.__exit__()
            if is_over:
                return self._preview(path, wanted_rows)
            time.sleep(0.05)

    def _preview(self, path: str, wanted_rows: int) -> RunIndex | None:
        if wanted_rows > _MOST_PREVIEWED:
            return None
        run_path = self.folder.run_path(path)
        return RunIndex("", run_path, connection=build_preview(run_path, _STATES_PER_ROW * wanted_rows))

    def _try_unfinished(self, path: str) -> RunIndex | None:
        import sqlite3

        try:
            found = self.folder.open_instances(path, False)
            if found is not None:
                found.count()
            return found
        except sqlite3.OperationalError:  # its tables do not exist yet, or it was moved to its final place
            return None

    # --- tasks --------------------------------------------------------------------------------------------------------

    def _is_queued(self, kind: int, name: Any) -> bool:
        with self._condition:
            return (kind, name) in self._queued

    def _add(self, kind: int, name: Any, arguments: tuple[Any, ...]) -> None:
        if not self._in_background:
            _perform(self.folder, kind, arguments)
            return
        with self._condition:
            if (kind, name) in self._queued or (kind, name) in self._given_up or self._is_closed:
                return
            self._queued.add((kind, name))
            self._number += 1
            heapq.heappush(self._queue, (kind, self._number, (name, arguments)))
            self._condition.notify_all()

    def _run(self) -> None:
        self._start_worker().submit(_get_ready)
        while True:
            with self._condition:
                while not self._queue and not self._is_closed:
                    self._condition.wait()
                if self._is_closed:
                    return
                kind, _, (name, arguments) = heapq.heappop(self._queue)
            try:
                self._in_worker(kind, arguments)
                if kind == _SUMMARIES:
                    self._last_scan = -1e9  # the next page requests the facts of these runs
            except BrokenProcessPool:
                self._pool = None
                self._note_failure(kind, name, "the process that made it ended")
            except Exception as e:  # the viewer continues after any error, and reports it
                self._note_failure(kind, name, f"{type(e).__name__}: {e}")
            finally:
                with self._condition:
                    self._queued.discard((kind, name))

    def _note_failure(self, kind: int, name: Any, message: str) -> None:
        if self._is_closed:
            return
        self._problems[str(name)] = message
        if kind != _INSTANCES:
            self._given_up.add((kind, name))
        hwarn(f"The index of {name} could not be made: {message}")

    def _start_worker(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=_end_with_parent, initargs=(os.getpid(),)
            )
        return self._pool

    def _in_worker(self, kind: int, arguments: tuple[Any, ...]) -> None:
        work: Callable[..., None] = _work
        self._start_worker().submit(work, self.folder.output_path, self.folder.path, kind, arguments).result()
