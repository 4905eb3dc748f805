"""Environments in containers of Docker or Podman."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.environments.box import Box
from helm.agents.environments.compose import MAIN, ComposeError, Service, read_services
from helm.agents.environments.image_files import build_of_files, read_files, tag_of
from helm.agents.errors import AgentError
from helm.common.agent_request import EpisodeLimits
from helm.common.errors import ConfigError
from helm.common.sandbox.container_engine import ENGINES, ContainerEngine, find_engine, run_options
from helm.common.sandbox.container_session import ContainerSession
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.session_contract import Session

_MB = 1 << 20
_PULL_S = 3600.0


class ContainerBox(Box):
    """A container that lives as long as the episode, with a shell that keeps its state, and tools for files.

    It has no network unless that is asked for, no folder of this machine, and its processes, memory and processors are bounded;
    the size of its files is not. An image is fetched, and what it is built of, only with `pull`.

    Args:
        image: the name of an image.
        context: a folder with a Dockerfile, in place of an image. It is built once.
        compose: a folder with a compose file, in place of both: the agent works in its service `main`, beside the others. They
            share one network without a way out; see `helm.agents.environments.compose` for what the file may have.
        files: maps absolute paths to texts.
        workdir: where commands start. Default: the image's.
        environment: variables of all commands.
        user: who runs commands. Default: the image's.
        memory_mb: memory of all processes together, in MiB.
        cpus: number of processors; None does not limit them.
        processes: largest number of processes and threads.
        network: whether it reaches the network.
        pull: whether images may be fetched.
        build_seconds: longest time of building the image.
        engine: docker, podman, or auto for the first of them that works.
    """

    name = "container"

    def __init__(
        self,
        image: str | None = None,
        context: str | None = None,
        compose: str | None = None,
        files: Mapping[str, str] | None = None,
        workdir: str | None = None,
        environment: Mapping[str, str] | None = None,
        user: str | int | None = None,
        memory_mb: int = 2048,
        cpus: float | None = None,
        processes: int = 512,
        network: bool = False,
        pull: bool = False,
        build_seconds: float = 600.0,
        engine: str = "auto",
    ):
        if sum(given is not None for given in (image, context, compose)) != 1:
            raise AgentError(
                "ContainerBox: name either an image or a context to build, or a folder with a compose file."
            )
        if engine not in ("auto", *ENGINES):
            raise AgentError(f"ContainerBox: engine takes auto, {', '.join(ENGINES)}, not '{engine}'.")
        super().__init__(files, workdir or "/")
        self._image, self._context, self._given_workdir = image, context, workdir
        self._environment, self._user = dict(environment or {}), user
        self._memory_mb, self._cpus, self._processes = memory_mb, cpus, processes
        self._network, self._pull, self._build_seconds = network, pull, build_seconds
        self._engine_name = engine
        self._compose = compose
        self._shared: list[str] = []
        self._digest: str | None = None
        self._used_engine: str | None = None

    @classmethod
    def check_machine(cls) -> None:
        try:
            find_engine()
        except SandboxError as e:
            raise ConfigError(f"These tasks need containers: {e}") from e

    @property
    def memory_mb(self) -> int | None:
        return self._memory_mb

    def open_session(self, limits: EpisodeLimits) -> Session:
        engine = find_engine(self._engine_name)
        self._used_engine = engine.name
        self._digest = self.find_image(engine)
        services = self.services()
        own = services.get(MAIN, Service(MAIN))
        memory, cpus = own.memory_bytes or self._memory_mb * _MB, own.cpus or self._cpus
        options = run_options(memory, self._processes, cpus, self._network, self._shared)
        arguments: dict[str, Any] = {
            "workdir": self._given_workdir or own.workdir,
            "environment": {**own.environment, **self._environment},
            "user": self._user if self._user is not None else own.user,
            "label": self.name,
        }
        if services:
            from helm.agents.environments.services import ServedSession, Services

            beside = Services(engine, self._pull, self._build_seconds)
            session: ContainerSession = ServedSession(beside, services, engine, self._digest, options, **arguments)
        else:
            session = ContainerSession(engine, self._digest, options, **arguments)
        self.workdir = session.workdir
        return session

    def services(self) -> dict[str, Service]:
        """Return the services of the environment by name, the agent's as `MAIN`; none if it is a single container."""
        if self._compose is None:
            return {}
        try:
            return read_services(read_files(self._compose))
        except ComposeError as e:
            raise AgentError(f"ContainerBox: {self._compose}: {e}") from e

    def find_image(self, engine: ContainerEngine) -> str:
        """Return the identifier of the image, which is built or fetched if that is needed. Raises: SandboxError."""
        if self._compose is not None:
            own = self.services().get(MAIN)
            if own is None or (own.image is None and own.build is None):
                raise AgentError(f"ContainerBox: {self._compose}: the service {MAIN} needs an image or a build.")
            if own.build is not None:
                return build_of_files(engine, own.build, self._pull, self._build_seconds)
            assert own.image is not None
            return engine.get_image(own.image, self._pull, _PULL_S)
        if self._context is None:
            assert self._image is not None
            return engine.get_image(self._image, self._pull, _PULL_S)
        if not os.path.isfile(os.path.join(self._context, "Dockerfile")):
            raise AgentError(f"ContainerBox: {self._context} holds no Dockerfile.")
        return engine.build_image(tag_of(read_files(self._context)), self._context, self._pull, self._build_seconds)

    def share(self, paths: Sequence[str], memory_mb: int) -> None:
        self._shared = list(paths)
        self._memory_mb = max(self._memory_mb, memory_mb)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name, "sandbox": self._used_engine, "image": self._image, "image_digest": self._digest,
            **({"services": sorted(services)} if (services := self.services()) else {}),
            "memory_mb": self._memory_mb, "cpus": self._cpus, "network": "full" if self._network else "none",
        }  # fmt: skip
