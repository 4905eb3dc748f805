"""Runs the Slurm commands `sbatch`, `squeue`, `sacct` and `scancel`."""

import math
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from helm.benchmark.cluster.demand import Demand
from helm.common.errors import ConfigError, HelmError

MAX_ARRAY_SIZE = 1000
"""Maximum number of tasks in an array job; Slurm's default limit is 1001."""

_TIMEOUT_S = 120
_WAITING_AND_RUNNING = {
    "PENDING", "RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESIZING",
    "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT", "STOPPED", "RESV_DEL_HOLD", "POWER_UP_NODE",
}  # fmt: skip


class SlurmError(HelmError):
    """A Slurm command failed, or is missing."""


def _run(command: Sequence[str]) -> str:
    if shutil.which(command[0]) is None:
        raise SlurmError(
            f"There is no command {command[0]} here: --engine slurm has to be used where jobs are submitted."
        )
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired as e:
        raise SlurmError(f"{shlex.join(command)} did not answer within {_TIMEOUT_S} s.") from e
    if done.returncode:
        raise SlurmError(
            f"{shlex.join(command)} failed ({done.returncode}): {done.stderr.strip() or done.stdout.strip()}"
        )
    return done.stdout


def options_from(slurm_args: Mapping[str, Any]) -> dict[str, str]:
    """Return options of `sbatch` by long name, with an empty value for those without one; false ones are left out."""
    return {
        key.lstrip("-").replace("_", "-"): "" if value is None or value is True else str(value)
        for key, value in slurm_args.items()
        if value is not False
    }


def flag(name: str, value: str) -> str:
    """Return an option as it is written on a command line, and in a script after `#SBATCH`."""
    return f"--{name}{f'={value}' if value else ''}"


def options_of(demand: Demand, slurm_args: Mapping[str, Any] | None, environment: Mapping[str, str]) -> dict[str, str]:
    """Return options of `sbatch` by long name, with an empty value for those without one.

    What the deployment needs overrides `slurm_args` of `runner_config.yaml`; `HELM_SLURM_NODE_NAMES` selects machines.

    Raises: ConfigError for what Slurm cannot provide.
    """
    # The signal lets a job that reaches its time limit save what is in flight.
    options = {"signal": "B:INT@60", **options_from(slurm_args or {})}
    if demand.deployment:
        options["cpus-per-task"] = str(math.ceil(demand.num_cpus))
        if demand.memory_bytes:
            options["mem"] = f"{math.ceil(demand.memory_bytes / 2**20)}M"
        generic = {"gpu": demand.num_gpus, **demand.custom}
        for name, number in generic.items():
            if number != int(number):
                raise ConfigError(
                    f"Deployment '{demand.deployment}': Slurm assigns whole numbers of {name}, not {number:g}."
                )
        wanted = ",".join(f"{name}:{int(number)}" for name, number in sorted(generic.items()) if number)
        if wanted:
            options["gres"] = wanted
    nodes = environment.get("HELM_SLURM_NODE_NAMES", "").strip()
    if nodes:
        options["nodelist"] = nodes
    return options


def array_script(
    options: Mapping[str, str], names_path: str, command: Sequence[str], spec_folder: str, log_folder: str
) -> str:
    """Return a batch script whose task i executes the run named in line i of `names_path`.

    It runs `command` with the path of the run's spec, through `exec`, so that signals reach it.
    """
    head = "".join(f"#SBATCH {flag(name, value)}\n" for name, value in sorted(options.items()))
    return (
        f"#!/bin/sh\n{head}\n"
        f'name=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {shlex.quote(names_path)})\n'
        f'exec {shlex.join(command)} {shlex.quote(spec_folder)}/"$name".json '
        f'>> {shlex.quote(log_folder)}/"$name".log 2>&1\n'
    )


def submit(script: str, *flags: str) -> str:
    """Submit a script, by its path or as `--wrap=COMMAND`; returns the number of the job."""
    text = _run(["sbatch", "--parsable", *flags, script]).strip()
    job = text.split("\n")[-1].split(";")[0]
    if not job.isdigit():
        raise SlurmError(f"sbatch printed no job number, but: {text}")
    return job


def _queue(jobs: Sequence[str]) -> dict[str, str]:
    """Map tasks to states, including those that ended recently."""
    command = ["squeue", "--noheader", "--array", "--states=all", "--format=%i %T", f"--jobs={','.join(jobs)}"]
    try:
        text = _run(command)
    except SlurmError as e:
        if "Invalid job id" in str(e):  # all of them have ended, and Slurm has forgotten them
            return {}
        raise
    return {task: state.strip() for task, _, state in (line.strip().partition(" ") for line in text.splitlines())}


def states(jobs: Sequence[str]) -> dict[str, str]:
    """Map tasks (`17_3`) to states (`RUNNING`), for those that wait or run."""
    found = _queue(jobs) if jobs else {}
    return {task: state for task, state in found.items() if state in _WAITING_AND_RUNNING}


def final_state(task: str) -> str:
    """Return a finished task's state: `COMPLETED`, `FAILED`, `CANCELLED`, `OUT_OF_MEMORY`, `NODE_FAIL`; empty if unknown."""
    try:
        state = _queue([task]).get(task)
        if state:
            return state
        text = _run(["sacct", "--noheader", "--parsable2", "--allocations", "--format=State", f"--jobs={task}"])
    except SlurmError:
        return ""  # many sites disable accounting
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def cancel(jobs: Sequence[str], with_signal: str | None = None) -> None:
    """Cancel jobs or tasks; `with_signal` only sends this signal to those that are running."""
    if jobs:
        flags = [f"--signal={with_signal}", "--full"] if with_signal else []
        _run(["scancel", *flags, *jobs])


def python_command(spec_path: str) -> list[str]:
    """Return the start of a job's command line; the path of a run spec follows."""
    module = "helm.benchmark.slurm_runner"
    return [sys.executable, "-m", module, "--slurm-runner-spec-path", spec_path, "--run-spec-path"]
