"""The executor that runs episodes: parallel sessions with a compiler, isolated from each other."""

import hashlib
import os
import time
import traceback
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.executing.execution import ExecutorError, ExecutorInterface
from helm.benchmark.executing.journaled_run import run_journaled
from helm.benchmark.executing.request_journal import RequestJournal
from helm.common.budgets.spending import BudgetExceeded
from helm.common.episode_request import (
    STATUS_CRASHED,
    STATUS_ERROR,
    STATUS_INVALID,
    STATUS_TIMEOUT,
    EpisodeRequest,
    EpisodeResult,
)
from helm.common.errors import ConfigError, HelmError, with_instance_id
from helm.common.hierarchical_logger import hwarn
from helm.common.object_spec import ObjectSpec, create_object
from helm.compiler_gym.backends import get_backend_family
from helm.compiler_gym.budget import BudgetedEnvironment, BudgetUsedUp
from helm.compiler_gym.checks.failure_search import FailureSearch
from helm.compiler_gym.checks.program_check import INVALID, ProgramCheck
from helm.compiler_gym.compiler_client import ANY_BACKEND, CompilerClient
from helm.compiler_gym.envs.environment import CompilerEnvironment
from helm.compiler_gym.errors import (
    PolicyError,
    ServiceError,
    ServiceInitError,
    ServiceIsClosed,
    ServiceTransportError,
)
from helm.compiler_gym.policies import Policy
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.connection_pool import ConnectionPool
from helm.compiler_gym.runtime.conversions import to_json_value
from helm.compiler_gym.runtime.service_client import IN_PROCESS, LOCAL, ServiceConnection

_REFUSALS = (ValueError, TypeError, NotImplementedError, FileNotFoundError, ServiceError, ZeroDivisionError)
"""Exceptions of calls in which the compiler refuses a request, or a reward is not defined."""


class _Refused(Exception):
    """The compiler or the policy gave no usable answer; the text is the result's error."""

    def __init__(self, status: str, error: str):
        super().__init__(error)
        self.status = status


