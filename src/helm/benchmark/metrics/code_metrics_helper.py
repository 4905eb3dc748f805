"""Scores programs by running them, in a sandbox: HumanEval's tests, and the inputs and outputs of APPS problems."""

import json
import math
import os
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from helm.common.sandbox import SandboxResult
from helm.common.sandbox.harness import run_harness

FAILED = -1
NO_PROGRAM = -2

TestResult = int | bool
"""True if a test passes. HELM: no other value counts, even if it is equal."""


_PACKAGE = "helm.benchmark.metrics"

_IMPORTED_FIRST = ("numpy",)
"""Modules that cannot be imported once the harness has taken functions of `os` away. HELM's own process has imported them."""


# --- HumanEval --------------------------------------------------------------------------------------------------------


def run_program(program: str, timeout: float) -> str:
    """Run a program that ends with its tests, in a sandbox.

    Args:
        timeout: limit in seconds.

    Returns: `passed` if it raises nothing, else `timed out` or `failed: ` and the reason.
    """
    token = secrets.token_hex(32)
    modules = [name for name in _IMPORTED_FIRST if name in program]
    task = {"program": program, "timeout_s": timeout, "token": token, "modules": modules}
    outcome = run_harness(_PACKAGE, "code_harness_human_eval.py", task, timeout, output_bytes=1 << 14)
    said = outcome.stdout.decode(errors="replace")
    if outcome.status != "ok":
        return "timed out" if outcome.status == "timeout" else f"failed: {outcome.status}"
    if said == token:
        return "passed"
    result = said.replace(token, "") if said.startswith("failed: ") else "failed: it ended before its tests did"
    return "timed out" if result.startswith("failed: TimedOut") else result


def check_correctness(
    problem: Mapping[str, Any], completion: str, timeout: float, completion_id: int | None = None
) -> dict[str, Any]:
    """Run `problem["test"]` on `problem["prompt"]` plus the completion.

    Args:
        problem: a row of HumanEval: `task_id`, `prompt`, `test` and `entry_point`.
        completion: the body of the function, indented.
        timeout: limit in seconds for all tests.

    Returns: `task_id`, `passed`, `result` (`passed`, `timed out` or the reason of the failure) and `completion_id`.
    """
    result = run_program(
        f"{problem['prompt']}{completion}\n{problem['test']}\ncheck({problem['entry_point']})", timeout
    )
    return {
        "task_id": problem.get("task_id"),
        "passed": result == "passed",
        "result": result,
        "completion_id": completion_id,
    }


# --- APPS -------------------------------------------------------------------------------------------------------------

# HELM: the imports available to an APPS program.
_PRELUDE = """\
import sys, time, itertools, collections, math, fractions, random, heapq
from itertools import accumulate, product, permutations, combinations
from collections import Counter, OrderedDict, deque, defaultdict, ChainMap
from functools import lru_cache
from math import sqrt, sin, cos, tan, ceil, fabs, floor, gcd, exp, log, log2
from typing import List, Tuple
import numpy as np
from heapq import *
"""


def run_test(
    root: str, test: str, timeout: float, problem: Mapping[str, Any] | None = None, total_s: float | None = None
) -> list[TestResult]:
    """Run a program on the tests of an APPS problem.

    Args:
        root: folder with the problem's `input_output.json`; ignored if `problem` is given.
        test: the program.
        timeout: limit in seconds for the definition of the program, and for each test.
        problem: `inputs`, `outputs` and optionally `fn_name`, the function to call; without it, the program reads its
            input and prints its output.
        total_s: limit in seconds for everything; by default the sum over the tests.

    Returns: for each test True, False, or a negative number if it raised or took too long; `[NO_PROGRAM]` if the
    program could not be defined. Empty if its process died before all tests were done.
    """
    if problem is None:
        with open(os.path.join(root, "input_output.json"), encoding="utf-8") as file:
            problem = json.load(file)
    function = problem.get("fn_name")
    inputs = problem["inputs"]
    if function is None:
        inputs = ["\n".join(value) if isinstance(value, list) else value for value in inputs]
    task = {
        "source": _PRELUDE + (test if function else _as_function(test)),
        "function": function or "code",
        "in_class": function is not None and "class Solution" in test,
        "call_based": function is not None,
        "inputs": inputs,
        "timeout_s": timeout,
    }
    wall_s = total_s if total_s is not None else timeout * (len(inputs) + 1)
    records = _read_records(run_harness(_PACKAGE, "code_harness_apps.py", task, wall_s, output_bytes=64 << 20))
    if len(records) == 1 and "no_program" in records[0]:
        return [NO_PROGRAM]
    is_same = is_same_text if function is None else is_same_value
    return [
        _compare(is_same, record["output"], expected) if "output" in record else FAILED
        for record, expected in zip(records, problem["outputs"], strict=False)
    ]


