"""Runs compiled programs, in the sandbox if they are not our own, and classifies how a run ended."""

import shlex
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from helm.common.errors import HelmError
from helm.common.hierarchical_logger import hwarn
from helm.common.sandbox import SandboxError, SandboxLimits, SandboxResult, get_sandbox, run
from helm.common.sandbox.contract import Sandbox
from helm.compiler_gym.backends.gcc_command import is_in_container, make_command

_MEMORY_BYTES, _ADDRESS_SPACE_BYTES = 1 << 30, 8 << 30
_OUTPUT_BYTES = 16 << 20  # a miscompiled program may print without end
_START_S = 3.0
"""Seconds that an interpreter and LLVM may take to start, in addition to the program's own time."""
_LINK_TIMEOUT_S = 60.0
_MAX_DETAILS = 500
_NOT_RUNNABLE, _INVALID_MODULE = 125, 126  # statuses of run_bitcode.py before main begins

COMPILATION_FAILED = "Compilation failed"
EXECUTION_TIMEOUT = "Execution timeout"
_ERROR_BY_SIGNAL = {
    signal.SIGSEGV: "Segmentation fault",
    signal.SIGILL: "Illegal Instruction",
    signal.SIGBUS: "Memory error",
}
_ERROR_BY_STATUS = {
    "timeout": EXECUTION_TIMEOUT,
    "memory": "Memory error",
    "processes": "Too many processes",
    "output": "Too much output",
}


class NotRunnableError(HelmError):
    """A program cannot be run here, which says nothing about the compiler."""


@dataclass(frozen=True)
class ProgramRun:
    """How a program ended."""

    output: bytes
    """Its standard output."""

    returncode: int
    """Its exit status, or minus the signal that ended it."""

    error: str | None
    """The kind of failure, in the terms of CompilerGym's checks; None when it exited by itself, whatever its status."""

    details: str
    """The end of its standard error."""

    elapsed_s: float


def run_bitcode(bitcode: bytes, timeout_s: float = 30.0, is_trusted: bool = False) -> ProgramRun:
    """Compile LLVM bitcode in the memory of another process, and run its function main.

    Args:
        bitcode: the program.
        timeout_s: time limit for the program, in seconds.
        is_trusted: whether the program is ours, so that it may be run without a sandbox if there is none.
    Raises: NotRunnableError when it has no function main, or is not trusted and there is no sandbox.
    """
    return _run_bitcode(bitcode, [], timeout_s, is_trusted)


def time_bitcode(bitcode: bytes, num_runs: int, num_warmups: int = 0, timeout_s: float = 120.0) -> ProgramRun:
    """Compile a program once and time many runs of it, each from the same initial state.

    `output` is a JSON list with the seconds of each run, compilation excluded. One run that ends with a status other than
    0 makes the whole a failure.

    Args:
        num_runs: runs to time.
        num_warmups: runs before those that count.
        timeout_s: for all runs together, in seconds.
    """
    return _run_bitcode(bitcode, [str(num_runs), str(num_warmups)], timeout_s, is_trusted=False)


def can_run_programs() -> bool:
    """Return whether there is a sandbox, so that programs that are not ours can be run here."""
    try:
        get_sandbox()
    except SandboxError:
        return False
    return True


def _run_bitcode(bitcode: bytes, arguments: Sequence[str], timeout_s: float, is_trusted: bool) -> ProgramRun:
    sandbox = _get_sandbox(is_trusted)
    script = resources.files("helm.compiler_gym.backends").joinpath("run_bitcode.py").read_bytes()
    argv = [sandbox.python, "-I", "run_bitcode.py", *arguments]
    ended = _run(sandbox, argv, {"run_bitcode.py": script, "program.bc": bitcode}, timeout_s + _START_S)
    if ended.returncode == _NOT_RUNNABLE and ended.stderr.startswith(b"NOT RUNNABLE: "):
        raise NotRunnableError(_tail(ended.stderr.removeprefix(b"NOT RUNNABLE: ")))
    if b"No module named 'llvmlite'" in ended.stderr:
        raise NotRunnableError(f"the sandbox {sandbox.name} has no llvmlite")
    if ended.returncode == _INVALID_MODULE and ended.stderr.startswith(b"INVALID MODULE: "):
        return _describe(ended, COMPILATION_FAILED)
    return _describe(ended)


