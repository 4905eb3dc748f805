"""Runs a service program and ends it when standard input is closed, that is, when the process that started us is gone.

    python -m helm.compiler_gym.runtime.service_guard PROGRAM ARG ... --working_dir=FOLDER

Our own service watches its standard input itself; other programs do not. SIGTERM and SIGINT are forwarded, and the exit
status is that of the program.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

_ORPHAN_GRACE_S = 2.0
"""Seconds that a program may take to end by itself after its client is gone."""


def main(argv: Sequence[str] | None = None) -> int:
    program, *args = sys.argv[1:] if argv is None else argv
    # The program's folder is its working directory, as when the original client starts it.
    process = subprocess.Popen(
        [f"./{os.path.basename(program)}", *args], cwd=os.path.dirname(program), stdin=subprocess.DEVNULL
    )

    def hand_on(number: int, _: Any) -> None:
        process.send_signal(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, hand_on)
    is_orphan = threading.Event()
    watch = threading.Thread(
        target=_watch, args=(process, is_orphan, _get_working_dir(args)), name="stdin-watch", daemon=True
    )
    watch.start()
    status = process.wait()
    if is_orphan.is_set():
        watch.join()  # does not return: the thread ends with killing this process group
    if status < 0:  # so that the client sees the signal that ended the program
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def _get_working_dir(args: Sequence[str]) -> str | None:
    prefix = "--working_dir="
    return next((arg[len(prefix) :] for arg in args if arg.startswith(prefix)), None)


def _watch(process: subprocess.Popen, is_orphan: threading.Event, working_dir: str | None) -> None:
    while os.read(0, 4096):
        pass
    is_orphan.set()
    process.terminate()
    deadline = time.monotonic() + _ORPHAN_GRACE_S
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    if working_dir:
        shutil.rmtree(working_dir, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)  # ourselves, the program, and what it started


if __name__ == "__main__":
    sys.exit(main())
