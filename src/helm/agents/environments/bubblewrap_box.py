"""Environments with files and a shell, in a sandbox of this machine."""

from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.environments.box import Box
from helm.agents.errors import AgentError
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.sandbox.bubblewrap import INSTALL, BubblewrapSandbox
from helm.common.sandbox.contract import SandboxError, SandboxLimits
from helm.common.sandbox.session import SandboxSession
from helm.common.sandbox.session_contract import Session

HOME = "/home/agent"
FOLDERS = ("/app", "/logs", "/tests", "/solution", HOME)
"""Writable in every box, besides `/tmp`."""

_SPARE_S = 3600.0
_MB = 1 << 20
_PROGRAM_ADDRESS_SPACE_MB = 1 << 20
"""JavaScript engines reserve far more addresses than they use; the memory of all processes together stays limited."""


class BubblewrapBox(Box):
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
        super().__init__(files, workdir)
        self._environment = {"HOME": HOME, **(environment or {})}
        self._memory_mb, self._storage_mb, self._processes = memory_mb, storage_mb, processes
        self._shared: list[str] = []

    @classmethod
    def check_machine(cls) -> None:
        try:
            BubblewrapSandbox().check()
        except SandboxError as e:
            raise ConfigError(f"These tasks need a sandbox by bubblewrap: {e} {INSTALL}.") from e

    @property
    def memory_mb(self) -> int | None:
        return self._memory_mb

    def open_session(self, limits: EpisodeLimits) -> Session:
        bounds = SandboxLimits(
            wall_s=limits.seconds + _SPARE_S,
            memory_bytes=self._memory_mb * _MB,
            address_space_bytes=(max(4096, 4 * self._memory_mb) if not self._shared else _PROGRAM_ADDRESS_SPACE_MB)
            * _MB,
            processes=self._processes,
            scratch_bytes=self._storage_mb * _MB,
            open_files=1024,
        )
        folders = _outermost([*FOLDERS, self.workdir])
        return SandboxSession(folders, self.workdir, bounds, self._environment, self._shared)

    def share(self, paths: Sequence[str], memory_mb: int) -> None:
        self._shared = list(paths)
        self._memory_mb = max(self._memory_mb, memory_mb)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name, "sandbox": "bubblewrap", "memory_mb": self._memory_mb, "storage_mb": self._storage_mb,
            "network": "none",
        }  # fmt: skip


def _outermost(paths: Sequence[str]) -> list[str]:
    """Return folders without those that lie in others, and without those that the sandbox has by itself."""
    wanted = [path.rstrip("/") or "/" for path in dict.fromkeys(paths)]
    if "/" in wanted:
        raise AgentError("The working folder cannot be '/', since only some folders are writable; use /app.")
    own = ("/tmp", "/var/tmp", "/scratch")
    kept = [path for path in wanted if not any(path == other or path.startswith(f"{other}/") for other in own)]
    return [path for path in kept if not any(path.startswith(f"{other}/") for other in kept if other != path)]
