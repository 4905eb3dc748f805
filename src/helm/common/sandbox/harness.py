"""Runs harnesses, our programs that run others: they are read from a package and started in a sandbox with a task."""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from helm.common.sandbox.contract import SandboxError, SandboxLimits, SandboxResult
from helm.common.sandbox.selection import run_python

START_S = 3.0
"""The time for a sandbox and an interpreter to start, and to end a program, in addition to the program's own time."""


@cache
def _read(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def run_harness(
    package: str,
    name: str,
    task: Mapping[str, Any],
    wall_s: float,
    output_bytes: int = 1 << 20,
    memory_bytes: int = 1 << 30,
) -> SandboxResult:
    """Run the file `name` of a package in a sandbox, with a task as JSON on its standard input.

    Args:
        wall_s: the seconds for the programs; starting and ending may take `START_S` more.
        memory_bytes: the memory of all processes together; each may have four times as much address space.

    Raises:
        SandboxError: It cannot be started, or fails before it has run anything.
    """
    limits = SandboxLimits(
        wall_s=wall_s + START_S,
        memory_bytes=memory_bytes,
        address_space_bytes=4 * memory_bytes,
        output_bytes=output_bytes,
    )
    result = run_python(_read(package, name), stdin=json.dumps(task).encode(), limits=limits)
    if result.status == "ok" and not result.stdout and result.returncode and b"Traceback" in result.stderr:
        # Programs cannot write to this standard error, so the message is from the harness or the interpreter.
        raise SandboxError(f"The harness {name} failed: {result.stderr.decode(errors='replace')[-2000:]}")
    return result
