"""The contract of environments."""

import socket
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from helm.agents.tools.tool import Tool
from helm.common.agent_request import EpisodeLimits

if TYPE_CHECKING:
    from helm.agents.episode import Episode


class Environment:
    """Where the tools of one episode act. It is made for the episode, started in its thread, and always closed."""

    name: str = ""

    @classmethod
    def check_machine(cls) -> None:
        """Raise ConfigError, with what to install, if this machine lacks what all environments of the class need."""

    @property
    def memory_mb(self) -> int | None:
        """The memory that it may use, in MiB; None if that is not limited."""
        return None

    def start(self, limits: EpisodeLimits) -> None:
        """Prepare everything. Raises: InfrastructureFailure when it cannot be started; AgentError for a wrong description."""

    def offered_tools(self) -> list[Tool]:
        """Return the tools that the environment itself offers."""
        return []

    def state(self) -> Any:
        """Return the data of the environment as a JSON value; None if it has none."""
        return None

    def describe(self) -> dict[str, Any]:
        """Return what a score depends on: name, version, digest of an image, kind of sandbox."""
        return {"name": self.name or type(self).__name__}

    def artifacts(self) -> Mapping[str, bytes]:
        """Return the files that the task wants to keep, by their paths. Asked after the score."""
        return {}

    def next_step(self, episode: "Episode") -> str | None:
        """Return what the agent is told when it has done a step of a task; None when there is no further step.

        Raises: InfrastructureFailure when the step cannot be scored.
        """
        return None

    def close(self) -> None:
        """Release everything. Called once, also when the start has failed."""


@dataclass(frozen=True)
class ProgramEnd:
    """How an outside agent's program ended."""

    status: str
    """`ok`, `timeout`, `interrupted`, or what it used too much of: `memory`, `processes`."""

    returncode: int | None

    output: str
    """What it printed, cut in the middle."""

    elapsed_s: float


class ProgramEnvironment(Environment):
    """An environment in which an outside agent's program can run, and reach us at a port of its loopback interface."""

    workdir: str = "/"

    @abstractmethod
    def share(self, paths: Sequence[str], memory_mb: int) -> None:
        """Make paths of this machine visible inside, read-only. Called before the start.

        Args:
            paths: absolute paths.
            memory_mb: what the program needs at least.
        """

    def take_servers(self) -> list[dict[str, Any]]:
        """Return the task's servers of MCP for a program that reaches them itself; their tools are not offered then.

        Called before the start. Each has `name`, `transport` (`stdio`, `sse` or `streamable-http`), and either `command`, `args`
        and `env`, or `url` and `headers`.
        """
        return []

    @abstractmethod
    def listen(self, port: int) -> socket.socket:
        """Return a socket that programs inside reach at a port of 127.0.0.1. Raises: InfrastructureFailure."""

    @abstractmethod
    def put(self, path: str, data: bytes) -> None:
        """Write a file. Raises: InfrastructureFailure."""

    @abstractmethod
    def run_program(self, argv: Sequence[str], environment: Mapping[str, str], wall_s: float) -> ProgramEnd:
        """Run a program to its end. Raises: AgentError if it cannot be started; InfrastructureFailure."""

    @abstractmethod
    def interrupt(self) -> None:
        """End the program that runs in another thread."""
