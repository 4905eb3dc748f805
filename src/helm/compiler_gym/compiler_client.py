"""A compiler as the subject of a run: its backend, the connection to it, and the policy that drives it."""

import copy
from collections.abc import Mapping
from typing import Any

from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from helm.compiler_gym.runtime.service_client import LOCAL, ConnectionOptions, ServiceConnection, connect

ANY_BACKEND = "any"


class CompilerClient:
    """The class that the `client_spec` of a compiler's deployment names. It opens no connection before `open` is called."""

    def __init__(
        self,
        policy: Mapping[str, Any] | None = None,
        backend: str = "llvm",
        connection: str = LOCAL,
        options: Mapping[str, Any] | None = None,
    ):
        """Read the policy and the options of the connection.

        Args:
            policy: `class_name` and `args` of a `helm.compiler_gym.policies.Policy`. Default: the run names one.
            backend: short name (`llvm`) or class path of a `CompilationSession`. `any` is for a policy that works with
                every compiler; the run then names the compiler.
            connection: `local` (a child process for each worker), `in_process`, or `host:port`.
            options: fields of `ConnectionOptions`.
        Raises: ConfigError when the policy is not a class path with arguments.
        """
        self.policy = None if policy is None else _read_policy(policy)
        self.backend = backend
        self.connection = connection
        self._options = ConnectionOptions(**(options or {}))

    def with_backend(self, backend: str) -> "CompilerClient":
        """Return the same client with another compiler."""
        changed = copy.copy(self)
        changed.backend = backend
        return changed

    def open(self, connection: str | None = None) -> ServiceConnection:
        """Open a connection, which the caller closes.

        Args:
            connection: `local`, `in_process` or `host:port`. Default: what the client was created with.
        Raises: ConfigError, ServiceInitError as documented for `service_client.connect`.
        """
        return connect(connection or self.connection, self.backend, self._options)


def _read_policy(policy: Any) -> ObjectSpec:
    if (
        not isinstance(policy, Mapping)
        or not isinstance(policy.get("class_name"), str)
        or policy.keys() - {"class_name", "args"}
    ):
        raise ConfigError(f"A compiler's policy needs class_name and, if it takes any, args; got: {policy!r}.")
    return ObjectSpec(policy["class_name"], dict(policy.get("args") or {}))
