"""Confinement by a container of Docker or Podman, for machines without bubblewrap."""

import os
import secrets
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from helm.common.sandbox.container_engine import OWNER_LABEL, ContainerEngine, describe_owner
from helm.common.sandbox.contract import (
    SCRATCH,
    Sandbox,
    SandboxError,
    SandboxLimits,
    SandboxResult,
    base_environment,
    check_file_names,
)
from helm.common.sandbox.supervision import supervise

IMAGE_VARIABLE = "HELM_SANDBOX_IMAGE"
_DEFAULT_IMAGE = "docker.io/library/python:3.12"
# Time for the container to start, which is not counted as the program's.
_START_S = 10.0

# Creates the files, whose names and sizes are its arguments, from the beginning of its input, then becomes the program.
_UNPACK = """\
import os, sys
end = sys.argv.index("--")
for name, size in zip(sys.argv[1:end:2], sys.argv[2:end:2]):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "wb") as file:
        rest = int(size)
        while rest:
            chunk = os.read(0, min(rest, 65536))
            if not chunk:
                sys.exit("the input ended early")
            file.write(chunk)
            rest -= len(chunk)
    os.chmod(name, 0o755)
os.execvp(sys.argv[end + 1], sys.argv[end + 1:])
"""


class ContainerSandbox(Sandbox):
    """`docker run` or `podman run` without network and capabilities, with a read-only image and control groups.

    The image must contain Python, and g++ for C++ programs; `HELM_SANDBOX_IMAGE` selects another than the default. It is
    never pulled here. Starting a container takes about half a second, so bubblewrap is preferred. One whose process was killed
    is removed by the next process, since its engine lets it run on.
    """

    python = "python3"

    def __init__(self, name: str):
        self.name = name

    @property
    def image(self) -> str:
        return os.environ.get(IMAGE_VARIABLE) or _DEFAULT_IMAGE

    @cached_property
    def _program(self) -> str:
        program = shutil.which(self.name)
        if program is None:
            raise SandboxError(f"{self.name} is not installed.")
        return program

    def check(self) -> None:
        result = self.run(["python3", "-c", "print('ready')"], b"", {}, SandboxLimits(), {})
        if result.stdout != b"ready\n":
            said = result.stderr.decode(errors="replace").strip() or f"status {result.returncode}, {result.status}"
            raise SandboxError(
                f"{self.name} could not start a container of '{self.image}': {said}. "
                f"If the image is missing: {self.name} pull {self.image}, or name another one in {IMAGE_VARIABLE}."
            )
        with suppress(SandboxError):
            ContainerEngine(self.name).remove_leftovers()

    def describe(self) -> str:
        return f"{self.name} ({self._program}), image {self.image}"

    def build_command(
        self,
        container: str,
        argv: Sequence[str],
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
    ) -> list[str]:
        """Return the words of the command; the contents of `files` follow on its standard input."""
        check_file_names(files)
        variables: dict[str, str] = {**base_environment(""), **environment}
        scratch = f"{SCRATCH}:rw,exec,nosuid,nodev,mode=1777,size={limits.scratch_bytes}"
        command = [self._program, "run", "--rm", "--interactive", "--pull=never", "--name", container]
        command += ["--network=none", "--read-only", "--tmpfs", scratch, "--workdir", SCRATCH]
        command += ["--cap-drop=ALL", "--security-opt=no-new-privileges", "--user=65534:65534", "--ipc=private"]
        command += [f"--memory={limits.memory_bytes}", f"--memory-swap={limits.memory_bytes}", "--cpus=1"]
        command += [f"--pids-limit={limits.processes}", "--ulimit", f"nofile={limits.open_files}"]
        command += ["--ulimit", "core=0", "--ulimit", f"fsize={limits.scratch_bytes}", "--init", "--log-driver=none"]
        command += ["--label", f"{OWNER_LABEL}={describe_owner()}"]
        for key, value in variables.items():
            command += ["--env", f"{key}={value}"]
        command += ["--entrypoint=python3", self.image, "-I", "-c", _UNPACK]
        for name, content in files.items():
            command += [name, str(len(content))]
        return [*command, "--", *argv]

    def run(
        self,
        argv: Sequence[str],
        stdin: bytes,
        files: Mapping[str, bytes],
        limits: SandboxLimits,
        environment: Mapping[str, str],
    ) -> SandboxResult:
        container = f"helm-sandbox-{secrets.token_hex(8)}"
        command = self.build_command(container, argv, files, limits, environment)
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, process_group=0)
        except OSError as error:
            raise SandboxError(f"{self.name} ({self._program}) could not be started: {error}") from error

        def kill() -> None:
            if process.poll() is None:
                subprocess.run([self._program, "kill", container], capture_output=True, check=False)
                process.kill()

        patient = replace(limits, wall_s=limits.wall_s + _START_S)
        result = supervise(process, b"".join(files.values()) + stdin, patient, kill, watch=False)
        if result.status == "ok" and result.returncode == 125:  # the status of the program's own failures
            raise SandboxError(f"{self.name} failed: {result.stderr.decode(errors='replace').strip()}")
        return result
