"""A compiler as the subject of a run: which backend, reached how, driven by which policy."""

import copy
from collections.abc import Mapping
from typing import Any

from helm.common.errors import ConfigError
from helm.common.object_spec import ObjectSpec
from helm.compiler_gym.runtime.service_client import LOCAL, ConnectionOptions, ServiceConnection, connect

ANY_BACKEND = "any"


class CompilerClient:
    """What a model deployment's `client_spec` names for a compiler. Opens nothing until `open` is called."""

    def __init__(
        self,
        policy: Mapping[str, Any] | None = None,
        backend: str = "llvm",
        connection: str = LOCAL,
        options: Mapping[str, Any] | None = None,
    ):
        """Read the policy and the options of the connection.

        Args:
            policy: `class_name` and `args` of a `helm.compiler_gym.policies.Policy`; None: the run brings one.
            backend: short name (`llvm`) or class path of a `CompilationSession`; `any` for a policy that works with every
                compiler: the run names it.
            connection: `local` (a child process for each worker), `in_process`, or `host:port`.
            options: fields of `ConnectionOptions`.
        Raises: ConfigError when the policy is not a class path with arguments.
        """
        self.policy = None if policy is None else _read_policy(policy)
        self.backend = backend
        self.connection = connection
        self._options = ConnectionOptions(**(options or {}))

    def with_backend(self, backend: str) -> "CompilerClient":
        """The same with another compiler."""
        changed = copy.copy(self)
        changed.backend = backend
        return changed

    def open(self, connection: str | None = None) -> ServiceConnection:
        """A new connection, which the caller closes.

        Args:
            connection: instead of the client's own way to connect.
        Raises: ConfigError, ServiceInitError as `service_client.connect` says.
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
