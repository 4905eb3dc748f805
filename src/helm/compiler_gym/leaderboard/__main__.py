"""The table of a task: `python -m helm.compiler_gym.leaderboard SUBMISSION.csv ...`.

The exit status is 0 if all submissions keep to the rules, 1 if one does not, and 2 for wrong arguments.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import NoReturn

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.compiler_gym.leaderboard.llvm_instcount import REPETITIONS, REWARD, TEST_DATASET


def build_parser() -> argparse.ArgumentParser:
    """Make the parser of the command."""
    parser = SuggestingArgumentParser(
        prog="python -m helm.compiler_gym.leaderboard",
        description="Replay the results of policies, and rank them by the rules of a task; without options, llvm_instcount.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("paths", nargs="+", metavar="PATH", help="CSV files of states; the name of a file is that of its policy")
    add("--test-dataset", default=TEST_DATASET, help="the test set (%(default)s)")
    add("--max-benchmarks", type=int, default=0, help="only the first programs of the test set; 0: all (%(default)s)")
    add("--repetitions", type=int, default=REPETITIONS, help="episodes on each program (%(default)s)")
    add("--max-seconds", type=float, help="limit for the time of a policy on one program")
    add("--max-actions", type=int, help="limit for the actions of an episode")
    add("--env", default="llvm-library", help="the compiler with which results are replayed (%(default)s)")
    add("--reward", default=REWARD, help="the reward of the task (%(default)s)")
    add("--connection", default="local", help="local, in_process or HOST:PORT of a service (%(default)s)")
    add("--timeout-s", type=float, default=600.0, help="limit for one replay, in seconds (%(default)s)")
    add("--no-execution", action="store_true", help="do not run the optimised programs")
    add("--style", default="simple", help="style of the table, such as github (%(default)s)")
    add("--to-json", metavar="FILE", help="write the entries")
    return parser


@command_main(build_parser, prefix="leaderboard: ", error_status=2)
def main(args: argparse.Namespace) -> NoReturn:
    """Print the table; always ends with `SystemExit`."""
    from helm.compiler_gym.checks.replay_check import EpisodeReplayer
    from helm.compiler_gym.leaderboard.board import Rules, make_table, rank, rate, to_json
    from helm.compiler_gym.leaderboard.llvm_instcount import list_test_programs

    if args.repetitions < 1:
        raise HelmError(f"--repetitions must be at least 1, not {args.repetitions}.")
    programs = list_test_programs(args.test_dataset, args.max_benchmarks)
    rules = Rules(tuple(programs), args.repetitions, args.max_seconds, args.max_actions)
    with EpisodeReplayer(args.env, args.connection, not args.no_execution, args.timeout_s) as replayer:
        entries = rank(
            [rate(Path(path), rules, lambda state: replayer.replay_state(state, args.reward)) for path in args.paths]
        )
    print(make_table(entries, args.reward, args.style))
    if args.to_json:
        write_text_atomically(args.to_json, json.dumps(to_json(entries), indent=1) + "\n")
    sys.exit(1 if any(entry.problems for entry in entries) else 0)


if __name__ == "__main__":
    main()
