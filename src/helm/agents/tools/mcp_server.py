"""The tools of a server of the Model Context Protocol (MCP), over standard input and output or HTTP."""

import json
import os
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from helm.agents.errors import AgentError, InfrastructureFailure
from helm.agents.tools.tool import NAME_PATTERN, Tool, ToolResult, ToolSource
from helm.common.agent_request import SANDBOX
from helm.common.optional_dependencies import needs_extra
from helm.common.sandbox.contract import SandboxLimits

_SANDBOX, _HOST = "sandbox", "host"
_MOST_TOOLS = 1000
_PROCESSES = 128
_PROCESSOR_S = 3600.0
_ADDRESS_SPACE_BYTES = 1 << 40
"""JavaScript engines reserve far more addresses than they use; the memory of all processes together stays limited."""
_INVALID_PARAMS = -32602
"""The error of a call that the server cannot understand, such as of an unknown tool: the model is told so."""


class McpTools(ToolSource):
    """The tools of a server, however it is reached.

    Args:
        shown: the server, for people.
        only: names of the tools that the agent gets; None for all.
        seconds: how long an answer may take.
    """

    def __init__(self, shown: str, only: Sequence[str] | None = None, seconds: float = 60.0):
        self._shown, self._only, self._seconds = shown, only, seconds
        self._stack = ExitStack()
        self._portal: Any = None
        self._client: Any = None

    @abstractmethod
    def connect(self) -> Any:
        """Return what `mcp.Client` takes as its server: an address, how a process is started, or a transport."""

    def open(self) -> list[Tool]:
        with needs_extra("mcp"):
            import mcp
            from anyio.from_thread import start_blocking_portal
        try:
            self._portal = self._stack.enter_context(start_blocking_portal())
            client = mcp.Client(self.connect(), read_timeout_seconds=self._seconds)
            self._client = self._stack.enter_context(self._portal.wrap_async_context_manager(client))
            found = self._list_tools()
        except Exception as e:
            raise self._failure(e) from e
        tools: list[Tool] = []
        for one in found:
            if self._only is None or one.name in self._only:
                tools.append(_McpTool(self, one))
        if self._only is not None:
            missing = sorted(set(self._only) - {one.name for one in found})
            if missing:
                known = ", ".join(one.name for one in found)
                raise AgentError(f"McpServer {self._shown}: there is no tool {', '.join(missing)}; it offers {known}.")
        return tools

    def _list_tools(self) -> list[Any]:
        found: list[Any] = []
        cursor = None
        while True:
            page = self._portal.call(_list_page, self._client, cursor)
            found += page.tools
            cursor = page.next_cursor
            if not cursor:
                return found
            if len(found) > _MOST_TOOLS:
                raise ValueError(f"it offers more than {_MOST_TOOLS} tools")

    def call(self, name: str, arguments: dict[str, Any]) -> ToolResult:
        """Call a tool by the server's name for it. Raises: InfrastructureFailure if the server does not answer."""
        import mcp

        try:
            result = self._portal.call(self._client.call_tool, name, arguments)
        except mcp.MCPError as e:
            if e.code == _INVALID_PARAMS:
                return ToolResult(f"Error: {e.message}", is_error=True, error_kind="tool")
            raise self._failure(e) from e
        except Exception as e:
            raise self._failure(e) from e
        is_error = bool(result.is_error)
        return ToolResult(_text_of(result), is_error, "tool" if is_error else None)

    def last_words(self) -> str:
        """Return the end of what the server has printed as errors, where that is known."""
        return ""

    def _failure(self, error: BaseException) -> Exception:
        while isinstance(error, BaseExceptionGroup) and error.exceptions:
            error = error.exceptions[0]
        if isinstance(error, AgentError):
            return error
        said = f"{type(error).__name__}: {error} {self.last_words()}".strip()
        return InfrastructureFailure(SANDBOX, f"The MCP server {self._shown} failed: {said}")

    def close(self) -> None:
        try:
            self._stack.close()
        except Exception:
            pass  # a server that has died cannot be told good-bye


