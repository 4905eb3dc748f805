"""Checks of recorded episodes: replay the actions, compare the reward, run the program."""

import json
import math
import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from typing import Any

from helm.compiler_gym.checks.validation import ValidationError, ValidationResult
from helm.compiler_gym.envs.env_state import CompilerEnvState

_RELATIVE_TOLERANCE, _ABSOLUTE_TOLERANCE = 1e-5, 1e-10


def validate(env: Any, state: CompilerEnvState | None = None) -> ValidationResult:
    """Check a state on a fork of the environment, or without a state the environment's own state on itself.

    A state without a reward, or with one that is not deterministic, is only replayed; a benchmark without checks
    is not run. See `ValidationResult` for the possible results.
    """
    if state is None:
        return _validate_on(env, env.state, env.get_benchmark())
    known = env.get_benchmark()
    benchmark = known if known is not None and str(known.uri) == state.benchmark else state.benchmark
    try:
        env.reset(benchmark=benchmark)
        target = env.fork()
    except (ValueError, OSError, LookupError) as error:
        return _replay_failure(state, 0.0, error)
    try:
        return _validate_on(target, state, env.get_benchmark())
    finally:
        target.close()


def _validate_on(env: Any, state: CompilerEnvState, benchmark: Any) -> ValidationResult:
    started = time.monotonic()
    try:
        env.reset(benchmark=benchmark)
        env.apply(state)
    except (ValueError, OSError, LookupError) as error:
        return _replay_failure(state, time.monotonic() - started, error)
    result = ValidationResult(state, 0.0)
    errors: list[ValidationError] = []
    if state.reward is not None and env.reward_space is not None and env.reward_space.deterministic:
        reward = env.episode_reward
        is_same = math.isclose(reward, state.reward, rel_tol=_RELATIVE_TOLERANCE, abs_tol=_ABSOLUTE_TOLERANCE)
        result = replace(result, reward_validated=True, reward_validation_failed=not is_same)
        if not is_same:
            errors.append(
                ValidationError(
                    f"Expected reward {state.reward} but received reward {reward}",
                    {"expected_reward": state.reward, "actual_reward": reward},
                )
            )
    if benchmark.is_validatable():
        found = benchmark.validate(env)
        errors += found
        result = replace(result, benchmark_semantics_validated=True, benchmark_semantics_validation_failed=bool(found))
    return replace(result, walltime=time.monotonic() - started, errors=errors)


def _replay_failure(state: CompilerEnvState, walltime: float, error: Exception) -> ValidationResult:
    data = {"exception": str(error), "exception_type": type(error).__name__}
    errors = [ValidationError("Action replay failed", data)]
    return ValidationResult(state, walltime, actions_replay_failed=True, errors=errors)


def validate_states(
    make_env: Callable[[], Any], states: Iterable[CompilerEnvState], nproc: int | None = None, inorder: bool = False
) -> Iterator[ValidationResult]:
    """Check many states, each on its own environment.

    Args:
        make_env: creates an environment.
        states: the states to check.
        nproc: number of parallel checks; 1: one after the other, in order. Default: that of Python's thread pools.
        inorder: whether results come in the order of the states, although they are checked in parallel. Otherwise the
            states are shuffled (so that slow programs are spread out) and results come when they are ready.
    """

    def run(state: CompilerEnvState) -> ValidationResult:
        with make_env() as env:
            return validate(env, state)

    states = list(states)
    if nproc == 1:
        yield from (run(state) for state in states)
        return
    if not inorder:
        random.Random(json.dumps([state.benchmark for state in states])).shuffle(states)
    with ThreadPoolExecutor(max_workers=nproc, thread_name_prefix="validate") as executor:
        futures = [executor.submit(run, state) for state in states]
        for future in futures if inorder else as_completed(futures):
            yield future.result()
