"""Runs a program's unit tests. Sent as text into a sandbox; never imported here, and imports nothing from this package.

Standard input: JSON with `program` (which defines `TestCases`), `token` and `timeout_s`. Standard output: the token when
there were tests and all passed, else JSON with `failed`, and `missing` when a module was not found.
"""

import collections
import functools
import gc
import json
import operator
import os
import signal
import sys
import types
import unittest
from typing import Any


class NotPassed(Exception):
    """Some tests failed, or there were none."""


def run_tests(program: str, timeout_s: float) -> None:
    """Run the tests. Raises: NotPassed, or what the program raises."""

    def give_up(number: int, frame: object) -> None:
        raise NotPassed("timed out")

    signal.signal(signal.SIGALRM, give_up)
    signal.setitimer(signal.ITIMER_REAL, timeout_s)
    module = types.ModuleType("__test__")
    sys.modules["__test__"] = module
    exec(compile(program, "program.py", "exec"), module.__dict__)
    result = unittest.TestResult()
    unittest.TestLoader().loadTestsFromTestCase(module.TestCases).run(result)
    problems: list[Any] = [*result.errors, *result.failures]
    if problems:
        raise NotPassed(f"{len(problems)} of {result.testsRun} tests failed: {problems[0][1]}"[-1500:])
    if not result.testsRun or result.unexpectedSuccesses:
        raise NotPassed("no test passed as expected")


def main() -> None:
    out = os.dup(1)
    task: dict[str, Any] = json.loads(sys.stdin.buffer.read())
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    try:
        # As for HumanEval: keep the token where neither frames nor the garbage collector show it.
        collections.deque(
            map(
                operator.call,  # type: ignore[arg-type]
                (
                    gc.freeze,
                    functools.partial(run_tests, task.pop("program"), task.pop("timeout_s")),
                    functools.partial(os.write, out, task.pop("token").encode()),
                    functools.partial(os._exit, 0),
                ),
            ),
            0,
        )
    except BaseException as error:
        report = {"failed": f"{type(error).__name__}: {error}"[:1500]}
        if isinstance(error, ModuleNotFoundError) and error.name:
            report["missing"] = error.name
        os.write(out, json.dumps(report).encode())
        os._exit(0)


if __name__ == "__main__":
    main()
