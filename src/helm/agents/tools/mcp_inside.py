"""Servers of the Model Context Protocol in the sandbox of an episode, where its agent works."""

import re
import socket
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from helm.agents.tools.mcp_server import McpTools
from helm.agents.tools.tool import Tool
from helm.common.sandbox.contract import SandboxError
from helm.common.sandbox.dialing import Relay, reaches
from helm.common.sandbox.session_contract import Session

_MAX_SAID = 500
_READY_S = 60.0
_LOOK_EVERY_S = 0.5
_DEFAULT_PORTS = {"http": 80, "https": 443}
_KEEP_ERRORS = 'exec "$@" 2>>"$0"'
"""Arguments: a file for errors, and a program with its arguments."""


class CommandInside(McpTools):
    """A server that is started in the sandbox and talks by its standard streams.

    Args:
        name: of the server.
        session: the sandbox.
        command: the program and its arguments.
        environment: its variables.
        seconds: how long an answer may take.
    """

    def __init__(
        self, name: str, session: Session, command: Sequence[str], environment: Mapping[str, str], seconds: float = 60.0
    ):
        super().__init__(f"{name} ({' '.join(command)})", seconds=seconds)
        self._session, self._command, self._environment = session, list(command), dict(environment)
        self._errors = f"/tmp/mcp-{re.sub('[^a-zA-Z0-9_-]', '_', name)}.log"
        self._socket: socket.socket | None = None

    def connect(self) -> Any:
        import anyio
        from mcp.server.stdio import stdio_server  # the same lines in both directions

        argv = ["sh", "-c", _KEEP_ERRORS, self._errors, *self._command]
        self._socket = self._session.open_program(argv, environment=self._environment)
        lines = self._socket.makefile("r", encoding="utf-8", errors="replace", newline="\n")
        return stdio_server(anyio.wrap_file(lines), anyio.wrap_file(self._socket.makefile("w", encoding="utf-8")))

    def last_words(self) -> str:
        with suppress(SandboxError):
            return self._session.read(self._errors).decode("utf-8", "replace").strip()[-_MAX_SAID:]
        return ""

    def close(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)  # which also wakes the thread that reads
        super().close()
        if self._socket is not None:
            self._socket.close()


class AddressInside(McpTools):
    """A server that listens in the sandbox or in a service beside it. It is waited for.

    Args:
        name: of the server.
        session: the sandbox.
        url: its address, as seen from inside.
        transport: `sse` or `streamable-http`.
        headers: of each request.
        seconds: how long an answer may take.
    """

    def __init__(
        self, name: str, session: Session, url: str, transport: str, headers: Mapping[str, str], seconds: float = 60.0
    ):
        super().__init__(f"{name} ({url})", seconds=seconds)
        self._session, self._url, self._transport, self._headers = session, url, transport, dict(headers)
        self._relay: Relay | None = None

    def open(self) -> list[Tool]:
        found = urlsplit(self._url)
        host = {"localhost": "127.0.0.1"}.get(
            found.hostname or "", found.hostname or ""
        )  # a name that not every place knows
        port = found.port or _DEFAULT_PORTS.get(found.scheme, 80)
        deadline = time.monotonic() + _READY_S
        try:
            while not (is_there := reaches(self._session, host, port)) and time.monotonic() < deadline:
                if is_there is None:
                    break
                time.sleep(_LOOK_EVERY_S)
        except SandboxError as e:
            raise self._failure(e) from e
        if is_there is None:
            raise self._failure(RuntimeError("the sandbox has no program (Python, bash, nc) that reaches it"))
        if not is_there:
            raise self._failure(ConnectionError(f"nobody listens there within {_READY_S:g} s"))
        self._relay = Relay(self._session, host, port)
        return super().open()

    def connect(self) -> Any:
        import httpx2
        from mcp.client.sse import sse_client
        from mcp.client.streamable_http import streamable_http_client

        assert self._relay is not None
        path = self._relay.path

        def client(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
            given = {**self._headers, **(headers or {})}
            times = timeout or httpx2.Timeout(30.0, read=self._seconds)
            transport = httpx2.AsyncHTTPTransport(uds=path)
            return httpx2.AsyncClient(transport=transport, headers=given, timeout=times, auth=auth, trust_env=False)

        if self._transport == "sse":
            return sse_client(self._url, httpx_client_factory=client)
        return streamable_http_client(self._url, http_client=client())

    def close(self) -> None:
        super().close()
        if self._relay is not None:
            self._relay.close()


def server_inside(described: Mapping[str, Any], session: Session) -> McpTools:
    """Return a server in a sandbox, as `ProgramEnvironment.take_servers` describes it."""
    name = str(described["name"])
    if described["transport"] == "stdio":
        return CommandInside(name, session, [described["command"], *described["args"]], described["env"])
    return AddressInside(name, session, str(described["url"]), str(described["transport"]), described["headers"])
