"""Finds the runs of an output folder, and which of them have changed, without reading any file.

Few runs are measured completely each time. Of many, only the folders' times are compared: every file of a run that this program
writes is renamed into place, which changes the time of its folder. Files that other programs overwrite are noticed too, but
later, because each scan measures a part of the runs completely, in turn.
"""

import hashlib
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    RESULT_FILE_NAMES,
    RunFolder,
    find_all_runs,
    find_runs_at,
    list_folders,
)

_MEASURED_FILES = RESULT_FILE_NAMES | {COVERAGE_FILE_NAME}
FEW_RUNS = 2000
"""Up to so many runs are measured completely in each scan, and of more runs as many."""
# The clock of a file system can be coarser than two changes after one another.
_TICK_NS = 100_000_000


@dataclass
class Scan:
    """The runs that exist now."""

    signatures: dict[str, str] = field(default_factory=dict)
    """Signatures by path, which change whenever a file of the run changes."""

    outside: list[str] = field(default_factory=list)
    """Links that lead out of the folder of results; their targets are not read."""

    changed: set[str] | None = None
    """The paths that differ from those of the scan before: new, changed and removed ones. None if all may."""


def scan_runs(runs_folder: str, suite: str | None = None) -> Scan:
    """Find the runs, of all suites or of one, and measure them completely."""
    found = Scan()
    for run in _find(runs_folder, suite, found.outside):
        if run.has_results:
            found.signatures[run.relative] = signature_of(run)
    return found


def _find(runs_folder: str, suite: str | None, outside: list[str]) -> Iterator[RunFolder]:
    return find_all_runs(runs_folder, outside) if suite is None else find_runs_at(runs_folder, suite, outside)


def signature_of(run: RunFolder) -> str:
    """Return a digest of the names, sizes and times of a run's files."""
    files = []
    for name in sorted(_MEASURED_FILES & run.files.keys()):
        try:
            status = run.files[name].stat()
        except OSError:  # removed meanwhile
            continue
        files.append((name, status.st_size, status.st_mtime_ns))
    return hashlib.sha256(repr(files).encode()).hexdigest()[:16]


class Scanner:
    """Scans one folder again and again.

    Args:
        runs_folder: the folder `runs`.
        suite: the only suite to look at; None for all.
        few_runs: up to so many runs are measured completely in each scan, and of more runs as many.
    """

    def __init__(self, runs_folder: str, suite: str | None = None, few_runs: int = FEW_RUNS):
        self._runs_folder, self._suite, self._few_runs = runs_folder, suite, few_runs
        self._scan = Scan()
        self._times: dict[str, int] = {}
        """The times of the folders of runs, in nanoseconds, by path; 0 if it cannot tell whether the next scan may differ."""
        self._parents: dict[str, int] = {}
        """The same for the folders that contain them: suites, and above all `runs` with an empty path."""
        self._unfinished: set[str] = set()
        """Folders in suites that are no runs with results yet."""
        self._turn: list[str] = []
        """The runs that are measured completely before it is the first one's turn again, in reverse order."""

    @property
    def is_large(self) -> bool:
        """Whether there are too many runs to measure them completely each time."""
        return len(self._scan.signatures) > self._few_runs

    def has_new_runs(self) -> bool:
        """Return whether runs may have been added or removed since the last scan, for the price of a look at each suite."""
        return any(time == 0 or time != self._time_of(path) for path, time in self._parents.items())

    def scan(self) -> Scan:
        """Look for everything that has changed."""
        return self._scan_changes(with_runs=True) if self.is_large else self._scan_all()

    def scan_new_runs(self) -> Scan:
        """Look for runs that were added or removed, and leave what else has changed to `scan`."""
        return self._scan_changes(with_runs=False) if self.is_large else self._scan_all()

    def _scan_all(self) -> Scan:
        found = Scan()
        self._times, self._unfinished = {}, set()
        top = self._suite or ""
        self._parents = {top: self._time_of(top)}
        for run in _find(self._runs_folder, self._suite, found.outside):
            self._note_parents(run.relative)
            self._note_run(run, found.signatures)
        self._scan = found
        return found

    def _note_parents(self, path: str) -> None:
        parent = path.rpartition("/")[0]
        while parent not in self._parents:
            # Measured after its list was read: what is younger than a tick may still be missing in that.
            self._parents[parent] = self._time_of(parent)
            parent = parent.rpartition("/")[0]

    def _note_run(self, run: RunFolder, signatures: dict[str, str]) -> None:
        if run.has_results:
            self._times[run.relative] = self._time_of(run.relative)
            signatures[run.relative] = signature_of(run)
        else:
            self._unfinished.add(run.relative)

    def _time_of(self, path: str) -> int:
        try:
            found = os.stat(f"{self._runs_folder}/{path}").st_mtime_ns
        except OSError:
            return 0
        return 0 if time.time_ns() - found < _TICK_NS else found

    def _scan_changes(self, with_runs: bool) -> Scan:
        # Others may be reading the scan before.
        known, outside = dict(self._scan.signatures), list(self._scan.outside)
        again: set[str] = set(self._unfinished) if with_runs else set()
        changed: set[str] = set()
        for parent, before in list(self._parents.items()):
            now = self._time_of(parent)
            if before == 0 or now != before:
                self._parents[parent] = now
                again |= self._find_new(parent, known, changed)
                if not now and not os.path.isdir(f"{self._runs_folder}/{parent}"):
                    del self._parents[parent]
        if with_runs:
            again.update(path for path, before in self._times.items() if before == 0 or self._time_of(path) != before)
            if not self._turn:
                self._turn = sorted(self._times, reverse=True)
            again.update(self._turn[-self._few_runs :])
            del self._turn[-self._few_runs :]
        for path in again:
            self._unfinished.discard(path)
            found: dict[str, str] = {}
            for run in find_runs_at(self._runs_folder, path, outside):
                self._note_parents(run.relative)
                self._note_run(run, found)
            if path in known and path not in found:
                self._forget(path, known, changed)
            changed.update(name for name, signature in found.items() if known.get(name) != signature)
            known.update(found)
        self._scan = Scan(known, list(dict.fromkeys(outside)), changed)
        return self._scan

    def _find_new(self, parent: str, known: dict[str, str], changed: set[str]) -> set[str]:
        """Return the paths of what is new in a folder, and forget what is gone."""
        prefix = f"{parent}/" if parent else ""
        there = {prefix + name for name in list_folders(f"{self._runs_folder}/{parent}")}
        there -= self._parents.keys()
        if self._suite is not None and not parent:
            there &= {self._suite}
        here = {path for path in known if path.rpartition("/")[0] == parent}
        for path in here - there:
            self._forget(path, known, changed)
        return there - here

    def _forget(self, path: str, known: dict[str, str], changed: set[str]) -> None:
        known.pop(path, None)
        self._times.pop(path, None)
        changed.add(path)
