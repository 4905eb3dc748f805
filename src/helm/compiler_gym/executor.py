"""Episodes into results: sessions with a compiler, in parallel, each protected from the others."""

import os
import threading
import time
import traceback
from dataclasses import replace
from typing import Any, List, Optional, Sequence

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.execution import ExecutorError, ExecutorInterface
from helm.benchmark.request_journal import RequestJournal, run_journaled
from helm.common.episode_request import STATUS_CRASHED, STATUS_ERROR, STATUS_TIMEOUT, EpisodeRequest, EpisodeResult
from helm.common.errors import ConfigError, HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.object_spec import ObjectSpec, create_object
from helm.compiler_gym.compiler_client import CompilerClient
from helm.compiler_gym.conversions import to_json_value
from helm.compiler_gym.environment import CompilerEnvironment
from helm.compiler_gym.errors import ServiceError, ServiceInitError, ServiceIsClosed, ServiceTransportError
from helm.compiler_gym.policies import Policy
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.service_client import IN_PROCESS, LOCAL, ServiceConnection

_REFUSALS = (ValueError, TypeError, NotImplementedError, FileNotFoundError, ServiceError, ZeroDivisionError)
"""What a call to the compiler raises when the compiler does not do what it was asked, or a reward is not defined."""


class _Refused(Exception):
    """The compiler or the policy gave no usable answer; the text is the result's error."""

    def __init__(self, status: str, error: str):
        super().__init__(error)
        self.status = status


class EpisodeExecutor(ExecutorInterface):
    """Let the policy of each `EpisodeRequest` work on its program, then score the actions it returned.

    Every worker has a connection of its own, by default a child process, so one that crashes takes no other episode
    along. An episode in which the compiler refuses, crashes or takes too long, or in which the policy fails, is a
    measurement: an `EpisodeResult` with `success` false. The service is then started anew for the next episode. Raises
    `ExecutorError` only when no service can be reached.
    """

    request_type = EpisodeRequest

    def __init__(
        self,
        compiler: CompilerClient,
        parallelism: int = 1,
        connection: Optional[str] = None,
        timeout_s: float = 600.0,
        rpc_timeout_s: float = 60.0,
        dry_run: bool = False,
    ):
        """
        Args:
            parallelism: episodes at the same time; no more than there are processors when the service is on this
                machine.
            connection: `local`, `in_process` or `host:port`; None: as the deployment says.
            timeout_s: limit for an episode, the policy's search included, in seconds. A policy that computes without
                calling the compiler is not interrupted.
            rpc_timeout_s: limit for one call to the service, in seconds. Neither limit holds in process.
            dry_run: send nothing; results stay empty.
        """
        if not isinstance(compiler, CompilerClient):
            raise ExecutorError(
                f"EpisodeExecutor needs a CompilerClient, not a {type(compiler).__name__}. "
                "Name a compiler, for example model=llvm/Oz."
            )
        self._connections = _ConnectionPool(compiler, connection)
        is_here = (connection or compiler.connection) in (LOCAL, IN_PROCESS)
        self._parallelism = min(parallelism, os.cpu_count() or 1) if is_here else parallelism
        self._timeout_s, self._rpc_timeout_s = timeout_s, rpc_timeout_s
        self._dry_run = dry_run

    def execute(self, scenario_state: ScenarioState, journal: Optional[RequestJournal] = None) -> ScenarioState:
        if self._dry_run:
            return scenario_state
        states = run_journaled(scenario_state.request_states, self._run, self._parallelism, journal, "episodes")
        return replace(scenario_state, request_states=states)

    def close(self) -> None:
        self._connections.close()

    def _run(self, state: RequestState) -> RequestState:
        assert isinstance(state.request, EpisodeRequest)  # checked for the whole run before the first request
        return replace(state, result=self.run_episode(state.request))

    def run_episode(self, request: EpisodeRequest) -> EpisodeResult:
        """One episode, on a connection of the pool. Raises: ExecutorError, ConfigError."""
        policy = _create_policy(request.policy)
        started = time.monotonic()
        connection = self._connections.take()
        is_usable = False
        env: Optional[CompilerEnvironment] = None
        try:
            env = self._create_environment(connection, request)
            result = _play(env, policy, request)
            is_usable = True
        except _Refused as refusal:
            hwarn(f"Episode on {request.benchmark} failed ({refusal.status}): {refusal}")
            result = EpisodeResult(success=False, status=refusal.status, error=str(refusal))
            is_usable = refusal.status == STATUS_ERROR
        finally:
            self._connections.give_back(connection, env, is_usable)
        num_tried = env.num_actions_tried if env else 0
        return replace(result, elapsed_s=time.monotonic() - started, num_actions_tried=num_tried)

    def _create_environment(self, connection: ServiceConnection, request: EpisodeRequest) -> CompilerEnvironment:
        with _Judged():
            reward = create_reward(request.reward_space, connection.observation_spaces)
            return CompilerEnvironment(
                connection,
                load_benchmark(request.benchmark),
                reward,
                action_space=request.action_space,
                max_steps=request.max_steps,
                seed=request.seed,
                rpc_timeout_s=self._rpc_timeout_s,
                timeout_s=self._timeout_s,
            )


