"""Runs a compiler's programs."""

import math
import os
import resource
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from helm.common.processes.end_of_process import killed_with_us
from helm.compiler_gym.errors import StatusError

_MAX_ERROR_CHARACTERS = 2000


class ToolFailure(StatusError):
    """A program exited with a status other than 0, which clients see as an INTERNAL error."""

    def __init__(self, command: str, returncode: int, complaint: str):
        super().__init__("INTERNAL", f"{command} failed with status {returncode}: {complaint}")
        self.returncode, self.complaint = returncode, complaint


def run_tool(
    command: Sequence[str],
    folder: Path,
    timeout_s: float | None,
    environment: Mapping[str, str] | None = None,
    limits_cpu: bool = True,
) -> None:
    """Run a program in a folder. It forms a process group with the programs that it starts, which is killed at the limit.

    Args:
        command: the words of the command.
        folder: the working directory.
        timeout_s: time limit in seconds.
        environment: environment variables. Default: those of this process.
        limits_cpu: whether to limit the processor time to `timeout_s`, too; not for programs with many threads.

    Raises: TimeoutError after `timeout_s` seconds; ToolFailure, with the program's message, when it fails; OSError when it
        cannot be started.
    """
    process = subprocess.Popen(
        list(command),
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process, killed_with_us(process):
        if limits_cpu and timeout_s is not None and hasattr(resource, "prlimit"):
            limit = math.ceil(timeout_s) + 1
            try:
                resource.prlimit(process.pid, resource.RLIMIT_CPU, (limit, limit))
            except ProcessLookupError:
                pass  # it has ended already
        try:
            _, complaint = process.communicate(timeout=timeout_s)
        except BaseException as error:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            if isinstance(error, subprocess.TimeoutExpired):
                raise TimeoutError(f"{command[0]} did not end within {timeout_s:g} seconds.") from None
            raise
    if process.returncode != 0:
        text = complaint.decode("utf-8", "replace").strip()[-_MAX_ERROR_CHARACTERS:]
        raise ToolFailure(command[0], process.returncode, text)
