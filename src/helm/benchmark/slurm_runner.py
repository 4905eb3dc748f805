"""Runs as Slurm jobs. As a program (`python -m helm.benchmark.slurm_runner`), it is what such a job executes."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from helm.benchmark.cluster import slurm_commands
from helm.benchmark.cluster.demand import demand_of
from helm.benchmark.cluster.run_worker import (
    DONE,
    INTERRUPTED,
    Outcome,
    RecipeSources,
    RunWorker,
    outcome_of,
    raise_from,
    start_worker,
    write_lost_run,
)
from helm.benchmark.cluster.slurm_jobs import (
    SlurmManager,
    SubmittedRun,
    read_outcome,
    runs_of_others,
    write_outcome,
)
from helm.benchmark.cluster.worker_pool import WorkerLostError
from helm.benchmark.cluster.worker_setup import WorkerSetup, current_setup, read_setup
from helm.benchmark.run_spec import RunSpec
from helm.benchmark.runner import Runner
from helm.benchmark.runner_config_registry import RUNNER_CONFIG, max_concurrent_workers
from helm.common.budgets.spending import get_ledger
from helm.common.codec import from_json
from helm.common.commands.output_path import check_run_name
from helm.common.concurrency import is_stop_requested, sleep_until_stopped
from helm.common.errors import ConfigError
from helm.common.hierarchical_logger import hlog, hprogress, hwarn, setup_default_logging

_DEFAULT_MAX_JOBS = 4
_MAX_NAME_BYTES = 220
"""Limit for the name of a run. Files of its jobs have this name plus a suffix, and file systems allow 255 bytes."""
_MAX_FAILURES_IN_ROW = 10
"""Consecutive failures to query the state of jobs, for example while the controller is being restarted."""


class SlurmRunner(Runner):
    """Submits the runs as Slurm array jobs, and waits for them.

    All machines see the working directory, the output folder and `local_path` at the same place. A run whose job is lost
    (its machine failed, it was preempted, its time was over) is submitted again and resumes. When the command
    itself ends, its jobs continue, and the same command takes them over; Ctrl-C has them save their progress and ends them.
    """

    def _run_each(
        self, run: Callable[[int], None], run_specs: list[RunSpec], width: int, begin_group: Callable[[int], None]
    ) -> None:
        if self.dry_run or self.skip_instances or self.cache_instances_only or not run_specs:
            super()._run_each(run, run_specs, width, begin_group)
            return
        if get_ledger().budget.max_seconds is not None:
            raise ConfigError(
                "--max-time does not reach the jobs of --engine slurm. Limit the time of each job instead: slurm_args in "
                'runner_config.yaml, for example {time: "2:00:00"}.'
            )
        if self._batch_queue(run_specs) is not None:
            raise ConfigError(
                "Requests that go through a provider's batch API need no cluster: leave out --engine slurm."
            )
        for run_spec in run_specs:
            check_run_name(run_spec.name, _MAX_NAME_BYTES)
        share = max(1, self.settings.max_in_flight // min(_max_jobs(), len(run_specs)))
        setup = replace(current_setup(self.settings), max_in_flight=share)
        self._jobs = _Jobs(self, SlurmManager(setup, datetime.now()), run_specs)
        self._jobs.submit_all(runs_of_others(setup))
        try:
            self._jobs.wait_for_all(run)
        except BaseException:
            self._jobs.end()
            raise

    def run_one(self, run_spec: RunSpec) -> None:
        """Report how the run's job ended. If there are no requests to send, the run is executed here."""
        jobs: _Jobs | None = getattr(self, "_jobs", None)
        if jobs is None:
            super().run_one(run_spec)
        else:
            jobs.conclude(run_spec)


def _max_jobs() -> int:
    return max_concurrent_workers("HELM_MAX_CONCURRENT_WORKER_SLURM_JOBS") or _DEFAULT_MAX_JOBS


