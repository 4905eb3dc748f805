"""Stores results in an object store, at an fsspec URL such as `s3://bucket/folder`.

Runs are executed in a folder of this machine and uploaded when they end. Objects appear atomically, but several objects
do not, so the last of a run's five files is uploaded last, and deleted first when a run is replaced.
"""

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from helm.common.commands.output_path import is_address
from helm.common.errors import ConfigError, HelmError
from helm.common.files import open_atomically
from helm.common.hierarchical_logger import hlog, hwarn
from helm.common.optional_dependencies import needs_extra
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    DATA_SOURCES_FILE_NAME,
    ERROR_FILE_NAME,
    JOURNAL_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_FILE_NAMES,
    has_all_run_files,
    plain_name,
    stored_names,
    stored_path,
)

T = TypeVar("T")

# With the machine, this much paid work is lost, or what is waiting for the next upload.
_KEEP_JOURNAL_EVERY_S = 3.0
# Stores cannot append, so a journal is uploaded whole. By growing so much in between, each of its bytes is uploaded about twenty
# times at most, however long it becomes. What grows more slowly is uploaded once a minute.
_LEAST_GROWTH = 1.05
_KEEP_SLOW_JOURNAL_EVERY_S = 60.0
_PIECE_BYTES = 1 << 20
_OTHER_FILES = (COVERAGE_FILE_NAME, DATA_SOURCES_FILE_NAME)


class RunStoreError(HelmError):
    """The store cannot be used; the message has its URL and its own error."""


def create_run_store(output_path: str, suite: str) -> "RunStore | None":
    """Create the store. None for a folder of this machine."""
    return RunStore(output_path, suite) if is_address(output_path) else None


