"""Replays the best episode of a random search: `python -m helm.compiler_gym.bin.random_replay --env=... --output_dir=FOLDER`."""

from pathlib import Path

from helm.compiler_gym import flags
from helm.compiler_gym.flags import FLAGS
from helm.compiler_gym.random_search import replay_actions_from_logs

for _module in ("env_from_flags", "benchmark_from_flags", "output_dir"):
    flags.define_shared(_module)


def main(argv: list[str]) -> int:
    """Replay; returns the exit status.

    Raises: UsageError without `--output_dir`.
    """
    if len(argv) > 1 or not FLAGS.output_dir:
        raise flags.UsageError("--output_dir must name the folder of a search, and there are no other arguments.")
    with flags.env_from_flags(flags.benchmark_from_flags()) as env:
        replay_actions_from_logs(env, Path(FLAGS.output_dir))
    return 0


if __name__ == "__main__":
    flags.run(main)
