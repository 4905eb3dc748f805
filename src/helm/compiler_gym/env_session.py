"""The session of one environment with a compiler service."""

import sys
from pathlib import Path
from typing import Any, Optional, Sequence

from helm.common.hierarchical_logger import hwarn
from helm.compiler_gym import proto
from helm.compiler_gym.benchmark import Benchmark
from helm.compiler_gym.env_connection import SharedConnection
from helm.compiler_gym.errors import (
    DEFAULT_TIMEOUT_S,
    BenchmarkInitError,
    ServiceError,
    ServiceIsClosed,
    SessionNotFound,
)
from helm.compiler_gym.service_client import ConnectionOptions, ServiceConnection

SERVICE_FAILURES = (ServiceError, TimeoutError)
"""What a call raises when the service, and not its argument, is at fault: the session is lost."""


class EnvSession:
    """At most one session at a time, on a service that forks share.

    A service that failed is left (`abandon`); the next call that needs one opens a new one.
    """

    def __init__(self, service: str | Path, how: str, settings: ConnectionOptions, shared: SharedConnection):
        """
        Args:
            service: see `SharedConnection.connect`, as for `how`.
            shared: a hold on the service, which this object lets go.
        """
        self.service, self._how, self.settings = service, how, settings
        self._shared: Optional[SharedConnection] = shared
        self.id: Optional[int] = None
        """Number of the session; None: there is none."""

    @classmethod
    def open(
        cls,
        service: str | Path,
        how: str,
        settings: ConnectionOptions,
        connection: Optional[ServiceConnection | SharedConnection] = None,
    ) -> "EnvSession":
        """On `connection`, or on a service that is started or reached for it. Raises: see `SharedConnection.connect`."""
        if isinstance(connection, SharedConnection):
            return cls(service, how, settings, connection.share())
        connection = connection or SharedConnection.connect(service, how, settings)
        return cls(service, how, settings, SharedConnection(connection))

    def open_another(self) -> "EnvSession":
        """On a further service of the same kind."""
        return self.open(self.service, self._how, self.settings)

    @property
    def connection(self) -> ServiceConnection:
        """The connection; a new one after `abandon` and `close`."""
        if self._shared is None:
            self._shared = SharedConnection(SharedConnection.connect(self.service, self._how, self.settings))
        return self._shared.connection

    def call(self, call: str, request: Any, timeout: float = DEFAULT_TIMEOUT_S) -> Any:
        """As `ServiceConnection.call`."""
        return self.connection.call(call, request, timeout)

    def require(self, purpose: str) -> int:
        """The number of the session. Raises: SessionNotFound when there is none, naming what it was needed for."""
        if self.id is None:
            raise SessionNotFound(f"Must call reset() before {purpose}.")
        return self.id

    def start(self, benchmark: Benchmark, action_space: int, observation_spaces: Sequence[int], timeout: float) -> Any:
        """Begin a session; returns the `proto.StartSessionReply`.

        Over and over, each time with a new service, while it is the service that fails.
        Raises: OSError after `init_max_attempts`; ValueError when the compiler does not take the program.
        """
        last_error: Optional[Exception] = None
        for _ in range(self.settings.init_max_attempts):
            try:
                reply = self._request_session(benchmark, action_space, observation_spaces, timeout)
            except BenchmarkInitError:
                raise
            except SERVICE_FAILURES as error:
                last_error = error
                self.abandon()
            else:
                self.id = reply.session_id
                return reply
        raise OSError(
            f"Failed to start an episode on {benchmark.uri} "
            f"({self.settings.init_max_attempts} attempts made): {last_error}"
        ) from last_error

    def _request_session(
        self, benchmark: Benchmark, action_space: int, observation_spaces: Sequence[int], timeout: float
    ) -> Any:
        """Sends the URI; the program only when the service does not know it."""
        message = benchmark.proto
        if not self.settings.always_send_benchmark_on_reset:
            message = proto.Benchmark(uri=message.uri)
        request = proto.StartSessionRequest(
            action_space=action_space, observation_space=observation_spaces, benchmark=message
        )
        try:
            return self.call("StartSession", request, timeout)
        except FileNotFoundError as error:
            if "Benchmark not found" not in str(error):
                raise
        self.call("AddBenchmark", proto.AddBenchmarkRequest(benchmark=[benchmark.proto]), timeout)
        return self.call("StartSession", request, timeout)

    def fork(self) -> "EnvSession":
        """An independent session in the same state, on the same service.

        Raises: SessionNotFound without a session; NotImplementedError when the compiler cannot fork.
        """
        reply = self.call("ForkSession", proto.ForkSessionRequest(session_id=self.require("fork()")))
        assert self._shared is not None
        forked = EnvSession(self.service, self._how, self.settings, self._shared.share())
        forked.id = reply.session_id
        return forked

    def end(self) -> None:
        """End the session and keep the service."""
        session_id, self.id = self.id, None
        if session_id is None or self._shared is None:
            return
        try:
            self.call("EndSession", proto.EndSessionRequest(session_id=session_id), self.settings.rpc_end_timeout_s)
        except Exception as error:  # whatever ails the service, this session is over for us
            hwarn(f"Failed to end session {session_id}: {type(error).__name__}: {error}")

    def abandon(self) -> Optional[str]:
        """Let go of everything after a failure of the service; returns what else went wrong."""
        session_id, self.id = self.id, None
        shared, self._shared = self._shared, None
        if shared is None:
            return None
        try:
            shared.abandon(session_id)
        except (ServiceError, OSError) as error:
            return str(error)
        return None

    def describe_failure(self, error: Exception) -> dict[str, str]:
        """Let go of everything after this failure of a call; returns `error_type` and `error_details`."""
        details = str(error)
        closing_error = None
        if isinstance(error, ServiceIsClosed) and error.end:
            details, closing_error = "Service is offline", error.end
        closing_error = self.abandon() or closing_error
        if closing_error:
            details += f". Additional error during environment closing: {closing_error}"
        kind = "TimeoutError" if isinstance(error, TimeoutError) else type(error).__name__
        return {"error_type": kind, "error_details": details}

    def close(self) -> None:
        """End the session, and the service when nobody uses it any more. Idempotent.

        Raises: ServiceError when a service of our own ended with an error.
        """
        self.end()
        shared, self._shared = self._shared, None
        if shared is not None:
            shared.release()

    def __del__(self) -> None:
        if sys.is_finalizing():
            return  # services of ours end with this process
        try:
            shared, self._shared = self._shared, None
            if shared is not None:
                shared.abandon(self.id)
        except Exception:  # noqa: S110  # at the end of the interpreter parts of it are gone; services end with us
            pass
