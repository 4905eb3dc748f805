"""Connections to one compiler for many episodes."""

import threading

from helm.benchmark.executing.execution import ExecutorError
from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.compiler_gym.compiler_client import CompilerClient
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceError
from helm.compiler_gym.runtime.service_client import ServiceConnection


class ConnectionPool:
    """Idle connections. One is opened when there is none, and dropped when it is broken."""

    def __init__(self, compiler: CompilerClient, connection: str | None):
        self._compiler, self._connection = compiler, connection
        self._idle: list[ServiceConnection] = []
        self._lock = threading.Lock()

    def take(self) -> ServiceConnection:
        with self._lock:
            while self._idle:
                connection = self._idle.pop()
                if connection.is_alive():
                    return connection
                _end(connection, is_usable=False)
        try:
            return self._compiler.open(self._connection)
        except ServiceError as error:
            raise ExecutorError(
                f"Cannot reach the compiler service of backend '{self._compiler.backend}': {error}"
            ) from error

    def give_back(self, connection: ServiceConnection, env: CompilerEnvironment | None, is_usable: bool) -> None:
        """Return a connection to the pool; `is_usable` says whether the service answered all calls so far."""
        if is_usable and env is not None:
            try:
                env.close()
            except (HelmError, OSError) as error:
                hwarn(f"A session with the compiler could not be ended: {error}")
                is_usable = False
        if is_usable:
            with self._lock:
                self._idle.append(connection)
        else:
            if env is not None and connection.outlives_us:
                try:
                    env.abandon()
                except (HelmError, OSError) as error:
                    hwarn(f"A session with the compiler could not be ended: {error}")
            _end(connection, is_usable=False)

    def close(self) -> None:
        with self._lock:
            while self._idle:
                _end(self._idle.pop(), is_usable=True)


def _end(connection: ServiceConnection, is_usable: bool) -> None:
    try:
        connection.close() if is_usable else connection.kill()
    except ServiceError as error:
        hwarn(f"The compiler service failed at shutdown: {error}")
