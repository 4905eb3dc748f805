"""Selects the sandbox, and runs programs in it."""

import os
import threading
from collections.abc import Mapping, Sequence
from functools import cache

from helm.common.errors import suggest
from helm.common.hierarchical_logger import hwarn
from helm.common.sandbox.bubblewrap import INSTALL, BubblewrapSandbox
from helm.common.sandbox.container import ContainerSandbox
from helm.common.sandbox.contract import Sandbox, SandboxError, SandboxLimits, SandboxResult
from helm.common.sandbox.unprotected import UnprotectedSandbox

VARIABLE = "HELM_SANDBOX"
AUTO = ("bubblewrap", "podman", "docker")
"""The sandboxes tried by default, in this order."""

CHOICES = ("auto", *AUTO, "none")

_NUM_CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

_slots = threading.BoundedSemaphore(_NUM_CORES)
"""Limits concurrent programs to the number of cores, because their time is measured."""


def create_sandbox(name: str) -> Sandbox:
    """Return the sandbox of a name, not yet checked."""
    if name == "bubblewrap":
        return BubblewrapSandbox()
    return UnprotectedSandbox() if name == "none" else ContainerSandbox(name)


def get_sandbox() -> Sandbox:
    """Return the sandbox that `HELM_SANDBOX` names, or the first that works.

    Raises SandboxError if none does. Programs are never run unprotected unless `HELM_SANDBOX=none` says so.
    """
    name = os.environ.get(VARIABLE) or "auto"
    if name not in CHOICES:
        raise SandboxError(f"{VARIABLE} must be one of {', '.join(CHOICES)}, not '{name}'.{suggest(name, CHOICES)}")
    return _find_sandbox(name)


@cache
def _find_sandbox(name: str) -> Sandbox:
    if name == "none":
        hwarn(
            f"{VARIABLE}=none: programs written by models run WITHOUT a sandbox and can do whatever you can. "
            "This is meant for disposable containers."
        )
    failures = []
    for candidate, sandbox, failure in examine(AUTO if name == "auto" else (name,)):
        if failure is None:
            return sandbox
        failures.append(f"  {candidate}: {failure}")
    raise SandboxError(
        "This run executes programs that a model wrote, and there is no sandbox to execute them in.\n"
        + "\n".join(failures)
        + f"\n{INSTALL}. Then check: python -m helm.common.sandbox. See docs/howto-sandbox.md."
    )


def examine(names: Sequence[str]) -> list[tuple[str, Sandbox, str | None]]:
    """Return name, sandbox, and why it does not work (None if it does), up to the first that works."""
    found: list[tuple[str, Sandbox, str | None]] = []
    for name in names:
        sandbox = create_sandbox(name)
        try:
            sandbox.check()
        except SandboxError as error:
            found.append((name, sandbox, str(error)))
        else:
            found.append((name, sandbox, None))
            break
    return found


def is_protected() -> bool:
    """Return whether programs are confined: False if the user has switched the sandbox off."""
    return get_sandbox().is_protected


def run(
    argv: Sequence[str],
    *,
    stdin: bytes = b"",
    files: Mapping[str, bytes | str] | None = None,
    limits: SandboxLimits = SandboxLimits(),
    environment: Mapping[str, str] | None = None,
) -> SandboxResult:
    """Run a program in a sandbox and wait for its end. May be called from many threads.

    Args:
        argv: the words of the command, as called inside the sandbox; no shell is involved.
        stdin: its standard input.
        files: maps relative paths in its working folder to contents (text is encoded as UTF-8).
        environment: variables in addition to the few that it always gets.

    Raises:
        SandboxError: No sandbox is available, or it could not start.
    """
    sandbox = get_sandbox()
    contents: dict[str, bytes] = {
        name: content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
        for name, content in (files or {}).items()
    }
    with _slots:
        return sandbox.run(list(argv), stdin, contents, limits, dict(environment or {}))


def run_python(
    source: str,
    *,
    stdin: bytes = b"",
    files: Mapping[str, bytes | str] | None = None,
    limits: SandboxLimits = SandboxLimits(),
    arguments: Sequence[str] = (),
) -> SandboxResult:
    """Run a Python program like `run`, with this interpreter and its installed packages (except editable ones)."""
    argv = [get_sandbox().python, "-I", "program.py", *arguments]
    return run(argv, stdin=stdin, files={**(files or {}), "program.py": source}, limits=limits)
