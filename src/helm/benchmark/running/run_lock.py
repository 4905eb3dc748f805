"""A file lock in the run's folder that keeps other processes from executing the same run, and says who holds it.

The operating system releases the lock when its holder dies, for whatever reason; a file left behind does no harm.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from helm.benchmark.run_spec import RunSpec
from helm.common.codec import iterate_json
from helm.common.concurrency import sleep_until_stopped
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hprogress
from helm.common.processes.file_lock import FileLock, is_locked, try_file_lock
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    ERROR_FILE_NAME,
    LOCK_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_SPEC_FILE_NAME,
    stored_path,
)

# Short runs end soon, so polling starts fast; it slows down to spare network file systems.
_FIRST_POLL_S, _LONGEST_POLL_S = 0.05, 1.0


class RunHeldError(HelmError):
    """Another process is executing the run; the message says which one."""


def try_lock_run(run_path: str) -> FileLock | None:
    """Lock a run, creating its folder. None if another process, or another thread of this one, holds the lock.

    Raises: HelmError when the folder or the file cannot be made.
    """
    path = os.path.join(run_path, LOCK_FILE_NAME)
    while True:
        try:
            os.makedirs(run_path, exist_ok=True)
            lock = try_file_lock(path)
        except FileNotFoundError:  # the folder was removed between the two calls
            continue
        except OSError as e:
            raise HelmError(f"Cannot write to the folder of the run, {run_path}: {e.strerror}.") from e
        if lock is not None:
            now = time.strftime("%Y-%m-%d %H:%M:%S")
            lock.write(json.dumps({"pid": os.getpid(), "host": os.uname().nodename, "since": now}))
        return lock


def is_run_locked(run_path: str) -> bool:
    """Whether somebody is executing the run now. Changes nothing."""
    return is_locked(os.path.join(run_path, LOCK_FILE_NAME))


def remove_dead_lock(run_path: str) -> None:
    """Remove, if possible, the lock file of a process that was killed between writing the results and releasing the lock."""
    if not os.path.exists(os.path.join(run_path, LOCK_FILE_NAME)):
        return
    try:
        lock = try_lock_run(run_path)
    except HelmError:
        return
    if lock is not None:
        lock.release()


def describe_holder(run_path: str) -> str:
    """Describe who holds the lock, as the file records it: `process 12 on host a since 2026-01-31 12:00:00`."""
    try:
        with open(os.path.join(run_path, LOCK_FILE_NAME), encoding="utf-8") as file:
            holder = json.load(file)
        return f"process {holder['pid']} on host {holder['host']} since {holder['since']}"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"


def wait_for_free(run_paths: dict[int, str]) -> list[int]:
    """Wait until at least one run is unlocked; returns the keys of all unlocked runs.

    Raises: KeyboardInterrupt after Ctrl-C.
    """
    hprogress(f"Waiting for runs that other processes make: {len(run_paths)}")
    poll_s = _FIRST_POLL_S
    while True:
        free = [key for key, path in run_paths.items() if not is_run_locked(path)]
        if free:
            return free
        sleep_until_stopped(poll_s)
        poll_s = min(2 * poll_s, _LONGEST_POLL_S)


class RunLocks:
    """The locks that the runs of one command need, and a record of what other processes have done meanwhile."""

    def __init__(self, began_at: float | None = None) -> None:
        self.began_at = time.time() if began_at is None else began_at
        """Unix time in seconds. A run that another process has finished since then is not repeated."""
        self._leaves_held = False
        self._seen_held: dict[str, tuple[int, int] | None] = {}
        """Maps each run that another process held to the stamp of its results at that time."""
        self._made: dict[str, tuple[int, int] | None] = {}

    @contextmanager
    def leaving_held(self) -> Iterator[None]:
        """Make `take` raise instead of wait inside the block."""
        self._leaves_held = True
        try:
            yield
        finally:
            self._leaves_held = False

    def take(self, run_name: str, run_path: str) -> FileLock:
        """Lock a run, waiting until nobody else holds the lock.

        Raises: RunHeldError instead of waiting, inside `leaving_held`; HelmError; KeyboardInterrupt after Ctrl-C.
        """
        lock, poll_s = try_lock_run(run_path), _FIRST_POLL_S
        if lock is None:
            self._seen_held.setdefault(run_name, _results_stamp(run_path))
            message = f"{run_name} is being made by {describe_holder(run_path)}."
            if self._leaves_held:
                raise RunHeldError(message)
            hprogress(f"{message} Waiting for it.")
        while lock is None:
            sleep_until_stopped(poll_s)
            poll_s = min(2 * poll_s, _LONGEST_POLL_S)
            lock = try_lock_run(run_path)
        return lock

    def note_made(self, run_name: str, run_path: str) -> None:
        """Record that this process wrote the results of a run, so that asking for it again executes it again."""
        self._made[run_name] = _results_stamp(run_path)

    def is_done_meanwhile(self, run_spec: RunSpec, run_path: str) -> bool:
        """Whether a run's folder holds complete results of this run spec, written since the command began."""
        found = _results_stamp(run_path)
        if found is None or found == self._made.get(run_spec.name):
            return False
        is_new = found[1] >= int(self.began_at * 1e9) or self._seen_held.get(run_spec.name, found) != found
        names = os.listdir(run_path)
        if not is_new or ERROR_FILE_NAME in names or COVERAGE_FILE_NAME not in names:  # dry runs have no coverage
            return False
        with open(os.path.join(run_path, RUN_SPEC_FILE_NAME), encoding="utf-8") as file:
            return file.read() == "".join(iterate_json(run_spec))


def _results_stamp(run_path: str) -> tuple[int, int] | None:
    """Return a stamp that changes whenever results are written: the inode and the modification time in nanoseconds."""
    try:
        status = os.stat(stored_path(run_path, PER_INSTANCE_STATS_FILE_NAME))
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
