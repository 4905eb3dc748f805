"""The contract of environments."""

from typing import Any

from helm.agents.tools.tool import Tool
from helm.common.agent_request import EpisodeLimits


class Environment:
    """Where the tools of one episode act. It is made for the episode, started in its thread, and always closed."""

    name: str = ""

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

    def close(self) -> None:
        """Release everything. Called once, also when the start has failed."""
