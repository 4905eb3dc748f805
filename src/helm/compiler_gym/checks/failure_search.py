"""Which of many sequences of actions a compiler failed on: they are done again, one after the other."""

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
"""The search takes as much time as so many calls may take: one that hangs, and the others."""

_CRASHES = (ServiceIsClosed, ServiceTransportError)
"""What a call raises when the service has ended."""
_REFUSALS = (ValueError, TypeError, NotImplementedError, FileNotFoundError, ZeroDivisionError)
"""What says no to an action, or has no reward for it."""


class FailureSearch:
    """Does sequences again that were tried together when the compiler crashed or hung."""

    def __init__(self, connections: ConnectionPool, request: EpisodeRequest, benchmark: Any, rpc_timeout_s: float):
        """Prepare to repeat what a search tried.

        Args:
            benchmark: the `proto.Benchmark` of the request.
            rpc_timeout_s: what takes longer has failed, in seconds.
        """
        self._connections, self._request, self._benchmark = connections, request, benchmark
        self._rpc_timeout_s = rpc_timeout_s

    def find(self, sequences: Sequence[Sequence[str]], is_crash: bool) -> list[str] | None:
        """The first sequence on which the compiler fails again, up to the action on which it does; None: on none.

        Args:
            is_crash: it crashed; otherwise it did not answer in time.
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
    """Raises: one of `failures` when it comes, with the actions in `env.pending`."""
    env.reset()
    for action in actions:
        if env.is_done:
            return
        try:
            env.step(action)
        except failures:
            raise  # some of them are a TypeError, too
        except (ServiceError, *_REFUSALS):
            return  # not what ended the service
