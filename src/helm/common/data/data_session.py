"""The state of one command's data: the lock file, what was used, and what could not be downloaded.

Without a session (in a library, in tests), downloads work the same way, but nothing is locked.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from helm.common.data.data_lock import LOCK_FILE_NAME, DataLock


@dataclass(frozen=True)
class BlockedFetch:
    """A download that was not made because downloads are forbidden."""

    url: str
    path: str
    """Where it would have been stored."""


@dataclass(frozen=True)
class UsedFile:
    """A file or folder that was downloaded, now or earlier."""

    url: str
    path: str
    sha256: str | None = None
    """The hash of the bytes at the URL; None if the folder existed before and its origin is unknown."""
    size_bytes: int | None = None
    license: str | None = None


@dataclass(frozen=True)
class UsedDataSet:
    """A split of a dataset on the Hub."""

    name: str
    split: str
    configuration: str | None
    revision: str
    commit: str
    num_rows: int
    license: str | None = None


@dataclass
class SourceLog:
    """The data that were used, in order, without repetitions."""

    files: dict[tuple[str, str], UsedFile] = field(default_factory=dict)
    data_sets: dict[tuple[str, str | None, str], UsedDataSet] = field(default_factory=dict)
    companions: set[str] = field(default_factory=set)
    """Paths of auxiliary files such as listings, without which the data files are not found again."""

    def __bool__(self) -> bool:
        return bool(self.files or self.data_sets)

    def add(self, other: "SourceLog") -> None:
        self.files.update(other.files)
        self.data_sets.update(other.data_sets)
        self.companions |= other.companions

    def to_json(self, root: str) -> dict[str, Any]:
        """Return the content of `data_sources.json`, with paths relative to `root`; paths outside of it are omitted."""
        files = [
            _without_none(
                url=used.url,
                path=_relative(used.path, root),
                sha256=used.sha256,
                bytes=used.size_bytes,
                license=used.license,
            )
            for used in self.files.values()
        ]
        data_sets = [
            _without_none(
                name=used.name,
                configuration=used.configuration,
                split=used.split,
                revision=used.revision,
                commit=used.commit,
                rows=used.num_rows,
                license=used.license,
            )
            for used in self.data_sets.values()
        ]
        return {"version": 1, "data_sets": data_sets, "files": sorted(files, key=lambda file: file["url"])}


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _relative(path: str, root: str) -> str | None:
    relative = os.path.relpath(path, root)
    return None if relative.startswith("..") else relative.replace(os.path.sep, "/")


_log: ContextVar[SourceLog | None] = ContextVar("helm_source_log", default=None)


@dataclass
class DataSession:
    """The data of one command."""

    lock: DataLock | None = None

    local_path: str = "prod_env"
    """The folder with credentials."""

    trusted_code: frozenset[str] = frozenset()
    """The digests of Python code of others that the user has agreed to run, besides those in the lock file."""

    blocked: list[BlockedFetch] = field(default_factory=list)

    of_recipes: dict[str, SourceLog] = field(default_factory=dict)
    """The data read while the run spec of each name was created."""

    renewed: set[str] = field(default_factory=set)
    """Paths that an update has already downloaded again."""

    def renews(self, path: str) -> bool:
        """Return whether `path` must be downloaded again: once in a session that updates."""
        path = os.path.abspath(path)
        if self.lock is None or not self.lock.update or path in self.renewed or _survey.get() is not None:
            return False
        self.renewed.add(path)
        return True

    def block(self, url: str, path: str) -> None:
        """Note a download that was forbidden."""
        fetch = BlockedFetch(url, os.path.abspath(path))
        if fetch not in self.blocked:
            self.blocked.append(fetch)

    def sources_of(self, run_name: str) -> SourceLog:
        """Return the data noted by a run's recipe and by this thread's innermost `log_sources`."""
        result = SourceLog()
        result.add(self.of_recipes.get(run_name, SourceLog()))
        result.add(_log.get() or SourceLog())
        return result

    def describe_blocked(self) -> str:
        """Return a description of all forbidden downloads, one per line."""
        number = f"{len(self.blocked)} download{' was' if len(self.blocked) == 1 else 's were'}"
        lines = [f"{number} not made, because fetching is forbidden here:"]
        lines += [f"  {fetch.url} -> {fetch.path}" for fetch in self.blocked]
        lines.append(
            "Data of run entries are fetched where there is a network by helm-data fetch, and carried by helm-data export."
        )
        return "\n".join(lines)


_session = DataSession()


def current_session() -> DataSession:
    return _session


@contextmanager
def data_session(
    lock: DataLock | None = None, local_path: str = "prod_env", trusted_code: Iterable[str] = ()
) -> Iterator[DataSession]:
    """Start the data session of one command, for all threads of this process."""
    global _session
    earlier, _session = _session, DataSession(lock, local_path, frozenset(trusted_code))
    try:
        yield _session
    finally:
        _session = earlier


def default_lock_path(output_path: str) -> str:
    """Return `helm-data.lock` in the working directory if it exists, else the one in the output folder."""
    return LOCK_FILE_NAME if os.path.exists(LOCK_FILE_NAME) else os.path.join(output_path, LOCK_FILE_NAME)


@contextmanager
def forbid_fetching(forbidden: bool = True) -> Iterator[None]:
    """Set `HELM_OFFLINE` inside the block, also for child processes; if `forbidden` is False, change nothing."""
    earlier = os.environ.get("HELM_OFFLINE")
    if forbidden:
        os.environ["HELM_OFFLINE"] = "1"
    try:
        yield
    finally:
        if forbidden:
            os.environ.pop("HELM_OFFLINE")
            if earlier is not None:
                os.environ["HELM_OFFLINE"] = earlier


@contextmanager
def log_sources() -> Iterator[SourceLog]:
    """Log the data used inside the block by this thread and the threads it maps over; enclosing blocks log them, too."""
    log, outer = SourceLog(), _log.get()
    token = _log.set(log)
    try:
        yield log
    finally:
        _log.reset(token)
        if outer is not None:
            outer.add(log)


def note_file(used: UsedFile) -> None:
    log = _log.get()
    if log is not None:
        log.files[used.url, used.path] = used


def note_companion(path: str) -> None:
    log = _log.get()
    if log is not None:
        log.companions.add(path)


def note_data_set(used: UsedDataSet) -> None:
    log = _log.get()
    if log is not None:
        log.data_sets[used.name, used.configuration, used.split] = used


# ---- Looking for what is missing


@dataclass
class Survey:
    """Finds out which files a loader needs, in a scratch folder that mirrors the real one, without downloads."""

    real: str
    scratch: str
    placeholder: bytes = b""
    """The content of missing JSON files."""
    missing: list[BlockedFetch] = field(default_factory=list)
    empty: set[str] = field(default_factory=set)
    """Paths in the scratch folder that replace missing files."""

    def is_empty(self, path: str) -> bool:
        return os.path.abspath(path) in self.empty

    def miss(self, url: str, path: str) -> None:
        """Note that `path` would have to be downloaded."""
        fetch = BlockedFetch(url, self.real_path(path))
        if fetch not in self.missing:
            self.missing.append(fetch)
        self.empty.add(os.path.abspath(path))

    def real_path(self, path: str) -> str:
        """Return the path in the real folder that corresponds to one in the scratch folder."""
        relative = os.path.relpath(os.path.abspath(path), self.scratch)
        return path if relative.startswith("..") else os.path.join(self.real, relative)


_survey: ContextVar[Survey | None] = ContextVar("helm_data_survey", default=None)


def current_survey() -> Survey | None:
    return _survey.get()


_PLACEHOLDERS = (b"", b"[]", b'{"data": [], "examples": {}}')
"""The contents tried for missing JSON files. Files of other formats are empty, which means no rows."""


def survey_sources(load: Callable[[str], Any], folder: str) -> tuple[Survey, Any | None, Exception | None]:
    """Call `load` with a scratch copy of `folder`, where missing files are empty, so that it gets as far as possible.

    It is called again with other kinds of empty files while it fails for lack of data. Returns the survey, and the result or
    the exception of `load`, which mean little if anything is missing.
    """
    missing: dict[BlockedFetch, None] = {}
    for placeholder in _PLACEHOLDERS:
        survey, result, error = _survey_once(load, os.path.abspath(folder), placeholder)
        missing.update(dict.fromkeys(survey.missing))
        if error is None or not missing:
            break
    survey.missing = list(missing)
    return survey, result, error


def _survey_once(
    load: Callable[[str], Any], folder: str, placeholder: bytes
) -> tuple[Survey, Any | None, Exception | None]:
    with tempfile.TemporaryDirectory(prefix="helm-data-") as scratch:
        survey = Survey(folder, os.path.realpath(scratch), placeholder)
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                _show(os.path.join(survey.real, name), os.path.join(survey.scratch, name))
        token = _survey.set(survey)
        try:
            return survey, load(survey.scratch), None
        except Exception as e:
            return survey, None, e
        finally:
            _survey.reset(token)


def _show(real: str, scratch: str) -> None:
    """Mirror files as links and folders as folders of links, so that nothing is written to the real ones."""
    if os.path.isdir(real) and not os.path.islink(real):
        os.mkdir(scratch)
        for name in os.listdir(real):
            _show(os.path.join(real, name), os.path.join(scratch, name))
    else:
        os.symlink(real, scratch)
