"""Searches at random for the best actions: `python -m helm.compiler_gym.bin.random_search --env=llvm-ic-v0`."""

import sys
from pathlib import Path

from helm.compiler_gym import flags
from helm.compiler_gym.flags import FLAGS
from helm.compiler_gym.random_search import random_search

for _module in ("env_from_flags", "benchmark_from_flags", "nproc", "output_dir"):
    flags.define_shared(_module)
flags.DEFINE_boolean("ls_reward", False, "list the reward spaces and end")
flags.DEFINE_integer(
    "patience", 0, "actions without an improvement after which an episode ends; 0: as many as there are"
)
flags.DEFINE_float("runtime", None, "duration in seconds; without it, until interrupted")
flags.DEFINE_boolean("skip_done", False, "do nothing if the folder has a finished search")
flags.DEFINE_float("fail_threshold", None, "exit with status 1 if the best reward is smaller")


def main(argv: list[str]) -> int:
    """Search; returns the exit status.

    Raises: UsageError for an argument that is no flag.
    """
    if len(argv) > 1:
        raise flags.UsageError(f"Unknown command line arguments: {' '.join(argv[1:])}.")
    if FLAGS.ls_reward:
        with flags.env_from_flags() as env:
            print("\n".join(sorted(env.reward.spaces)))
        return 0
    found = random_search(
        lambda: flags.env_from_flags(flags.benchmark_from_flags()),
        Path(FLAGS.output_dir) if FLAGS.output_dir else None,
        FLAGS.runtime,
        FLAGS.patience,
        FLAGS.nproc,
        FLAGS.skip_done,
    )
    print(f"Best reward {found.reward:.4f}; see {found.outdir}")
    if FLAGS.fail_threshold is not None and found.reward < FLAGS.fail_threshold:
        print(f"The reward {found.reward:.4f} is below --fail_threshold={FLAGS.fail_threshold}.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    flags.run(main)
