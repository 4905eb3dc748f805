"""The runs of one command: whether their folders are free for them, and which have failed, are held, or never started."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from helm.benchmark.run_spec import RunSpec
from helm.benchmark.running.run_lock import RunHeldError, wait_for_free
from helm.benchmark.running.run_writer import RUN_SPEC_FILE_NAME
from helm.common.budgets.spending import BudgetExceeded
from helm.common.codec import to_json_single_line
from helm.common.errors import ConfigError, HelmError, shown
from helm.common.formats.json_reading import read_json
from helm.common.hierarchical_logger import herror, hexception, hprogress, htrack_block
from helm.common.telemetry.progress import CommandProgress, counting

if TYPE_CHECKING:
    from helm.clients.batch.batch_queue import BatchQueue
    from helm.common.telemetry.hook_events import CommandObserver


class RunnerError(HelmError):
    """Some runs failed."""


class CommandRuns:
    """Executes runs by their index, from several threads at once, and keeps how each of them ended.

    Args:
        run_specs: the runs of the command.
        run_one: executes a run.
        command: the progress of the command; it has one row for each run spec.
        batch_queue: where runs take part in batches. None if no requests are sent in batches.
        exit_on_error: whether the first error propagates instead of being logged.
        observer: what tells hooks of the runs, if there are any.
    """

    def __init__(
        self,
        run_specs: list[RunSpec],
        run_one: Callable[[RunSpec], None],
        command: CommandProgress,
        batch_queue: "BatchQueue | None",
        exit_on_error: bool,
        observer: "CommandObserver | None" = None,
    ):
        self._observer = observer
        self._run_specs, self._run_one, self._command = run_specs, run_one, command
        self._batch_queue, self._exit_on_error = batch_queue, exit_on_error
        self.held: list[int] = []
        """The indices of the runs that another process held when their turn came."""
        self.stopped: list[BudgetExceeded] = []
        """What ended the command early; no further runs are begun."""
        self._failed: dict[int, str] = {}
        self._concluded: set[int] = set()

    def run(self, index: int) -> None:
        """Execute a run, unless the command has stopped. Raises: the error of the run, with `exit_on_error`."""
        with self._batch_queue.taking_part() if self._batch_queue is not None else nullcontext():
            if self.stopped:
                return
            run_spec, progress = self._run_specs[index], self._command.runs[index]
            name = run_spec.name
            observed = nullcontext() if self._observer is None else self._observer.observing(run_spec, progress)
            try:
                with observed, htrack_block(f"Running {name}"), counting(progress):
                    try:
                        self._run_one(run_spec)
                    except RunHeldError as e:
                        hprogress(f"{e} It is left for later.")
                        progress.put_off()
                        self.held.append(index)
                        return
            except BudgetExceeded as e:
                self._command.is_stopping = True
                self.stopped.append(e)
            except Exception as e:
                if self._exit_on_error:
                    if self._batch_queue is not None:
                        self._batch_queue.stop(RunnerError(f"Stopped because the run {name} failed: {e}"))
                    raise
                _log_error(name, e)
                self._failed[index] = name
            self._concluded.add(index)

    def take_held(self, get_run_path: Callable[[RunSpec], str]) -> list[int]:
        """Wait until some of the held runs are free, and return their indices. They no longer count as held."""
        free = wait_for_free({index: get_run_path(self._run_specs[index]) for index in sorted(self.held)})
        self.held[:] = [index for index in self.held if index not in free]
        return free

    def check(self, runner_name: str) -> None:
        """Raise BudgetExceeded or RunnerError, unless all runs have ended well."""
        if self.stopped:
            raise self.stopped[0]
        problems = []
        if self._failed:
            problems.append(f"Failed runs: {json.dumps([self._failed[index] for index in sorted(self._failed)])}")
        missed = [spec.name for index, spec in enumerate(self._run_specs) if index not in self._concluded]
        if missed:
            problems.append(f"Runs that were not started, which is a bug in {runner_name}: {json.dumps(missed)}")
        if problems:
            raise RunnerError(". ".join(problems))


def check_no_collision(run_spec: RunSpec, run_path: str) -> None:
    """Check the folder of a run. Raises: ConfigError if it holds the results of a different run.

    Runs are different if their names differ, or if values differ that look alike only in folder names, where `/`
    becomes `_`. Other changes (`-m`) do not make a run different.
    """
    try:
        with open(os.path.join(run_path, RUN_SPEC_FILE_NAME), "rb") as file:
            there = read_json(file.read())
    except (OSError, ValueError):
        return  # nothing readable is there, so the run is executed again
    if not isinstance(there, dict):
        return
    what: str | None = None
    if there.get("name", run_spec.name) != run_spec.name:
        what = f"named '{there['name']}'"
    else:
        here = read_json(to_json_single_line(run_spec))
        key, old, new = next(_collisions("", there, here), ("", "", ""))
        if key:
            what = f"in which {key} is '{old}', not '{new}': in names of folders '/' is '_'"
    if what is not None:
        raise ConfigError(
            f"The run '{run_spec.name}' would overwrite another one in {run_path}, {what}. Write another value, or run it in a "
            "different suite (--suite)."
        )


def _collisions(key: str, there: Any, here: Any) -> Iterator[tuple[str, str, str]]:
    """Yield key, old text and new text where they differ only so. Class names and the run's name contain no slashes."""
    if isinstance(there, dict) and isinstance(here, dict):
        for name in there.keys() & here.keys():
            yield from _collisions(name, there[name], here[name])
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for old, new in zip(there, here, strict=True):
            yield from _collisions(key, old, new)
    elif isinstance(there, str) and isinstance(here, str) and there != here:
        if there.replace("/", "_") == here.replace("/", "_"):
            yield key, there, here


def _log_error(run_name: str, error: Exception) -> None:
    if isinstance(error, HelmError):
        herror(f"Error when running {run_name}:\n{shown(error)}")
    else:
        hexception(f"Error when running {run_name}:\n{type(error).__name__}: {error}")
