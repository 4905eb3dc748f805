"""`helm-compiler-validate`: checks finished runs with compilers, and leaderboards, from their files alone.

    helm-compiler-validate benchmark_output/runs/mine
    helm-compiler-validate results.csv --env llvm --reward IrInstructionCountOz

The exit status is 0 if everything is as recorded, 1 if not or if there was nothing to check, and 2 for wrong arguments.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TextIO

from helm.common.commands.arguments import SuggestingArgumentParser
from helm.common.commands.command import command_main
from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.compiler_gym.checks.recorded_backend import find_backend
from helm.compiler_gym.checks.validation import ValidationResult
from helm.compiler_gym.envs.env_state import CompilerEnvState, CompilerEnvStateWriter

EXIT_FAILED, EXIT_USAGE = 1, 2
_CSV = ".csv"
_SHOWN_CHANGES = 5
_SHOWN_CHARACTERS = 200


def build_parser() -> argparse.ArgumentParser:
    """Make the parser of `helm-compiler-validate`."""
    parser = SuggestingArgumentParser(
        prog="helm-compiler-validate",
        description="Replay the episodes of finished compiler runs from their files, and check rewards, observations, "
        "what the optimised programs do, and that the scores follow from the episodes.",
        epilog="Example: helm-compiler-validate benchmark_output/runs/mine. A leaderboard: helm-compiler-validate "
        "results.csv --env llvm.",
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "paths",
        nargs="+",
        metavar="PATH",
        help="folders of runs or of suites, or CSV files of states; - is standard input",
    )
    add("--env", default="llvm", help="the compiler of CSV files: llvm, gcc, gcc:COMMAND or a class path (%(default)s)")
    add("--reward", default=None, help="the reward of CSV files (IrInstructionCountOz for llvm, obj_size for gcc)")
    add("--connection", default="local", help="local, in_process or HOST:PORT of a service (%(default)s)")
    add("--timeout-s", type=float, default=600.0, metavar="SECONDS", help="limit for one episode (%(default)s)")
    add("--no-execution", action="store_true", help="replay only; do not run the optimised programs")
    add("--no-scores", action="store_true", help="do not compute the scores of runs again")
    add("--summary-only", action="store_true", help="one line for each run instead of one for each episode")
    add(
        "--failures-only",
        action="store_true",
        help="replay nothing: list the episodes that were recorded as failed, each with the command to replay it",
    )
    add(
        "--to-csv",
        metavar="FILE",
        help="write the answers of all runs as CompilerGym's leaderboards have them; "
        "with --failures-only, what the compiler failed on",
    )
    add("--to-json", metavar="FILE", help="write what was found for each episode")
    add(
        "--reduce",
        metavar="FOLDER",
        help="replay what failed, make its actions and its program small, and write a report of each into this folder",
    )
    add(
        "--reduce-seconds",
        type=float,
        default=600.0,
        metavar="SECONDS",
        help="with --reduce, limit for making one program smaller by llvm-reduce; 0: programs stay as they are (%(default)s)",
    )
    add("--replay-report", action="store_true", help="the paths are reports of --reduce: say whether each still fails")
    add("--local-path", default="prod_env", metavar="FOLDER", help="folder with further configuration (%(default)s)")
    add("--plugins", nargs="+", metavar="PLUGIN", help="modules, or paths of Python files, to import first")
    return parser


@dataclass
class _Report:
    """The findings over all paths."""

    results: list[ValidationResult] = field(default_factory=list)
    states: list[CompilerEnvState] = field(default_factory=list)
    num_unscored: int = 0
    num_bad_scores: int = 0
    rewards: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        return bool(self.results) and self.num_bad_scores == 0 and all(result.okay() for result in self.results)


def validate(args: argparse.Namespace, stream: TextIO) -> bool:
    """Check everything that the arguments name; returns whether all of it is as recorded.

    Raises: HelmError when something cannot be read.
    """
    report = _Report()
    if args.failures_only:
        return _list_failures(args.paths, args.to_csv, stream)
    folders = [path for path in args.paths if path != "-" and not path.endswith(_CSV)]
    if folders:
        from helm.results.run_results import load

        for folder in folders:
            for run in load(folder):
                _validate_run(run, args, report, stream)
    for path in (path for path in args.paths if path not in folders):
        _validate_states(path, args, report, stream)
    _write_summary(report, stream)
    if args.to_csv:
        _write_csv(args.to_csv, report.states)
    if args.to_json:
        write_text_atomically(
            args.to_json, json.dumps([result.to_dict() for result in report.results], indent=1) + "\n"
        )
    return report.is_good


def _validate_run(run: Any, args: argparse.Namespace, report: _Report, stream: TextIO) -> None:
    from helm.common.episode_request import EpisodeRequest, EpisodeResult
    from helm.compiler_gym.checks.replay_check import EpisodeReplayer

    first = next(run.iterate_request_states(), None)
    if first is None or not isinstance(first.request, EpisodeRequest):
        stream.write(f"{run.name}: left out, it is no run with a compiler\n")
        return
    backend = find_backend(run.run_spec)
    stream.write(f"{run.name}\n")
    num_before, num_unscored = len(report.results), 0
    with EpisodeReplayer(backend, args.connection, not args.no_execution, args.timeout_s) as replayer:
        for state in run.iterate_request_states():
            request, result = state.request, state.result
            if not isinstance(result, EpisodeResult):
                raise HelmError(f"{run.path}: instance {state.instance.id} has no result. Run the evaluation again.")
            if not result.success:
                num_unscored += 1
                if not args.summary_only:
                    _write_failure(request, result, backend, stream)
                continue
            found = replayer.replay_result(request, result)
            report.results.append(found)
            report.states.append(found.state)
            report.rewards.append(request.reward_space)
            if not args.summary_only:
                _write_result(found, stream)
    found_here = report.results[num_before:]
    report.num_unscored += num_unscored
    good = sum(result.okay() for result in found_here)
    line = f"  {good} of {len(found_here)} episodes are as recorded"
    line += f", {num_unscored} were recorded as failed" if num_unscored else ""
    stream.write(line + "\n")
    if not args.no_scores:
        _validate_scores(run, report, stream)


def _list_failures(folders: Sequence[str], to_csv: str | None, stream: TextIO) -> bool:
    """List the failed episodes and searches of finished runs, each with its replay; returns whether there are none."""
    from helm.common.episode_request import EpisodeRequest, EpisodeResult
    from helm.results.run_results import load

    num_failed = num_episodes = num_tried = 0
    states: list[CompilerEnvState] = []
    for folder in folders:
        for run in load(folder):
            stream.write(f"{run.name}\n")
            for state in run.iterate_request_states():
                request, result = state.request, state.result
                if not isinstance(request, EpisodeRequest) or not isinstance(result, EpisodeResult):
                    continue
                num_episodes += 1
                backend = find_backend(run.run_spec)
                if not result.success:
                    num_failed += 1
                    _write_failure(request, result, backend, stream)
                for trial in result.failed_trials or []:
                    num_tried += 1
                    stream.write(f"  -   {_short(request.benchmark)}  failed when it was tried\n")
                    _write_replay(trial["error"], trial["actions"], backend, stream)
                states += _list_failed_states(request, result, backend)
    stream.write(f"{num_failed} of {num_episodes} episodes were recorded as failed\n")
    if num_tried:
        stream.write(f"{num_tried} sequences failed when they were tried\n")
    if to_csv:
        _write_csv(to_csv, states)
    return num_episodes > 0 and num_failed + num_tried == 0


def _write_failure(request: Any, result: Any, backend: str, stream: TextIO) -> None:
    stream.write(f"  -   {_short(request.benchmark)}  not scored: {result.status}\n")
    _write_replay(result.error, result.failed_actions or result.actions, backend, stream)


def _write_replay(error: str | None, actions: Sequence[str], backend: str, stream: TextIO) -> None:
    from helm.compiler_gym.backends import get_backend_family
    from helm.compiler_gym.replay import make_commandline

    message = (error or "no message").splitlines()[0][:_SHOWN_CHARACTERS]
    stream.write(f"        {message}\n")
    if actions:
        stream.write(f"        {make_commandline(actions, get_backend_family(backend))}\n")


def _list_failed_states(request: Any, result: Any, backend: str) -> list[CompilerEnvState]:
    """Return the states on which the compiler failed, in the form of a leaderboard, without rewards."""
    from helm.compiler_gym.backends import get_backend_family
    from helm.compiler_gym.replay import make_commandline

    failed = [] if result.success else [result.failed_actions or result.actions]
    failed += [trial["actions"] for trial in result.failed_trials or []]
    family = get_backend_family(backend)
    return [
        CompilerEnvState(request.benchmark, make_commandline(actions, family), 0.0) for actions in failed if actions
    ]


def _validate_scores(run: Any, report: _Report, stream: TextIO) -> None:
    """Compute the scores again from the stored episodes, and compare them with the stored scores."""
    from helm.common.context import Context
    from helm.results.rescoring import LazyMetricService, RescoreOptions, Rescorer

    def no_context() -> Context:
        raise HelmError(
            f"{run.name}: its metrics ask for a model, so its scores cannot be computed from the files alone."
        )

    rescored = Rescorer(LazyMetricService(no_context), RescoreOptions(dry_run=True)).rescore(run)
    num_changed = len(rescored.stat_changes) + rescored.num_changed_instances
    if num_changed == 0:
        stream.write(f"  the scores follow from the episodes ({rescored.num_stats} statistics)\n")
        return
    report.num_bad_scores += 1
    stream.write(f"  ❌  {num_changed} scores do not follow from the episodes\n")
    for change in rescored.stat_changes[:_SHOWN_CHANGES]:
        stream.write(f"      {change.describe()}\n")


def _validate_states(path: str, args: argparse.Namespace, report: _Report, stream: TextIO) -> None:
    from helm.compiler_gym.backends import get_backend_family, get_session_class
    from helm.compiler_gym.checks.replay_check import EpisodeReplayer
    from helm.compiler_gym.replay import read_states
    from helm.compiler_gym.scenarios.compiler_scenario import DEFAULT_REWARDS

    get_session_class(args.env)  # reports a wrong name as such
    reward = args.reward or DEFAULT_REWARDS.get(get_backend_family(args.env))
    if reward is None:
        raise HelmError(f"The compiler '{args.env}' has no default reward; name one with --reward.")
    stream.write(f"{path}\n")
    with EpisodeReplayer(args.env, args.connection, not args.no_execution, args.timeout_s) as replayer:
        for state in read_states(path):
            found = replayer.replay_state(state, reward)
            report.results.append(found)
            report.states.append(state)
            report.rewards.append(reward)
            if not args.summary_only:
                _write_result(found, stream)


def _short(benchmark: str) -> str:
    return benchmark.removeprefix("benchmark://")


def _write_result(result: ValidationResult, stream: TextIO) -> None:
    stream.write(f"  {result}\n")
    for error in result.errors:
        details = error.data.get("details") or error.data.get("exception")
        if details:
            stream.write(f"        {error.type}: {str(details).splitlines()[0][:_SHOWN_CHARACTERS]}\n")


def _write_summary(report: _Report, stream: TextIO) -> None:
    from helm.compiler_gym.envs.statistics import arithmetic_mean, geometric_mean, stdev

    results = report.results
    num_good = sum(result.okay() for result in results)
    num_run = sum(result.benchmark_semantics_validated for result in results)
    stream.write("\n----------------------------------------------------\n")
    stream.write(f"Number of validated results: {num_good} of {len(results)}\n")
    stream.write(f"Programs that were run: {num_run} of {len(results)}\n")
    if report.num_unscored:
        stream.write(f"Episodes recorded as failed, and scored nowhere: {report.num_unscored}\n")
    if not results:
        return
    times = [state.walltime for state in report.states]
    stream.write(f"Mean walltime per benchmark: {arithmetic_mean(times):.3f}s (std: {stdev(times):.3f}s)\n")
    for name in dict.fromkeys(report.rewards):
        pairs = zip(report.rewards, report.states, strict=True)
        values = [max(state.reward, 0.0) for reward, state in pairs if reward == name and state.reward is not None]
        if values:
            stream.write(f"Geometric mean {name}: {geometric_mean(values):.3f} (std: {stdev(values):.3f})\n")


def _write_csv(path: str, states: Sequence[CompilerEnvState]) -> None:
    import io

    text = io.StringIO()
    writer = CompilerEnvStateWriter(text)
    for state in states:
        writer.write_state(state)
    write_text_atomically(path, text.getvalue())


def _register(args: argparse.Namespace) -> None:
    from helm.benchmark.catalogue.catalogue_setup import CatalogueSetup, register_catalogue

    register_catalogue(CatalogueSetup(args.local_path, args.plugins or []))


@command_main(build_parser, prefix="helm-compiler-validate: ", error_status=EXIT_USAGE)
def main(args: argparse.Namespace) -> NoReturn:
    """Entry point of `helm-compiler-validate`; always ends with `SystemExit`."""
    missing = [path for path in args.paths if path != "-" and not path.startswith("http") and not os.path.exists(path)]
    if missing:
        raise HelmError(f"there is no {missing[0]}.")
    _register(args)
    if args.replay_report or args.reduce:
        from helm.compiler_gym.checks.find_failures import reduce_failures, replay_report

        if args.replay_report:
            failing = [replay_report(path, args.timeout_s, sys.stdout) for path in args.paths]
            sys.exit(EXIT_FAILED if any(failing) else 0)
        sys.exit(EXIT_FAILED if reduce_failures(args, sys.stdout) else 0)
    sys.exit(0 if validate(args, sys.stdout) else EXIT_FAILED)


if __name__ == "__main__":
    main()
