"""Single jobs of Slurm: to submit a command, to ask for the job's state, and to cancel it.

`helm-run --engine slurm` submits arrays of jobs (`helm.benchmark.cluster.slurm_commands`); this is for scripts.
"""

import shlex
from collections.abc import Mapping, Sequence

from helm.benchmark.cluster import slurm_commands


class SlurmJobState:
    """States of jobs, as `sacct` prints them."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    SUSPENDED = "SUSPENDED"
    COMPLETING = "COMPLETING"
    COMPLETED = "COMPLETED"
    BOOT_FAIL = "BOOT_FAIL"
    CANCELLED = "CANCELLED"
    DEADLINE = "DEADLINE"
    FAILED = "FAILED"
    NODE_FAIL = "NODE_FAIL"
    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    PREEMPTED = "PREEMPTED"


ACTIVE_SLURM_JOB_STATES = {
    SlurmJobState.PENDING,
    SlurmJobState.RUNNING,
    SlurmJobState.SUSPENDED,
    SlurmJobState.COMPLETING,
}
"""States of jobs that have not ended."""

FAILURE_SLURM_JOB_STATES = {
    SlurmJobState.BOOT_FAIL,
    SlurmJobState.CANCELLED,
    SlurmJobState.DEADLINE,
    SlurmJobState.FAILED,
    SlurmJobState.NODE_FAIL,
    SlurmJobState.OUT_OF_MEMORY,
    SlurmJobState.PREEMPTED,
}
"""States of jobs that ended without success."""

TERMINAL_SLURM_JOB_STATES = {SlurmJobState.COMPLETED} | FAILURE_SLURM_JOB_STATES
"""States of jobs that have ended."""


def submit_slurm_job(command: str | Sequence[str], slurm_args: Mapping[str, str | int]) -> int:
    """Submit a command, which is a line for the shell or the list of its words, and return the job's number.

    Args:
        slurm_args: options of `sbatch` by long name, with `_` or `-`.

    Raises:
        SlurmError: `sbatch` is missing or refuses the job.
    """
    line = command if isinstance(command, str) else shlex.join(command)
    flags = [slurm_commands.flag(name, value) for name, value in slurm_commands.options_from(slurm_args).items()]
    return int(slurm_commands.submit(f"--wrap={line}", *flags))


def get_slurm_job_state(job_id: int) -> str:
    """Return a job's state, one of `SlurmJobState` or another one of Slurm; empty if Slurm does not know the job."""
    return slurm_commands.final_state(str(job_id)).partition(" ")[0]


def cancel_slurm_job(job_id: int) -> None:
    """Cancel a job. Raises: SlurmError."""
    slurm_commands.cancel([str(job_id)])
