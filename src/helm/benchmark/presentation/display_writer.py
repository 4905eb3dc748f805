"""Writes files derived from single runs, for many runs, in several processes where possible and worthwhile."""

import json
import os
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from helm.benchmark.presentation.run_display import DisplayTask, write_run_display_json
from helm.results.run_files.run_folder import (
    PER_INSTANCE_STATS_FILE_NAME,
    SCENARIO_STATE_FILE_NAME,
    RunFileError,
    stored_path,
)


def _write_one(task: DisplayTask) -> str | None:
    try:
        write_run_display_json(task)
    except (RunFileError, OSError) as e:
        return str(e)
    return None


class RunTask(Protocol):
    """A task concerning one run."""

    @property
    def run_path(self) -> str:
        """The run's folder."""


class DisplayWriter:
    """Writes the display files of many runs, in other processes where possible and worthwhile.

    Args:
        tasks: one for each run.
        num_processes: maximum number of processes.
        write: executes a task; returns an error message, or None.

    Between `start` and `finish` the caller can do its own work. Processes are forked, because a fork costs a few
    milliseconds whereas a fresh interpreter costs more than ten runs' work; where forking is unsafe (other threads,
    systems other than Linux), `finish` does the work itself.
    """

    # Below this, starting a process costs more than it saves.
    MIN_RUNS_PER_PROCESS = 4

    def __init__(self, tasks: Sequence[Any], num_processes: int, write: Callable[[Any], str | None] = _write_one):
        self._write = write
        self._tasks = list(tasks)
        self._children: list[tuple[int, int]] = []
        self._num_processes = min(num_processes, len(self._tasks) // self.MIN_RUNS_PER_PROCESS)
        self._errors: list[str] = []

    def start(self) -> bool:
        """Start processes if that helps; returns whether there are any."""
        if self._num_processes < 2 or not _can_fork():
            return False
        shares = _share_out(self._tasks, self._num_processes)
        self._tasks = []
        for share in shares:
            self._children.append(_fork_worker(share, self._write))
        return True

    def finish(self) -> list[str]:
        """Wait for the end; returns one message for each run whose files could not be written."""
        for task in self._tasks:
            error = self._write(task)
            if error is not None:
                self._errors.append(error)
        self._tasks = []
        for pid, descriptor in self._children:
            with open(descriptor, "rb") as pipe:
                report = pipe.read()
            _, status = os.waitpid(pid, 0)
            if status != 0 or not report:
                self._errors.append(f"A process that wrote files of runs ended unexpectedly (status {status}).")
            else:
                self._errors.extend(json.loads(report))
        self._children = []
        return self._errors


def _can_fork() -> bool:
    import sys
    import threading

    return sys.platform == "linux" and threading.active_count() == 1


def _share_out(tasks: Sequence[RunTask], parts: int) -> list[list[RunTask]]:
    """Distribute tasks into lists of about equal size in bytes: largest first, each to the smallest list."""

    def size(task: RunTask) -> int:
        return sum(
            os.path.getsize(stored_path(task.run_path, name))
            for name in (PER_INSTANCE_STATS_FILE_NAME, SCENARIO_STATE_FILE_NAME)
        )

    shares: list[list[RunTask]] = [[] for _ in range(parts)]
    totals = [0] * parts
    for task_size, task in sorted(((size(task), task) for task in tasks), key=lambda pair: -pair[0]):
        least = totals.index(min(totals))
        shares[least].append(task)
        totals[least] += task_size
    return shares


def _fork_worker(tasks: Sequence[RunTask], write: Callable[[Any], str | None]) -> tuple[int, int]:
    """Start a process that handles `tasks`; returns its id and a pipe for its JSON list of errors."""
    import gc
    import sys
    import traceback

    read_end, write_end = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        os.close(write_end)
        return pid, read_end
    status = 1
    try:
        os.close(read_end)
        gc.disable()  # the objects of a run contain no cycles
        errors = [error for error in map(write, tasks) if error is not None]
        with open(write_end, "wb") as pipe:
            pipe.write(json.dumps(errors).encode())
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
