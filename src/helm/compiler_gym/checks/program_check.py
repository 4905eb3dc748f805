"""Checks whether an optimised program still works correctly, by running it and comparing its output."""

import hashlib
import shlex
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from helm.common.errors import ScenarioError
from helm.compiler_gym.backends.gcc_command import make_command
from helm.compiler_gym.benchmarks.benchmark import ValidationCallback
from helm.compiler_gym.budget import BudgetedEnvironment
from helm.compiler_gym.checks.program_runner import (
    COMPILATION_FAILED,
    EXECUTION_TIMEOUT,
    LinkError,
    NotRunnableError,
    ProgramRun,
    compare_runs,
    link_object,
    run_bitcode,
    run_executable,
)
from helm.compiler_gym.checks.validation import ValidationError
from helm.compiler_gym.programs import C_DATASET, DATASET, get_expected_output

VALID, INVALID, NOT_CHECKED = "valid", "invalid", "not_checked"

_SLOW_RETRY = 3.0
"""Factor of the time limit for a second run after a timeout, which a busy machine may have caused."""

_REFERENCE_LEVEL = "-O0"


class ProgramCheck:
    """Runs programs and remembers the behaviour of the unoptimised ones. Safe to use from many threads.

    The expected output of our own programs is known. Any other program is also run as it was before the first action, and
    the optimised one has to print the same and exit with the same status. A program is `not_checked` when it cannot be
    run, because it has no main, needs something that is missing, or fails before it is optimised.
    """

    def __init__(self, timeout_s: float = 30.0):
        """Set the time limit.

        Args:
            timeout_s: limit for one run of a program, in seconds.
        """
        self._timeout_s = timeout_s
        self._references: dict[str, ProgramRun | NotRunnableError] = {}
        self._lock = threading.Lock()

    def prepare(self, env: BudgetedEnvironment) -> bytes | None:
        """Return what `check` needs to know about the untouched program; call it before the first action."""
        if _get_expected_output(env.benchmark) is not None or "Bitcode" not in env.observation_names:
            return None
        return bytes(env["Bitcode"])

    def check(self, env: BudgetedEnvironment, untouched: bytes | None) -> dict[str, Any]:
        """Check the current program of the environment; returns the `validation` of an `EpisodeResult`.

        Args:
            env: the environment.
            untouched: what `prepare` returned.
        """
        started = time.monotonic()
        try:
            found = self._check(env, untouched)
        except NotRunnableError as error:
            result: dict[str, Any] = {"status": NOT_CHECKED, "details": str(error)}
        else:
            result = {"status": VALID} if found is None else {"status": INVALID, "error": found[0], "details": found[1]}
        return {**result, "elapsed_s": time.monotonic() - started}

    def _check(self, env: BudgetedEnvironment, untouched: bytes | None) -> tuple[str, str] | None:
        expected_output = _get_expected_output(env.benchmark)
        is_trusted = expected_output is not None
        if "Bitcode" in env.observation_names:
            bitcode = bytes(env["Bitcode"])
            run: Callable[[float], ProgramRun] = lambda seconds: run_bitcode(bitcode, seconds, is_trusted)  # noqa: E731
            make_reference = lambda: run_bitcode(untouched or b"", self._timeout_s)  # noqa: E731
            key = untouched or b""
        elif "obj" in env.observation_names and "command_line" in env.observation_names:
            command, contents = get_options(env["command_line"]), bytes(env["obj"])
            try:
                executable = link_object(command, contents)
            except LinkError as error:
                if expected_output is None:
                    raise NotRunnableError(str(error)) from error
                return COMPILATION_FAILED, str(error)
            run = lambda seconds: run_executable(executable, seconds, is_trusted)  # noqa: E731
            make_reference = lambda: self._run_plainly(env, command[0])  # noqa: E731
            key = str(env["source"]).encode()
        else:
            raise NotRunnableError("the compiler gives neither bitcode nor an object file")
        if expected_output is not None:
            expected = ProgramRun(expected_output.encode(), 0, None, "", 0.0)
        else:
            expected = self._get_reference(key, make_reference)
        found = run(self._timeout_s)
        if found.error == EXECUTION_TIMEOUT:
            found = run(self._timeout_s * _SLOW_RETRY)
        return compare_runs(expected, found)

    def _get_reference(self, key: bytes, make: Callable[[], ProgramRun]) -> ProgramRun:
        """Return the result of the untouched program, which is run once."""
        digest = hashlib.sha256(key).hexdigest()
        with self._lock:
            known = self._references.get(digest)
        if known is None:
            try:
                known = make()
                if known.error is not None:
                    known = NotRunnableError(f"it fails without optimisation: {known.error}. {known.details}")
            except NotRunnableError as error:
                known = error
            with self._lock:
                self._references[digest] = known
        if isinstance(known, NotRunnableError):
            raise known
        return known

    def _run_plainly(self, env: BudgetedEnvironment, command: str) -> ProgramRun:
        """Run the program as gcc compiles it without optimisation."""
        import subprocess
        import tempfile
        from pathlib import Path

        with tempfile.TemporaryDirectory(prefix="helm-reference-") as folder:
            (Path(folder) / "src.c").write_text(str(env["source"]))
            arguments = [_REFERENCE_LEVEL, "-w", "-c", "src.c", "-o", "obj.o"]
            words = make_command(command, arguments, Path(folder).absolute())
            try:
                subprocess.run(words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=True)
                executable = link_object([command, _REFERENCE_LEVEL], (Path(folder) / "obj.o").read_bytes())
            except (OSError, subprocess.SubprocessError, LinkError) as error:
                raise NotRunnableError(f"it cannot be built without optimisation: {error}") from error
        return run_executable(executable, self._timeout_s)


