"""Checks recorded states: `python -m helm.compiler_gym.bin.validate --env=llvm-v0 --reward=IrInstructionCountOz results.csv`."""

import json
import sys
from collections.abc import Iterable
from typing import Any

from helm.common.files import write_text_atomically
from helm.compiler_gym import flags
from helm.compiler_gym.checks.validation import ValidationResult
from helm.compiler_gym.envs.env_state import CompilerEnvState, CompilerEnvStateReader
from helm.compiler_gym.envs.statistics import arithmetic_mean, geometric_mean, stdev
from helm.compiler_gym.flags import FLAGS
from helm.compiler_gym.validate import validate_states

for _module in ("env_from_flags", "nproc"):
    flags.define_shared(_module)
flags.DEFINE_boolean("inorder", False, "print the results in the order of the states")
flags.DEFINE_string(
    "reward_aggregation", "geomean", "geomean or mean, of the rewards; geomean takes negative ones as 0"
)
flags.DEFINE_boolean("debug_force_valid", False, "count every state as valid")
flags.DEFINE_boolean("summary_only", False, "print no line for each state")
flags.DEFINE_string("validation_logfile", "validation.log.json", "file for all results")

_WRITE_EVERY = 10
_MEANS = {"geomean": ("Geometric mean", geometric_mean), "mean": ("Mean", arithmetic_mean)}


def validate_all(states: Iterable[CompilerEnvState]) -> list[ValidationResult]:
    """Check states with the environment of the flags, and print and log what is found."""
    results: list[ValidationResult] = []
    for result in validate_states(lambda: flags.env_from_flags(), states, FLAGS.nproc, FLAGS.inorder):
        results.append(result)
        if not FLAGS.summary_only:
            print(_show(result), flush=True)
        if len(results) % _WRITE_EVERY == 0:
            _write(results)
    _write(results)
    return results


def _show(result: ValidationResult) -> str:
    return str(result).replace("❌", "✅", 1) if FLAGS.debug_force_valid else str(result)


def _write(results: list[ValidationResult]) -> None:
    text = json.dumps([result.dict() for result in results], default=str)
    write_text_atomically(FLAGS.validation_logfile, text + "\n")


def _summarize(results: list[ValidationResult], num_good: int, reward: str) -> None:
    title, get_mean = _MEANS[FLAGS.reward_aggregation]
    times = [result.state.walltime for result in results]
    rewards = [result.state.reward for result in results if result.state.reward is not None]
    if FLAGS.reward_aggregation == "geomean":
        rewards = [max(value, 0.0) for value in rewards]
    print("\n----------------------------------------------------")
    print(f"Number of validated results: {num_good} of {len(results)}")
    print(f"Mean walltime per benchmark: {arithmetic_mean(times):.3f}s (std: {stdev(times):.3f}s)")
    print(f"{title} {reward}: {get_mean(rewards):.3f} (std: {stdev(rewards):.3f})")


def main(argv: list[str]) -> int:
    """Check the states of the files that the arguments name; returns 1 if one is not as recorded, or there is none.

    Raises: UsageError for an unknown aggregation.
    """
    if FLAGS.reward_aggregation not in _MEANS:
        raise flags.UsageError(f"--reward_aggregation is geomean or mean, not '{FLAGS.reward_aggregation}'.")
    try:
        states: list[Any] = list(CompilerEnvStateReader.read_paths(argv[1:]))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    if not states:
        print("No inputs to validate: give CSV files with states, or - for standard input.", file=sys.stderr)
        return 1
    results = validate_all(states)
    num_good = len(results) if FLAGS.debug_force_valid else sum(result.okay() for result in results)
    _summarize(results, num_good, FLAGS.reward or "reward")
    return 0 if num_good == len(results) else 1


if __name__ == "__main__":
    flags.run(main)
