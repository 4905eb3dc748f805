"""A connection that several environments share, because forks live in the service of their origin."""

import threading
from pathlib import Path
from typing import Optional

from helm.compiler_gym import proto
from helm.compiler_gym.errors import ServiceError
from helm.compiler_gym.runtime.service_client import (
    ConnectionOptions,
    GrpcConnection,
    LocalServiceConnection,
    ServiceConnection,
    connect,
)


class SharedConnection:
    """One user's share of a connection, which is closed when the last user releases it."""

    def __init__(self, connection: ServiceConnection, _users: Optional["_Users"] = None):
        self.connection = connection
        self._users = _users or _Users()
        self._users.add(1)

    @staticmethod
    def connect(service: str | Path, how: str, options: ConnectionOptions) -> ServiceConnection:
        """Open a connection.

        Args:
            service: `host:port`, the `Path` of a service program, or a backend.
            how: for a backend: `local` or `in_process`.
        Raises: TypeError without a service; FileNotFoundError when there is no such program; ServiceInitError.
        """
        if not service:
            raise TypeError("No compiler service was named: expected host:port, a path, or the name of a backend.")
        if isinstance(service, Path):
            return LocalServiceConnection(service, options)
        host, colon, port = service.rpartition(":")
        if colon and host and port.isdigit():
            return GrpcConnection(service, options)
        return connect(how, service, options)

    def share(self) -> "SharedConnection":
        """Create a share for one more user."""
        return SharedConnection(self.connection, self._users)

    def release(self) -> None:
        """Give up this share; call it once.

        Raises: ServiceError when our own service ended with an error.
        """
        if self._users.add(-1) == 0:
            self.connection.close()

    def abandon(self, session_id: int | None) -> None:
        """Give up this share after a failure; asks a service that still listens to end the session, but does not wait."""
        if self._users.add(-1) == 0 and not self.connection.outlives_us:
            self.connection.kill()
            return
        if session_id is None or not self.connection.is_alive():
            return
        try:
            self.connection.call("EndSession", proto.EndSessionRequest(session_id=session_id), timeout_s=5.0)
        except (ServiceError, TimeoutError):
            pass  # it is gone, or busy with what made us leave
        finally:
            if self._users.count == 0:
                self.connection.close()


class _Users:
    """How many there are."""

    def __init__(self) -> None:
        self.count = 0
        self._lock = threading.Lock()

    def add(self, change: int) -> int:
        with self._lock:
            self.count += change
            return self.count
