"""Reads compose files: the documented subset that a sandbox can keep its promises with.

What would reach this machine (host networks and folders, devices, privileges, ports) is refused by name, and so is every key
that is not known: a service that is started in part would be another task.
"""

import posixpath
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from helm.common.errors import HelmError, suggest

MAIN = "main"
"""The service in which the agent works."""

FILE_NAMES = ("docker-compose.yaml", "docker-compose.yml", "compose.yaml", "compose.yml")
STARTED, HEALTHY, COMPLETED = "service_started", "service_healthy", "service_completed_successfully"

_READ = (
    "image", "build", "environment", "command", "entrypoint", "working_dir", "user", "depends_on", "healthcheck", "volumes",
    "mem_limit", "cpus", "deploy",
)  # fmt: skip
_WITHOUT_EFFECT = (
    "container_name", "hostname", "expose", "init", "labels", "logging", "networks", "platform", "pull_policy", "restart",
    "stdin_open", "stop_grace_period", "stop_signal", "tty",
)  # fmt: skip
"""Keys that change nothing here: services live as long as the episode, in one network."""

_REFUSED = {
    "privileged": "it would have the rights of this machine",
    "network_mode": "services have a network of their own",
    "pid": "it would see the processes of others",
    "ipc": "it would share the memory of others",
    "uts": "it would share the name of this machine",
    "userns_mode": "it would share the users of this machine",
    "cgroup": "it would share the control groups of this machine",
    "cgroup_parent": "it would share the control groups of this machine",
    "devices": "it would reach devices of this machine",
    "device_cgroup_rules": "it would reach devices of this machine",
    "gpus": "it would reach devices of this machine",
    "cap_add": "it would have rights that containers do not have",
    "security_opt": "it would change what confines it",
    "sysctls": "it would change what confines it",
    "runtime": "it would change what confines it",
    "credential_spec": "it would have keys of this machine",
    "ports": "it would open ports of this machine",
    "volumes_from": "it would have folders of other containers",
    "env_file": "it would read files of this machine",
    "secrets": "it would read files of this machine",
    "configs": "it would read files of this machine",
    "extends": "it would read files of this machine",
    "extra_hosts": "it would reach hosts outside",
    "links": "it would reach hosts outside",
    "external_links": "it would reach hosts outside",
    "dns": "it would reach hosts outside",
}
_VARIABLE = re.compile(r"\$\$|\$(?:\{(\w+)(?::?-([^}]*))?[^}]*\}|(\w+))")
_PART = re.compile(r"(\d+(?:\.\d+)?)(us|ms|s|m|h)")
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_SIZE = re.compile(r"(\d+(?:\.\d+)?) *([bkmg]?)b?", re.IGNORECASE)
_BYTES = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}")


class ComposeError(HelmError):
    """A compose file is wrong, or asks for something that a sandbox does not give."""


@dataclass(frozen=True)
class HealthCheck:
    """A command inside a service that succeeds when the service is ready; times are in seconds."""

    command: list[str]

    interval_s: float = 30.0

    timeout_s: float = 30.0

    retries: int = 3

    start_period_s: float = 0.0


