"""Connections to a compiler service: in this process, in a child process, or anywhere on the network."""

import math
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from helm.common.errors import ConfigError
from helm.compiler_gym import proto
from helm.compiler_gym.backends import get_session_class
from helm.compiler_gym.errors import (
    DEFAULT_TIMEOUT_S,
    ServiceError,
    ServiceInitError,
    ServiceIsClosed,
    ServiceTransportError,
    StatusError,
    raise_for_status,
)
from helm.compiler_gym.runtime.service import CompilerService, StepOutcome
from helm.compiler_gym.runtime.service_process import (
    ServiceProcess,
    get_guarded_command,
    get_import_folder,
    get_service_command,
)

LOCAL = "local"
IN_PROCESS = "in_process"

_PROCESS_END_WAIT_S = 1.0  # a connection breaks a little before the end of its process can be seen


@dataclass(frozen=True)
class ConnectionOptions:
    """Timeouts and retries of a connection."""

    rpc_max_retries: int = 5
    """Number of retries after a broken connection, for calls that may be repeated; 0: none."""

    retry_wait_s: float = 0.1
    """Pause before the first retry, in seconds."""

    retry_wait_backoff: float = 1.5
    """Factor from one pause to the next."""

    rpc_init_timeout_s: float = 10.0
    """Time limit for reaching a running service, in seconds."""

    process_start_timeout_s: float = 30.0
    """Time limit for a child process to open its port, in seconds."""

    process_stop_timeout_s: float = 30.0
    """Time limit for a child process to end when asked, in seconds."""

    rpc_call_timeout_s: float = math.inf
    """The longest time for any call, in seconds, also where a caller allows more."""

    rpc_end_timeout_s: float = 10.0
    """Time limit for a service to end a session, in seconds; short, because nothing depends on its answer."""

    init_max_attempts: int = 5
    """Number of services that an environment starts, one after the other, when none of them can begin a session."""

    always_send_benchmark_on_reset: bool = False
    """Whether to send the whole program at each reset, not only when the service does not know it."""

    script_args: tuple[str, ...] = ()
    """Further arguments of a service program given by its path."""

    script_env: Mapping[str, str] = field(default_factory=dict)
    """Further environment variables of a service process."""


class ServiceConnection:
    """Base class of connections. Safe to use from many threads; close it, or use it in a `with` block."""

    outlives_us = False
    """Whether the service, with its open sessions, keeps running when the connection ends."""

    def __init__(self) -> None:
        self._spaces: Any | None = None
        self.closed = False

    @property
    def action_spaces(self) -> list[Any]:
        """`proto.ActionSpace` messages; asked once."""
        return list(self._get_spaces().action_space_list)

    @property
    def observation_spaces(self) -> list[Any]:
        """`proto.ObservationSpace` messages; asked once."""
        return list(self._get_spaces().observation_space_list)

    def _get_spaces(self) -> Any:
        if self._spaces is None:
            self._spaces = self.call("GetSpaces", proto.GetSpacesRequest())
        return self._spaces

    def call(self, call: str, request: Any, timeout_s: float = DEFAULT_TIMEOUT_S) -> Any:
        """Send a request message, return the reply message.

        Raises: the exception of `errors.raise_for_status` for the status of a failed call; ServiceIsClosed when the
        service has ended; ServiceTimeoutError after `timeout_s` seconds.
        """
        raise NotImplementedError

    def step(
        self,
        session_id: int,
        actions: Sequence[Any],
        observation_spaces: Sequence[int],
        timeout_s: float = DEFAULT_TIMEOUT_S,
        may_tell_effects_late: bool = False,
    ) -> StepOutcome:
        """The call Step.

        Args:
            session_id: number of the session.
            actions: `proto.Event` messages.
            observation_spaces: indices.
            timeout_s: limit for the call, in seconds.
            may_tell_effects_late: whether `action_had_no_effect` may be a function that computes it; most connections
                return a bool all the same.
        Raises: the exceptions of `call`.
        """
        request = proto.StepRequest(session_id=session_id, action=actions, observation_space=observation_spaces)
        reply = self.call("Step", request, timeout_s)
        new_space = reply.new_action_space if reply.HasField("new_action_space") else None
        return StepOutcome(reply.end_of_session, reply.action_had_no_effect, new_space, reply.observation)

    def is_alive(self) -> bool:
        """Return whether further calls may succeed, as far as that is known without a call."""
        return not self.closed

    def close(self) -> None:
        """Close the connection, and end the service if this connection started it. Idempotent."""
        self.closed = True

    def kill(self) -> None:
        """Close the connection without waiting for calls in progress."""
        self.close()

    def __enter__(self) -> "ServiceConnection":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()