class McpServer(McpTools):
    """Any server of the protocol. Its process is started for the episode, by default in a sandbox without a network.

    Args:
        command: the program and its arguments, for a server that talks by standard input and output.
        url: the address of a server that runs already; instead of `command`.
        where: `sandbox`, or `host` for a server that needs the rights of this process, and then `--allow-host-tools`.
        folders: paths that a server in the sandbox sees, read-only. The folder of a script that the command names is one.
        environment: further variables of a server on the host.
        only: names of the tools that the agent gets; None for all.
        seconds: how long an answer may take.
        memory_mb: the memory of a server in the sandbox in MiB; it is ended when it uses more.
    """

    def __init__(
        self,
        command: Sequence[str] | None = None,
        url: str | None = None,
        where: str = _SANDBOX,
        folders: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        only: Sequence[str] | None = None,
        seconds: float = 60.0,
        memory_mb: int = 1024,
    ):
        if (command is None) == (url is None):
            raise AgentError("McpServer: name either a command or a url.")
        if where not in (_SANDBOX, _HOST):
            raise AgentError(f"McpServer: where takes {_SANDBOX} or {_HOST}, not '{where}'.")
        if environment and (where == _SANDBOX or url is not None):
            raise AgentError(f"McpServer: environment is for servers with where: {_HOST}.")
        super().__init__(url or " ".join(command or ()), only, seconds)
        self._command, self._url, self._where = list(command or ()), url, where
        self._folders, self._environment = list(folders), dict(environment or {})
        self._memory_mb = memory_mb

    @property
    def host_program(self) -> str | None:
        return self._shown if self._where == _HOST and self._url is None else None

    def connect(self) -> Any:
        import mcp

        return self._url or mcp.StdioServerParameters(**self._process())

    def _process(self) -> dict[str, Any]:
        """Return how the server's process is started."""
        if self._where == _HOST:
            return {"command": self._command[0], "args": self._command[1:], "env": self._environment or None}
        import helm
        from helm.common.sandbox.piped import piped_command

        scripts = [os.path.abspath(word) for word in self._command[1:] if os.path.isfile(word)]
        argv = [os.path.abspath(word) if os.path.isfile(word) else word for word in self._command]
        folders = [*map(os.path.abspath, self._folders), *scripts]
        limits = SandboxLimits(
            wall_s=_PROCESSOR_S,
            memory_bytes=self._memory_mb << 20,
            address_space_bytes=_ADDRESS_SPACE_BYTES,
            processes=_PROCESSES,
            open_files=1024,
        )
        command = piped_command(argv, list(dict.fromkeys(folders)), limits)
        package = os.path.dirname(os.path.dirname(helm.__file__))
        return {"command": command[0], "args": command[1:], "env": {"PYTHONPATH": package}}


async def _list_page(client: Any, cursor: str | None) -> Any:
    return await client.list_tools(cursor=cursor)


class _McpTool(Tool):
    def __init__(self, server: McpTools, described: Any):
        self._server, self._own_name = server, str(described.name)
        self.name = as_tool_name(self._own_name)
        self.description = str(described.description or "")
        self.parameters = dict(described.input_schema or {"type": "object"})

    def call(self, arguments: dict[str, Any]) -> ToolResult:
        return self._server.call(self._own_name, arguments)


def as_tool_name(text: str) -> str:
    """Return a text as a name that providers accept for a function."""
    return "".join(letter if NAME_PATTERN.fullmatch(letter) else "_" for letter in text)[:64]


def _text_of(result: Any) -> str:
    """Return what a tool answered as text; images and sound are named, not copied."""
    parts = []
    for part in result.content:
        if part.type == "text":
            parts.append(part.text)
        elif part.type == "resource" and getattr(part.resource, "text", None) is not None:
            parts.append(part.resource.text)
        else:
            kind = getattr(part, "mime_type", None) or part.type
            parts.append(f"[{kind}, {len(getattr(part, 'data', '') or '')} characters]")
    if not parts and result.structured_content is not None:
        return json.dumps(result.structured_content)
    return "\n".join(parts)
