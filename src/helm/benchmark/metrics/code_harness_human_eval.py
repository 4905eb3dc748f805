"""Runs a program against its tests. Sent as text into a sandbox; neither imported here nor importing this package.

Standard input: JSON with `program`, `timeout_s`, `token` and `modules`, the modules to import first. Standard output: the
token when the program raised nothing, else why it failed. The token is what a program cannot guess: printing a verdict, or
ending early with status 0, proves nothing. It is kept where frames and the garbage collector do not show it.
"""

import builtins
import collections
import faulthandler
import functools
import gc
import importlib
import json
import operator
import os
import shutil
import signal
import subprocess
import sys
from typing import Any

# HELM: programs that use these fail there too. Security depends on the sandbox, not on this list.
_TAKEN_AWAY: dict[Any, list[str]] = {
    builtins: ["exit", "quit", "help"],
    os: "kill system putenv remove removedirs rmdir fchdir setuid fork forkpty killpg rename renames truncate replace "
    "unlink fchmod fchown chmod chown chroot lchflags lchmod lchown getcwd chdir".split(),
    shutil: ["rmtree", "move", "chown"],
    subprocess: ["Popen"],
}
_MODULES_TAKEN_AWAY = ["ipdb", "joblib", "resource", "psutil", "tkinter"]


class TimedOut(Exception):
    """The program took too long."""


def execute(program: str, timeout_s: float) -> None:
    """Run the program in an empty namespace. Raises: whatever it raises, or TimedOut."""

    def give_up(number: int, frame: object) -> None:
        raise TimedOut("timed out")

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        exec(program, {})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def prepare() -> tuple[int, dict[str, Any]]:
    """Return a private handle on standard output, and the task; afterwards the program's streams go nowhere."""
    out = os.dup(1)
    task = json.loads(sys.stdin.buffer.read())
    for name in task.pop("modules"):
        importlib.import_module(name)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    # Reading from a file opened for writing raises OSError, as reading does in HELM.
    sys.stdin = sys.stdout = sys.stderr = open(nowhere, "w", closefd=False)
    faulthandler.disable()
    for module, names in _TAKEN_AWAY.items():
        for name in names:
            setattr(module, name, None)
    for name in _MODULES_TAKEN_AWAY:
        sys.modules[name] = None  # type: ignore[assignment]
    return out, task


def main() -> None:
    out, task = prepare()
    try:
        # The steps are inside the iterator that deque consumes, which is visible in no frame and, once frozen, in no
        # list of objects.
        collections.deque(
            map(
                operator.call,  # type: ignore[arg-type]
                (
                    gc.freeze,
                    functools.partial(execute, task.pop("program"), task.pop("timeout_s")),
                    functools.partial(os.write, out, task.pop("token").encode()),
                    functools.partial(os._exit, 0),
                ),
            ),
            0,
        )
    except BaseException as error:  # includes SystemExit: a program that exits has not passed
        os.write(out, f"failed: {type(error).__name__}: {error}"[:2000].encode(errors="replace"))
        os._exit(0)


if __name__ == "__main__":
    main()