class EpisodeExecutor(ExecutorInterface):
    """Let the policy of each `EpisodeRequest` work on its program, then score the actions it returned.

    Every worker has its own connection, by default to a child process, so a crash affects no other episode. An episode in
    which the compiler refuses, crashes or takes too long, or in which the policy fails, is a measurement: an
    `EpisodeResult` with `success` false. The next episode then gets a new service. The executor raises `ExecutorError`
    only when no service can be reached.
    """

    request_type = EpisodeRequest

    def __init__(
        self,
        compiler: CompilerClient,
        parallelism: int = 1,
        connection: str | None = None,
        timeout_s: float = 600.0,
        rpc_timeout_s: float = 60.0,
        dry_run: bool = False,
        backend: str | None = None,
        validate: bool = False,
    ):
        """Describe how episodes are run; services start with the first one.

        Args:
            compiler: the client of the deployment.
            parallelism: number of episodes that run at the same time; at most the number of processors when the service is
                on this machine.
            connection: `local`, `in_process` or `host:port`. Default: that of the deployment.
            timeout_s: limit for an episode including the policy's search, in seconds. A policy that computes without
                calling the compiler is not interrupted.
            rpc_timeout_s: limit for one call to the service, in seconds. Neither limit applies in process.
            dry_run: send nothing; results stay empty.
            backend: the compiler to use, of the same kind as the deployment's. Default: the deployment's.
            validate: whether to run each optimised program; an episode whose program misbehaves then counts as failed.
        """
        if not isinstance(compiler, CompilerClient):
            raise ExecutorError(
                f"EpisodeExecutor needs a CompilerClient, not a {type(compiler).__name__}. "
                "Name a compiler, for example model=llvm/Oz."
            )
        if backend is not None:
            if compiler.backend != ANY_BACKEND and get_backend_family(backend) != get_backend_family(compiler.backend):
                raise ExecutorError(
                    f"The policy of this deployment is made for the compiler '{compiler.backend}', but this run is about "
                    f"'{backend}'. Name a policy for it, for example policy=random."
                )
            compiler = compiler.with_backend(backend)
        if compiler.backend == ANY_BACKEND:
            raise ExecutorError(
                "The policy of this deployment is for any compiler; the run entry compiler:env=... names one."
            )
        self._backend = compiler.backend
        self._check = ProgramCheck() if validate else None
        self._connections = ConnectionPool(compiler, connection)
        is_here = (connection or compiler.connection) in (LOCAL, IN_PROCESS)
        self._parallelism = min(parallelism, os.cpu_count() or 1) if is_here else parallelism
        self._timeout_s, self._rpc_timeout_s = timeout_s, rpc_timeout_s
        self._dry_run = dry_run

    def execute(self, scenario_state: ScenarioState, journal: RequestJournal | None = None) -> ScenarioState:
        if self._dry_run:
            return scenario_state
        states = run_journaled(scenario_state.request_states, self._run, self._parallelism, journal, "episodes")
        return replace(scenario_state, request_states=states)

    def close(self) -> None:
        self._connections.close()

    def _run(self, state: RequestState) -> RequestState:
        assert isinstance(state.request, EpisodeRequest)  # checked for the whole run before the first request
        try:
            return replace(state, result=self.run_episode(state.request))
        except HelmError as error:
            raise with_instance_id(error, state.instance.id) from None

    def run_episode(self, request: EpisodeRequest) -> EpisodeResult:
        """Run one episode on a connection of the pool.

        Raises: ExecutorError when no service can be reached; ConfigError; BudgetExceeded.
        """
        policy = self.create_policy(request.policy)
        started = time.monotonic()
        connection = self._connections.take()
        is_usable = False
        env: BudgetedEnvironment | None = None
        known: dict[str, Any] = {}
        try:
            env = self._create_environment(connection, request, known)
            self._play(env, policy, request, known)
            is_usable = True
            result = EpisodeResult(success=known.get("status") is None, **known)
        except _Refused as refusal:
            hwarn(f"Episode on {request.benchmark} failed ({refusal.status}): {refusal}")
            known.update(status=refusal.status, error=str(refusal))
            result = EpisodeResult(success=False, **known)
            is_usable = refusal.status not in (STATUS_CRASHED, STATUS_TIMEOUT)
        finally:
            self._connections.give_back(connection, env, is_usable)
        if env is not None and not result.success:
            result = self._find_failed_actions(request, env, result)
        if env is not None and env.failed_trials:
            result = replace(result, failed_trials=[asdict(trial) for trial in env.failed_trials])
        num_tried = known.get("num_actions_tried", env.num_actions_tried if env else 0)
        dialog = getattr(policy, "dialog", None)
        return replace(
            result,
            elapsed_s=time.monotonic() - started,
            num_actions_tried=num_tried,
            dialog=dialog if isinstance(dialog, list) else None,
        )

    def _find_failed_actions(
        self, request: EpisodeRequest, env: BudgetedEnvironment, result: EpisodeResult
    ) -> EpisodeResult:
        """Return the result with the actions that reproduce a failure during the policy's search."""
        pending = [actions for actions in env.pending if actions]
        if result.failed_actions is not None or not pending:
            return result
        if len(pending) == 1 and env.actions in (pending[0], pending[0][:-1]):
            # An observation failed, or one action, after actions that succeeded.
            return replace(result, failed_actions=pending[0])
        if result.status not in (STATUS_CRASHED, STATUS_TIMEOUT):
            return result  # replaying one of them would show nothing
        if result.status == STATUS_TIMEOUT and env.is_over_time():
            return result  # the search was slow as a whole; its last attempt is not to blame
        search = FailureSearch(self._connections, request, env.get_message(), self._rpc_timeout_s)
        found = search.find(pending, is_crash=result.status == STATUS_CRASHED)
        if found is None:
            note = f"{result.error} None of the {len(pending)} sequences that were being tried fails by itself."
            return replace(result, error=note)
        return replace(result, failed_actions=found)

    def create_policy(self, spec: ObjectSpec | None) -> Policy:
        """Create the policy of one episode.

        Raises: ConfigError when the spec does not name a policy.
        """
        if spec is None:
            raise ConfigError("The episode does not name a policy.")
        try:
            policy = create_object(self.complete_policy_spec(spec))
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise ConfigError(f"Cannot make the policy {spec.class_name} with {spec.args}: {error}") from error
        if not callable(getattr(policy, "run", None)):
            raise ConfigError(f"{spec.class_name} is not a policy: it has no method run(env).")
        return policy

    def complete_policy_spec(self, spec: ObjectSpec) -> ObjectSpec:
        """Add the arguments that only the executor can provide."""
        return spec

    def _create_environment(
        self, connection: ServiceConnection, request: EpisodeRequest, known: dict[str, Any]
    ) -> BudgetedEnvironment:
        with _Judged():
            reward = create_reward(request.reward_space, connection.observation_spaces)
            env = BudgetedEnvironment(
                connection,
                load_benchmark(request.benchmark, get_backend_family(self._backend)),
                reward,
                action_space=request.action_space,
                max_steps=request.max_steps,
                seed=request.seed,
                rpc_timeout_s=self._rpc_timeout_s,
                timeout_s=self._timeout_s,
                max_compilations=request.max_compilations,
                max_seconds=request.max_seconds,
            )
        program = env.get_program()
        if program is not None:
            known["program_sha256"] = hashlib.sha256(program).hexdigest()
        return env

    def _play(self, env: BudgetedEnvironment, policy: Policy, request: EpisodeRequest, known: dict[str, Any]) -> None:
        """Run the policy's search, then its answer on the untouched program, and put fields of the result into `known`."""
        with _Judged():
            env.reset()
            known["initial_observations"] = _to_json(env.observe(request.observation_spaces))
            untouched = self._check.prepare(env) if self._check else None
        name = type(policy).__name__
        started = time.monotonic()
        with _Judged(policy_name=name):
            is_used_up = False
            try:
                found = policy.run(env)
            except BudgetUsedUp:
                found, is_used_up = env.best_actions, True
            env.end_search()
            if env.has_budget:
                known["is_budget_used_up"] = is_used_up
            actions = _check_actions(found, name, request.max_steps)
        with _Judged():
            _apply(env, actions, known)
            known["observations"] = _to_json(env.observe(request.observation_spaces))
            known["num_actions_tried"] = env.num_actions_tried
            known["policy_s"] = time.monotonic() - started
            known["actions"], known["rewards"] = list(env.actions), list(env.rewards)
            if self._check:
                validation = known["validation"] = self._check.check(env, untouched)
                if validation["status"] == INVALID:
                    known.update(status=STATUS_INVALID, error=f"{validation['error']}: {validation['details']}")
            if request.baselines is not None:
                known["baselines"] = {}
            for baseline, baseline_actions in (request.baselines or {}).items():
                if not set(baseline_actions) <= set(env.action_names):
                    continue  # an older compiler may not have it
                _apply(env, baseline_actions)
                known["baselines"][baseline] = _to_json(env.observe(request.observation_spaces))
            env.close()


