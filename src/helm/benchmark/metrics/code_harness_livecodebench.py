"""Runs one program on the tests of a LiveCodeBench problem. Sent as text into a sandbox; never imported here.

Standard input: JSON with `source`, `function` (null for a program that reads standard input), `inputs` and `timeout_s` for each
test. Standard output: a line of JSON for each test, `{"output": text}` or `{"error": "time" | "failed"}`, up to the first error,
then `"done"`. The expected outputs never get here, so a program cannot claim to have met them. Each test has its own process.
"""

import ast
import json
import os
import signal
import sys
import tempfile
import time
from typing import Any

MOST_OUTPUT = 16 << 20

PRELUDE = "".join(
    f"from {module} import *\n"
    for module in (
        "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json "
        "builtins typing"
    ).split()
) + "".join(
    f"import {module}\n"
    for module in (
        "string re datetime collections heapq bisect copy math random statistics itertools functools operator io sys json"
    ).split()
)
"""What programs may use without importing it."""


def run_in_child(task: dict[str, Any], text: str, out: int) -> None:
    """Run the program on one input, and write what it prints, or the value of its function, to a file."""
    sys.setrecursionlimit(50_000)
    names: dict[str, Any] = {"__name__": "__main__" if task["function"] is None else "solution"}
    exec(compile(PRELUDE, "prelude", "exec"), names)
    if task["function"] is None:
        os.dup2(out, 1)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - the process ends with it
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        try:
            exec(compile(task["source"], "program.py", "exec"), names)
        except SystemExit:
            pass
        sys.stdout.flush()
        return
    exec(compile(task["source"], "program.py", "exec"), names)
    owner = names["Solution"]() if "Solution" in names else None
    function = getattr(owner, task["function"]) if owner is not None else names[task["function"]]
    value = function(*[json.loads(line) for line in text.split("\n")])
    value = value.tolist() if hasattr(value, "tolist") else value
    ast.literal_eval(repr(value))  # other values equal nothing that is expected
    os.write(out, repr(value).encode())


def run_test(task: dict[str, Any], text: str) -> dict[str, Any]:
    """Run one test in a process of its own."""
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as written:
        given.write(text.encode())
        given.seek(0)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.setsid()
                os.dup2(given.fileno(), 0)
                run_in_child(task, text, written.fileno())
                status = 0
            finally:
                os._exit(status)
        ended = wait(child, time.monotonic() + task["timeout_s"])
        if ended is None:
            return {"error": "time"}
        if ended != 0:
            return {"error": "failed"}
        size = os.fstat(written.fileno()).st_size
        if size > MOST_OUTPUT:
            return {"error": "failed"}
        written.seek(0)
        return {"output": written.read().decode(errors="replace")}


def wait(child: int, end: float) -> int | None:
    """Return the wait status of a process; None if it has not ended in time and was killed."""
    pause = 0.0005
    while True:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        if time.monotonic() >= end:
            break
        time.sleep(pause)
        pause = min(pause * 1.5, 0.02)
    for target in (-child, child):
        try:
            os.kill(target, signal.SIGKILL)
        except OSError:
            pass
    os.waitpid(child, 0)
    return None


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    task = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    os.set_inheritable(out.fileno(), False)
    for text in task["inputs"]:
        result = run_test(task, text)
        out.write(json.dumps(result) + "\n")
        if "error" in result:
            break
    out.write('"done"\n')
    out.flush()


if __name__ == "__main__":
    main()
    os._exit(0)
