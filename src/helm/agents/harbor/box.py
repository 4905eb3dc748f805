"""Harbor's tasks in bubblewrap and in containers, and their check."""

from typing import TYPE_CHECKING, Any

from helm.agents.checks import Check, Score
from helm.agents.environments.bubblewrap_box import BubblewrapBox
from helm.agents.environments.compose import MAIN, ComposeError, Service, find_compose_file, read_services
from helm.agents.environments.container_box import ContainerBox
from helm.agents.environments.image_files import build_of_files
from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.harbor.dockerfile import NotPlain
from helm.agents.harbor.harbor_tasks import HarborEnvironment, expand_variables, file_mode
from helm.agents.harbor.task import HarborTask, read_task
from helm.common.agent_request import VERIFIER
from helm.common.sandbox.container_engine import ContainerEngine
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
        super().__init__(
            image=config.get("docker_image") or f"{found.name} (built)",
            workdir=config.get("workdir"),
            environment=expand_variables(config["env"], task),
            memory_mb=config.get("memory_mb") or 2048,
            cpus=config.get("cpus"),
            network=network and config["network_mode"] == "public",
            pull=pull,
            build_seconds=config["build_timeout_sec"],
            engine=engine,
        )
        self.set_task(found)

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


def container_problem(task: HarborTask, network: bool = False) -> str | None:
    """Return why a task cannot run in a container; None if it can."""
    config = task.config["environment"]
    if config["os"] != "linux":
        return f"it is for {config['os']}"
    if config.get("gpus") or config.get("tpu"):
        return "it needs an accelerator"
    try:
        own = _services(task).get(MAIN)
    except ComposeError as e:
        return f"its compose file is not for a sandbox ({e})"
    has_image = own is not None and (own.image is not None or own.build is not None)
    if not has_image and "Dockerfile" not in task.environment_files and not config.get("docker_image"):
        return "it has neither a Dockerfile nor a docker_image"
    if network and config["network_mode"] == "allowlist":
        return "it asks for a network with a list of allowed hosts"
    return task.unsupported


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
