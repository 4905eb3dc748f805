"""The task `llvm_instcount`: reduce the number of LLVM's instructions further than -Oz does.

A policy is a function that takes an environment in an episode and applies actions to it. It is run several times on each
program of a test set. Its score is the geometric mean of the rewards `IrInstructionCountOz`; its time is reported.

    def my_policy(env):
        env.step(env.action_space["-sroa"])

    if __name__ == "__main__":
        eval_llvm_instcount_policy(my_policy)
"""

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from helm.common.errors import HelmError
from helm.compiler_gym import flags
from helm.compiler_gym.envs.env_state import CompilerEnvState, CompilerEnvStateReader, CompilerEnvStateWriter
from helm.compiler_gym.envs.statistics import arithmetic_mean, geometric_mean
from helm.compiler_gym.flags import FLAGS

ENVIRONMENT, REWARD = "llvm-ic-v0", "IrInstructionCountOz"
REPETITIONS = 10
TEST_DATASET = "benchmark://cbench-v1"

Policy = Callable[[Any], None]


class PolicyChangedRules(HelmError):
    """A policy changed the program or the reward, which the task fixes."""


def list_test_programs(dataset: str, max_benchmarks: int = 0) -> list[str]:
    """List the URIs of a test set.

    Args:
        dataset: its name, such as `benchmark://cbench-v1`.
        max_benchmarks: take the first ones only; 0: all.
    Raises: HelmError when it is unknown or not available.
    """
    from helm.compiler_gym.envs.llvm_env import LlvmEnv

    env = LlvmEnv(connection="in_process")
    try:
        name = dataset if "://" in dataset else f"benchmark://{dataset}"
        return [str(uri) for uri in islice(env.datasets[name].benchmark_uris(), max_benchmarks or None)]
    finally:
        env.close()


def run_policy(
    policy: Policy,
    make_env: Callable[[], Any],
    benchmarks: Iterable[str],
    repetitions: int,
    results: Path,
    resume: bool = False,
    report: Callable[[CompilerEnvState], None] = lambda state: None,
) -> list[CompilerEnvState]:
    """Run a policy on programs, and append each episode to a file as soon as it is over.

    Args:
        policy: changes the environment that it is given.
        make_env: creates an environment with the reward of the task.
        benchmarks: URIs.
        repetitions: episodes on each program, >= 1.
        results: the file, in CSV.
        resume: keep what the file has, and run what is missing; otherwise it is written anew.
        report: called with each new state.
    Returns: all states, in the order of the file.
    Raises: PolicyChangedRules when a policy changes the program or the reward.
    """
    states = list(CompilerEnvStateReader.read_paths([results])) if resume and results.is_file() else []
    if not states:
        results.write_text("")
    done: dict[str, int] = {}
    for state in states:
        done[state.benchmark] = done.get(state.benchmark, 0) + 1
    with open(results, "a", newline="", encoding="utf-8") as file, make_env() as env:
        writer = CompilerEnvStateWriter(file, header=not states)
        for uri in [*benchmarks] * repetitions:
            if done.get(uri, 0) > 0:
                done[uri] -= 1
                continue
            state = _run_episode(policy, env, uri)
            writer.write_state(state, flush=True)
            states.append(state)
            report(state)
    return states


def _run_episode(policy: Policy, env: Any, uri: str) -> CompilerEnvState:
    env.reset(benchmark=uri)
    reward = env.reward_space
    started = time.perf_counter()
    policy(env)
    walltime = time.perf_counter() - started
    if str(env.benchmark) != uri:
        raise PolicyChangedRules(f"The policy changed the program from {uri} to {env.benchmark}.")
    if env.reward_space != reward:
        raise PolicyChangedRules(f"The policy changed the reward from {reward} to {env.reward_space}.")
    if not env.in_episode:
        raise PolicyChangedRules(f"The policy left no episode on {uri} behind.")
    found = env.state
    return CompilerEnvState(found.benchmark, found.commandline, walltime, found.reward)


def eval_llvm_instcount_policy(policy: Policy) -> None:
    """Read the command line, run the policy, validate and summarize the results, and end the process.

    The flags: `--leaderboard_results`, `--leaderboard_logfile`, `--max_benchmarks`, `--n`, `--test_dataset`, `--validate`,
    `--resume`. The exit status is 1 when a result cannot be validated.
    """
    _define_flags()
    flags.run(lambda argv: _main(policy, argv))


def _define_flags() -> None:
    flags.define_shared("nproc")
    flags.DEFINE_string("leaderboard_results", "llvm_instcount-results.csv", "file for the results")
    flags.DEFINE_string("leaderboard_logfile", "llvm_instcount-results.log", "file for messages")
    flags.DEFINE_integer("max_benchmarks", 0, "take the first programs only; 0: all")
    flags.DEFINE_integer("n", REPETITIONS, "episodes on each program")
    flags.DEFINE_string("test_dataset", TEST_DATASET, "the test set")
    flags.DEFINE_boolean("validate", True, "replay the results, and run the programs")
    flags.DEFINE_boolean("resume", False, "keep the results in the file, and run what is missing")


def _main(policy: Policy, argv: Sequence[str]) -> int:
    if len(argv) > 1:
        raise flags.UsageError(f"Unknown command line arguments: {' '.join(argv[1:])}.")
    from helm.compiler_gym.registration import make
    from helm.compiler_gym.validate import validate_states

    with open(FLAGS.leaderboard_logfile, "a" if FLAGS.resume else "w", encoding="utf-8") as log:

        def say(text: Any) -> None:
            print(text, flush=True)
            log.write(f"{text}\n")

        programs = list_test_programs(FLAGS.test_dataset, FLAGS.max_benchmarks)
        states = run_policy(
            policy,
            lambda: make(ENVIRONMENT),
            programs,
            FLAGS.n,
            Path(FLAGS.leaderboard_results),
            FLAGS.resume,
            lambda state: say(f"{state.benchmark}  reward {state.reward:.4f}  {state.walltime:.3f} s"),
        )
        rewards = [state.reward or 0.0 for state in states]
        say(f"Geometric mean {REWARD}: {geometric_mean(rewards):.4f}")
        say(f"Mean walltime: {arithmetic_mean(state.walltime for state in states):.3f} s")
        if not FLAGS.validate:
            return 0
        num_failed = 0
        for result in validate_states(lambda: make(ENVIRONMENT), states, FLAGS.nproc):
            if not result.okay():
                num_failed += 1
                say(result)
        say(f"Number of validated results: {len(states) - num_failed} of {len(states)}")
    if num_failed:
        print(f"{num_failed} results are not as recorded.", file=sys.stderr)
    return 1 if num_failed else 0
