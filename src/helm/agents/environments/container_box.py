"""Environments in containers of Docker or Podman."""

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from helm.agents.environments.box import Box
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
        if (image is None) == (context is None):
            raise AgentError("ContainerBox: name either an image or a context to build.")
        if engine not in ("auto", *ENGINES):
            raise AgentError(f"ContainerBox: engine takes auto, {', '.join(ENGINES)}, not '{engine}'.")
        super().__init__(files, workdir or "/")
        self._image, self._context, self._given_workdir = image, context, workdir
        self._environment, self._user = dict(environment or {}), user
        self._memory_mb, self._cpus, self._processes = memory_mb, cpus, processes
        self._network, self._pull, self._build_seconds = network, pull, build_seconds
        self._engine_name = engine
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
        options = run_options(self._memory_mb * _MB, self._processes, self._cpus, self._network, self._shared)
        session = ContainerSession(
            engine, self._digest, options, self._given_workdir, self._environment, self._user, self.name
        )
        self.workdir = session.workdir
        return session

    def find_image(self, engine: ContainerEngine) -> str:
        """Return the identifier of the image, which is built or fetched if that is needed. Raises: SandboxError."""
        if self._context is None:
            assert self._image is not None
            return engine.get_image(self._image, self._pull, _PULL_S)
        if not os.path.isfile(os.path.join(self._context, "Dockerfile")):
            raise AgentError(f"ContainerBox: {self._context} holds no Dockerfile.")
        return engine.build_image(_tag_of(self._context), self._context, self._pull, self._build_seconds)

    def share(self, paths: Sequence[str], memory_mb: int) -> None:
        self._shared = list(paths)
        self._memory_mb = max(self._memory_mb, memory_mb)

    def describe(self) -> dict[str, Any]:
        return {
            "name": self.name, "sandbox": self._used_engine, "image": self._image, "image_digest": self._digest,
            "memory_mb": self._memory_mb, "cpus": self._cpus, "network": "full" if self._network else "none",
        }  # fmt: skip


def build_of_files(engine: ContainerEngine, files: Mapping[str, bytes], pull: bool, build_seconds: float) -> str:
    """Return the identifier of the image that a Dockerfile and the files beside it describe. Raises: SandboxError.

    Args:
        engine: builds it, if it has not yet.
        files: contents by relative path.
        pull: whether images that it begins with may be fetched.
        build_seconds: longest time of building.
    """
    with tempfile.TemporaryDirectory(prefix="helm-image-") as folder:
        for name, data in files.items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)
            if data[:2] == b"#!" or name.endswith(".sh"):
                os.chmod(path, 0o755)
        return engine.build_image(_tag(files), folder, pull, build_seconds)


def _tag_of(folder: str) -> str:
    files = {}
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in names:
            path = os.path.join(parent, name)
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    files[os.path.relpath(path, folder)] = file.read()
    return _tag(files)


def _tag(files: Mapping[str, bytes]) -> str:
    """Return the name of the image of some files, which changes with them."""
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode("utf-8", "surrogatepass"))
    return f"localhost/helm-task:{digest.hexdigest()[:32]}"
