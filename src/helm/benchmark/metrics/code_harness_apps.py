"""Runs one program on the inputs of an APPS problem. Sent as text into a sandbox; never imported here.

Standard input: JSON with `source`, `function`, `in_class`, `call_based`, `inputs` and `timeout_s` (for the definition and
for each test). Standard output: a line of JSON for each test, `{"output": ...}` or `{"error": ...}`, then `"done"`; or
one line `{"no_program": ...}`. The expected outputs never get here, so a program cannot claim to have met them.
"""

import io
import json
import os
import signal
import sys
import types
from collections.abc import Callable
from typing import Any
from unittest.mock import mock_open, patch


class TimedOut(Exception):
    """The program took too long."""


def give_up(number: int, frame: object) -> None:
    raise TimedOut("timed out")


def within(timeout_s: float, function: Callable[..., Any], *args: Any) -> Any:
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    try:
        return function(*args)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def define(task: dict[str, Any]) -> Callable[..., Any]:
    """Run the program and find the function to call."""
    module = types.ModuleType("tmp_sol")
    exec(task["source"], module.__dict__)
    owner: Any = module.Solution() if task["in_class"] else module
    return getattr(owner, task["function"])


def call_with_text(function: Callable[[], Any], text: str) -> list[str]:
    """Return the lines that the function prints when its standard input is `text`."""
    lines = iter(text.split("\n"))
    printed = io.StringIO()
    printed.close = lambda *args: None  # type: ignore[method-assign]
    # HELM: the predefined global `stdin` returns lines without their ends, and the whole text on every read.
    old_stdin = sys.stdin
    with (
        patch.object(old_stdin, "readline", lambda *args: next(lines)),
        patch.object(old_stdin, "readlines", lambda *args: text.split("\n")),
        patch.object(old_stdin, "read", lambda *args: text),
        patch("sys.stdin", io.StringIO(text)),
        patch("sys.stdout", printed),
        patch("builtins.open", mock_open(read_data=text)),
    ):
        try:
            function()
        except SystemExit:
            pass
    return printed.getvalue().splitlines()


def with_int_keys(arguments: list[Any]) -> list[Any]:
    """Restore integer keys, which JSON turns into text, if the first argument is a dict whose keys are all numbers."""
    if arguments and isinstance(arguments[0], dict):
        try:
            return [{int(key): value for key, value in arguments[0].items()}]
        except ValueError:
            pass
    return arguments


def encode(value: Any, is_inside: bool = False) -> Any:
    """Encode as JSON, with tags for what JSON lacks. A value that equals no JSON value is represented by its name."""
    if value is None or isinstance(value, (bool, str)):
        return str(value) if isinstance(value, str) else value
    if type(value).__module__.split(".")[0] == "numpy":
        # HELM: comparing numpy's numbers does not return Python's True, which is required here; inside a list it does.
        is_number = is_inside and hasattr(value, "item") and getattr(value, "ndim", 1) == 0
        return encode(value.item()) if is_number else {"other": type(value).__name__}
    if isinstance(value, int):
        return int(value) if value.bit_length() < 10_000 else {"int": hex(value)}
    if isinstance(value, float):
        return float(value)
    if isinstance(value, list):
        return [encode(item, True) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(item, True) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": [encode(item, True) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key, True), encode(item, True)] for key, item in value.items()]}
    return {"other": type(value).__name__}


def main() -> None:
    import numpy  # noqa: F401 (available to programs without import; loading it is not counted as their time)

    out = os.fdopen(os.dup(1), "w")
    task = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    signal.signal(signal.SIGALRM, give_up)

    def say(value: Any) -> None:
        out.write(json.dumps(value) + "\n")
        out.flush()

    timeout_s = task["timeout_s"]
    try:
        function = within(timeout_s, define, task)
    except Exception as error:
        say({"no_program": f"{type(error).__name__}: {error}"[:500]})
        say("done")
        return
    for arguments in task["inputs"]:
        try:
            if task["call_based"]:
                answer = encode(within(timeout_s, function, *with_int_keys(arguments)))
            else:
                answer = within(timeout_s, call_with_text, function, arguments)
        except Exception as error:
            say({"error": f"{type(error).__name__}: {error}"[:500]})
        else:
            say({"output": answer})
    say("done")


if __name__ == "__main__":
    main()
    os._exit(0)