class _Jobs:
    """The jobs of one command."""

    def __init__(self, runner: SlurmRunner, manager: SlurmManager, run_specs: list[RunSpec]):
        self._runner, self._manager = runner, manager
        self._run_specs = {run_spec.name: run_spec for run_spec in run_specs}
        self._indices = {run_spec.name: index for index, run_spec in enumerate(run_specs)}
        self._limit = _max_jobs()
        self._active: dict[str, SubmittedRun] = {}
        self._numbers = (-1, -1)
        self._outcomes: dict[str, Outcome | None] = {}
        self._lists: dict[str, list[str]] = {
            name: [] for name in ("queued", "running", "completed", "failed", "skipped")
        }

    def submit_all(self, of_others: dict[str, SubmittedRun]) -> None:
        todo: list[str] = []
        for name, run_spec in self._run_specs.items():
            path = self._runner._get_run_path(run_spec)
            if self._runner.skip_completed_runs and self._runner._is_run_completed(path):
                hlog(f"Skipping run {name} because run is completed and all output files exist.")
                self._lists["skipped"].append(name)
                self._outcomes[name] = None
                continue
            self._manager.add(run_spec)
            if name in of_others:
                self._active[name] = of_others[name]
                hlog(f"Run {name} is Slurm job {of_others[name].task} of an earlier command")
            else:
                todo.append(name)
        self._manager.note(list(self._active.values()))
        self._submit([(name, 0) for name in todo])

    def _submit(self, runs: Sequence[tuple[str, int]]) -> None:
        """Submit as few arrays as possible: one per kind of machine, and per thousand runs."""
        by_options: dict[tuple[tuple[str, str], ...], list[tuple[str, int]]] = {}
        for name, attempt in runs:
            demand = demand_of(self._run_specs[name].adapter_spec.model_deployment, False)
            options = slurm_commands.options_of(demand, RUNNER_CONFIG.slurm_args, os.environ)
            by_options.setdefault(tuple(sorted(options.items())), []).append((name, attempt))
        size = slurm_commands.MAX_ARRAY_SIZE
        arrays = [
            (options, group[start : start + size])
            for options, group in by_options.items()
            for start in range(0, len(group), size)
        ]
        width = min(len(arrays), self._limit)  # arrays that run at once; each gets its share of the limit
        jobs: list[str] = []
        for number, (key, group) in enumerate(arrays):
            share = self._limit // width + (number % width < self._limit % width)
            after = jobs[number - width] if number >= width else ""
            jobs.append(self._manager.submit(group, dict(key), share, after))
        self._active.update({run.run: run for run in self._manager.submitted if (run.run, run.attempt) in set(runs)})

    def wait_for_all(self, run: Callable[[int], None]) -> None:
        """Call `run` with the index of each run when its job has ended."""
        for name in list(self._outcomes):
            run(self._indices[name])
        self._write_lists({})
        num_failures = 0
        while self._active:
            try:
                states = self._states()
                num_failures = 0
            except slurm_commands.SlurmError as e:
                num_failures += 1
                if num_failures > _MAX_FAILURES_IN_ROW:
                    raise
                hwarn(f"{e} The jobs continue; asking again in {RUNNER_CONFIG.slurm_monitor_interval} s.")
                sleep_until_stopped(RUNNER_CONFIG.slurm_monitor_interval)
                continue
            for name in [name for name, submitted in self._active.items() if submitted.task not in states]:
                outcome = self._outcome_of(self._active.pop(name))
                if outcome is not None:
                    self._outcomes[name] = outcome
                    run(self._indices[name])
            self._write_lists(states)
            if self._active:
                sleep_until_stopped(RUNNER_CONFIG.slurm_monitor_interval)
        if is_stop_requested():
            raise KeyboardInterrupt

    def _states(self) -> dict[str, str]:
        states: dict[str, str] = {}
        for job in sorted({submitted.job for submitted in self._active.values()}):
            states.update(slurm_commands.states([job]))
        return states

    def _outcome_of(self, submitted: SubmittedRun) -> Outcome | None:
        """Return the outcome of a run's job. None means that it is submitted again."""
        outcome = read_outcome(submitted)
        if outcome is not None and outcome.status != INTERRUPTED:
            return outcome
        state = slurm_commands.final_state(submitted.task)
        what = f"its Slurm job {submitted.task} ended{f' as {state}' if state else ''} without a result"
        log = submitted.log_path
        if outcome is not None and not is_stop_requested():
            what = f"its Slurm job {submitted.task} was told to stop{f' ({state})' if state else ''}"
        if (
            is_stop_requested()
            or submitted.attempt >= RUNNER_CONFIG.max_worker_retries
            or state.startswith("CANCELLED")
        ):
            return Outcome("failed", f"Run {submitted.run}: {what}. What it said is in {log}.", "WorkerLostError", True)
        hwarn(f"Run {submitted.run}: {what}. It is submitted again.")
        self._submit([(submitted.run, submitted.attempt + 1)])
        return None

    def _write_lists(self, states: dict[str, str]) -> None:
        by_state: dict[str, list[str]] = {"queued": [], "running": []}
        for name, submitted in self._active.items():
            by_state["queued" if states.get(submitted.task, "PENDING") == "PENDING" else "running"].append(name)
        for kind, names in {**self._lists, **by_state}.items():
            self._manager.write_list(kind, names)
        numbers = (len(by_state["running"]), len(by_state["queued"]))
        if numbers != self._numbers and any(numbers):
            hprogress(f"Slurm: {numbers[0]} runs in progress, {numbers[1]} queued")
        self._numbers = numbers

    def conclude(self, run_spec: RunSpec) -> None:
        """Report the outcome of a job. Raises: the error that ended the run."""
        outcome = self._outcomes[run_spec.name]
        if outcome is None:
            return
        self._lists["completed" if outcome.status == DONE else "failed"].append(run_spec.name)
        if outcome.error_type == "WorkerLostError":  # the job could not write it
            error = WorkerLostError(outcome.message)
            run_path = self._runner._get_run_path(run_spec)
            write_lost_run(run_path, run_spec, error, self._runner.settings.command)
            raise error
        raise_from(outcome, f"Run {run_spec.name}")

    def end(self) -> None:
        """Have the jobs save their progress, and cancel them."""
        tasks = [submitted.task for submitted in self._active.values()]
        if not tasks:
            return
        hwarn(f"Cancelling {len(tasks)} jobs of Slurm.")
        running = [task for task, state in self._states().items() if task in tasks and state == "RUNNING"]
        slurm_commands.cancel([task for task in tasks if task not in running])
        slurm_commands.cancel(running, "INT")


