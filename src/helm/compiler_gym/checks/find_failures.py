"""Reports of the failures in recorded episodes: `helm-compiler-validate --reduce FOLDER PATH ...`, and their replay."""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from helm.common.errors import HelmError
from helm.compiler_gym.backends import get_backend_family
from helm.compiler_gym.benchmarks.llvm_benchmark import make_benchmark
from helm.compiler_gym.checks.bug_report import PROGRAM, make_report, name_report, read_report
from helm.compiler_gym.checks.failure_test import FailureTest
from helm.compiler_gym.checks.program_check import INVALID
from helm.compiler_gym.checks.program_runner import NotRunnableError
from helm.compiler_gym.replay import parse_commandline, read_states

Case = tuple[str, str, list[str]]
"""The compiler, the URI of a program, and the actions."""


def list_cases(paths: Sequence[str], env: str) -> Iterator[Case]:
    """Yield what may have failed: the states of CSV files, and in runs what is recorded as failed or as wrong.

    Args:
        paths: CSV files, and folders of runs.
        env: the compiler of the CSV files.
    Raises: HelmError when something cannot be read.
    """
    from helm.common.episode_request import EpisodeRequest, EpisodeResult
    from helm.compiler_gym.checks.recorded_backend import find_backend
    from helm.results.run_results import load

    for path in paths:
        if path.endswith(".csv"):
            yield from ((env, state.benchmark, parse_commandline(state.commandline)) for state in read_states(path))
            continue
        for run in load(path):
            for state in run.iterate_request_states():
                request, result = state.request, state.result
                if not isinstance(request, EpisodeRequest) or not isinstance(result, EpisodeResult):
                    continue
                backend = find_backend(run.run_spec)
                is_wrong = (result.validation or {}).get("status") == INVALID
                tried = [trial["actions"] for trial in result.failed_trials or []]
                if not result.success or is_wrong:
                    tried.append(list(result.failed_actions or result.actions))
                yield from ((backend, request.benchmark, list(actions)) for actions in tried if actions)


def reduce_failures(args: argparse.Namespace, stream: TextIO) -> int:
    """Write a report of each failure that happens again; returns their number.

    Args:
        args: of the command: `paths`, `env`, `reduce`, `reduce_seconds`, `timeout_s`.
        stream: where to say what is found.
    Raises: HelmError when something cannot be read, or the compiler is not one of LLVM.
    """
    num_cases = num_found = 0
    cases: dict[str, list[Case]] = {}
    for case in list_cases(args.paths, args.env):
        cases.setdefault(case[0], []).append(case)
    for backend, of_backend in cases.items():
        if get_backend_family(backend) == "gcc":
            raise HelmError(f"--reduce works for compilers of LLVM's family, and {backend} is none.")
        with FailureTest(backend, args.timeout_s) as test:
            for _, benchmark, actions in of_backend:
                num_cases += 1
                try:
                    report = make_report(test, backend, benchmark, actions, args.reduce_seconds)
                except (NotRunnableError, OSError, ValueError, LookupError) as error:
                    stream.write(f"  -   {benchmark}  cannot be tried: {error}\n")
                    continue
                if report is None:
                    stream.write(f"  ✅  {benchmark}  does not fail\n")
                    continue
                num_found += 1
                folder = Path(args.reduce) / name_report(report)
                report.write(folder)
                stream.write(f"  ❌  {benchmark}  {report.kind}: {' '.join(report.actions)}\n        {folder}\n")
    stream.write(f"{num_found} of {num_cases} sequences fail\n")
    return num_found


def replay_report(folder: str, timeout_s: float, stream: TextIO) -> bool:
    """Try a report's program and actions once more; returns whether the compiler still fails.

    Raises: HelmError when the folder has no report.
    """
    report = read_report(Path(folder))
    with FailureTest(report.compiler, timeout_s) as test, tempfile.TemporaryDirectory(prefix="helm-replay-") as copies:
        path = Path(copies) / PROGRAM
        path.write_text(report.program, encoding="utf-8")
        failure = test.find(make_benchmark(path).proto.program.contents, report.actions)
        version = test.compiler_version
    found = "does not fail" if failure is None else f"{failure.kind}: {failure.details.strip()}"
    stream.write(f"{version}: {' '.join(report.actions)}: {found}\n")
    return failure is not None
