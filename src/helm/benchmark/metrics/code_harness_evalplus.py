"""Calls one function with many inputs, as EvalPlus does. Sent as text into a sandbox; never imported here.

Standard input: JSON with `source`, `entry_point`, `inputs` (lists of arguments) and `timeout_s` for each call. Standard output: a
line of JSON for each call, `{"output": a Python literal}`, `{"other": type}` or `{"error": type}`, then `"done"`; or
`{"no_program": type}`. The expected outputs never get here, so a program cannot claim to have met them.
"""

import ast
import json
import os
import signal
import sys
from typing import Any


class TimedOut(BaseException):
    """A call took too long. Programs that catch every `Exception` do not catch it."""


def give_up(number: int, frame: object) -> None:
    raise TimedOut("timed out")


def call(function: Any, arguments: list[Any], timeout_s: float) -> dict[str, Any]:
    """Call a function, and write its value as a literal."""
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        value = function(*arguments)
        value = value.tolist() if hasattr(value, "tolist") else value
        text = repr(value)
    except BaseException as error:
        return {"error": type(error).__name__}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        known = {"nan", "inf", "-inf"}
        return {"output": text} if text in known else {"other": type(value).__name__}
    return {"output": text}


def main() -> None:
    out = os.fdopen(os.dup(1), "w")
    task = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    signal.signal(signal.SIGALRM, give_up)
    names: dict[str, Any] = {"__name__": "solution"}
    try:
        signal.setitimer(signal.ITIMER_REAL, max(5.0, task["timeout_s"]))
        exec(compile(task["source"], "solution.py", "exec"), names)
        signal.setitimer(signal.ITIMER_REAL, 0)
        function = names[task["entry_point"]]
    except BaseException as error:
        out.write(json.dumps({"no_program": type(error).__name__}) + "\n")
    else:
        for arguments in task["inputs"]:
            out.write(json.dumps(call(function, arguments, task["timeout_s"])) + "\n")
    out.write('"done"\n')
    out.flush()


if __name__ == "__main__":
    main()
    os._exit(0)
