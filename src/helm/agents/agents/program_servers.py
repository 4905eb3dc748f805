"""How outside programs are told of servers of MCP, which they start or reach by themselves."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

_BY_COMMAND = "stdio"


def add_servers(
    way: Mapping[str, Any], files: Mapping[str, str], servers: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, str], list[str]]:
    """Return the files of a program with servers in its settings, and what its command gets besides.

    Args:
        way: of `programs.yaml`: `path` of the settings, their `form`, and perhaps `command`.
        files: contents by path.
        servers: as `ProgramEnvironment.take_servers` describes them.
    """
    path, form = str(way["path"]), str(way["form"])
    if form == "codex":
        content = files.get(path, "") + "".join(map(_as_toml, servers))
    else:
        entry = _of_claude if form == "claude" else _of_gemini
        settings = json.loads(files.get(path, "{}"))
        content = json.dumps({**settings, "mcpServers": {str(server["name"]): entry(server) for server in servers}})
    return {**files, path: content}, list(way.get("command", ()))


def _of_claude(server: Mapping[str, Any]) -> dict[str, Any]:
    if server["transport"] == _BY_COMMAND:
        return _command_of(server)
    return {
        "type": "sse" if server["transport"] == "sse" else "http", "url": server["url"], "headers": server["headers"]
    }  # fmt: skip


def _of_gemini(server: Mapping[str, Any]) -> dict[str, Any]:
    if server["transport"] == _BY_COMMAND:
        return _command_of(server)
    return {"url" if server["transport"] == "sse" else "httpUrl": server["url"], "headers": server["headers"]}


def _command_of(server: Mapping[str, Any]) -> dict[str, Any]:
    return {"command": server["command"], "args": list(server["args"]), "env": dict(server["env"])}


def _as_toml(server: Mapping[str, Any]) -> str:
    """Return the table of a server in Codex's settings. JSON's texts and lists of them are TOML's."""
    given = _command_of(server) if server["transport"] == _BY_COMMAND else {
        "url": server["url"], "http_headers": server["headers"]
    }  # fmt: skip
    place = f"mcp_servers.{json.dumps(server['name'])}"
    lines = [f"[{place}]"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in given.items() if not isinstance(value, Mapping)]
    for key, value in given.items():
        if isinstance(value, Mapping) and value:
            lines += [f"[{place}.{key}]", *(f"{json.dumps(name)} = {json.dumps(text)}" for name, text in value.items())]
    return "\n" + "\n".join(lines) + "\n"
