"""CompilerGym's handle of a service: a connection whose calls are written `connection(connection.stub.Step, request)`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helm.compiler_gym import proto
from helm.compiler_gym.errors import DEFAULT_TIMEOUT_S, ServiceIsClosed
from helm.compiler_gym.records import Record
from helm.compiler_gym.runtime.service_client import (
    ConnectionOptions,
    LocalServiceConnection,
    ServiceConnection,
    connect,
)


@dataclass(frozen=True, init=False)
class ConnectionOpts(ConnectionOptions, Record):
    """The options of a connection by the names that they have in CompilerGym; all times are in seconds."""

    def __init__(
        self,
        rpc_max_retries: int = 5,
        retry_wait_seconds: float = 0.1,
        retry_wait_backoff_exponent: float = 1.5,
        init_max_seconds: float = 30.0,
        init_max_attempts: int = 5,
        local_service_port_init_max_seconds: float = 30.0,
        local_service_exit_max_seconds: float = 30.0,
        rpc_init_max_seconds: float = 3.0,
        always_send_benchmark_on_reset: bool = False,
        script_args: Sequence[str] = (),
        script_env: Mapping[str, str] | None = None,
        rpc_call_max_seconds: float = math.inf,
    ):
        """Translate the options; see `ConnectionOptions`.

        Args:
            rpc_max_retries: retries after a broken connection.
            retry_wait_seconds: pause before the first of them.
            retry_wait_backoff_exponent: factor from one pause to the next.
            init_max_seconds: limit for opening a port, together with the next but one.
            init_max_attempts: services that are started, one after the other, until one can begin a session.
            local_service_port_init_max_seconds: limit for a service of our own to open its port.
            local_service_exit_max_seconds: limit for it to end when asked.
            rpc_init_max_seconds: limit for reaching a running service.
            always_send_benchmark_on_reset: whether each reset sends the whole program.
            script_args: further arguments of a service program.
            script_env: further environment variables of it.
            rpc_call_max_seconds: the longest time for any call, also where a caller allows more.
        """
        super().__init__(
            rpc_max_retries=rpc_max_retries,
            retry_wait_s=retry_wait_seconds,
            retry_wait_backoff=retry_wait_backoff_exponent,
            rpc_init_timeout_s=rpc_init_max_seconds,
            process_start_timeout_s=min(init_max_seconds, local_service_port_init_max_seconds),
            process_stop_timeout_s=local_service_exit_max_seconds,
            init_max_attempts=init_max_attempts,
            always_send_benchmark_on_reset=always_send_benchmark_on_reset,
            script_args=tuple(script_args),
            script_env=dict(script_env or {}),
            rpc_call_timeout_s=rpc_call_max_seconds,
        )


class _Stub:
    """The names of the calls of a service, as attributes."""

    def __init__(self, calls: Mapping[str, Any]):
        self._calls = calls

    def __getattr__(self, name: str) -> str:
        if name.startswith("_") or name not in self._calls:
            raise AttributeError(f"The service has no call '{name}'. It has: {', '.join(self._calls)}.")
        return name


class CompilerGymServiceConnection:
    """A connection to a service that it starts by a path, or reaches at `host:port`."""

    def __init__(self, endpoint: str | Path, opts: ConnectionOptions | None = None):
        """Open the connection.

        Args:
            endpoint: `host:port`; the path (a `Path`) of a service program; or the name of a backend, such as `llvm`.
            opts: timeouts and retries.
        Raises: TypeError without an endpoint; FileNotFoundError when there is no such program; ServiceInitError.
        """
        if not endpoint:
            raise TypeError("No endpoint was named: expected host:port, a path, or the name of a backend.")
        self.endpoint, self.opts = endpoint, opts or ConnectionOpts()
        self.stub = _Stub(proto.get_schema().calls)
        self._open()

    def _open(self) -> None:
        if isinstance(self.endpoint, Path):
            self.connection: ServiceConnection = LocalServiceConnection(self.endpoint, self.opts)
        elif ":" in self.endpoint:
            self.connection = connect(self.endpoint, "", self.opts)
        else:
            self.connection = LocalServiceConnection(self.endpoint, self.opts)
        self.action_spaces = list(self.connection.action_spaces)
        self.observation_spaces = list(self.connection.observation_spaces)

    def __call__(
        self, stub_method: str, request: Any, timeout: float = DEFAULT_TIMEOUT_S, max_retries: int | None = None
    ) -> Any:
        """Call the service; a closed connection is opened again.

        Args:
            stub_method: an attribute of `stub`.
            request: the message that the call takes.
            timeout: limit for the call, in seconds.
            max_retries: not used: a call that may be repeated is repeated as `opts` say.
        Raises: the exceptions of `ServiceConnection.call`.
        """
        if self.closed:
            self._open()
        return self.connection.call(stub_method, request, timeout)

    @property
    def closed(self) -> bool:
        """Whether the connection was closed."""
        return self.connection.closed

    def restart(self) -> None:
        """Close the connection and open it again, with a new service if we started it."""
        self.close()
        self._open()

    def close(self) -> None:
        """Close the connection, and end the service if we started it. Idempotent."""
        try:
            self.connection.close()
        except ServiceIsClosed:
            pass  # it ended before we could ask it to

    def __enter__(self) -> "CompilerGymServiceConnection":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()
