"""Reports of compilers' failures: program and actions made small, and what is needed to see the failure again."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from helm.common.errors import HelmError
from helm.common.files import write_text_atomically
from helm.compiler_gym.backends.llvm_actions import PIPELINE_BY_FLAG
from helm.compiler_gym.backends.llvm_opt import get_wanted_version
from helm.compiler_gym.backends.llvm_tools import find_llvm_tool
from helm.compiler_gym.checks.failure_test import Failure, FailureTest
from helm.compiler_gym.checks.program_reduction import reduce_program
from helm.compiler_gym.checks.reduction import reduce_list

RECORD, PROGRAM, TEXT = "report.json", "program.ll", "report.md"
_RUN_TIMEOUT_S = 1.0
"""Limit for one run of a program that is made smaller."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


_DEFINED = "The program does the same without optimisation and after -O1 and -O2, and contains no undefined values.\n\n"


@dataclass(frozen=True)
class BugReport:
    """A failure of a compiler, made small."""

    compiler: str
    """The backend."""
    compiler_version: str
    benchmark: str
    """URI of the program in which it was found."""
    found_actions: list[str]
    """The sequence with which it was found."""
    actions: list[str]
    """The smallest part of it that fails."""
    kind: str
    details: str
    program: str
    """The program as text: the original, or a smaller one."""
    is_program_reduced: bool

    def write(self, folder: Path) -> None:
        """Write the report into a folder: `report.md` for people, `report.json` for a replay, and the program."""
        folder.mkdir(parents=True, exist_ok=True)
        record = {name: value for name, value in asdict(self).items() if name != "program"}
        write_text_atomically(str(folder / PROGRAM), self.program)
        write_text_atomically(str(folder / RECORD), json.dumps(record, indent=1) + "\n")
        write_text_atomically(str(folder / TEXT), self._describe())

    def _describe(self) -> str:
        passes = ",".join(PIPELINE_BY_FLAG.get(word.lstrip("-"), word.lstrip("-")) for word in self.actions)
        reduced = "reduced by llvm-reduce from" if self.is_program_reduced else "of"
        return (
            f"# {self.kind}: {' '.join(self.actions)}\n\n"
            f"Compiler: {self.compiler_version}\n\n"
            f"Program: `{PROGRAM}`, {reduced} `{self.benchmark}`.\n\n"
            f"Found with {len(self.found_actions)} actions, reduced to {len(self.actions)}:\n\n"
            f"    opt -passes='{passes}' -S {PROGRAM} -o optimized.ll\n\n"
            f"What happens:\n\n    {self.details.strip() or self.kind}\n\n"
            f"{_DEFINED if self.is_program_reduced else ''}"
            "To see it again:\n\n    helm-compiler-validate --replay-report FOLDER\n"
        )


def read_report(folder: Path) -> BugReport:
    """Read a report.

    Raises: HelmError when the folder has none.
    """
    try:
        record = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        return BugReport(**record, program=(folder / PROGRAM).read_text(encoding="utf-8"))
    except (OSError, ValueError, TypeError) as error:
        raise HelmError(f"{folder} has no report of a failure: {error}") from error


def make_report(
    test: FailureTest, backend: str, benchmark: str, actions: Sequence[str], budget_s: float
) -> BugReport | None:
    """Make a failing sequence and its program as small as possible; None if it does not fail.

    A program is only made smaller while it does what it does without optimisation after the default pipelines, too.

    Args:
        test: of the compiler.
        backend: its name.
        benchmark: URI of the program.
        actions: the sequence.
        budget_s: limit for making the program smaller, in seconds; 0: it stays as it is.
    Raises: NotRunnableError when the program cannot be run.
    """
    bitcode = test.get_bitcode(benchmark)
    found = test.find(bitcode, actions)
    if found is None:
        return None

    def fails(candidate: bytes, sequence: Sequence[str]) -> Failure | None:
        failure = test.find(candidate, sequence)
        return failure if failure is not None and failure.kind == found.kind else None

    shortest = reduce_list(actions, lambda part: fails(bitcode, part) is not None)
    program = find_llvm_tool("llvm-reduce", get_wanted_version()) if budget_s > 0 else None
    smallest = bitcode
    if program is not None:
        usual_timeout_s, test.run_timeout_s = test.run_timeout_s, _RUN_TIMEOUT_S

        def is_smaller_case(made: bytes) -> bool:
            return not test.has_undefined_values(made) and fails(made, shortest) is not None and test.is_defined(made)

        try:
            smallest = reduce_program(program, bitcode, is_smaller_case, budget_s)
            if smallest != bitcode:
                shortest = reduce_list(shortest, lambda part: fails(smallest, part) is not None)
        finally:
            test.run_timeout_s = usual_timeout_s
    failure = fails(smallest, shortest) or found
    return BugReport(
        backend,
        test.compiler_version,
        benchmark,
        list(actions),
        shortest,
        failure.kind,
        failure.details,
        test.get_ir(smallest),
        smallest != bitcode,
    )


def name_report(report: BugReport) -> str:
    """Return a name for the folder of a report: the program and the actions."""
    text = f"{report.benchmark.removeprefix('benchmark://')}-{'-'.join(word.strip('-') for word in report.actions)}"
    return _UNSAFE.sub("-", text).strip("-.")[:100]
