"""The locations of runs and the names of their files, defined only here, and the search for runs.

An output folder contains `runs/SUITE/RUN/` (`helm.common.commands.output_path`), and the name of a suite may contain slashes.
All other modules take the names of files from here; `helm.results.run_files.run_schema` defines the contents of the files.
"""

import os
from collections.abc import Iterator

from helm.common.commands.output_path import NAMES_IN_SUITES
from helm.common.errors import HelmError

RUN_SPEC_FILE_NAME = "run_spec.json"
SCENARIO_FILE_NAME = "scenario.json"
SCENARIO_STATE_FILE_NAME = "scenario_state.json"
STATS_FILE_NAME = "stats.json"
PER_INSTANCE_STATS_FILE_NAME = "per_instance_stats.json"
RUN_FILE_NAMES = [
    RUN_SPEC_FILE_NAME,
    SCENARIO_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    STATS_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
]
"""The files of a complete run, as HELM writes them."""

COVERAGE_FILE_NAME = "coverage.json"
DATA_SOURCES_FILE_NAME = "data_sources.json"
ERROR_FILE_NAME = "error.json"
JOURNAL_FILE_NAME = "requests.journal"
JOURNAL_PART_PREFIX = f"{JOURNAL_FILE_NAME}-part-"
"""Names of the files beside it that worker processes write begin like this."""
EPISODES_FOLDER_NAME = "episodes"
"""The folder with the events of episodes of agents that are running, or were interrupted."""
ARTIFACTS_FOLDER_NAME = "artifacts"
"""The folder with the files that episodes of agents have left, in a folder for each."""
LOCK_FILE_NAME = ".run.lock"
REEVAL_TRAJECTORY_FILE_NAME = "reeval_trajectory.json"

INTERVALS_FILE_NAME = "intervals.json"
INSTANCES_FILE_NAME = "instances.json"
DISPLAY_PREDICTIONS_FILE_NAME = "display_predictions.json"
DISPLAY_REQUESTS_FILE_NAME = "display_requests.json"
DISPLAY_FILE_NAMES = (INSTANCES_FILE_NAME, DISPLAY_PREDICTIONS_FILE_NAME, DISPLAY_REQUESTS_FILE_NAME)
"""The files that `helm-summarize` adds to a run."""

COMPRESSED_SUFFIX = ".gz"
COMPRESSIBLE_FILE_NAMES = frozenset((SCENARIO_STATE_FILE_NAME, PER_INSTANCE_STATS_FILE_NAME, *DISPLAY_FILE_NAMES))
"""The files that grow with the number of instances, and may be compressed: then their names end in `COMPRESSED_SUFFIX`.

Everything else asks for a file by its plain name. If both forms exist, the plain one counts: it may be that of another program,
and a process that was killed while it replaced one form by the other has left the old file or the new one in charge, whole.
`helm.results.run_files.compressed_files` reads and writes them.
"""

RESULT_FILE_NAMES = frozenset((*RUN_FILE_NAMES, ERROR_FILE_NAME))
"""A folder with any of these files contains results, or the reason why there are none."""

_MARKS = RESULT_FILE_NAMES | {JOURNAL_FILE_NAME, LOCK_FILE_NAME}
_NOT_THROUGH_LINKS = RESULT_FILE_NAMES | {COVERAGE_FILE_NAME}
# The depth of suites within suites is limited, so that naming the wrong folder does not search a whole disk.
_MAX_DEPTH = 3


def plain_name(file_name: str) -> str:
    """Return the name by which a file of a run is known, which is that of its plain form."""
    name = file_name.removesuffix(COMPRESSED_SUFFIX)
    return name if name in COMPRESSIBLE_FILE_NAMES else file_name


def stored_names(name: str) -> tuple[str, ...]:
    """Return the names that a run's file may have in its folder, the one that counts first."""
    return (name, name + COMPRESSED_SUFFIX) if name in COMPRESSIBLE_FILE_NAMES else (name,)


def stored_path(folder: str, name: str) -> str:
    """Return the path of a run's file in the form in which it is stored; the plain path if there is none."""
    path = os.path.join(folder, name)
    if name in COMPRESSIBLE_FILE_NAMES and not os.path.lexists(path):
        compressed = path + COMPRESSED_SUFFIX
        return compressed if os.path.lexists(compressed) else path
    return path


def has_file(folder: str, name: str) -> bool:
    """Return whether a run has a file, in any form."""
    return os.path.isfile(stored_path(folder, name))


def has_all_run_files(folder: str) -> bool:
    """Return whether all files of a complete run exist, in any form."""
    return all(has_file(folder, name) for name in RUN_FILE_NAMES)


def list_files(path: str, with_texts: bool = True) -> list[str]:
    """Return the paths of the files of results in a run's folder; `with_texts` includes those with prompts and answers."""
    names = [*RUN_FILE_NAMES, COVERAGE_FILE_NAME, DATA_SOURCES_FILE_NAME]
    paths = [stored_path(path, name) for name in names if with_texts or name != SCENARIO_STATE_FILE_NAME]
    return [path for path in paths if os.path.isfile(path)]


