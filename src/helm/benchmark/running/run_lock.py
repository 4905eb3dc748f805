"""One process at a time makes a run: a lock on a file in the run's folder, which says who holds it.

The operating system lets go of the lock when its holder dies, however that happens; a file that is left behind does no harm.
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
from helm.common.general import ensure_directory_exists
from helm.common.hierarchical_logger import hprogress
from helm.common.processes.file_lock import FileLock, is_locked, try_file_lock
from helm.results.run_files.run_folder import (
    COVERAGE_FILE_NAME,
    ERROR_FILE_NAME,
    LOCK_FILE_NAME,
    PER_INSTANCE_STATS_FILE_NAME,
    RUN_SPEC_FILE_NAME,
)

_FIRST_POLL_S, _LONGEST_POLL_S = 0.05, 1.0


class RunHeldError(HelmError):
    """Another process is making the run; the message says which one."""


def try_lock_run(run_path: str) -> FileLock | None:
    """The lock of a run, whose folder is made; None: another process, or another thread of this one, makes the run.

    Raises: HelmError when the folder or the file cannot be made.
    """
    path = os.path.join(run_path, LOCK_FILE_NAME)
    while True:
        try:
            ensure_directory_exists(run_path)
            lock = try_file_lock(path)
        except FileNotFoundError:  # the folder was dropped between the two
            continue
        except OSError as e:
            raise HelmError(f"Cannot write to the folder of the run, {run_path}: {e.strerror}.") from e
        if lock is not None:
            now = time.strftime("%Y-%m-%d %H:%M:%S")
            lock.write(json.dumps({"pid": os.getpid(), "host": os.uname().nodename, "since": now}))
        return lock


def is_run_locked(run_path: str) -> bool:
    """Whether somebody makes the run now. Changes nothing."""
    return is_locked(os.path.join(run_path, LOCK_FILE_NAME))


def remove_dead_lock(run_path: str) -> None:
    """Remove what a process left that was killed between writing the results and letting go; as far as that is possible."""
    if not os.path.exists(os.path.join(run_path, LOCK_FILE_NAME)):
        return
    try:
        lock = try_lock_run(run_path)
    except HelmError:
        return
    if lock is not None:
        lock.release()


def describe_holder(run_path: str) -> str:
    """Who makes the run, as far as the file says: `process 12 on host a since 2026-01-31 12:00:00`."""
    try:
        with open(os.path.join(run_path, LOCK_FILE_NAME), encoding="utf-8") as file:
            holder = json.load(file)
        return f"process {holder['pid']} on host {holder['host']} since {holder['since']}"
    except (OSError, ValueError, LookupError, TypeError):
        return "another process"


def wait_for_free(run_paths: dict[int, str]) -> list[int]:
    """Wait until somebody lets go of a run; returns the keys of all that nobody makes then.

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
    """The locks that the runs of one command need, and what other processes have done beside it."""

    def __init__(self, began_at: float | None = None) -> None:
        self.began_at = time.time() if began_at is None else began_at
        """Seconds since 1970. What another process has finished since then is not done again."""
        self._leaves_held = False
        self._seen_held: dict[str, tuple[int, int] | None] = {}
        """Runs that another process made, and the stamp of their results then."""
        self._made: dict[str, tuple[int, int] | None] = {}

    @contextmanager
    def leaving_held(self) -> Iterator[None]:
        """Inside the block `take` does not wait."""
        self._leaves_held = True
        try:
            yield
        finally:
            self._leaves_held = False

    def take(self, run_name: str, run_path: str) -> FileLock:
        """The lock of a run, as soon as nobody else has it.

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
        """The results of a run are of this process: asked for again, it is made again."""
        self._made[run_name] = _results_stamp(run_path)

    def is_done_meanwhile(self, run_spec: RunSpec, run_path: str) -> bool:
        """Whether the results in a run's folder, all there, are of this very run, and were written since the command began."""
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
    """Changes whenever results are written: a number of the file, and when it was written in nanoseconds since 1970."""
    try:
        status = os.stat(os.path.join(run_path, PER_INSTANCE_STATS_FILE_NAME))
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns
