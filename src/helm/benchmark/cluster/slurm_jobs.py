"""Runs as tasks of Slurm array jobs: the folder that describes them, and their progress."""

import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from helm.benchmark.cluster import slurm_commands
from helm.benchmark.cluster.run_worker import Outcome, RecipeSources
from helm.benchmark.cluster.worker_setup import WorkerSetup
from helm.benchmark.run_spec import RunSpec
from helm.common.codec import dump_json, from_json
from helm.common.files import write_text_atomically
from helm.common.hierarchical_logger import hlog

SLURM_FOLDER = "slurm"
SETUP_FILE = "slurm_runner_spec.json"
JOBS_FILE = "jobs.json"
_OUTCOME_WAIT_S = 10.0
"""File systems of clusters may show new files late on other machines."""


@dataclass(frozen=True)
class SubmittedRun:
    """A run that was submitted to Slurm."""

    run: str

    task: str
    """Job and position, `17_3`."""

    folder: str
    """The manager's folder, where the outcome appears."""

    attempt: int = 0
    """How often it was submitted before."""

    @property
    def job(self) -> str:
        return self.task.split("_")[0]

    @property
    def log_path(self) -> str:
        return os.path.join(self.folder, "logs", f"{self.run}.log")


@dataclass(frozen=True)
class JobsFile:
    """The content of `jobs.json` in a manager's folder: enough for another command to take over."""

    output_path: str

    suite: str

    runs: list[SubmittedRun] = field(default_factory=list)


def _outcome_path(folder: str, run_name: str, task: str) -> str:
    return os.path.join(folder, "outcomes", f"{run_name}.{task}.json")


class SlurmManager:
    """One command's folder `slurm/<time>/`.

    It contains `slurm_runner_spec.json`, `run_specs/`, `sources/`, `logs/`, `outcomes/`, array scripts, `jobs.json`,
    and lists of runs by state.
    """

    def __init__(self, setup: WorkerSetup, now: datetime):
        self.folder = os.path.join(SLURM_FOLDER, now.isoformat(timespec="seconds"))
        number = 1
        while os.path.exists(self.folder):
            number += 1
            self.folder = os.path.join(SLURM_FOLDER, f"{now.isoformat(timespec='seconds')}-{number}")
        for name in ("run_specs", "logs", "outcomes", "sources"):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        self._setup = setup
        self._num_arrays = 0
        self.submitted: list[SubmittedRun] = []
        setup_path = self._path(SETUP_FILE)
        handle = os.open(setup_path, os.O_WRONLY | os.O_CREAT, 0o600)  # it may contain the password of a database
        with open(handle, "w", encoding="utf-8") as file:
            file.write(dump_json(setup))

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def write_list(self, name: str, runs: Sequence[str]) -> None:
        """Write `queued_runs.json` and the like, which are lists of run names."""
        write_text_atomically(self._path(f"{name}_runs.json"), json.dumps(list(runs), indent=2))

    def add(self, run_spec: RunSpec) -> None:
        """Write the description of a run."""
        write_text_atomically(self._path(os.path.join("run_specs", f"{run_spec.name}.json")), dump_json(run_spec))
        sources = RecipeSources.of(run_spec.name)
        if sources != RecipeSources():
            write_text_atomically(self._path(os.path.join("sources", f"{run_spec.name}.json")), dump_json(sources))

    def submit(self, runs: Sequence[tuple[str, int]], options: Mapping[str, str], limit: int, after: str = "") -> str:
        """Submit runs as one array with at most `limit` running at once; returns the job.

        `runs` pairs each run with the number of its attempt. | The array starts after the job `after` has ended.
        """
        names_path = self._path(f"array_{self._num_arrays}.txt")
        script_path = self._path(f"array_{self._num_arrays}.sh")
        self._num_arrays += 1
        write_text_atomically(names_path, "".join(f"{name}\n" for name, _ in runs))
        own = {
            "array": f"0-{len(runs) - 1}%{limit}",
            "chdir": os.getcwd(),
            "job-name": f"helm-{self._setup.settings.suite}",
            "output": self._path(os.path.join("logs", "slurm-%A_%a.log")),
        }
        command = slurm_commands.python_command(self._path(SETUP_FILE))
        script = slurm_commands.array_script(
            {**options, **own}, names_path, command, self._path("run_specs"), self._path("logs")
        )
        write_text_atomically(script_path, script)
        job = slurm_commands.submit(script_path, *([f"--dependency=afterany:{after}"] if after else []))
        hlog(f"Slurm job {job}: {len(runs)} runs, {limit} at once")
        self.note([SubmittedRun(name, f"{job}_{i}", self.folder, attempt) for i, (name, attempt) in enumerate(runs)])
        return job

    def note(self, runs: Sequence[SubmittedRun]) -> None:
        """Record in `jobs.json` what Slurm knows, including submissions of an earlier command."""
        self.submitted += runs
        content = JobsFile(
            os.path.abspath(self._setup.settings.output_path), self._setup.settings.suite, self.submitted
        )
        write_text_atomically(self._path(JOBS_FILE), dump_json(content))


def write_outcome(folder: str, run_name: str, outcome: Outcome) -> None:
    """Write the outcome; called by the job itself."""
    job, number = os.environ.get("SLURM_ARRAY_JOB_ID", "0"), os.environ.get("SLURM_ARRAY_TASK_ID", "0")
    os.makedirs(os.path.join(folder, "outcomes"), exist_ok=True)
    write_text_atomically(_outcome_path(folder, run_name, f"{job}_{number}"), dump_json(outcome))


def read_outcome(run: SubmittedRun, wait_s: float = _OUTCOME_WAIT_S) -> Outcome | None:
    """Return the outcome that a run's task has left; None if it left nothing."""
    path = _outcome_path(run.folder, run.run, run.task)
    deadline = time.monotonic() + wait_s
    while not os.path.exists(path):
        if time.monotonic() >= deadline:
            return None
        os.listdir(os.path.dirname(path))  # makes a network file system refresh its cache
        time.sleep(min(0.5, wait_s))
    with open(path, encoding="utf-8") as file:
        return from_json(file.read(), Outcome)


def runs_of_others(setup: WorkerSetup) -> dict[str, SubmittedRun]:
    """Return runs of this suite that earlier commands of this folder submitted and that are waiting or running."""
    candidates: dict[str, SubmittedRun] = {}
    if not os.path.isdir(SLURM_FOLDER):
        return candidates
    for name in sorted(os.listdir(SLURM_FOLDER)):
        path = os.path.join(SLURM_FOLDER, name, JOBS_FILE)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                content = from_json(file.read(), JobsFile)
            if (content.output_path, content.suite) == (
                os.path.abspath(setup.settings.output_path),
                setup.settings.suite,
            ):
                candidates.update({run.run: run for run in content.runs})
    if not candidates:
        return candidates
    jobs = sorted({run.job for run in candidates.values()})
    active: dict[str, str] = {}
    for job in jobs:  # query one by one: a job that Slurm has forgotten would hide the others
        active.update(slurm_commands.states([job]))
    return {name: run for name, run in candidates.items() if run.task in active}
