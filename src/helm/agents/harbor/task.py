"""A task in Harbor's layout: `task.toml`, `instruction.md`, `environment/`, `tests/`, `solution/`, `steps/`."""

import hashlib
import importlib.util
import os
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from helm.agents.harbor.config import HarborTaskError, read_config
from helm.agents.harbor.dockerfile import NotPlain, PlainImage, read_plain_dockerfile
from helm.common.files import load_yaml

DEMO_PREFIX = "demo/"
"""Tasks that begin so are those of this package."""

CONFIG_FILE = "task.toml"
_MAX_FILE_BYTES = 64 << 20
_MAX_FILES = 10_000


@dataclass(frozen=True)
class HarborStep:
    """A step of a task; most tasks have one."""

    name: str
    """Empty for the only step of a task without steps."""

    instruction: str

    config: dict[str, Any] = field(hash=False)
    """The step's part of `task.toml`: agent, verifier, min_reward."""

    tests: dict[str, bytes] = field(hash=False)
    """The verifier's files by relative path."""

    solution: dict[str, bytes] = field(hash=False)

    workdir: dict[str, bytes] = field(hash=False)
    """Files that are put into the working folder when the step begins."""


@dataclass(frozen=True)
class HarborTask:
    """Everything in a task's folder."""

    name: str

    config: dict[str, Any] = field(hash=False)

    steps: list[HarborStep] = field(hash=False)

    environment_files: dict[str, bytes] = field(hash=False)
    """The files in `environment/` by relative path."""

    sha256: str
    """The digest of all files."""

    @property
    def unsupported(self) -> str | None:
        """Why the task cannot run in any environment of ours; None if it can."""
        if self.config["environment"].get("skills_dir"):
            return "it gives its agent skills"
        if self.servers and importlib.util.find_spec("mcp") is None:
            return "its servers of MCP need the extra `mcp`"
        return None

    @property
    def servers(self) -> list[dict[str, Any]]:
        """The servers of MCP whose tools the agent gets."""
        return list(self.config["environment"].get("mcp_servers") or ())

    def plain_image(self) -> PlainImage:
        """Return what the environment needs. Raises: NotPlain if that is a container."""
        environment = self.config["environment"]
        if environment["os"] != "linux":
            raise NotPlain(f"it is for {environment['os']}")
        if environment.get("gpus") or environment.get("tpu"):
            raise NotPlain("it needs an accelerator")
        if any(name.startswith(("docker-compose", "compose.")) for name in self.environment_files):
            raise NotPlain("it has several services")
        dockerfile = self.environment_files.get("Dockerfile")
        if dockerfile is None:
            raise NotPlain(f"it is an image: {environment.get('docker_image', 'unknown')}")
        context = {name: data for name, data in self.environment_files.items() if name != "Dockerfile"}
        if any((step.config.get("verifier") or {}).get("environment") for step in self.steps):
            raise NotPlain("its verifier has an image of its own")
        if any(server["transport"] != "stdio" for server in self.servers):
            raise NotPlain("its servers of MCP are beside it")
        image = read_plain_dockerfile(dockerfile.decode("utf-8", "replace"), context)
        if environment.get("workdir"):
            image.workdir = environment["workdir"]
        return image


def find_tasks(path: str) -> list[str]:
    """Return the folders of tasks: the folder itself, or those in it that hold a `task.toml`, sorted by name.

    Raises: HarborTaskError if there is none.
    """
    if os.path.isfile(os.path.join(path, CONFIG_FILE)):
        return [path]
    names = sorted(os.listdir(path)) if os.path.isdir(path) else []
    found = [os.path.join(path, name) for name in names if os.path.isfile(os.path.join(path, name, CONFIG_FILE))]
    if not found:
        raise HarborTaskError(path, {"": f"holds no {CONFIG_FILE}, and no folder in it does"})
    return found


def demo_task_names() -> list[str]:
    """Return the names of the package's own tasks, each with `DEMO_PREFIX`."""
    return [DEMO_PREFIX + name for name in _demo_files()]


@cache
def _demo_files() -> dict[str, dict[str, str]]:
    """Return the files of the package's own tasks by task and path."""
    found: dict[str, dict[str, str]] = load_yaml(str(resources.files("helm.agents").joinpath("demo_tasks.yaml")))
    return found


@lru_cache(maxsize=256)
def read_task(place: str) -> HarborTask:
    """Return a task by its folder, or by `demo/NAME`. Links are not followed.

    Raises: HarborTaskError.
    """
    if place.startswith(DEMO_PREFIX):
        if place not in demo_task_names():
            raise HarborTaskError(place, {"": f"is none of {', '.join(demo_task_names())}"})
        files = {path: text.encode() for path, text in _demo_files()[place.removeprefix(DEMO_PREFIX)].items()}
    else:
        files = _read_files(place)
    if CONFIG_FILE not in files:
        raise HarborTaskError(place, {"": f"holds no {CONFIG_FILE}"})
    config = read_config(_text(files[CONFIG_FILE]), os.path.join(place, CONFIG_FILE))
    digest = hashlib.sha256()
    for name, data in sorted(files.items()):
        digest.update(f"{name}\0{hashlib.sha256(data).hexdigest()}\n".encode("utf-8", "surrogatepass"))
    name = config.get("task", {}).get("name") or os.path.basename(os.path.normpath(place))
    return HarborTask(
        name, config, _read_steps(place, config, files), _below(files, "environment/"), digest.hexdigest()
    )


def _read_steps(place: str, config: dict[str, Any], files: dict[str, bytes]) -> list[HarborStep]:
    if not config.get("steps"):
        if "instruction.md" not in files:
            raise HarborTaskError(place, {"": "holds no instruction.md"})
        tests = _below(files, "tests/")
        own = {"agent": config["agent"], "verifier": config["verifier"]}
        step = HarborStep("", _text(files["instruction.md"]).strip(), own, tests, _below(files, "solution/"), {})
        steps = [step]
    else:
        steps = []
        for step_config in config["steps"]:
            prefix = f"steps/{step_config['name']}/"
            if prefix + "instruction.md" not in files:
                raise HarborTaskError(place, {f"steps.{step_config['name']}": f"lacks {prefix}instruction.md"})
            steps.append(
                HarborStep(
                    step_config["name"],
                    _text(files[prefix + "instruction.md"]).strip(),
                    step_config,
                    {**_below(files, "tests/"), **_below(files, prefix + "tests/")},
                    {**_below(files, "solution/"), **_below(files, prefix + "solution/")},
                    _below(files, prefix + "workdir/"),
                )
            )
    for step in steps:
        if "test.sh" not in step.tests:
            raise HarborTaskError(place, {f"steps.{step.name}" if step.name else "tests": "lacks test.sh"})
    return steps


def _read_files(folder: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not os.path.islink(os.path.join(parent, name)) and name != "__pycache__"
        )
        for name in sorted(names):
            path = os.path.join(parent, name)
            if os.path.islink(path) or not os.path.isfile(path):
                continue
            if len(found) >= _MAX_FILES or os.path.getsize(path) > _MAX_FILE_BYTES:
                raise HarborTaskError(folder, {"": f"has more than {_MAX_FILES} files, or one of more than 64 MiB"})
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder).replace(os.sep, "/")] = file.read()
    return found


def _below(files: dict[str, bytes], prefix: str) -> dict[str, bytes]:
    return {name[len(prefix) :]: data for name, data in files.items() if name.startswith(prefix)}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
