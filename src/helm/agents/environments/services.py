"""Containers beside the agent's: a database, a server. All share one network, in which each is found by its name."""

import os
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from helm.agents.environments.compose import COMPLETED, HEALTHY, MAIN, Service
from helm.agents.environments.image_files import build_of_files
from helm.common.processes.end_of_process import ScratchFolder
from helm.common.sandbox.container_engine import (
    OWNER_LABEL,
    ContainerEngine,
    EngineError,
    describe_owner,
    run_options,
)
from helm.common.sandbox.container_session import ContainerSession
from helm.common.sandbox.contract import SandboxError

_MEMORY_BYTES = 2 << 30
_PROCESSES = 512
_CONTROL_S = 120.0
_COMPLETED_S = 600.0
_MAX_LOG = 1000


class Services:
    """The services of one episode, in the network of a container that is there already.

    They share its network as the containers of a pod do, so that they reach each other and nothing else; two of them cannot
    listen on one port. Files of the task are mounted read-only.

    Args:
        engine: runs them.
        pull: whether images may be fetched.
        build_seconds: longest time of building or fetching an image.
    """

    def __init__(self, engine: ContainerEngine, pull: bool, build_seconds: float):
        self._engine = engine
        self._pull, self._build_seconds = pull, build_seconds
        self._folder = ScratchFolder("helm-services-")
        self._prefix = f"helm-{secrets.token_hex(8)}"
        self._containers: dict[str, str] = {}
        self._volumes: dict[str, str] = {}
        self._ready: set[tuple[str, str]] = set()

    def start(self, services: Mapping[str, Service], main: str, last: Service | None = None) -> None:
        """Start services in their order, each when what it waits for is ready, and wait until all are healthy.

        Args:
            services: to be started.
            main: the container whose network they join.
            last: the service of this container, which waits, too.
        Raises: SandboxError if one does not start, ends, or does not become healthy.
        """
        for service in services.values():
            self._wait_for(service, services)
            self._start(service, main)
        for service in services.values():
            if service.health is not None:
                self._wait(service, HEALTHY)
        if last is not None:
            self._wait_for(last, services)

    def mounts(self, service: Service) -> list[str]:
        """Return the options of `run` for the volumes and files of a service."""
        words = []
        for target, name in service.volumes.items():
            if name not in self._volumes:
                volume = f"{self._prefix}-{len(self._volumes)}"
                self._engine.call("volume", "create", "--label", f"{OWNER_LABEL}={describe_owner()}", volume)
                self._volumes[name] = volume
            words += ["--volume", f"{self._volumes[name]}:{target}"]
        for number, (target, files) in enumerate(service.files.items()):
            place = os.path.join(self._folder.path, service.name, str(number))
            for path, data in files.items():
                whole = os.path.join(place, path) if path else place
                os.makedirs(os.path.dirname(whole), exist_ok=True)
                with open(whole, "wb") as file:
                    file.write(data)
                os.chmod(whole, 0o755 if data[:2] == b"#!" or whole.endswith(".sh") else 0o644)
            words += ["--volume", f"{place}:{target}:ro"]
        os.chmod(self._folder.path, 0o755)
        return words

    def close(self) -> None:
        """End all services, and remove what is left of them."""
        for container in reversed(list(self._containers.values())):
            for words in (["kill"], ["rm", "--force", "--volumes"]):
                with suppress(EngineError):
                    self._engine.call(*words, container)
        self._containers.clear()

    def remove_volumes(self) -> None:
        """Remove the volumes, once no container uses them."""
        for volume in self._volumes.values():
            with suppress(EngineError):
                self._engine.call("volume", "rm", "--force", volume)
        self._volumes.clear()
        self._folder.close()

    def image_of(self, service: Service) -> str:
        """Return the identifier of a service's image, which is built or fetched if that is needed. Raises: SandboxError."""
        if service.build is not None:
            return build_of_files(self._engine, service.build, self._pull, self._build_seconds)
        assert service.image is not None
        return self._engine.get_image(service.image, self._pull, self._build_seconds)

    def _start(self, service: Service, main: str) -> None:
        name = f"{self._prefix}-{service.name}"
        options = run_options(service.memory_bytes or _MEMORY_BYTES, _PROCESSES, service.cpus, True)
        options += ["--network", f"container:{main}", "--label", f"{OWNER_LABEL}={describe_owner()}"]
        for key, value in service.environment.items():
            options += ["--env", f"{key}={value}"]
        if service.workdir is not None:
            options += ["--workdir", service.workdir]
        if service.user is not None:
            options += ["--user", service.user]
        command = list(service.command or [])
        if service.entrypoint is not None:
            options += ["--entrypoint", service.entrypoint[0] if service.entrypoint else ""]
            command = [*service.entrypoint[1:], *command]
        self._containers[service.name] = name
        try:
            image = self.image_of(service)
            words = ["run", "--detach", "--name", name, *options, *self.mounts(service), image, *command]
            self._engine.call(*words, wall_s=_CONTROL_S)
        except SandboxError as e:
            raise SandboxError(f"The service {service.name} does not start: {e}") from e

    def _wait_for(self, service: Service, services: Mapping[str, Service]) -> None:
        for name, condition in service.depends_on.items():
            if name in services:
                self._wait(services[name], condition)

    def _wait(self, service: Service, condition: str) -> None:
        if (service.name, condition) in self._ready:
            return
        if condition == COMPLETED:
            self._until(service, lambda: self._state(service) == ("exited", 0), 0.2, _COMPLETED_S, "does not end")
        elif condition == HEALTHY:
            self._wait_until_healthy(service)
        elif self._state(service)[0] not in ("running", "exited"):
            raise SandboxError(f"The service {service.name} does not run.")
        self._ready.add((service.name, condition))

    def _wait_until_healthy(self, service: Service) -> None:
        check = service.health
        if check is None:
            raise SandboxError(f"The service {service.name} has no healthcheck, but others wait until it is healthy.")
        began, failures = time.monotonic(), 0
        while not self._is_healthy(service):
            status, code = self._state(service)
            if status != "running":
                raise SandboxError(f"The service {service.name} has ended with status {code}: {self._log(service)}")
            failures += time.monotonic() - began >= check.start_period_s
            if failures >= check.retries:
                raise SandboxError(f"The service {service.name} does not become healthy: {self._log(service)}")
            time.sleep(min(check.interval_s, max(0.2, check.start_period_s)) if not failures else check.interval_s)

    def _is_healthy(self, service: Service) -> bool:
        assert service.health is not None
        try:
            self._engine.call(
                "exec", self._containers[service.name], *service.health.command, wall_s=service.health.timeout_s
            )
        except EngineError:
            return False
        return True

    def _until(self, service: Service, is_so: Callable[[], bool], pause_s: float, wall_s: float, words: str) -> None:
        deadline = time.monotonic() + wall_s
        while not is_so():
            status, code = self._state(service)
            if status == "exited" and code != 0:
                raise SandboxError(f"The service {service.name} has ended with status {code}: {self._log(service)}")
            if time.monotonic() > deadline:
                raise SandboxError(f"The service {service.name} {words} within {wall_s:g} s.")
            time.sleep(pause_s)

    def _state(self, service: Service) -> tuple[str, int]:
        form = "{{.State.Status}} {{.State.ExitCode}}"
        said = self._engine.call("inspect", "--type", "container", "--format", form, self._containers[service.name])
        status, _, code = said.decode().strip().partition(" ")
        return status, int(code or 0)

    def _log(self, service: Service) -> str:
        with suppress(EngineError):
            said = self._engine.call("logs", "--tail=20", self._containers[service.name])
            return said.decode("utf-8", "replace").strip()[-_MAX_LOG:]
        return ""


class ServedSession(ContainerSession):
    """The agent's container with the services beside it.

    Args:
        beside: starts and ends them.
        services: all services by name, the agent's own as `MAIN` if the file has it.
        engine: runs all of them.
        image: of the agent's container.
        options: of the agent's container; see `ContainerSession`.
        arguments: further ones of `ContainerSession`.
    Raises: SandboxError if one of them does not start.
    """

    def __init__(
        self,
        beside: Services,
        services: Mapping[str, Service],
        engine: ContainerEngine,
        image: str,
        options: Sequence[str],
        **arguments: Any,
    ):
        self._beside = beside
        own = services.get(MAIN)
        others = {name: service for name, service in services.items() if name != MAIN}
        names = [*others, MAIN]
        words = [word for name in names for word in ("--add-host", f"{name}:127.0.0.1")]
        try:
            words += beside.mounts(own) if own is not None else []
            super().__init__(engine, image, [*options, *words], **arguments)
            # Podman gives a container without a network none of the names.
            self._script("printf '127.0.0.1 %s\\n' \"$@\" >> /etc/hosts", *names)
            beside.start(others, self._id, own)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._beside.close()
        if hasattr(self, "_id"):
            super().close()
        self._beside.remove_volumes()