class RunFileError(HelmError):
    """A file of a run cannot be read; the message names the file, the place and what is wrong."""


class RunFolder:
    """A folder of a run.

    Args:
        path: the folder.
        relative: its path below the folder where the search began, with slashes.
        files: its entries by plain name. None means that it has a run spec and that its other entries are listed when needed.
    """

    def __init__(self, path: str, relative: str, files: "dict[str, os.DirEntry[str]] | None"):
        self.path = path
        self.relative = relative
        self._files = files

    @property
    def files(self) -> dict[str, "os.DirEntry[str]"]:
        """The entries of the folder by plain name; none if it was removed after it was found, or cannot be read."""
        if self._files is None:
            try:
                self._files = _by_plain_name(_list(self.path))
            except OSError:
                self._files = {}
        return self._files

    @property
    def has_results(self) -> bool:
        """Whether any of the files of a run exists; otherwise the run was only begun."""
        return self._files is None or not RESULT_FILE_NAMES.isdisjoint(self._files)


def list_folders(path: str) -> list[str]:
    """Return the sorted names of the runs in a suite's folder, or of the suites in `runs`; none without a folder."""
    if not os.path.isdir(path):
        return []
    with os.scandir(path) as entries:
        return sorted(entry.name for entry in entries if _may_hold_runs(entry))


def _may_hold_runs(entry: "os.DirEntry[str]") -> bool:
    if entry.name in NAMES_IN_SUITES or entry.name.startswith("."):
        return False
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def find_runs(path: str, outside: list[str] | None = None, depth: int = _MAX_DEPTH) -> Iterator[RunFolder]:
    """Yield the runs in a folder and in the suites within it, by name; folders that cannot be listed have none.

    A folder belongs to a run if it contains one of a run's files, its journal or its lock, or if it is empty, because HELM
    leaves such a folder after a failed run.

    Args:
        path: the folder of a suite, or of all suites (with a depth of one more).
        outside: collects links that lead out of the folder, which are then not followed; None follows all links.
        depth: how deeply suites may be nested.
    """
    if outside is None:
        yield from _walk(path, "", depth, None, [])
    else:
        root = os.path.realpath(path)
        yield from _walk(root, "", depth, root, outside)


def find_all_runs(runs_path: str, outside: list[str] | None = None) -> Iterator[RunFolder]:
    """Yield the runs of all suites in the folder `runs` of an output folder; see `find_runs`."""
    return find_runs(runs_path, outside, _MAX_DEPTH + 1)


def find_runs_at(runs_path: str, relative: str, outside: list[str]) -> Iterator[RunFolder]:
    """Yield the run in one folder below `runs`, or the runs in it if it is a suite; see `find_runs`."""
    root = os.path.realpath(runs_path)
    path = os.path.join(root, *relative.split("/"))
    if os.path.islink(path) and not _is_within(os.path.realpath(path), root):
        if os.path.isdir(path):
            outside.append(relative)
        return
    yield from _walk(path, relative, _MAX_DEPTH - relative.count("/"), root, outside)


def _walk(path: str, relative: str, depth: int, root: str | None, outside: list[str]) -> Iterator[RunFolder]:
    if relative and root is None and os.path.isfile(f"{path}/{RUN_SPEC_FILE_NAME}"):
        yield RunFolder(path, relative, None)  # nearly all are such, and to list them takes several times as long
        return
    try:
        files = _list(path)
    except OSError:  # it was removed meanwhile, or may not be read
        return
    prefix = f"{relative}/" if relative else ""
    if root is not None:
        for name in sorted(name for name, entry in files.items() if entry.is_symlink()):
            if _is_within(os.path.realpath(files[name].path), root):
                continue
            is_read = plain_name(name) in _NOT_THROUGH_LINKS
            if is_read or os.path.isdir(files[name].path):
                outside.append(prefix + name)
            if is_read:
                return
            del files[name]
    files = _by_plain_name(files)
    if relative and (not files or not _MARKS.isdisjoint(files)):
        yield RunFolder(path, relative, files)
    elif depth >= 0:
        for name in sorted(files):
            if _may_hold_runs(files[name]):
                yield from _walk(files[name].path, prefix + name, depth - 1, root, outside)


def _list(path: str) -> dict[str, "os.DirEntry[str]"]:
    with os.scandir(path) as entries:
        return {entry.name: entry for entry in entries}


def _by_plain_name(files: dict[str, "os.DirEntry[str]"]) -> dict[str, "os.DirEntry[str]"]:
    """Return the entries of a folder with each file in the form that counts, under its plain name."""
    if not any(name.endswith(COMPRESSED_SUFFIX) for name in files):
        return files
    return {
        plain_name(name): entry
        for name, entry in files.items()
        if plain_name(name) == name or plain_name(name) not in files
    }


def _is_within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)
