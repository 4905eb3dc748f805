"""The episode of an environment that has its compiler service to itself, or shares it with its forks."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from helm.common.hierarchical_logger import hwarn
from helm.compiler_gym import proto
from helm.compiler_gym.benchmarks.benchmark import Benchmark
from helm.compiler_gym.envs.env_connection import SharedConnection
from helm.compiler_gym.envs.episode import Episode
from helm.compiler_gym.errors import BenchmarkInitError, ServiceError, ServiceIsClosed
from helm.compiler_gym.runtime.service_client import ConnectionOptions, ServiceConnection

SERVICE_FAILURES = (ServiceError, TimeoutError)
"""Exceptions of calls for which the service is at fault, not an argument: the session is lost."""


class EnvSession(Episode):
    """An episode with its own service or connection, which its forks share.

    `abandon` gives up a service that failed; the next call that needs a service opens a new one.
    """

    def __init__(self, service: str | Path, how: str, settings: ConnectionOptions, shared: SharedConnection):
        """Remember how to reach the service; no session is started yet.

        Args:
            service: see `SharedConnection.connect`.
            how: see `SharedConnection.connect`.
            settings: options of new connections.
            shared: a share of the connection, which this object releases.
        """
        super().__init__(shared.connection)
        self.service, self._how, self.settings = service, how, settings
        self._shared: SharedConnection | None = shared

    @classmethod
    def open(
        cls,
        service: str | Path,
        how: str,
        settings: ConnectionOptions,
        connection: ServiceConnection | SharedConnection | None = None,
    ) -> "EnvSession":
        """Open a session object on `connection`, or on a new connection.

        Raises: see `SharedConnection.connect`.
        """
        if isinstance(connection, SharedConnection):
            return cls(service, how, settings, connection.share())
        connection = connection or SharedConnection.connect(service, how, settings)
        return cls(service, how, settings, SharedConnection(connection))

    def open_another(self) -> "EnvSession":
        """Open a session object on another service of the same kind."""
        return self.open(self.service, self._how, self.settings)

    def call(self, call: str, request: Any, timeout: float | None = None) -> Any:
        """Call the service as `ServiceConnection.call` does; after `abandon` or `close`, a new one."""
        if self._shared is None:
            self._hold(SharedConnection(SharedConnection.connect(self.service, self._how, self.settings)))
        return super().call(call, request, timeout)

    def _hold(self, shared: SharedConnection | None) -> None:
        self._shared = shared
        self.connection = shared and shared.connection

    def start(self, benchmark: Benchmark, action_space: int, observation_spaces: Sequence[int], timeout: float) -> Any:
        """Begin a session; returns the `proto.StartSessionReply`.

        It tries again with a new service as long as the service is at fault.

        Raises: OSError after `init_max_attempts`; ValueError when the compiler rejects the program.
        """
        message = benchmark.proto
        if not self.settings.always_send_benchmark_on_reset:
            message = proto.Benchmark(uri=message.uri)
        last_error: Exception | None = None
        for _ in range(self.settings.init_max_attempts):
            try:
                return self.begin(message, action_space, observation_spaces, timeout, added=benchmark.proto)
            except BenchmarkInitError:
                raise
            except SERVICE_FAILURES as error:
                last_error = error
                self.abandon()
        raise OSError(
            f"Failed to start an episode on {benchmark.uri} "
            f"({self.settings.init_max_attempts} attempts made): {last_error}"
        ) from last_error

    def fork(self) -> "EnvSession":
        """Create an independent session in the same state, on the same service.

        Raises: SessionNotFound without a session; NotImplementedError when the compiler cannot fork.
        """
        copied = self.copy()
        assert self._shared is not None
        forked = EnvSession(self.service, self._how, self.settings, self._shared.share())
        forked.id = copied.id
        return forked

    def end(self, timeout: float | None = None) -> None:
        """End the session and keep the service. A session that does not end causes a warning only."""
        session_id = self.id
        if self._shared is None:
            self.id = None
            return
        try:
            super().end(self.settings.rpc_end_timeout_s if timeout is None else timeout)
        except Exception as error:  # whatever ails the service, this session is over for us
            hwarn(f"Failed to end session {session_id}: {type(error).__name__}: {error}")

    def abandon(self) -> str | None:
        """Give up everything after a failure of the service; returns the further errors."""
        session_id, self.id = self.id, None
        shared = self._shared
        self._hold(None)
        if shared is None:
            return None
        try:
            shared.abandon(session_id)
        except (ServiceError, OSError) as error:
            return str(error)
        return None

    def describe_failure(self, error: Exception) -> dict[str, str]:
        """Give up everything after this failure of a call; returns `error_type` and `error_details`."""
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
        shared = self._shared
        self._hold(None)
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
