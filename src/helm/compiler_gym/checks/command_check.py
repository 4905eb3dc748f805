"""Checks of programs that need arguments and files, such as those of cBench: a command is run with both programs.

A data set's folder may have `checks.json`: name of a program -> list of checks, each with

- `command`: words, of which `$BIN` is the program and `$D` the folder of its files, such as `$BIN -d $D/1.bz2`;
- `files`: paths below the folder of `checks.json` that the program may read, files or whole folders;
- `outputs`: names of files that it writes, which are compared as well;
- `timeout_s`: limit for one run, in seconds (default 60).
"""

import base64
import json
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from helm.common.errors import ScenarioError, suggest
from helm.common.sandbox import SandboxError, SandboxLimits, get_sandbox, run
from helm.compiler_gym.benchmarks.benchmark import ValidationCallback
from helm.compiler_gym.checks.program_runner import (
    COMPILATION_FAILED,
    EXECUTION_TIMEOUT,
    LinkError,
    NotRunnableError,
    ProgramRun,
    compare_runs,
    get_signal_error,
    link_object,
)
from helm.compiler_gym.checks.validation import ValidationError

FILE_NAME = "checks.json"
_MAX_TRIES = 5
"""Runs of a program that fails, before the failure counts: a busy machine can cause one. As in CompilerGym."""

_START_S = 5.0
_MEMORY_BYTES, _SCRATCH_BYTES = 2 << 30, 256 << 20
_MAX_FILES_BYTES = 128 << 20
_LINKER = ("cc", "-w")


@dataclass(frozen=True)
class CommandCheck:
    """A command and what it needs; see the module."""

    command: str
    files: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    timeout_s: float = 60.0


@dataclass(frozen=True)
class _Ended:
    run: ProgramRun
    files: Mapping[str, str | None]