def make_c_validation(program: str) -> ValidationCallback:
    """Make a check for GCC's environments: our program, compiled with the current options, has to print the expected output."""

    def check(env: Any) -> Iterator[ValidationError]:
        try:
            executable = link_object(get_options(env.observation["command_line"]), bytes(env.observation["obj"]))
        except LinkError as error:
            yield ValidationError(COMPILATION_FAILED, {"details": str(error)})
            return
        yield from _compare_with_expected(program, run_executable(executable, is_trusted=True))

    return check


def make_llvm_validation(program: str) -> ValidationCallback:
    """Make a check for LLVM's environments: our program has to print the expected output."""

    def check(env: Any) -> Iterator[ValidationError]:
        yield from _compare_with_expected(program, run_bitcode(bytes(env.observation["Bitcode"]), is_trusted=True))

    return check


def make_differential_validation(ir: bytes) -> ValidationCallback:
    """Make a check for LLVM's environments: the program has to behave as it did before it was optimised.

    Args:
        ir: text of one of our modules, which have defined behaviour only.
    """

    def make_untouched() -> bytes:
        import llvmlite.binding as llvm

        return llvm.parse_assembly(ir.decode(), llvm.create_context()).as_bitcode()

    return make_comparison(make_untouched)


def make_comparison(make_untouched: Callable[[], bytes]) -> ValidationCallback:
    """Make a check for environments with the observation `Bitcode`: the program has to behave as another one.

    Args:
        make_untouched: makes the bitcode of the other one, which is ours and has defined behaviour only.
    """

    def check(env: Any) -> Iterator[ValidationError]:
        expected = run_bitcode(make_untouched(), is_trusted=True)
        difference = compare_runs(expected, run_bitcode(bytes(env.observation["Bitcode"]), is_trusted=True))
        if difference is not None:
            yield ValidationError(difference[0], {"details": difference[1]})

    return check


def _compare_with_expected(program: str, found: ProgramRun) -> Iterator[ValidationError]:
    difference = compare_runs(ProgramRun(get_expected_output(program).encode(), 0, None, "", 0.0), found)
    if difference is not None:
        yield ValidationError(difference[0], {"details": difference[1]})


def get_options(command_line: str) -> list[str]:
    """Return compiler and options from the command line that GCC's backend reports for an object file."""
    words = shlex.split(command_line)
    return words[: words.index("-w")] if "-w" in words else words[:1]


def _get_expected_output(uri: str) -> str | None:
    for dataset in (DATASET, C_DATASET):
        if uri.startswith(dataset):
            try:
                return get_expected_output(uri[len(dataset) :])
            except ScenarioError:
                return None
    return None
