"""Tells whether anything has changed since `helm-summarize` was last called for the same suites, and what it printed then."""

import argparse
import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from helm.benchmark.presentation.summary_store import (
    FolderState,
    SummaryStore,
    code_version,
    measure_file,
    measure_folder,
)
from helm.common.commands.output_path import GROUPS_FOLDER, RELEASES_FOLDER, RUNS_FOLDER
from helm.common.hierarchical_logger import hdebug
from helm.results.run_files.run_folder import list_folders
from helm.results.schema import find_schema, get_default_schema_path

# Options that change neither the files nor what is printed.
_WITHOUT_EFFECT = frozenset(("num_threads", "log_config"))
# It holds the date, and is written anew each time.
_EXECUTIVE_SUMMARY = "summary.json"


class LastPass:
    """The state of everything that a summary is made from, and of the files it has written.

    Args:
        args: arguments of the command.
        suites: the suites to summarize.
        store: the store of these suites; None if nothing can be remembered.
    """

    def __init__(self, args: argparse.Namespace, suites: list[str], store: SummaryStore | None):
        self.store, self.suites = store, suites
        self._runs_path = os.path.join(args.output_path, RUNS_FOLDER)
        parent = (RELEASES_FOLDER, args.release) if args.release else (RUNS_FOLDER, *suites[:1])
        self.folder = os.path.join(args.output_path, *parent)
        """The folder with the files of the summary."""
        self._fixed = ""
        # What plugins, summarizers and the metadata of scenarios depend on is not known here.
        self._is_known = not (args.plugins or args.summarizer_class_name or args.auto_generate_schema)
        if store is not None and self._is_known:
            schema_path = find_schema(args.schema_path) if args.schema_path else get_default_schema_path()
            given = {name: value for name, value in sorted(vars(args).items()) if name not in _WITHOUT_EFFECT}
            environment = {name: value for name, value in sorted(os.environ.items()) if name.startswith("HELM_")}
            width = shutil.get_terminal_size((120, 24)).columns
            files = [schema_path, *_yaml_files(args.local_path)]
            versions = [(path, measure_file(path)) for path in files]
            self._fixed = json.dumps([given, environment, versions, width])

    def printed(self) -> str | None:
        """Return what was printed, if everything is as the last pass left it; else None."""
        if self.store is None or not self._is_known or self.store.get_text("printed") is None:
            return None
        if self.store.get_text("state") != self._digest(self.store.state_of):
            return None
        return self.store.get_text("printed")

    def remember(self, printed: str | None) -> None:
        """Remember what was printed, for the runs as they were when the pass began, and the files as they are now.

        None remembers the runs, but has the next pass make the tables again.
        """
        store = self.store
        if store is None:
            return

        def state_of(path: str) -> FolderState:
            before, now = store.state_of(path), measure_folder(path)
            return FolderState(before.names, before.has_journal, before.sources, now.display, now.intervals)

        if self._is_known:
            store.put_text("state", self._digest(state_of) if printed is not None else "")
            store.put_text("printed", printed or "")
        store.commit()

    def _digest(self, state_of: Callable[[str], FolderState]) -> str:
        found = hashlib.sha256(f"{code_version()} {self._fixed}".encode())
        for suite in self.suites:
            suite_path = os.path.join(self._runs_path, suite)
            for name in list_folders(suite_path):
                state = state_of(os.path.join(suite_path, name))
                found.update(f"{suite}/{name}\n{state.sources} {state.display} {state.intervals}\n".encode())
        for path in _written_files(self.folder):
            found.update(f"{path}\n{measure_file(path)}\n".encode())
        return found.hexdigest()


@contextmanager
def open_last_pass(args: argparse.Namespace, suites: list[str], remembers: bool = True) -> Iterator[LastPass]:
    """Provide what is remembered of the last pass over these suites, for this process alone; nothing unless `remembers`.

    A store that turns out to be damaged is removed.
    """
    store = None
    # Where there is nothing to summarize, nothing is created either.
    if (
        remembers
        and suites
        and all(os.path.isdir(os.path.join(args.output_path, RUNS_FOLDER, name)) for name in suites)
    ):
        try:
            store = SummaryStore(args.output_path, [args.release, *suites])
        except (OSError, sqlite3.Error) as e:
            hdebug(f"Everything is read and written anew: {e}")
    try:
        yield LastPass(args, suites, store)
    except sqlite3.Error:
        if store is not None:
            store.remove()
        raise
    finally:
        if store is not None:
            store.close()


def _yaml_files(folder: str) -> list[str]:
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith((".yaml", ".yml"))]


def _written_files(folder: str) -> Iterator[str]:
    """Yield the files of a summary, which are next to the runs."""
    if not os.path.isdir(folder):
        return
    with os.scandir(folder) as entries:
        names = sorted(entry.name for entry in entries if entry.name.endswith((".json", ".html")))
    yield from (os.path.join(folder, name) for name in names if name != _EXECUTIVE_SUMMARY)
    for path, folders, names in os.walk(os.path.join(folder, GROUPS_FOLDER)):
        folders.sort()
        yield from (os.path.join(path, name) for name in sorted(names))
