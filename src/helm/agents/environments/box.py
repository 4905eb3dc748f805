"""Environments with files and a shell."""

import socket
from abc import abstractmethod
from collections.abc import Mapping, Sequence

from helm.agents.environments.environment import ProgramEnd, ProgramEnvironment
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.tools.box_tools import box_tools
from helm.agents.tools.tool import Tool
from helm.common.agent_request import SANDBOX, EpisodeLimits
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import Session, SessionRefused

_PROGRAM_OUTPUT_BYTES = 64_000


class Box(ProgramEnvironment):
    """An environment that lives in a session: a shell that keeps its state, tools for files, and room for outside agents.

    Args:
        files: maps absolute paths to texts.
        workdir: where commands start.
    """

    def __init__(self, files: Mapping[str, str] | None, workdir: str):
        self.workdir = workdir
        self._files = {path: text.encode("utf-8", "surrogatepass") for path, text in (files or {}).items()}
        self._session: Session | None = None

    @abstractmethod
    def open_session(self, limits: EpisodeLimits) -> Session:
        """Return a fresh sandbox. Raises: SandboxError."""

    @property
    def session(self) -> Session:
        """The sandbox. Raises: InfrastructureFailure if it is not running."""
        if self._session is None:
            raise InfrastructureFailure(SANDBOX, "The sandbox is not running.")
        return self._session

    def start(self, limits: EpisodeLimits) -> None:
        for path in self._files:
            if not path.startswith("/") or ".." in path.split("/"):
                raise AgentError(f"A file of the environment takes an absolute path, not '{path}'.")
        try:
            self._session = self.open_session(limits)
            files = {path: (data, 0o755 if data[:2] == b"#!" else 0o644) for path, data in self._files.items()}
            self._session.write_all(files)
        except SandboxError as e:
            raise InfrastructureFailure(SANDBOX, str(e)) from e

    def offered_tools(self) -> list[Tool]:
        return box_tools(self)

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

    def close(self) -> None:
        if self._session is not None:
            self._session.close()
            self._session = None