def build_parser() -> argparse.ArgumentParser:
    """Build the parser of a job's program, whose flags are HELM's."""
    parser = argparse.ArgumentParser(prog="python -m helm.benchmark.slurm_runner", description="Execute one run.")
    add = parser.add_argument
    add("--slurm-runner-spec-path", required=True, metavar="FILE", help="JSON that says how to execute")
    add("--run-spec-path", required=True, metavar="FILE", help="JSON of the run spec")
    return parser


def main(argv: Sequence[str] | None = None) -> None:
    """Execute one run. Exit status: 0 success; 1 failure; 130 stopped on request, resumes when started again."""
    args = build_parser().parse_args(argv)
    setup_default_logging()
    folder = os.path.dirname(os.path.abspath(args.slurm_runner_spec_path))
    with open(args.slurm_runner_spec_path, encoding="utf-8") as file:
        setup = read_setup(file.read())
    with open(args.run_spec_path, encoding="utf-8") as file:
        run_spec = from_json(file.read(), RunSpec)
    sources = RecipeSources()
    sources_path = os.path.join(folder, "sources", os.path.basename(args.run_spec_path))
    if os.path.exists(sources_path):
        with open(sources_path, encoding="utf-8") as file:
            sources = from_json(file.read(), RecipeSources)
    outcome = _execute(setup, run_spec, sources)
    if outcome.status not in (DONE, INTERRUPTED):
        hwarn(outcome.message if outcome.is_helm_error else f"{outcome.message}\n{outcome.traceback}")
    write_outcome(folder, run_spec.name, outcome)
    sys.exit({DONE: 0, INTERRUPTED: 130}.get(outcome.status, 1))


def _execute(setup: WorkerSetup, run_spec: RunSpec, sources: RecipeSources) -> Outcome:
    worker: RunWorker | None = None
    stopped = False

    def stop(signum: int, frame: Any) -> None:
        nonlocal stopped
        stopped = True
        if worker is not None:
            worker.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    try:
        worker = start_worker(setup)
        if stopped:
            return Outcome(INTERRUPTED)
        outcome = worker.run(run_spec, sources)
        worker.close()
        return outcome
    except Exception as e:
        return outcome_of(e)


if __name__ == "__main__":
    main()