def read_checks(path: Path) -> dict[str, list[CommandCheck]]:
    """Read a file of checks; empty if there is none.

    Raises: ScenarioError naming the file and the program for anything else than described above.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"Cannot read {path}: {error}") from error
    try:
        rows = json.loads(text)
    except ValueError as error:
        raise ScenarioError(f"{path} is not JSON: {error}") from error
    if not isinstance(rows, dict) or not all(isinstance(row, list) for row in rows.values()):
        raise ScenarioError(f"{path} must be an object: name of a program -> list of checks.")
    return {name: [_read_check(path, name, row) for row in checks] for name, checks in rows.items()}


def _read_check(path: Path, name: str, row: Any) -> CommandCheck:
    known = [one.name for one in fields(CommandCheck)]
    where = f"{path}, program '{name}'"
    if not isinstance(row, dict) or not isinstance(row.get("command"), str) or "$BIN" not in row["command"]:
        raise ScenarioError(f"{where}: a check is an object with a `command` that contains $BIN.")
    for key, value in row.items():
        if key not in known:
            raise ScenarioError(f"{where}: unknown member '{key}'. There are: {', '.join(known)}.{suggest(key, known)}")
        if key in ("files", "outputs"):
            if not isinstance(value, list) or not all(isinstance(word, str) and _is_inside(word) for word in value):
                raise ScenarioError(f"{where}: `{key}` is a list of relative paths without '..'.")
        if key == "timeout_s" and not (isinstance(value, (int, float)) and value > 0):
            raise ScenarioError(f"{where}: `timeout_s` is a number of seconds above 0.")
    arguments: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return CommandCheck(**arguments)


def _is_inside(path: str) -> bool:
    return not path.startswith("/") and ".." not in path.split("/") and bool(path)


def make_command_validation(check: CommandCheck, folder: Path, bitcode: bytes) -> ValidationCallback:
    """Make a check for environments with the observation `Bitcode`.

    The program, and the untouched one after LLVM's -O2, run in the sandbox; output, status and files have to be equal.

    Args:
        check: what to run.
        folder: that of `checks.json`.
        bitcode: the untouched program.
    """

    def validate(env: Any) -> Iterator[ValidationError]:
        try:
            expected = _get_reference(check, folder, bitcode)
        except LinkError as error:
            yield ValidationError(f"Gold standard: {COMPILATION_FAILED}", {"details": str(error)})
            return
        if expected.run.error is not None:
            yield ValidationError(f"Gold standard: {expected.run.error}", {"details": expected.run.details})
            return
        found = bytes(env.observation["Bitcode"])
        difference: tuple[str, str] | None = None
        for _ in range(_MAX_TRIES):
            try:
                difference = _compare(expected, _run(check, folder, _build(found)))
            except LinkError as error:
                difference = (COMPILATION_FAILED, str(error))
            if difference is None or difference[0] == COMPILATION_FAILED:
                break
        if difference is not None:
            yield ValidationError(difference[0], {"details": difference[1], "command": check.command})

    return validate


@cache
def _get_reference(check: CommandCheck, folder: Path, bitcode: bytes) -> _Ended:
    from helm.compiler_gym.backends.llvm_program import EMBEDDED_LLVM

    module = EMBEDDED_LLVM.parse(bitcode)
    EMBEDDED_LLVM.run_pipeline(module, "-O2")
    return _run(check, folder, _build(module.as_bitcode()))


def _compare(expected: _Ended, found: _Ended) -> tuple[str, str] | None:
    difference = compare_runs(expected.run, found.run)
    if difference is not None:
        return difference
    for name, digest in expected.files.items():
        if digest is None:
            continue
        if found.files[name] is None:
            return "Output not generated", name
        if found.files[name] != digest:
            return "Wrong output (file)", name
    return None


def _build(bitcode: bytes) -> bytes:
    """Compile and link a program. Raises: LinkError; NotRunnableError without a linker."""
    from helm.compiler_gym.backends.llvm_module import parse_bitcode
    from helm.compiler_gym.backends.llvm_passes import get_target_machine

    if shutil.which(_LINKER[0]) is None:
        raise NotRunnableError(f"there is no program {_LINKER[0]} to link with")
    return link_object(_LINKER, get_target_machine().emit_object(parse_bitcode(bitcode)))


def _run(check: CommandCheck, folder: Path, executable: bytes) -> _Ended:
    files = _collect(check, folder)
    words = [word.replace("$BIN", "./program").replace("$D", "data") for word in shlex.split(check.command)]
    script = resources.files("helm.compiler_gym.checks").joinpath("run_command.py").read_bytes()
    limits = SandboxLimits(
        wall_s=check.timeout_s + _START_S,
        memory_bytes=_MEMORY_BYTES,
        scratch_bytes=_SCRATCH_BYTES,
        output_bytes=32 << 20,
    )
    try:
        argv = [get_sandbox().python, "-I", "run_command.py", str(check.timeout_s), *check.outputs, "--", *words]
        ended = run(argv, files={"run_command.py": script, "program": executable, **files}, limits=limits)
    except SandboxError as error:
        raise NotRunnableError(str(error)) from error
    if not ended.is_success:
        details = ended.stderr.decode("utf-8", "replace")[-500:]
        return _Ended(
            ProgramRun(b"", ended.returncode, f"Runtime error ({ended.status})", details, ended.elapsed_s), {}
        )
    told = json.loads(ended.stdout)
    status, complaint = told["returncode"], base64.b64decode(told["stderr"]).decode("utf-8", "replace")[-500:]
    if status is None:
        return _Ended(ProgramRun(b"", -9, EXECUTION_TIMEOUT, "", check.timeout_s), told["files"])
    kind = get_signal_error(-status) if status < 0 else None
    return _Ended(ProgramRun(base64.b64decode(told["stdout"]), status, kind, complaint, ended.elapsed_s), told["files"])


def _collect(check: CommandCheck, folder: Path) -> dict[str, bytes]:
    """Read the files of a check: name in the sandbox -> contents.

    Raises: NotRunnableError for a file that is missing, or too many bytes.
    """
    found: dict[str, bytes] = {}
    size = 0
    root = folder.resolve()
    for name in check.files:
        path = (root / name).resolve()
        if not path.exists() or not path.is_relative_to(root):
            raise NotRunnableError(f"there is no {name} in {folder}")
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if one.is_file() and not one.is_symlink():
                size += one.stat().st_size
                if size > _MAX_FILES_BYTES:
                    raise NotRunnableError(
                        f"the files of '{check.command}' are larger than {_MAX_FILES_BYTES >> 20} MiB"
                    )
                found[f"data/{one.relative_to(root).as_posix()}"] = one.read_bytes()
    return found