def _apply(env: CompilerEnvironment, actions: Sequence[str | int], known: dict[str, Any] | None = None) -> None:
    """Apply actions to the untouched program until the compiler ends the session; `known` gets an action that fails."""
    env.reset()
    for action in actions:
        if env.is_done:
            break
        try:
            env.step(action)
        except Exception:
            if known is not None:
                known["failed_actions"] = [*env.actions, env.get_action_name(action)]
            raise


def _to_json(observations: dict[str, Any]) -> dict[str, Any]:
    return {key: to_json_value(value) for key, value in observations.items()}


_PASSED_ON = (_Refused, ConfigError, ExecutorError, BudgetExceeded)
"""Exceptions that end the run, or have been classified already."""


class _Judged:
    """Turns exceptions of the compiler or of a policy into `_Refused`; a wrong configuration stays an error."""

    def __init__(self, policy_name: str | None = None):
        self._policy_name = policy_name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None or isinstance(error, _PASSED_ON) or not isinstance(error, Exception):
            return
        if isinstance(error, PolicyError):
            raise _Refused(error.status, str(error)) from error
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


def _check_actions(actions: Any, policy_name: str, max_steps: int | None) -> Sequence[str | int]:
    if isinstance(actions, str) or not isinstance(actions, Sequence):
        raise _Refused(STATUS_ERROR, f"Policy {policy_name} returned {actions!r}; expected a list of actions.")
    if max_steps is not None and len(actions) > max_steps:
        raise _Refused(STATUS_ERROR, f"Policy {policy_name} returned {len(actions)} actions; max_steps is {max_steps}.")
    return list(actions)
