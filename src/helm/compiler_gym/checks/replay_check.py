"""Replays recorded episodes, with the same actions on the same program, and compares the results."""

import hashlib
import math
import time
from collections.abc import Sequence
from typing import Any

from helm.common.episode_request import EpisodeRequest, EpisodeResult
from helm.common.errors import ConfigError, ScenarioError
from helm.compiler_gym.backends import get_backend_family
from helm.compiler_gym.budget import BudgetedEnvironment
from helm.compiler_gym.checks.program_check import INVALID, NOT_CHECKED, ProgramCheck
from helm.compiler_gym.checks.validation import ValidationError, ValidationResult
from helm.compiler_gym.envs.env_state import CompilerEnvState
from helm.compiler_gym.programs import load_benchmark
from helm.compiler_gym.replay import make_commandline, parse_commandline
from helm.compiler_gym.rewards import create_reward
from helm.compiler_gym.runtime.conversions import to_json_value
from helm.compiler_gym.runtime.service_client import ConnectionOptions, ServiceConnection, connect

_RELATIVE_TOLERANCE, _ABSOLUTE_TOLERANCE = 1e-5, 1e-10
_REPLAY_FAILED = "Action replay failed"


class EpisodeReplayer:
    """Replays episodes with one compiler, one at a time. Close it, or use it in a `with` block."""

    def __init__(self, backend: str, connection: str, executes: bool = True, timeout_s: float = 600.0):
        """Describe the compiler; it is started when the first episode is replayed.

        Args:
            backend: the compiler: a short name, `gcc:COMMAND`, or the class path of a `CompilationSession`.
            connection: `local`, `in_process` or `host:port`.
            executes: whether to run the optimised programs, too.
            timeout_s: limit for one episode, in seconds.
        """
        self._backend, self._connection_name, self._timeout_s = backend, connection, timeout_s
        self._check = ProgramCheck() if executes else None
        self._connection: ServiceConnection | None = None

    def __enter__(self) -> "EpisodeReplayer":
        return self

    def __exit__(self, *exc_info: Any) -> None:
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def replay_result(self, request: EpisodeRequest, result: EpisodeResult) -> ValidationResult:
        """Check a successful result: rewards, observations, the program's bytes, and its behaviour."""
        state = make_state(request, result, get_backend_family(self._backend))
        return self._replay(state, result.actions, request, result)

    def replay_state(self, state: CompilerEnvState, reward_space: str) -> ValidationResult:
        """Check a state of a leaderboard: its reward, if it has one, and the program's behaviour."""
        request = EpisodeRequest(benchmark=state.benchmark, reward_space=reward_space)
        return self._replay(state, parse_commandline(state.commandline), request, None)

    def _replay(
        self,
        state: CompilerEnvState,
        actions: Sequence[str],
        request: EpisodeRequest,
        recorded: EpisodeResult | None,
    ) -> ValidationResult:
        started = time.monotonic()
        errors: list[ValidationError] = []
        has_replayed = has_reward_error = has_run = is_wrong = False
        try:
            env = self._make_environment(request)
            self._compare_program(env, recorded)
            env.reset()
            untouched = self._check.prepare(env) if self._check else None
            for action in actions:
                env.step(action)
            has_replayed = True
            errors += self._compare_rewards(env, state, recorded)
            errors += self._compare_observations(env, request, recorded)
            has_reward_error = bool(errors)
            if self._check is not None:
                found = self._check.check(env, untouched)
                has_run, is_wrong = found["status"] != NOT_CHECKED, found["status"] == INVALID
                if is_wrong:
                    errors.append(ValidationError(found["error"], {"details": found["details"]}))
                elif not has_run and _was_valid(recorded):
                    errors.append(ValidationError("Not checked", {"details": found["details"]}))
            env.close()
        except (ConfigError, ScenarioError):
            raise  # the command is wrong, or the program is missing, which says nothing about the episode
        except (ValueError, OSError, LookupError, TypeError, NotImplementedError, ZeroDivisionError) as error:
            self._drop_connection()
            errors.append(ValidationError(_REPLAY_FAILED, {"exception": str(error), "type": type(error).__name__}))
        return ValidationResult(
            state,
            walltime=time.monotonic() - started,
            reward_validated=has_replayed and state.reward is not None,
            actions_replay_failed=not has_replayed,
            reward_validation_failed=has_reward_error,
            benchmark_semantics_validated=has_run,
            benchmark_semantics_validation_failed=is_wrong,
            errors=errors,
        )

    def _make_environment(self, request: EpisodeRequest) -> BudgetedEnvironment:
        if self._connection is None or not self._connection.is_alive():
            self._drop_connection()
            self._connection = connect(self._connection_name, self._backend, ConnectionOptions())
        self._deterministic = {s.name for s in self._connection.observation_spaces if s.deterministic}
        return BudgetedEnvironment(
            self._connection,
            load_benchmark(request.benchmark, get_backend_family(self._backend)),
            create_reward(request.reward_space, self._connection.observation_spaces),
            action_space=request.action_space,
            seed=request.seed,
            timeout_s=self._timeout_s,
        )

    def _drop_connection(self) -> None:
        if self._connection is not None:
            self._connection.kill()
            self._connection = None

    @staticmethod
    def _compare_program(env: BudgetedEnvironment, recorded: EpisodeResult | None) -> None:
        """Compare the program with the recorded one.

        Raises: ValueError when they differ.
        """
        program = env.get_program()
        if recorded is None or recorded.program_sha256 is None or program is None:
            return
        found = hashlib.sha256(program).hexdigest()
        if found != recorded.program_sha256:
            raise ValueError(
                f"the program {env.benchmark} has changed: its SHA-256 was {recorded.program_sha256[:12]}..., and is "
                f"{found[:12]}... now"
            )

    @staticmethod
    def _compare_rewards(
        env: BudgetedEnvironment, state: CompilerEnvState, recorded: EpisodeResult | None
    ) -> list[ValidationError]:
        if recorded is not None and not _are_close(recorded.rewards, env.rewards):
            data = {"expected_rewards": list(recorded.rewards), "actual_rewards": list(env.rewards)}
            return [ValidationError("Other rewards", data)]
        if state.reward is not None and not _are_close([state.reward], [env.episode_reward]):
            return [
                ValidationError(
                    f"Expected reward {state.reward} but received reward {env.episode_reward}",
                    {"expected_reward": state.reward, "actual_reward": env.episode_reward},
                )
            ]
        return []

    def _compare_observations(
        self, env: BudgetedEnvironment, request: EpisodeRequest, recorded: EpisodeResult | None
    ) -> list[ValidationError]:
        if recorded is None:
            return []
        names = [name for name in request.observation_spaces if name in self._deterministic]
        found = {name: to_json_value(value) for name, value in env.observe(names).items()}
        return [
            ValidationError(f"Other {name}", {"expected": recorded.observations.get(name), "actual": value})
            for name, value in found.items()
            if not _is_same(recorded.observations.get(name), value)
        ]


def make_state(request: EpisodeRequest, result: EpisodeResult, family: str) -> CompilerEnvState:
    """Convert a result to a state of a leaderboard."""
    return CompilerEnvState(
        benchmark=request.benchmark,
        commandline=make_commandline(result.actions, family),
        walltime=result.policy_s if result.policy_s is not None else result.elapsed_s or 0.0,
        reward=math.fsum(result.rewards),
    )


def _was_valid(recorded: EpisodeResult | None) -> bool:
    validation: dict[str, Any] = (recorded.validation if recorded else None) or {}
    return validation.get("status") == "valid"


def _are_close(expected: Sequence[float], found: Sequence[float]) -> bool:
    return len(expected) == len(found) and all(
        math.isclose(one, other, rel_tol=_RELATIVE_TOLERANCE, abs_tol=_ABSOLUTE_TOLERANCE)
        for one, other in zip(expected, found, strict=True)
    )


def _is_same(expected: Any, found: Any) -> bool:
    if isinstance(expected, (int, float)) and isinstance(found, (int, float)):
        return _are_close([expected], [found])
    return bool(expected == found)