@dataclass(frozen=True)
class Service:
    """One container beside the agent's, or the agent's own."""

    name: str

    image: str | None = None

    build: dict[str, bytes] | None = None
    """The files of which the image is built, with a `Dockerfile`; None if it has a name."""

    environment: dict[str, str] = field(default_factory=dict)

    command: list[str] | None = None

    entrypoint: list[str] | None = None

    workdir: str | None = None

    user: str | None = None

    health: HealthCheck | None = None

    depends_on: dict[str, str] = field(default_factory=dict)
    """What is waited for, and until when: `STARTED`, `HEALTHY` or `COMPLETED`."""

    volumes: dict[str, str] = field(default_factory=dict)
    """Maps folders inside to the names of volumes that services share."""

    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Maps places inside to files of the task, by path relative to the place; an empty path is the place itself."""

    memory_bytes: int | None = None

    cpus: float | None = None


def find_compose_file(files: Mapping[str, bytes]) -> str | None:
    """Return the name of the compose file among the files of an environment; None if there is none."""
    return next((name for name in FILE_NAMES if name in files), None)


def read_services(files: Mapping[str, bytes]) -> dict[str, Service]:
    """Return the services of an environment by name, each after those that it waits for.

    Args:
        files: contents by path relative to the folder `environment`, the compose file among them.
    Raises: ComposeError, which names the place.
    """
    name = find_compose_file(files)
    if name is None:
        raise ComposeError("there is no compose file")
    data = _load(name, files[name])
    if not isinstance(data, dict) or not isinstance(data.get("services"), dict) or not data["services"]:
        raise ComposeError(f"{name}: expected an object with `services`")
    for key in data:
        if key not in ("services", "version", "name", "networks", "volumes") and not str(key).startswith("x-"):
            raise ComposeError(f"{name}: {key} is not supported")
    named = _read_volumes(name, data.get("volumes"))
    for network, given in _mapping(f"{name}: networks", data.get("networks")).items():
        if isinstance(given, dict) and (given.get("external") or given.get("driver") not in (None, "bridge")):
            raise ComposeError(f"{name}: networks.{network} is outside; services have a network of their own")
    services = {}
    for service, given in data["services"].items():
        where = f"{name}: services.{service}"
        if not isinstance(service, str) or not _NAME.fullmatch(service):
            raise ComposeError(f"{where}: a name has letters, digits, `_`, `.` and `-`")
        services[service] = _Reader(where, files, named).read(service, _mapping(where, given))
    for service in services.values():
        for other in service.depends_on:
            if other not in services:
                hint = suggest(other, list(services))
                raise ComposeError(f"{name}: services.{service.name}.depends_on: there is no service '{other}'.{hint}")
    return _in_order(name, services)


def _load(name: str, data: bytes) -> Any:
    import yaml

    try:
        return yaml.load(data.decode("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as e:
        raise ComposeError(f"{name} is not YAML: {' '.join(str(e).split())[:200]}") from e


def _read_volumes(name: str, given: Any) -> set[str]:
    found = set()
    for volume, options in _mapping(f"{name}: volumes", given).items():
        if options:
            raise ComposeError(
                f"{name}: volumes.{volume}: a volume has no options here, so it is no folder of this machine"
            )
        found.add(str(volume))
    return found


def _in_order(name: str, services: Mapping[str, Service]) -> dict[str, Service]:
    found: dict[str, Service] = {}
    left = dict(services)
    while left:
        ready = [one for one in left.values() if all(other in found for other in one.depends_on)]
        if not ready:
            raise ComposeError(f"{name}: {', '.join(sorted(left))} wait for each other")
        for one in ready:
            found[one.name] = left.pop(one.name)
    return found


def _mapping(where: str, value: Any) -> dict[Any, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ComposeError(f"{where}: expected an object, not {value!r:.80}")
    return value


class _Reader:
    """Reads one service.

    Args:
        where: the place of the service, for messages.
        files: of the environment.
        volumes: the names of volumes.
    """

    def __init__(self, where: str, files: Mapping[str, bytes], volumes: set[str]):
        self._where, self._files, self._volumes = where, files, volumes

    def read(self, name: str, given: Mapping[str, Any]) -> Service:
        for key in given:
            if key in _REFUSED and given[key] not in (None, False, [], {}):
                raise self._wrong(key, f"is refused: {_REFUSED[key]}")
            if key not in (*_READ, *_WITHOUT_EFFECT, *_REFUSED):
                raise self._wrong(key, f"is not supported.{suggest(str(key), _READ)}")
        if not (given.get("image") or given.get("build")) and name != MAIN:
            raise ComposeError(f"{self._where}: expected an image or a build")
        volumes, files = self._read_mounts(given.get("volumes"))
        limits = _mapping(f"{self._where}.deploy", given.get("deploy")).get("resources") or {}
        limits = _mapping(f"{self._where}.deploy.resources", limits).get("limits") or {}
        memory, cpus = given.get("mem_limit") or limits.get("memory"), given.get("cpus") or limits.get("cpus")
        return Service(
            name,
            image=None if given.get("build") else self._text("image", given.get("image")),
            build=self._read_build(given.get("build")),
            environment=self._read_environment(given.get("environment")),
            command=self._words("command", given.get("command")),
            entrypoint=self._words("entrypoint", given.get("entrypoint")),
            workdir=self._text("working_dir", given.get("working_dir")),
            user=self._text("user", given.get("user")),
            health=self._read_health(given.get("healthcheck")),
            depends_on=self._read_dependencies(given.get("depends_on")),
            volumes=volumes,
            files=files,
            memory_bytes=None if memory is None else self._size("mem_limit", memory),
            cpus=None if cpus is None else self._number("cpus", cpus),
        )

    def _wrong(self, key: Any, words: str) -> ComposeError:
        return ComposeError(f"{self._where}.{key} {words}")

    def _text(self, key: str, value: Any) -> str | None:
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise self._wrong(key, f"takes a text, not {value!r:.80}")
        return self._expand(key, str(value))

    def _expand(self, key: str, text: str) -> str:
        """Replace variables by their defaults: nothing of this machine's environment is passed on."""

        def value(match: re.Match[str]) -> str:
            if match[0] == "$$":
                return "$"
            if match[2] is None:
                raise self._wrong(
                    key, f"takes the variable {match[1] or match[3]} of this machine, which tasks do not see"
                )
            return match[2]

        return _VARIABLE.sub(value, text)

    def _number(self, key: str, value: Any) -> float:
        try:
            found = float(value)
        except (TypeError, ValueError):
            found = 0.0
        if not 0 < found < 1e6:
            raise self._wrong(key, f"takes a number above 0, not {value!r:.80}")
        return found

    def _size(self, key: str, value: Any) -> int:
        match = _SIZE.fullmatch(str(value).strip())
        if match is None:
            raise self._wrong(key, f"takes a size such as 512m, not {value!r:.80}")
        return int(float(match[1]) * _BYTES[match[2].lower()])

    def _seconds(self, key: str, value: Any, default: float) -> float:
        if value is None:
            return default
        parts = _PART.findall(str(value))
        if not parts or "".join(number + unit for number, unit in parts) != str(value):
            raise self._wrong(key, f"takes a time such as 10s or 1m30s, not {value!r:.80}")
        return sum(float(number) * _SECONDS[unit] for number, unit in parts)

    def _words(self, key: str, value: Any) -> list[str] | None:
        if value is None:
            return None
        if isinstance(value, str):
            try:
                return shlex.split(self._expand(key, value))
            except ValueError as e:
                raise self._wrong(key, f"cannot be read: {e}") from e
        if not isinstance(value, list):
            raise self._wrong(key, f"takes a text or a list, not {value!r:.80}")
        return [self._text(key, word) or "" for word in value]

    def _read_environment(self, value: Any) -> dict[str, str]:
        if isinstance(value, list):
            pairs = {
                name: given if equals else None for name, equals, given in (str(one).partition("=") for one in value)
            }
        else:
            pairs = _mapping(f"{self._where}.environment", value)
        found = {}
        for name, given in pairs.items():
            if given is None:
                raise self._wrong("environment", f"takes the variable {name} of this machine, which tasks do not see")
            given = str(given).lower() if isinstance(given, bool) else given
            found[str(name)] = self._text("environment", given) or ""
        return found

    def _read_health(self, value: Any) -> HealthCheck | None:
        given = _mapping(f"{self._where}.healthcheck", value)
        test = given.get("test")
        if not given or given.get("disable") or test in ("NONE", ["NONE"]):
            return None
        words = ["CMD-SHELL", test] if isinstance(test, str) else self._words("healthcheck.test", test) or []
        if len(words) < 2 or words[0] not in ("CMD", "CMD-SHELL"):
            raise self._wrong("healthcheck.test", "takes a text, or a list that begins with CMD or CMD-SHELL")
        if words[0] == "CMD-SHELL":
            words = ["", "sh", "-c", self._expand("healthcheck.test", words[1])]
        return HealthCheck(
            words[1:],
            self._seconds("healthcheck.interval", given.get("interval"), 30.0),
            self._seconds("healthcheck.timeout", given.get("timeout"), 30.0),
            int(self._number("healthcheck.retries", given.get("retries", 3))),
            self._seconds("healthcheck.start_period", given.get("start_period"), 0.0),
        )

    def _read_dependencies(self, value: Any) -> dict[str, str]:
        if isinstance(value, list):
            return dict.fromkeys(map(str, value), STARTED)
        found = {}
        for name, given in _mapping(f"{self._where}.depends_on", value).items():
            condition = _mapping(f"{self._where}.depends_on.{name}", given).get("condition", STARTED)
            if condition not in (STARTED, HEALTHY, COMPLETED):
                raise self._wrong(
                    f"depends_on.{name}", f"takes {STARTED}, {HEALTHY} or {COMPLETED}, not {condition!r:.80}"
                )
            found[str(name)] = condition
        return found

    def _read_build(self, value: Any) -> dict[str, bytes] | None:
        if not value:
            return None
        given = {"context": value} if isinstance(value, str) else _mapping(f"{self._where}.build", value)
        for key in given:
            if key not in ("context", "dockerfile"):
                raise self._wrong(f"build.{key}", "is not supported")
        context = self._inside("build.context", given.get("context", "."))
        files = self._below(context)
        name = posixpath.normpath(str(given.get("dockerfile", "Dockerfile")))
        if name not in files:
            raise self._wrong("build", f"needs {posixpath.join(context, name)}, which is not there")
        return {**files, "Dockerfile": files[name]}

    def _read_mounts(self, value: Any) -> tuple[dict[str, str], dict[str, dict[str, bytes]]]:
        volumes: dict[str, str] = {}
        files: dict[str, dict[str, bytes]] = {}
        if not isinstance(value, (list, type(None))):
            raise self._wrong("volumes", f"takes a list, not {value!r:.80}")
        for one in value or []:
            source, target = self._read_mount(one)
            if not target.startswith("/") or posixpath.normpath(target) == "/" or ":" in target or "," in target:
                raise self._wrong("volumes", f"has a place that is no folder inside: {target[:80]!r}")
            if source in self._volumes:
                volumes[target] = source
                continue
            if not source.startswith("."):
                raise self._wrong("volumes", f"is refused: {source[:80]!r} would be a folder of this machine")
            path = self._inside("volumes", source)
            found = {"": self._files[path]} if path in self._files else self._below(path)
            if not found:
                raise self._wrong("volumes", f"takes {path}, which is not in the task's folder")
            files[target] = found
        return volumes, files

    def _read_mount(self, one: Any) -> tuple[str, str]:
        if isinstance(one, dict):
            if one.get("type") not in ("bind", "volume") or not one.get("source") or not one.get("target"):
                raise self._wrong("volumes", "takes a type (bind or volume), a source and a target")
            return self._expand("volumes", str(one["source"])), self._expand("volumes", str(one["target"]))
        source, separator, rest = self._expand("volumes", str(one)).partition(":")
        if not separator:
            raise self._wrong("volumes", f"has no name: {source[:80]!r}")
        return source, rest.partition(":")[0]

    def _inside(self, key: str, path: Any) -> str:
        found = posixpath.normpath(self._text(key, path) or ".")
        if found.startswith(("/", "~")) or found.split("/")[0] == ".." or "://" in str(path):
            raise self._wrong(key, f"is refused: {str(path)[:80]!r} is not in the task's folder")
        return found

    def _below(self, folder: str) -> dict[str, bytes]:
        prefix = "" if folder == "." else f"{folder}/"
        return {name[len(prefix) :]: data for name, data in self._files.items() if name.startswith(prefix)}
