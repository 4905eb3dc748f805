"""Runs harnesses, our programs that run others: they are read from a package and started in a sandbox with a task."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from helm.common.sandbox.contract import SandboxError, SandboxLimits, SandboxResult
from helm.common.sandbox.selection import run_python

START_S = 3.0
"""The time for a sandbox and an interpreter to start, and to end a program, in addition to the program's own time."""


COMPILERS: Mapping[str, list[str]] = {
    "c": ["cc", "gcc", "clang"],
    "cpp": ["c++", "g++", "clang++"],
    "ocaml": ["ocamlopt.opt", "ocamlopt"],
}
"""The names under which a compiler of each language is looked for in a sandbox."""

_BRING_ALONG = "import os, sys; sys.path.insert(0, os.getcwd())\n"
_PROCESS = "helm.common.sandbox", "program_process.py"


@cache
def read_source(package: str, name: str) -> str:
    """Return the text of a file in a package of ours."""
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
    result = run_python(read_source(package, name), stdin=json.dumps(task).encode(), limits=limits)
    if result.status == "ok" and not result.stdout and result.returncode and b"Traceback" in result.stderr:
        # Programs cannot write to this standard error, so the message is from the harness or the interpreter.
        raise SandboxError(f"The harness {name} failed: {result.stderr.decode(errors='replace')[-2000:]}")
    return result


def run_timing_harness(
    package: str, name: str, task: Mapping[str, Any], limits: SandboxLimits, files: Mapping[str, str] | None = None
) -> SandboxResult:
    """Run a harness that may import `program_process` and the files that come along, by their paths as modules.

    Args:
        task: becomes JSON on its standard input.
        files: paths in the scratch folder to contents; their folders become packages.
    """
    along = {"/".join([*_PROCESS[0].split("."), _PROCESS[1]]): read_source(*_PROCESS), **(files or {})}
    for path in list(along):
        folders = path.split("/")[:-1]
        along.update({"/".join(folders[: i + 1]) + "/__init__.py": "" for i in range(len(folders))})
    return run_python(
        _BRING_ALONG + read_source(package, name), stdin=json.dumps(task).encode(), files=along, limits=limits
    )


def read_report(result: SandboxResult, timeout_s: float, lists: Sequence[str]) -> dict[str, Any]:
    """Read the report of a harness that runs one program, which may have tried to forge or to prevent it.

    Args:
        timeout_s: the program's time limit, for the message.
        lists: what a report without `error` and `missing` contains, all of them lists.

    Returns: The report; one with `error` (and `is_timeout`) if there is none.
    """
    if result.status == "timeout":
        return {"error": f"it took longer than {timeout_s:g} s", "is_timeout": True}
    if result.status != "ok":
        return {"error": f"it was ended: {result.status}"}
    try:
        report = json.loads(result.stdout)
    except (ValueError, RecursionError):
        return {"error": "it ended its process before its value could be told"}
    if isinstance(report, dict):
        is_whole = all(isinstance(report.get(name), list) for name in lists)
        if is_whole or "error" in report or "missing" in report:
            return report
    return {"error": "it wrote something else in place of its value"}