def _play(env: CompilerEnvironment, policy: Policy, request: EpisodeRequest) -> EpisodeResult:
    """The policy's search, then its answer on the untouched program."""
    with _Judged():
        env.reset()
        initial = env.observe(request.observation_spaces)
    name = type(policy).__name__
    with _Judged(policy_name=name):
        actions = _check_actions(policy.run(env), name, request.max_steps)
    with _Judged():
        env.reset()
        for action in actions:
            if env.is_done:
                break
            env.step(action)
        observations = env.observe(request.observation_spaces)
        env.close()
    return EpisodeResult(
        success=True,
        actions=env.actions,
        rewards=env.rewards,
        initial_observations={key: to_json_value(value) for key, value in initial.items()},
        observations={key: to_json_value(value) for key, value in observations.items()},
    )


class _Judged:
    """Turns what a call to the compiler, or a policy, raises into `_Refused`; a wrong configuration stays an error."""

    def __init__(self, policy_name: Optional[str] = None):
        self._policy_name = policy_name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Optional[BaseException], trace: Any) -> None:
        if error is None or isinstance(error, (_Refused, ConfigError)) or not isinstance(error, Exception):
            return
        if isinstance(error, TimeoutError):
            raise _Refused(STATUS_TIMEOUT, str(error)) from error
        if isinstance(error, (ServiceIsClosed, ServiceTransportError, ServiceInitError)):
            raise _Refused(STATUS_CRASHED, str(error)) from error
        if isinstance(error, ServiceError) or (self._policy_name is None and isinstance(error, _REFUSALS)):
            raise _Refused(STATUS_ERROR, str(error)) from error
        if self._policy_name is not None:
            hwarn("".join(traceback.format_exception(error)))
            raise _Refused(
                STATUS_ERROR, f"Policy {self._policy_name} raised {type(error).__name__}: {error}"
            ) from error


def _create_policy(spec: Optional[ObjectSpec]) -> Policy:
    if spec is None:
        raise ConfigError("The episode names no policy.")
    try:
        policy = create_object(spec)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise ConfigError(f"Cannot make the policy {spec.class_name} with {spec.args}: {error}") from error
    if not callable(getattr(policy, "run", None)):
        raise ConfigError(f"{spec.class_name} is no policy: it has no method run(env).")
    return policy


def _check_actions(actions: Any, policy_name: str, max_steps: Optional[int]) -> Sequence[str | int]:
    if isinstance(actions, str) or not isinstance(actions, Sequence):
        raise _Refused(STATUS_ERROR, f"Policy {policy_name} returned {actions!r}; expected a list of actions.")
    if max_steps is not None and len(actions) > max_steps:
        raise _Refused(STATUS_ERROR, f"Policy {policy_name} returned {len(actions)} actions; max_steps is {max_steps}.")
    return list(actions)


class _ConnectionPool:
    """Connections that are not in use, made when there is none, dropped when broken."""

    def __init__(self, compiler: CompilerClient, connection: Optional[str]):
        self._compiler, self._connection = compiler, connection
        self._idle: List[ServiceConnection] = []
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

    def give_back(self, connection: ServiceConnection, env: Optional[CompilerEnvironment], is_usable: bool) -> None:
        """`is_usable`: the service answered all calls so far."""
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
        hwarn(f"The compiler service did not end well: {error}")
