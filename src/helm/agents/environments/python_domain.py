"""Environments that are Python objects of this process."""

import copy
from typing import Any

from helm.agents.environments.environment import Environment
from helm.agents.errors import AgentError
from helm.agents.tools.tool import Tool, tools_of
from helm.common.agent_request import EpisodeLimits
from helm.common.object_spec import get_class_by_name


class PythonDomain(Environment):
    """An object whose methods marked by `@tool` are the tools.

    It runs in this process with its rights, so its class is named by the run spec, never by data. If it has a method `state`,
    which returns a JSON value, the end state is recorded.

    Args:
        class_name: class path.
        data: keyword arguments of its constructor; each episode has its own copy.
    """

    def __init__(self, class_name: str, data: dict[str, Any] | None = None):
        self.name = class_name.rpartition(".")[2]
        self._class_name, self._data = class_name, data or {}
        self.domain: Any = None
        """The object, once started."""

    def start(self, limits: EpisodeLimits) -> None:
        self.domain = self.create()

    def create(self) -> Any:
        """Return a fresh object with a copy of the data. Raises: AgentError."""
        try:
            return get_class_by_name(self._class_name)(**copy.deepcopy(self._data))
        except (ImportError, AttributeError, TypeError, ValueError) as e:
            raise AgentError(f"Cannot make the environment {self._class_name}: {e}") from e

    def offered_tools(self) -> list[Tool]:
        return tools_of(self.domain)

    def state(self) -> Any:
        read = getattr(self.domain, "state", None)
        return copy.deepcopy(read()) if callable(read) else None