class InProcessConnection(ServiceConnection):
    """The service runtime in this interpreter: no process, no serialisation, no protection from a crash or a hang."""

    def __init__(self, backend: str):
        super().__init__()
        self._service = CompilerService(get_session_class(backend))

    def call(self, call: str, request: Any, timeout_s: float = DEFAULT_TIMEOUT_S) -> Any:
        self._check_open()
        try:
            return self._service.handle(call, request)
        except StatusError as error:
            raise_for_status(error.status, error.details, timeout_s)

    def step(
        self,
        session_id: int,
        actions: Sequence[Any],
        observation_spaces: Sequence[int],
        timeout_s: float = DEFAULT_TIMEOUT_S,
        may_tell_effects_late: bool = False,
    ) -> StepOutcome:
        self._check_open()
        try:
            return self._service.step(session_id, actions, observation_spaces, may_tell_effects_late)
        except StatusError as error:
            raise_for_status(error.status, error.details, timeout_s)

    def _check_open(self) -> None:
        if self.closed:
            raise ServiceIsClosed("The connection to the compiler service is closed.")

    def close(self) -> None:
        super().close()
        self._service.close()


class GrpcConnection(ServiceConnection):
    """A channel to `host:port`."""

    outlives_us = True

    def __init__(self, address: str, options: ConnectionOptions = ConnectionOptions()):
        """Connect to the service.

        Raises: ServiceInitError when nothing answers there within `rpc_init_timeout_s`.
        """
        super().__init__()
        from helm.compiler_gym.runtime.server import get_channel_options, import_grpc

        self._grpc = import_grpc()
        self.address = address
        self._options = options
        self._closing = threading.Lock()
        self._channel = self._grpc.insecure_channel(address, options=get_channel_options())
        # Close it while the interpreter's threads still run: later, closing a channel can block for ever.
        self._closer = weakref.finalize(self, self._channel.close)
        self._stubs = {
            call: self._channel.unary_unary(
                f"/{schema.service}/{call}",
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=schema.messages[reply].FromString,
            )
            for schema in (proto.get_schema(), proto.get_batch_schema())
            for call, (_, reply) in schema.calls.items()
        }
        try:
            self._wait_until_ready()
            self._check_protocol()
        except BaseException:
            GrpcConnection.close(self)
            raise

    def _wait_until_ready(self) -> None:
        try:
            self._grpc.channel_ready_future(self._channel).result(self._options.rpc_init_timeout_s)
        except self._grpc.FutureTimeoutError:
            raise ServiceInitError(
                f"No compiler service answers at {self.address} "
                f"(waited {self._options.rpc_init_timeout_s:g} seconds). Is it running, and is the port right?"
            ) from None

    def _check_protocol(self) -> None:
        """Fetch the spaces, which also detects a server of another kind, or one that hangs, at once."""
        try:
            self._spaces = self.call("GetSpaces", proto.GetSpacesRequest(), self._options.rpc_init_timeout_s)
        except (ServiceError, ValueError, TypeError, NotImplementedError, FileNotFoundError) as error:
            raise ServiceInitError(
                f"The server at {self.address} does not answer as a compiler service: {error}"
            ) from error

    def call(self, call: str, request: Any, timeout_s: float = DEFAULT_TIMEOUT_S) -> Any:
        timeout_s = min(timeout_s, self._options.rpc_call_timeout_s)
        try:
            return self.request(call, request, timeout_s)
        except StatusError as error:
            raise_for_status(error.status, error.details, timeout_s)

    def request(self, call: str, request: Any, timeout_s: float = DEFAULT_TIMEOUT_S) -> Any:
        """Send a request as `call` does, but raise a failed status unchanged, as StatusError."""
        deadline = time.monotonic() + min(timeout_s, self._options.rpc_call_timeout_s)
        pause_s = self._options.retry_wait_s
        for attempt in range(self._options.rpc_max_retries + 1):
            if self.closed:
                raise ServiceIsClosed(f"The connection to the compiler service at {self.address} is closed.")
            try:
                return self._stubs[call](request, timeout=max(deadline - time.monotonic(), 0.001))
            except self._grpc.RpcError as error:
                status, details = error.code().name, error.details() or ""
                if status != "UNAVAILABLE":
                    raise StatusError(status, details) from error
                self._check_service(details)
                is_last = attempt == self._options.rpc_max_retries or time.monotonic() + pause_s >= deadline
                if is_last or not _is_repeatable(call, request):
                    raise ServiceTransportError(
                        f"The compiler service at {self.address} cannot be reached ({call}): {details}"
                    ) from error
                time.sleep(pause_s)
                pause_s *= self._options.retry_wait_backoff
            except ValueError as error:  # gRPC's word for a channel that another thread closed
                if self.closed:
                    raise ServiceIsClosed(f"The connection to {self.address} was closed during {call}.") from error
                raise
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _check_service(self, details: str) -> None:
        """Raise at once if trying again cannot help."""

    def close(self) -> None:
        with self._closing:
            if not self.closed:
                super().close()
                self._closer()


