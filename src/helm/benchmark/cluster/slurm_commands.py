"""Slurm by its commands: `sbatch`, `squeue`, `sacct` and `scancel`."""

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
"""Tasks of one array job; sites allow 1001 by default."""

_TIMEOUT_S = 120
_WAITING_AND_RUNNING = {
    "PENDING", "RUNNING", "CONFIGURING", "COMPLETING", "SUSPENDED", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "RESIZING",
    "SIGNALING", "SPECIAL_EXIT", "STAGE_OUT", "STOPPED", "RESV_DEL_HOLD", "POWER_UP_NODE",
}  # fmt: skip


class SlurmError(HelmError):
    """A command of Slurm failed, or is not there."""


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


def options_of(demand: Demand, slurm_args: Mapping[str, Any] | None, environment: Mapping[str, str]) -> dict[str, str]:
    """Options of `sbatch` by their long names, those without a value with an empty one. What the deployment needs goes
    before `slurm_args` of `runner_config.yaml`; `HELM_SLURM_NODE_NAMES` says on which machines.

    Raises: ConfigError for what Slurm cannot give.
    """
    options = {"signal": "B:INT@60"}  # so that a job which comes to its limit of time saves what is in flight
    for key, value in (slurm_args or {}).items():
        name = key.lstrip("-").replace("_", "-")
        if value is not False:
            options[name] = "" if value is None or value is True else str(value)
    if demand.deployment:
        options["cpus-per-task"] = str(math.ceil(demand.num_cpus))
        if demand.memory_bytes:
            options["mem"] = f"{math.ceil(demand.memory_bytes / 2**20)}M"
        generic = {"gpu": demand.num_gpus, **demand.custom}
        for name, number in generic.items():
            if number != int(number):
                raise ConfigError(
                    f"Deployment '{demand.deployment}': Slurm gives whole numbers of {name}, not {number:g}."
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
    """A batch script: task i executes the run that line i of `names_path` names, `command` with the path of its spec. It
    becomes that process, so that signals reach it.
    """
    head = "".join(f"#SBATCH --{name}{f'={value}' if value else ''}\n" for name, value in sorted(options.items()))
    return (
        f"#!/bin/sh\n{head}\n"
        f'name=$(sed -n "$((SLURM_ARRAY_TASK_ID + 1))p" {shlex.quote(names_path)})\n'
        f'exec {shlex.join(command)} {shlex.quote(spec_folder)}/"$name".json '
        f'>> {shlex.quote(log_folder)}/"$name".log 2>&1\n'
    )


def submit(script_path: str, *flags: str) -> str:
    """Returns the number of the job."""
    text = _run(["sbatch", "--parsable", *flags, script_path]).strip()
    job = text.split("\n")[-1].split(";")[0]
    if not job.isdigit():
        raise SlurmError(f"sbatch printed no job number, but: {text}")
    return job


def _queue(jobs: Sequence[str]) -> dict[str, str]:
    """Task to state, also of those that ended a short while ago."""
    command = ["squeue", "--noheader", "--array", "--states=all", "--format=%i %T", f"--jobs={','.join(jobs)}"]
    try:
        text = _run(command)
    except SlurmError as e:
        if "Invalid job id" in str(e):  # all of them are over, and forgotten
            return {}
        raise
    return {task: state.strip() for task, _, state in (line.strip().partition(" ") for line in text.splitlines())}


def states(jobs: Sequence[str]) -> dict[str, str]:
    """Task (`17_3`) to state (`RUNNING`), of those that wait or run."""
    found = _queue(jobs) if jobs else {}
    return {task: state for task, state in found.items() if state in _WAITING_AND_RUNNING}


def final_state(task: str) -> str:
    """Of a task that is over: `COMPLETED`, `FAILED`, `CANCELLED`, `OUT_OF_MEMORY`, `NODE_FAIL`; empty where nobody knows."""
    try:
        state = _queue([task]).get(task)
        if state:
            return state
        text = _run(["sacct", "--noheader", "--parsable2", "--allocations", "--format=State", f"--jobs={task}"])
    except SlurmError:
        return ""  # accounting is switched off at many places
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def cancel(jobs: Sequence[str], with_signal: str | None = None) -> None:
    """End jobs or tasks; `with_signal`: only send this one to those that run."""
    if jobs:
        flags = [f"--signal={with_signal}", "--full"] if with_signal else []
        _run(["scancel", *flags, *jobs])


def python_command(spec_path: str) -> list[str]:
    """How a job begins; the path of a run spec is to follow."""
    module = "helm.benchmark.slurm_runner"
    return [sys.executable, "-m", module, "--slurm-runner-spec-path", spec_path, "--run-spec-path"]
