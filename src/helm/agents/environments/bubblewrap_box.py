"""Environments with files and a shell, in a sandbox of this machine."""

import socket
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.environments.environment import ProgramEnd, ProgramEnvironment
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.tools.box_tools import box_tools
from helm.agents.tools.tool import Tool
from helm.common.agent_request import SANDBOX, EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.sandbox.bubblewrap import INSTALL, BubblewrapSandbox
from helm.common.sandbox.contract import SandboxError, SandboxLimits
from helm.common.sandbox.session import SandboxSession, SessionRefused

HOME = "/home/agent"
FOLDERS = ("/app", "/logs", "/tests", "/solution", HOME)
"""Writable in every box, besides `/tmp`."""

_SPARE_S = 3600.0
_MB = 1 << 20
_PROGRAM_OUTPUT_BYTES = 64_000
_PROGRAM_ADDRESS_SPACE_MB = 1 << 20
"""JavaScript engines reserve far more addresses than they use; the memory of all processes together stays limited."""


class BubblewrapBox(ProgramEnvironment):
    """A sandbox by bubblewrap that lives as long as the episode, with a shell that keeps its state, and tools for files.

    Inside are the system's programs and this Python, read-only; nothing of the home folder or of our variables; no network.

    Args:
        files: maps absolute paths, below a writable folder, to texts.
        workdir: where commands start. Writable.
        environment: variables of all commands.
        memory_mb: memory of all processes together, in MiB.
        storage_mb: size of each writable folder in MiB; it is in memory.
        processes: largest number of processes and threads.
    """

    name = "bubblewrap"

    def __init__(
        self,
        files: Mapping[str, str] | None = None,
        workdir: str = "/app",
        environment: Mapping[str, str] | None = None,
        memory_mb: int = 1024,
        storage_mb: int = 64,
        processes: int = 128,
    ):
        self.workdir = workdir
        self._files = {path: text.encode("utf-8", "surrogatepass") for path, text in (files or {}).items()}
        self._environment = {"HOME": HOME, **(environment or {})}
        self._memory_mb, self._storage_mb, self._processes = memory_mb, storage_mb, processes
        self._shared: list[str] = []
        self._session: SandboxSession | None = None

    @classmethod
    def check_machine(cls) -> None:
        try:
            BubblewrapSandbox().check()
        except SandboxError as e:
            raise ConfigError(f"These tasks need a sandbox by bubblewrap: {e} {INSTALL}.") from e

    @property
    def memory_mb(self) -> int | None:
        return self._memory_mb

    @property
    def session(self) -> SandboxSession:
        """The sandbox. Raises: InfrastructureFailure if it is not running."""
        if self._session is None:
            raise InfrastructureFailure(SANDBOX, "The sandbox is not running.")
        return self._session

    def start(self, limits: EpisodeLimits) -> None:
        folders = _outermost([*FOLDERS, self.workdir])
        for path in self._files:
            if not path.startswith("/") or ".." in path.split("/"):
                raise AgentError(f"A file of the environment takes an absolute path, not '{path}'.")
        bounds = SandboxLimits(
            wall_s=limits.seconds + _SPARE_S,
            memory_bytes=self._memory_mb * _MB,
            address_space_bytes=(max(4096, 4 * self._memory_mb) if not self._shared else _PROGRAM_ADDRESS_SPACE_MB)
            * _MB,
            processes=self._processes,
            scratch_bytes=self._storage_mb * _MB,
            open_files=1024,
        )
        try:
            self._session = SandboxSession(folders, self.workdir, bounds, self._environment, self._shared)
            for path, data in self._files.items():
                self._session.write(path, data, 0o755 if data[:2] == b"#!" else 0o644)
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, str(e)) from e

    def offered_tools(self) -> list[Tool]:
        return box_tools(self)

    def share(self, paths: Sequence[str], memory_mb: int) -> None:
        self._shared = list(paths)
        self._memory_mb = max(self._memory_mb, memory_mb)

    def listen(self, port: int) -> socket.socket:
        try:
            return self.session.listen(port)
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, str(e)) from e

    def put(self, path: str, data: bytes) -> None:
        try:
            self.session.write(path, data)
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, str(e)) from e

    def run_program(self, argv: Sequence[str], environment: Mapping[str, str], wall_s: float) -> ProgramEnd:
        try:
            found = self.session.run(argv, wall_s=wall_s, environment=environment, output_bytes=_PROGRAM_OUTPUT_BYTES)
        except SessionRefused as e:
            raise AgentError(f"The program cannot be started: {e}") from e
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, str(e)) from e
        return ProgramEnd(found.status, found.returncode, found.output.decode("utf-8", "replace"), found.elapsed_s)

    def interrupt(self) -> None:
        self.session.interrupt()

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name, "sandbox": "bubblewrap", "memory_mb": self._memory_mb, "storage_mb": self._storage_mb,
            "network": "none",
        }  # fmt: skip

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return folders without those that lie in others, and without those that the sandbox has by itself."""
    wanted = [path.rstrip("/") or "/" for path in dict.fromkeys(paths)]
    if "/" in wanted:
        raise AgentError("The working folder cannot be '/', since only some folders are writable; use /app.")
    own = ("/tmp", "/var/tmp", "/scratch")
    kept = [path for path in wanted if not any(path == other or path.startswith(f"{other}/") for other in own)]
    return [path for path in kept if not any(path.startswith(f"{other}/") for other in kept if other != path)]