def _is_repeatable(call: str, request: Any) -> bool:
    """Return whether a request may be sent twice: the first may have arrived although no reply came.

    The original client repeats every call, but a repeated Step would silently apply its actions twice.
    """
    if call == "Step":
        return not request.action
    return call not in ("SendSessionParameter", "ForkSession", "StartSession")


class LocalServiceConnection(GrpcConnection):
    """A service in a child process of ours, which ends with this connection and never outlives this process."""

    outlives_us = False

    def __init__(self, backend: str | Path, options: ConnectionOptions = ConnectionOptions()):
        """Start the service and connect to it.

        Args:
            backend: short name or class path of a `CompilationSession`; or the path of any service program, which is
                started in its folder with `--working_dir=FOLDER` and `script_args`.
        Raises: ServiceInitError or ServiceTimeoutError, with the service's last words, when it does not start;
            FileNotFoundError when there is no such program.
        """
        import_folder = None
        if isinstance(backend, Path):
            command: Sequence[str] = get_guarded_command(backend, options.script_args)
        else:
            import_folder = get_import_folder(
                get_session_class(backend)
            )  # reports a wrong name before a process is started
            command = get_service_command(backend)
        self.process = ServiceProcess(
            command,
            options.process_start_timeout_s,
            options.process_stop_timeout_s,
            import_folder,
            options.script_env,
        )
        try:
            super().__init__(f"127.0.0.1:{self.process.port}", options)
        except BaseException:
            self.process.kill()
            raise

    def is_alive(self) -> bool:
        return not self.closed and self.process.is_alive()

    def _check_service(self, details: str) -> None:
        if not self.process.is_alive(wait_s=_PROCESS_END_WAIT_S):
            end = self.process.describe_end()
            error = ServiceIsClosed(f"Service is offline. {end}")
            error.end = end
            raise error

    def close(self) -> None:
        super().close()
        self.process.stop()

    def kill(self) -> None:
        self.process.kill()
        super().close()


def connect(connection: str, backend: str, options: ConnectionOptions = ConnectionOptions()) -> ServiceConnection:
    """Open a connection.

    Args:
        connection: `local` (a child process), `in_process`, or `host:port` of a running service.
        backend: short name or class path of a `CompilationSession`; not used with `host:port`.
        options: timeouts and retries.
    Raises: ConfigError for any other `connection`; ServiceInitError when the service cannot be reached.
    """
    if connection == IN_PROCESS:
        return InProcessConnection(backend)
    if connection == LOCAL:
        return LocalServiceConnection(backend, options)
    host, colon, port = connection.rpartition(":")
    if not (colon and host and port.isdigit()):
        raise ConfigError(f"Compiler connection '{connection}' is none of: {LOCAL}, {IN_PROCESS}, HOST:PORT.")
    return GrpcConnection(connection, options)
