"""Finds which of many sequences of actions made a compiler fail, by repeating them one after the other."""

import time
from collections.abc import Sequence
from typing import Any

from helm.common.episode_request import EpisodeRequest
from helm.common.hierarchical_logger import hwarn
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceError, ServiceIsClosed, ServiceTransportError
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.connection_pool import ConnectionPool

_MAX_CALLS = 3
"""Time for the search, in units of the limit of a call: one call hangs, and the others take some time, too."""

_CRASHES = (ServiceIsClosed, ServiceTransportError)
"""Exceptions of a call when the service has ended."""
_REFUSALS = (ValueError, TypeError, NotImplementedError, FileNotFoundError, ZeroDivisionError)
"""Exceptions when the compiler refuses an action, or a reward is not defined."""


class FailureSearch:
    """Repeats sequences that were tried together when the compiler crashed or hung."""

    def __init__(self, connections: ConnectionPool, request: EpisodeRequest, benchmark: Any, rpc_timeout_s: float):
        """Prepare to repeat what a search tried.

        Args:
            connections: connections to the compiler.
            request: the episode in which the compiler failed.
            benchmark: the `proto.Benchmark` of the request.
            rpc_timeout_s: a call that takes longer has failed, in seconds.
        """
        self._connections, self._request, self._benchmark = connections, request, benchmark
        self._rpc_timeout_s = rpc_timeout_s

    def find(self, sequences: Sequence[Sequence[str]], is_crash: bool) -> list[str] | None:
        """Return the first sequence on which the compiler fails again, up to the failing action; None if there is none.

        Args:
            sequences: the candidates.
            is_crash: whether it crashed; otherwise it did not answer in time.
        """
        deadline = time.monotonic() + _MAX_CALLS * self._rpc_timeout_s
        connection = self._connections.take()
        env: CompilerEnvironment | None = None
        failed: list[str] | None = None
        is_usable = False
        try:
            env = CompilerEnvironment(
                connection,
                self._benchmark,
                create_reward(self._request.reward_space, connection.observation_spaces),
                action_space=self._request.action_space,
                rpc_timeout_s=self._rpc_timeout_s,
                timeout_s=2 * _MAX_CALLS * self._rpc_timeout_s,
            )
            for actions in sequences:
                if time.monotonic() >= deadline:
                    break
                _replay(env, actions, _CRASHES if is_crash else (*_CRASHES, TimeoutError))
            is_usable = True
        except (ServiceError, *_REFUSALS) as error:
            failed = env.pending[0] if env is not None and env.pending else None
            if failed is not None:
                hwarn(f"The compiler failed again on {' '.join(failed)}: {error}")
        finally:
            self._connections.give_back(connection, env, is_usable)
        return failed


def _replay(env: CompilerEnvironment, actions: Sequence[str], failures: tuple[type[Exception], ...]) -> None:
    """Apply actions one by one.

    Raises: one of `failures` when it occurs, with the actions in `env.pending`.
    """
    env.reset()
    for action in actions:
        if env.is_done:
            return
        try:
            env.step(action)
        except failures:
            raise  # some of them are a TypeError, too
        except (ServiceError, *_REFUSALS):
            return  # this sequence did not end the service
