"""The states of a suite's runs: done, failed, unfinished, or running."""

import os
from dataclasses import dataclass, replace

from helm.benchmark.running.run_lock import describe_holder, is_run_locked
from helm.results.run_files.json_items import read_json
from helm.results.run_files.run_error import RunError
from helm.results.run_files.run_folder import ERROR_FILE_NAME, JOURNAL_FILE_NAME, find_runs, has_all_run_files

DONE = "done"
FAILED = "failed"
UNFINISHED = "unfinished"
RUNNING = "running"
RUN_STATES = {
    DONE: "its five files are there",
    FAILED: "its last attempt failed, as error.json says",
    UNFINISHED: "it was interrupted; repeat its command to continue it",
    RUNNING: "a process makes it now",
}


@dataclass(frozen=True)
class RunState:
    """The state of one run's folder."""

    path: str

    state: str
    """One of `RUN_STATES`."""

    cause: str = ""
    """The stage and message of a failure, or which process makes the run."""

    command: str | None = None
    """The command line of a failed run, if known."""

    has_results: bool = False
    """Whether the five files of this or an earlier attempt exist."""

    @property
    def name(self) -> str:
        return os.path.basename(os.path.normpath(self.path))


def read_run_state(path: str) -> RunState:
    """Return the state of the run in a folder, even if its files are damaged."""
    found = read_files_state(path)
    return replace(found, state=RUNNING, cause=describe_holder(path)) if is_run_locked(path) else found


def read_files_state(path: str) -> RunState:
    """Return the state from the files alone, whether or not a process is making the run."""
    has_results = has_all_run_files(path)
    if os.path.lexists(os.path.join(path, ERROR_FILE_NAME)):
        try:
            error = RunError.of(read_json(os.path.join(path, ERROR_FILE_NAME)))
        except Exception as e:  # whatever stands there, the run is a failed one
            return RunState(path, FAILED, f"error.json cannot be read: {e}", None, has_results)
        return RunState(path, FAILED, error.cause, error.command, has_results)
    if has_results and not os.path.lexists(os.path.join(path, JOURNAL_FILE_NAME)):
        return RunState(path, DONE, has_results=True)
    return RunState(path, UNFINISHED, has_results=has_results)


def read_run_states(suite_path: str) -> list[RunState]:
    """Return the states of all runs of a suite, in the order of their folders."""
    return [read_run_state(run.path) for run in find_runs(suite_path)]