class RunStore:
    """The runs of a suite in a store.

    Raises: OptionalDependencyNotInstalled; ConfigError for an unknown kind of store, or one whose package is missing.
    """

    def __init__(self, output_path: str, suite: str):
        with needs_extra("fsspec"):
            import fsspec
        self.address = f"{output_path.rstrip('/')}/runs/{suite}"
        try:
            self._fs, self._root = fsspec.core.url_to_fs(self.address)
        except (ValueError, ImportError) as e:
            raise ConfigError(f"Results cannot be put at {output_path}: {e}") from e

    def _call(self, what: str, method: Callable[..., T], *args: Any) -> T:
        try:
            return method(*args)
        except FileNotFoundError:
            raise
        except Exception as e:  # every store has its own exceptions
            raise RunStoreError(f"{self.address}: cannot {what}: {type(e).__name__}: {e}") from e

    def _path(self, run_name: str, file_name: str = "") -> str:
        return "/".join(part for part in (self._root, run_name, file_name) if part)

    def names(self, run_name: str) -> list[str]:
        """Return the names of a run's files in the store."""
        self._fs.invalidate_cache()
        try:
            found = self._call("list a run", self._fs.ls, self._path(run_name), False)
        except FileNotFoundError:
            return []
        return sorted(path.rstrip("/").rpartition("/")[2] for path in found)

    def is_completed(self, run_name: str) -> bool:
        """Whether all five files exist, without the journal of a later attempt."""
        names = set(map(plain_name, self.names(run_name)))
        return JOURNAL_FILE_NAME not in names and names.issuperset(RUN_FILE_NAMES)

    def fetch_journal(self, run_name: str, run_path: str) -> None:
        """Download the journal of an earlier attempt, perhaps on another machine; an existing local journal takes precedence."""
        path = os.path.join(run_path, JOURNAL_FILE_NAME)
        if os.path.exists(path):
            return
        try:
            source = self._call("read a journal", self._fs.open, self._path(run_name, JOURNAL_FILE_NAME), "rb")
        except FileNotFoundError:
            return
        os.makedirs(run_path, exist_ok=True)
        with source, open_atomically(path, binary=True) as file:
            self._call("read a journal", shutil.copyfileobj, source, file, _PIECE_BYTES)
        hlog(f"Run {run_name}: fetched the journal of an earlier attempt from {self.address}")

    @contextmanager
    def keeping_journal(self, run_name: str, run_path: str) -> Iterator[None]:
        """Upload the journal repeatedly inside the block."""
        path, over = os.path.join(run_path, JOURNAL_FILE_NAME), threading.Event()
        is_told = False

        def work() -> None:
            nonlocal is_told
            last_size, last_at = 0, time.monotonic()
            while not over.wait(_KEEP_JOURNAL_EVERY_S):
                size = os.path.getsize(path) if os.path.exists(path) else 0
                is_overdue = time.monotonic() - last_at >= _KEEP_SLOW_JOURNAL_EVERY_S
                if size > last_size * _LEAST_GROWTH or (size > last_size and is_overdue):
                    try:
                        self._put_journal(run_name, path)
                        last_size, last_at = size, time.monotonic()
                    except RunStoreError as e:  # the run continues; the next upload may succeed
                        if not is_told:
                            hwarn(str(e))
                        is_told = True

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _put_journal(self, run_name: str, path: str) -> None:
        """Upload a journal that is being written, up to its last complete line. It may be larger than the memory."""
        with tempfile.TemporaryDirectory(prefix="helm-journal-") as folder:
            copy = os.path.join(folder, JOURNAL_FILE_NAME)
            copy_whole_lines(path, copy)
            self._call(f"write {JOURNAL_FILE_NAME} of {run_name}", self._put_file, copy, run_name)

    def _remove(self, run_name: str, file_name: str) -> None:
        try:
            self._call(f"remove {file_name} of {run_name}", self._fs.rm_file, self._path(run_name, file_name))
        except FileNotFoundError:
            pass

    def put(self, run_name: str, run_path: str) -> None:
        """Upload what a run has left in its folder, and empty the folder if the run is complete."""
        here = [name for name in os.listdir(run_path) if not name.startswith(".")] if os.path.isdir(run_path) else []
        there = self.names(run_name)
        if JOURNAL_FILE_NAME in here:
            self._put_journal(run_name, os.path.join(run_path, JOURNAL_FILE_NAME))
        if has_all_run_files(run_path) and JOURNAL_FILE_NAME not in here:
            last = PER_INSTANCE_STATS_FILE_NAME
            for name in stored_names(last):
                if name in there:
                    self._remove(run_name, name)
            for name in (*(name for name in RUN_FILE_NAMES if name != last), *_OTHER_FILES, last):
                path = stored_path(run_path, name)
                if os.path.isfile(path):
                    for other in set(stored_names(name)) & set(there) - {os.path.basename(path)}:
                        self._remove(run_name, other)
                    self._call(f"write {name} of {run_name}", self._put_file, path, run_name)
            for name in there:
                if name in (JOURNAL_FILE_NAME, ERROR_FILE_NAME, *_OTHER_FILES) and name not in here:
                    self._remove(run_name, name)
            shutil.rmtree(run_path)
        elif ERROR_FILE_NAME in here:
            self._call(
                f"write its error of {run_name}", self._put_file, os.path.join(run_path, ERROR_FILE_NAME), run_name
            )

    def _put_file(self, path: str, run_name: str) -> None:
        target = self._path(run_name, os.path.basename(path))
        self._fs.makedirs(self._path(run_name), exist_ok=True)
        self._fs.put_file(path, target)


@contextmanager
def stored(store: RunStore, run_name: str, run_path: str) -> Iterator[None]:
    """Execute a run in the folder `run_path` inside the block; afterwards upload what it leaves, however it ends."""
    store.fetch_journal(run_name, run_path)
    try:
        with store.keeping_journal(run_name, run_path):
            yield
    finally:
        store.put(run_name, run_path)


def copy_whole_lines(path: str, target: str) -> None:
    """Copy a file that is being written, up to its last complete line, piece by piece; a missing one gives an empty file."""
    with open(target, "wb") as copy:
        try:
            source = open(path, "rb")
        except FileNotFoundError:
            return
        end = 0
        with source:
            while piece := source.read(_PIECE_BYTES):
                last = piece.rfind(b"\n")
                end = copy.tell() + last + 1 if last >= 0 else end
                copy.write(piece)
        copy.truncate(end)
