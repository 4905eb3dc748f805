"""Reads `task.toml` as Harbor 0.25 does: all values with their defaults, or the places that are wrong.

`FIELDS` is a table of tables: a section maps each key to its kind and its default. Keys that Harbor does not know are ignored.
"""

import ipaddress
import math
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from helm.common.errors import HelmError

LATEST_SCHEMA = "1.4"


class HarborTaskError(HelmError):
    """A task is described wrongly. `paths` are the places, as in `steps.0.name`; an empty one is the whole file."""

    def __init__(self, where: str, problems: Mapping[str, str]):
        super().__init__("; ".join(f"{where}: {path or 'the file'} {words}" for path, words in problems.items()))
        self.paths = list(problems)


class _Wrong(Exception):
    def __init__(self, words: str, path: str = ""):
        super().__init__(words)
        self.path = path


Reader = Callable[[Any], Any]
"""Returns a value as it counts, or raises `_Wrong`."""

_NOT_GIVEN = object()
_REQUIRED = object()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Wrong("takes a text")
    return value


def _real(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise _Wrong("takes a number")
    return value


def _seconds(value: Any) -> float:
    return float(_real(value))


def _integer(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Wrong("takes a whole number")
    return value


def _any(value: Any) -> Any:
    return value


def _user(value: Any) -> str | int:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise _Wrong("takes the name or the number of a user")
    return value


def _one_of(*choices: str, lower: bool = False) -> Reader:
    def read(value: Any) -> str:
        text = _text(value).lower() if lower else _text(value)
        if text not in choices:
            raise _Wrong(f"takes {', '.join(choices)}, not '{text[:40]}'")
        return text

    return read


def _list_of(read_item: Reader) -> Reader:
    def read(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise _Wrong("takes a list")
        found = []
        for number, item in enumerate(value):
            try:
                found.append(read_item(item))
            except _Wrong as e:
                raise _Wrong(str(e), f"{number}.{e.path}".rstrip(".")) from None
        return found

    return read


def _texts_by_name(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise _Wrong("takes names with texts")
    return dict(value)


_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*")


def _task_name(value: Any) -> str:
    text = _text(value)
    if not _NAME.fullmatch(text) or ".." in text:
        raise _Wrong(f"takes a name like org/name, not '{text[:80]}'")
    return text


_HOST = re.compile(r"(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")


def _hosts(value: Any) -> list[str]:
    found = []
    for item in _list_of(_text)(value):
        host = item.strip().lower().removesuffix(".")
        try:
            host = str(ipaddress.ip_network(host) if "/" in host else ipaddress.ip_address(host))
        except ValueError:
            if not _HOST.fullmatch(host):
                raise _Wrong(f"takes names of hosts and IP addresses, not '{item[:80]}'") from None
        found.append(host)
    return found


_DEVICES = {"con", "prn", "aux", "nul", *(f"{name}{n}" for name in ("com", "lpt") for n in range(1, 10))}
_PORTABLE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*")


def _folder_name(value: Any) -> str:
    text = _text(value)
    is_device = text.partition(".")[0].lower() in _DEVICES
    if not _PORTABLE.fullmatch(text) or text.endswith(".") or is_device:
        raise _Wrong(f"takes a name that every system accepts as a folder's, not '{text[:80]}'")
    return text


def _least_reward(value: Any) -> float | dict[str, float]:
    if isinstance(value, dict):
        return {str(name): _seconds(item) for name, item in value.items()}
    return _seconds(value)


def _artifact(value: Any) -> str | dict[str, Any]:
    if isinstance(value, str):
        return value
    found: dict[str, Any] = _section(_ARTIFACT)(value)
    destination = found.get("destination")
    if destination is not None:
        parts = destination.split("/")
        if destination.startswith("/") or ".." in parts or parts[0] == "manifest.json":
            raise _Wrong("takes a relative path that is not manifest.json", "destination")
    if found.get("service") not in (None, "main") and not found["source"].startswith("/"):
        raise _Wrong("of another service takes an absolute source")
    return found


def _mcp_server(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = _section(_MCP)(value)
    if found["transport"] == "http":
        found["transport"] = "streamable-http"
    wanted = "command" if found["transport"] == "stdio" else "url"
    if not found.get(wanted):
        raise _Wrong(f"needs a {wanted} for its transport")
    return found


Fields = Mapping[str, tuple[Reader, Any]]


def _section(fields: Fields, check: Callable[[dict[str, Any], Mapping[str, Any]], None] | None = None) -> Reader:
    def read(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _Wrong("takes a table")
        found: dict[str, Any] = {}
        for key, (read_value, default) in fields.items():
            if key in value:
                try:
                    found[key] = read_value(value[key])
                except _Wrong as e:
                    raise _Wrong(str(e), f"{key}.{e.path}".rstrip(".")) from None
            elif default is _REQUIRED:
                raise _Wrong("is missing", key)
            elif default is not _NOT_GIVEN:
                found[key] = default() if callable(default) else default
        if check is not None:
            check(found, value)
        return found

    return read


def _check_hosts(found: dict[str, Any], given: Mapping[str, Any]) -> None:
    if found.get("allowed_hosts") and found.get("network_mode") != "allowlist":
        raise _Wrong('has allowed_hosts, which need network_mode = "allowlist"')


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmg])b?", re.IGNORECASE)
_MIB = {"k": 1 / 1024, "m": 1, "g": 1024}


def _check_environment(found: dict[str, Any], given: Mapping[str, Any]) -> None:
    for old, new in (("memory", "memory_mb"), ("storage", "storage_mb")):
        if old not in given:
            continue
        match = _SIZE.fullmatch(given[old].strip()) if isinstance(given[old], str) else None
        if match is None:
            raise _Wrong(f"has {old} = {given[old]!r}; it takes a size like 2G")
        amount = int(float(match[1]) * _MIB[match[2].lower()])
        if new in found and found[new] != amount:
            raise _Wrong(f"has both {old} and {new}, which differ")
        found[new] = amount
    if given.get("allow_internet") is False and "network_mode" not in given:
        found["network_mode"] = "no-network"
    _check_hosts(found, given)


def _check_verifier(found: dict[str, Any], given: Mapping[str, Any]) -> None:
    if found.get("environment_mode") == "shared" and "environment" in found:
        raise _Wrong('has an environment of its own, which needs environment_mode = "separate"')
    _check_hosts(found, given)


def _check_steps(found: dict[str, Any], given: Mapping[str, Any]) -> None:
    names = [step["name"].lower() for step in found.get("steps", ())]
    if len(set(names)) < len(names):
        raise _Wrong("has two steps with one name", "steps")


_MODES = _one_of("public", "no-network", "allowlist")
_NETWORK: Fields = {"network_mode": (_MODES, _NOT_GIVEN), "allowed_hosts": (_hosts, _NOT_GIVEN)}

_ARTIFACT: Fields = {
    "source": (_text, _REQUIRED),
    "destination": (_text, _NOT_GIVEN),
    "exclude": (_list_of(_text), list),
    "service": (_text, _NOT_GIVEN),
}

_MCP: Fields = {
    "name": (_text, _REQUIRED),
    "transport": (_one_of("stdio", "sse", "http", "streamable-http"), "sse"),
    "url": (_text, _NOT_GIVEN),
    "command": (_text, _NOT_GIVEN),
    "args": (_list_of(_text), list),
    "headers": (_texts_by_name, _NOT_GIVEN),
    "env": (_texts_by_name, _NOT_GIVEN),
}

_HEALTH_CHECK: Fields = {
    "command": (_text, _REQUIRED),
    "interval_sec": (_seconds, 5.0),
    "timeout_sec": (_seconds, 30.0),
    "start_period_sec": (_seconds, 0.0),
    "start_interval_sec": (_seconds, 5.0),
    "retries": (_integer, 3),
}

_ENVIRONMENT: Fields = {
    "network_mode": (_MODES, "public"),
    "allowed_hosts": (_hosts, _NOT_GIVEN),
    "build_timeout_sec": (_seconds, 600.0),
    "docker_image": (_text, _NOT_GIVEN),
    "os": (_one_of("linux", "windows", lower=True), "linux"),
    "cpus": (_real, _NOT_GIVEN),
    "memory_mb": (_integer, _NOT_GIVEN),
    "storage_mb": (_integer, _NOT_GIVEN),
    "gpus": (_integer, _NOT_GIVEN),
    "gpu_types": (_list_of(_text), _NOT_GIVEN),
    "tpu": (_any, _NOT_GIVEN),
    "mcp_servers": (_list_of(_mcp_server), list),
    "env": (_texts_by_name, dict),
    "skills_dir": (_text, _NOT_GIVEN),
    "healthcheck": (_section(_HEALTH_CHECK), _NOT_GIVEN),
    "workdir": (_text, _NOT_GIVEN),
}

_OF_AGENT: Fields = {"timeout_sec": (_seconds, _NOT_GIVEN), "user": (_user, _NOT_GIVEN), **_NETWORK}

_AGENT = _section(_OF_AGENT, _check_hosts)

_COLLECT: Fields = {"command": (_text, _REQUIRED), "service": (_text, _NOT_GIVEN), "timeout_sec": (_seconds, 60.0)}

_OF_VERIFIER: Fields = {
    "timeout_sec": (_seconds, 600.0),
    "env": (_texts_by_name, dict),
    "user": (_user, _NOT_GIVEN),
    "environment_mode": (_one_of("shared", "separate"), _NOT_GIVEN),
    "environment": (_section(_ENVIRONMENT, _check_environment), _NOT_GIVEN),
    "collect": (_list_of(_section(_COLLECT)), list),
    **_NETWORK,
}

_VERIFIER = _section(_OF_VERIFIER, _check_verifier)

_STEP: Fields = {
    "name": (_folder_name, _REQUIRED),
    "agent": (_AGENT, dict),
    "verifier": (_VERIFIER, lambda: _VERIFIER({})),
    "min_reward": (_least_reward, _NOT_GIVEN),
    "healthcheck": (_section(_HEALTH_CHECK), _NOT_GIVEN),
    "artifacts": (_list_of(_artifact), list),
}

_AUTHOR: Fields = {"name": (_text, _REQUIRED), "email": (_text, _NOT_GIVEN)}

_TASK: Fields = {
    "name": (_task_name, _REQUIRED),
    "version": (_text, _NOT_GIVEN),
    "description": (_text, ""),
    "authors": (_list_of(_section(_AUTHOR)), list),
    "keywords": (_list_of(_text), list),
}

_OF_FILE: Fields = {
    "schema_version": (_text, LATEST_SCHEMA),
    "task": (_section(_TASK), _NOT_GIVEN),
    "metadata": (_section({}), dict),
    "verifier": (_VERIFIER, lambda: _VERIFIER({})),
    "agent": (_AGENT, dict),
    "environment": (_section(_ENVIRONMENT, _check_environment), lambda: _section(_ENVIRONMENT)({})),
    "solution": (_section({"env": (_texts_by_name, dict)}), lambda: {"env": {}}),
    "source": (_text, _NOT_GIVEN),
    "multi_step_reward_strategy": (_one_of("mean", "final"), _NOT_GIVEN),
    "steps": (_list_of(_section(_STEP)), _NOT_GIVEN),
    "artifacts": (_list_of(_artifact), list),
}

_FILE = _section(_OF_FILE, _check_steps)

KEYS: Mapping[str, Fields] = {
    "": _OF_FILE,
    "task": _TASK,
    "agent": _OF_AGENT,
    "verifier": _OF_VERIFIER,
    "verifier.collect": _COLLECT,
    "environment": _ENVIRONMENT,
    "environment.healthcheck": _HEALTH_CHECK,
    "environment.mcp_servers": _MCP,
    "artifacts": _ARTIFACT,
    "steps": _STEP,
}
"""All keys by the table that they stand in. The environment of a verifier and the parts of a step have the same ones."""


def read_config(text: str, where: str = "task.toml") -> dict[str, Any]:
    """Return the values of a `task.toml` with Harbor's defaults; what has no value and no default is left out.

    Args:
        text: the file's content.
        where: the file's name, for errors.

    Raises: HarborTaskError with the places that are wrong; for what is no TOML, the place is `TOMLDecodeError`.
    """
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as e:
        raise HarborTaskError(where, {"TOMLDecodeError": str(e)}) from e
    if "version" in given and "schema_version" not in given:
        given["schema_version"] = given["version"]
    try:
        found: dict[str, Any] = _FILE(given)
    except _Wrong as e:
        raise HarborTaskError(where, {e.path: str(e)}) from None
    if isinstance(given.get("metadata"), dict):
        found["metadata"] = given["metadata"]
    return found