def run_executable(executable: bytes, timeout_s: float = 30.0, is_trusted: bool = False) -> ProgramRun:
    """Run an executable file of this machine. Arguments and errors as for `run_bitcode`."""
    sandbox = _get_sandbox(is_trusted)
    return _describe(_run(sandbox, ["./program"], {"program": executable}, timeout_s))


def link_object(command: Sequence[str], contents: bytes) -> bytes:
    """Link one object file and return the executable.

    Args:
        command: a gcc-like compiler with the options with which it made the object file.
        contents: the object file.
    Raises: LinkError, with the linker's message.
    """
    with tempfile.TemporaryDirectory(prefix="helm-link-") as folder:
        (Path(folder) / "obj.o").write_bytes(contents)
        # Static in a container, because its C library need not be the one of this machine, where the program runs.
        static = ["-static"] if is_in_container(command[0]) else []
        words = make_command(
            command[0], [*command[1:], *static, "obj.o", "-o", "program", "-lm"], Path(folder).absolute()
        )
        try:
            done = subprocess.run(
                words, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=_LINK_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise LinkError(f"{shlex.join(words)}: {error}") from error
        if done.returncode != 0:
            raise LinkError(f"{shlex.join(words)} failed with status {done.returncode}: {_tail(done.stderr)}")
        return (Path(folder) / "program").read_bytes()


class LinkError(HelmError):
    """An object file could not be linked."""


def compare_runs(expected: ProgramRun, found: ProgramRun) -> tuple[str, str] | None:
    """Return kind of error and details when a program does not work correctly; None when it does."""
    if found.error is not None:
        return found.error, found.details
    if found.returncode != expected.returncode:
        return f"Runtime error ({found.returncode})", f"expected status {expected.returncode}. {found.details}".strip()
    if found.output != expected.output:
        return "Wrong output", _describe_difference(expected.output, found.output)
    return None


def _describe_difference(expected: bytes, found: bytes) -> str:
    lines = zip(expected.splitlines(), found.splitlines(), strict=False)
    for number, (wanted, got) in enumerate(lines, 1):
        if wanted != got:
            return f"line {number}: expected {_shorten(wanted)}, found {_shorten(got)}"
    return f"expected {len(expected)} bytes, found {len(found)}"


def _shorten(line: bytes) -> str:
    return repr(line[:80].decode("utf-8", "replace"))


def _get_sandbox(is_trusted: bool) -> Sandbox:
    try:
        return get_sandbox()
    except SandboxError as error:
        if not is_trusted:
            raise NotRunnableError(f"there is no sandbox to run it in: {error}") from error
        return _get_unprotected()


@cache
def _get_unprotected() -> Sandbox:
    from helm.common.sandbox.unprotected import UnprotectedSandbox

    hwarn("There is no sandbox, so our own programs, which validate the compiler's work, run without one.")
    return UnprotectedSandbox()


def _run(sandbox: Sandbox, argv: Sequence[str], files: Mapping[str, bytes], timeout_s: float) -> SandboxResult:
    limits = SandboxLimits(
        wall_s=timeout_s,
        memory_bytes=_MEMORY_BYTES,
        address_space_bytes=_ADDRESS_SPACE_BYTES,
        output_bytes=_OUTPUT_BYTES,
    )
    try:
        if sandbox.is_protected:
            return run(argv, files=dict(files), limits=limits)
        return sandbox.run(argv, b"", files, limits, {})
    except SandboxError as error:
        raise NotRunnableError(str(error)) from error


def get_signal_error(number: int) -> str:
    """Return the kind of failure of a program that a signal ended."""
    return {int(known): text for known, text in _ERROR_BY_SIGNAL.items()}.get(number, f"Runtime error ({-number})")


def _describe(ended: SandboxResult, error: str | None = None) -> ProgramRun:
    if error is None and ended.status == "killed":
        error = get_signal_error(-ended.returncode)
    elif error is None and ended.status != "ok":
        error = _ERROR_BY_STATUS[ended.status]
    return ProgramRun(ended.stdout, ended.returncode, error, _tail(ended.stderr), ended.elapsed_s)


def _tail(text: bytes) -> str:
    return text.decode("utf-8", "replace").strip()[-_MAX_DETAILS:]
