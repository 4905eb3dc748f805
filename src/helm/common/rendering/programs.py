"""Runs the programs that render code, in the sandbox."""

import base64
import binascii
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from helm.common.rendering.contract import MissingProgramError, RenderingError
from helm.common.sandbox import SandboxLimits, run_python

WALL_S = 60.0

LIMITS = SandboxLimits(
    wall_s=WALL_S,
    memory_bytes=2 << 30,
    processes=512,
    output_bytes=96 << 20,
    scratch_bytes=256 << 20,
    open_files=4096,
    address_space_bytes=1 << 47,  # browsers reserve far more than they use
)


@dataclass(frozen=True)
class Command:
    """A program with its arguments."""

    argv: tuple[str, ...]

    must_succeed: bool = False
    """Whether the commands behind it are left out if it fails."""

    served: str | None = None
    """A folder that is served by HTTP; `{address}` in the arguments is its address."""


@dataclass(frozen=True)
class Ran:
    """How the commands ended."""

    returncodes: tuple[int, ...]
    stdout: tuple[str, ...]
    stderr: tuple[str, ...]
    contents: Mapping[str, bytes]
    """The files that were asked for, if they exist."""


def run_programs(
    commands: Sequence[Command],
    files: Mapping[str, bytes | str],
    outputs: Sequence[str],
    what: str,
    how_to_install: str,
    environment: Mapping[str, str] | None = None,
) -> Ran:
    """Run commands in the sandbox, one after the other, in a folder with the files.

    Args:
        commands: the commands; none of them uses a shell.
        files: paths below the folder, and contents.
        outputs: the files to return.
        what: what the programs make, for messages.
        how_to_install: for the message that names a missing program.
        environment: variables besides the sandbox's own.

    Raises: MissingProgramError; RenderingError if they cannot be run to their end; SandboxError.
    """
    programs = list(dict.fromkeys(command.argv[0] for command in commands))
    task = {
        "programs": programs,
        "commands": [
            {"argv": list(command.argv), "must_succeed": command.must_succeed, "served": command.served}
            for command in commands
        ],
        "outputs": list(outputs),
        "files": list(files),
        "wall_s": WALL_S,
        "environment": dict(environment or {}),
    }
    answer = _run_harness(task, files)
    if answer["missing"]:
        raise _missing(answer["missing"], what, how_to_install)
    ran = answer["ran"]
    if any(one["returncode"] is None for one in ran):
        raise RenderingError(f"{what}: {commands[len(ran) - 1].argv[0]} took longer than {WALL_S:g} seconds.")
    return Ran(
        tuple(int(one["returncode"]) for one in ran),
        tuple(one["stdout"] for one in ran),
        tuple(one["stderr"] for one in ran),
        {name: base64.b64decode(content) for name, content in answer["contents"].items()},
    )


def check_programs(programs: Sequence[str], what: str, how_to_install: str) -> None:
    """Raise MissingProgramError if one of the programs is not where the sandbox sees it; SandboxError without a sandbox."""
    answer = _run_harness({"programs": list(programs), "commands": [], "outputs": [], "wall_s": 10.0}, {})
    if answer["missing"]:
        raise _missing(answer["missing"], what, how_to_install)


def is_installed(program: str) -> bool:
    """Return whether the sandbox sees a program. Raises: SandboxError without a sandbox."""
    answer = _run_harness({"programs": [], "asked": [program], "commands": [], "outputs": [], "wall_s": 10.0}, {})
    return program in answer["installed"]


def _missing(programs: Sequence[str], what: str, how_to_install: str) -> MissingProgramError:
    verb = "is" if len(programs) == 1 else "are"
    return MissingProgramError(f"{what}: {', '.join(programs)} {verb} not installed. Install with: {how_to_install}")


@cache
def _harness() -> str:
    return resources.files("helm.common.rendering").joinpath("programs_harness.py").read_text(encoding="utf-8")


def _run_harness(task: Mapping[str, object], files: Mapping[str, bytes | str]) -> dict:
    limits = replace(LIMITS, wall_s=LIMITS.wall_s + 10)
    result = run_python(_harness(), stdin=json.dumps(task).encode(), files=files, limits=limits)
    try:
        if not result.is_success:
            raise ValueError(result.stderr.decode(errors="replace")[-1000:] or result.status)
        answer: dict = json.loads(result.stdout)
        return answer
    except (ValueError, binascii.Error) as e:
        raise RenderingError(f"The programs did not end as they should ({result.status}): {e}") from e
