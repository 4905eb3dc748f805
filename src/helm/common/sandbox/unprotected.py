"""No confinement, for use inside a container or machine that is discarded afterwards."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from helm.common.sandbox.contract import (
    Sandbox,
    SandboxError,
    SandboxLimits,
    SandboxResult,
    base_environment,
    check_file_names,
)
from helm.common.sandbox.supervision import find_descendants, supervise


class UnprotectedSandbox(Sandbox):
    """Runs programs with our rights, so that they can read and write whatever we can, and reach the network.

    They run in a temporary folder, with a clean environment and within the limits of time, memory and output.
    """

    name = "none"
    is_protected = False

    @property
    def python(self) -> str:  # type: ignore[override]
        return sys.executable

    def check(self) -> None:
        return None

    def describe(self) -> str:
        return "none: programs run WITHOUT protection"

    def run(
        self,
        argv: Sequence[str],
        stdin: bytes,
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
    ) -> SandboxResult:
        folders = check_file_names(files)
        with tempfile.TemporaryDirectory(prefix="helm-", ignore_cleanup_errors=True) as scratch:
            for folder in folders:
                os.mkdir(os.path.join(scratch, folder))
            for name, content in files.items():
                path = os.path.join(scratch, name)
                with open(path, "wb") as file:
                    file.write(content)
                os.chmod(path, 0o700)
            variables = {**base_environment(self.python), "HOME": scratch, "TMPDIR": scratch, **environment}
            pipe = subprocess.PIPE
            try:
                process = subprocess.Popen(
                    list(argv), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, cwd=scratch, env=variables,
                    process_group=0,
                )  # fmt: skip
            except OSError as error:
                raise SandboxError(f"'{argv[0]}' could not be started: {error}") from error
            return supervise(process, stdin, limits, lambda: _kill(process))


def _kill(process: subprocess.Popen) -> None:
    """End a process, its descendants, and what is left of its group."""
    pids = [*find_descendants(process.pid), process.pid] if process.poll() is None else []
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
