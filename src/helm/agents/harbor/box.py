"""Harbor's tasks in bubblewrap and in containers, and their check."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from helm.agents.checks import Check, Score
from helm.agents.environments.bubblewrap_box import BubblewrapBox
from helm.agents.environments.compose import MAIN, ComposeError, Service, find_compose_file, read_services
from helm.agents.environments.container_box import ContainerBox
from helm.agents.environments.image_files import build_of_files
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.harbor.dockerfile import NotPlain
from helm.agents.harbor.harbor_tasks import HarborEnvironment, expand_variables, file_mode
from helm.agents.harbor.task import HarborTask, read_task
from helm.common.agent_request import VERIFIER, EpisodeLimits
from helm.common.sandbox.container_engine import ContainerEngine, find_engine
from helm.common.sandbox.session_contract import Session

if TYPE_CHECKING:
    from helm.agents.episode import Episode

__all__ = ["HarborBox", "HarborCheck", "HarborContainer", "expand_variables"]


class HarborBox(HarborEnvironment, BubblewrapBox):
    """The environment of a Harbor task whose Dockerfile is plain: it copies files and runs nothing.

    The image of its `FROM` is not used: programs are those of this machine. Processors are not limited; memory is. Programs of
    the agent and of the verifier have the same user id.

    Args:
        task: the task's folder, or `demo/NAME` for one of this package.
        sha256: the digest of its files. A task that has changed since the run began is refused.
    """

    def __init__(self, task: str, sha256: str | None = None):
        found = _read(task, sha256)
        config = found.config["environment"]
        try:
            image = found.plain_image()
        except NotPlain as e:
            raise AgentError(f"{task} cannot run in bubblewrap, because {e}; it needs docker or podman.") from e
        super().__init__(
            workdir="/app" if image.workdir == "/" else image.workdir,
            environment={**image.environment, **expand_variables(config["env"], task)},
            memory_mb=config.get("memory_mb") or 2048,
            storage_mb=min(config.get("storage_mb") or 256, 1024),
        )
        self._image = image
        self.set_task(found)

    def fill(self, session: Session) -> None:
        for folder in self._image.folders:
            session.make_folder(folder)
        session.write_all({path: (data, file_mode(data)) for path, data in self._image.files.items()})

    def describe(self) -> dict[str, Any]:
        return {**super().describe(), "image": self._image.base}


class HarborContainer(HarborEnvironment, ContainerBox):
    """The environment of a Harbor task in a container, whose image is named by the task or built of its Dockerfile.

    Args:
        task: the task's folder, or `demo/NAME` for one of this package.
        sha256: the digest of its files. A task that has changed since the run began is refused.
        engine: docker, podman, or auto for the first of them that works.
        network: whether a task that asks for a network gets one.
        pull: whether images may be fetched.
    """

    def __init__(
        self, task: str, sha256: str | None = None, engine: str = "auto", network: bool = False, pull: bool = False
    ):
        found = _read(task, sha256)
        problem = container_problem(found, network)
        if problem is not None:
            raise AgentError(f"{task} cannot run in a container: {problem}.")
        config = found.config["environment"]
        ours: dict[str, Any] = {"network": network, "pull": pull, "engine": engine}
        image = config.get("docker_image") or f"{found.name} (built)"
        super().__init__(image=image, **_arguments(config, task, **ours))
        self.set_task(found)
        self._verifiers = {
            step.name: self._verifier_box(step.config["verifier"]["environment"], ours)
            for step in found.steps
            if (step.config.get("verifier") or {}).get("environment")
        }

    def _verifier_box(self, config: dict[str, Any], ours: dict[str, Any]) -> ContainerBox:
        """Return a verifier's environment, which is not started."""
        return ContainerBox(image=config["docker_image"], **_arguments(config, self.task.name, **ours))

    def start(self, limits: EpisodeLimits) -> None:
        for box in self._verifiers.values():  # what is missing is noticed before the agent costs anything
            self._do(partial(box.find_image, find_engine(self._engine_name)))
        super().start(limits)

    def open_verifier(self, verifier: Mapping[str, Any]) -> Session:
        box = self._verifiers.get(self._current.name)
        if box is None:
            return super().open_verifier(verifier)
        session = box.open_session(self._limits)
        check = verifier["environment"].get("healthcheck")
        try:
            if check:
                self._wait_until_healthy(session, check)
        except BaseException:
            session.close()
            raise
        return session

    def describe(self) -> dict[str, Any]:
        found = {name: box.describe() for name, box in self._verifiers.items()}
        more = {"verifier": found.get("", found)} if found else {}
        return {**super().describe(), **more}

    def fill(self, session: Session) -> None:
        """Do nothing: the image holds everything."""

    def services(self) -> dict[str, Service]:
        return _services(self.task)

    def find_image(self, engine: ContainerEngine) -> str:
        own = self.services().get(MAIN)
        if own is not None and own.build is not None:
            return build_of_files(engine, own.build, self._pull, self._build_seconds)
        if own is not None and own.image is not None:
            return engine.get_image(own.image, self._pull, self._build_seconds)
        if self.task.config["environment"].get("docker_image"):
            return super().find_image(engine)
        return build_of_files(engine, self.task.environment_files, self._pull, self._build_seconds)