def _compare(is_same: Callable[[Any, Any], bool], output: Any, expected: Any) -> TestResult:
    """Return True or False; FAILED for an output that no harness would write."""
    try:
        return is_same(decode(output), expected)
    except (TypeError, ValueError, AttributeError, RecursionError):
        return FAILED


def _read_records(outcome: SandboxResult) -> list[dict[str, Any]]:
    """Return the harness's output, or nothing if it did not finish. A program may try to forge this output."""
    if outcome.status != "ok":
        return []
    try:
        *records, last = [json.loads(line) for line in outcome.stdout.splitlines() or [b"null"]]
    except (ValueError, RecursionError):
        return []
    return records if last == "done" and all(isinstance(record, dict) for record in records) else []


def _as_function(program: str) -> str:
    """Return the program as a function `code` that is called for each test; its imports stay outside."""
    source, has_begun = [], False
    for line in program.split("\n"):
        is_import = line.startswith(("from ", "import "))
        if not is_import and not has_begun:
            source.append("stdin = sys.stdin\nstdout = sys.stdout\ndef code():\n")
            has_begun = True
        source.append(f"{line}\n" if is_import and not has_begun else f"\t{line}\n")
    return "".join(source)


def is_same_value(output: Any, expected: Any) -> bool:
    """Whether a function's value is as expected, tolerating enclosing lists and tuples for lists."""
    expected = _with_int_keys(expected)
    if isinstance(output, tuple):
        output = list(output)
    if output == expected:
        return True
    if not isinstance(expected, list) or not expected:
        return False
    if output == expected[0]:
        return True
    is_list_of_tuples = isinstance(output, list) and bool(output) and isinstance(output[0], tuple)
    try:
        return is_list_of_tuples and [list(item) for item in output] == expected[0]
    except TypeError:  # not all of them are sequences
        return False


def _with_int_keys(expected: Any) -> Any:
    """Restore integer keys, which JSON turns into text, if a dict is expected whose keys are all numbers."""
    try:
        if isinstance(expected, dict):
            return [{int(key): value for key, value in expected.items()}]
        if isinstance(expected, list) and expected and isinstance(expected[0], dict):
            return [{int(key): value for key, value in expected[0].items()}]
    except ValueError:
        pass
    return expected


def is_same_text(lines: list[str], expected: str | list[str]) -> bool:
    """Whether printed lines are as expected.

    The comparison tolerates differences in whitespace at the ends of lines and of the whole text, empty lines, the
    notation of numbers, the order and repetition of lines, and of words within a line.
    """
    text = "\n".join(expected) if isinstance(expected, list) else expected
    stripped = text.strip()
    if "\n".join(lines).strip() == stripped or "\n".join(line.strip() for line in lines).strip() == stripped:
        return True
    wanted = [line.strip() for line in text.split("\n") if line]
    got = [line for line in lines if line]
    if lines == wanted or got == wanted or _are_close(got, wanted):
        return True
    got_words, wanted_words = [line.split() for line in got], [line.split() for line in wanted]
    got_sets = {frozenset(words) for words in got_words if words}
    wanted_sets = {frozenset(words) for words in wanted_words}
    return got_sets == wanted_sets or _are_same_numbers(got_sets, wanted_sets)


def _are_close(got: list[str], wanted: list[str]) -> bool:
    """Whether all lines are numbers, and each pair agrees to about five digits."""
    try:
        pairs = [(float(a), float(b)) for a, b in zip(got, wanted, strict=True)]
    except ValueError:
        return False
    return all(a == b or (math.isfinite(b) and abs(a - b) <= 1e-8 + 1e-5 * abs(b)) for a, b in pairs)


def _are_same_numbers(got: set[frozenset[str]], wanted: set[frozenset[str]]) -> bool:
    """Whether all words are numbers, and the sets are equal when rounded to three decimal places."""

    def rounded(sets: set[frozenset[str]]) -> set[frozenset[float]]:
        return {frozenset(round(float(word), 3) for word in words) for words in sets}

    try:
        return rounded(got) == rounded(wanted)
    except (ValueError, OverflowError):
        return False


def decode(value: Any) -> Any:
    """Decode a value of the program from the harness's JSON."""
    if isinstance(value, list):
        return [decode(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "tuple" in value:
        return tuple(decode(item) for item in value["tuple"])
    if "dict" in value:
        return {decode(key): decode(item) for key, item in value["dict"]}
    if "set" in value:
        return frozenset(decode(item) for item in value["set"])
    return int(value["int"], 16) if "int" in value else object()