def _arguments(config: Mapping[str, Any], task: str, network: bool, pull: bool, engine: str) -> dict[str, Any]:
    """Return what a container gets by the `environment` of a task or of a verifier, besides its image."""
    return {
        "workdir": config.get("workdir"),
        "environment": expand_variables(config["env"], task),
        "memory_mb": config.get("memory_mb") or 2048,
        "cpus": config.get("cpus"),
        "network": network and config["network_mode"] == "public",
        "pull": pull,
        "build_seconds": config["build_timeout_sec"],
        "engine": engine,
    }


def container_problem(task: HarborTask, network: bool = False) -> str | None:
    """Return why a task cannot run in a container; None if it can."""
    config = task.config["environment"]
    problem = _config_problem(config, network)
    if problem is not None:
        return problem
    try:
        services = _services(task)
    except ComposeError as e:
        return f"its compose file is not for a sandbox ({e})"
    own = services.get(MAIN)
    hosts = {"localhost", "127.0.0.1", *services}
    for server in task.servers:
        outside = urlsplit(server.get("url") or "").hostname
        if (
            server["transport"] != "stdio"
            and outside not in hosts
            and not (network and config["network_mode"] == "public")
        ):
            return f"its server of MCP {server['name']} is at {outside}, which it reaches with a network only"
    for step in task.steps:
        of_verifier = (step.config.get("verifier") or {}).get("environment")
        if of_verifier and not of_verifier.get("docker_image"):
            return "its verifier's environment names no docker_image"
        if of_verifier and (problem := _config_problem(of_verifier, network)) is not None:
            return f"of its verifier's environment: {problem}"
    has_image = own is not None and (own.image is not None or own.build is not None)
    if not has_image and "Dockerfile" not in task.environment_files and not config.get("docker_image"):
        return "it has neither a Dockerfile nor a docker_image"
    return task.unsupported


def _config_problem(config: Mapping[str, Any], network: bool) -> str | None:
    """Return why an environment cannot be a container, by its part of `task.toml` alone; None if it can."""
    if config["os"] != "linux":
        return f"it is for {config['os']}"
    if config.get("gpus") or config.get("tpu"):
        return "it needs an accelerator"
    if network and config["network_mode"] == "allowlist":
        return "it asks for a network with a list of allowed hosts"
    return None


def _services(task: HarborTask) -> dict[str, Service]:
    """Return the services of a task; none if it has no compose file. Raises: ComposeError."""
    return read_services(task.environment_files) if find_compose_file(task.environment_files) else {}


class HarborCheck(Check):
    """Runs the verifier of the episode's Harbor task."""

    def score(self, episode: "Episode") -> Score:
        environment = episode.environment
        if not isinstance(environment, HarborEnvironment):
            raise InfrastructureFailure(VERIFIER, "HarborCheck needs the environment of a Harbor task.")
        return environment.score()


def _read(place: str, sha256: str | None) -> HarborTask:
    found = read_task(place)
    if sha256 is not None and sha256 != found.sha256:
        raise AgentError(f"{place} has changed since this run began. Use a new suite.")
    return found
