"""How LiveCodeBench finds, runs and judges programs."""

import ast
import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from helm.common.caching.plain_pickle import PickleError, load_plain
from helm.common.errors import MetricError
from helm.common.formats.json_reading import read_json
from helm.common.sandbox.harness import run_harness

WRONG_ANSWER, TOO_SLOW, FAILED = -2, -3, -4

TestResult = bool | int
"""True for a test that passes; False for a wrong value of a function; `WRONG_ANSWER` for wrong output; `TOO_SLOW`; `FAILED`."""

_PACKAGE = "helm.benchmark.metrics"
_MOST_UNPACKED = 1 << 29
_MOST_OUTPUT = 256 << 20


@dataclass(frozen=True)
class ProblemTests:
    """The tests of a problem."""

    inputs: Sequence[str]

    outputs: Sequence[str]

    function: str | None
    """The method or function to call with JSON on each line of an input. None: the program reads standard input."""


def find_code(text: str) -> str:
    """Return the lines between the last two lines that contain three backticks; empty without two."""
    lines = text.split("\n")
    fences = [i for i, line in enumerate(lines) if "```" in line]
    return "\n".join(lines[fences[-2] + 1 : fences[-1]]) if len(fences) > 1 else ""


def read_tests(row: Mapping[str, Any]) -> ProblemTests:
    """Return the public and private tests of a row. Raises: MetricError if they are not in the published form."""
    try:
        tests = [*read_json(row["public_test_cases"]), *_read_private(row["private_test_cases"])]
        metadata = read_json(row.get("metadata") or "{}")
        inputs, outputs = [test["input"] for test in tests], [test["output"] for test in tests]
        if not all(isinstance(text, str) for text in (*inputs, *outputs)):
            raise TypeError("inputs and outputs of tests are texts")
    except (KeyError, TypeError, ValueError, PickleError, zlib.error, binascii.Error) as e:
        raise MetricError(f"Problem {row.get('question_id')}: its tests cannot be read: {e}") from e
    return ProblemTests(inputs, outputs, metadata.get("func_name"))


def _read_private(text: str) -> list[Any]:
    """Return tests that are JSON, or JSON as a text that is pickled, compressed and encoded. Only texts are unpickled."""
    try:
        return read_json(text)
    except ValueError:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(text, validate=True), _MOST_UNPACKED)
        if unpacker.unconsumed_tail:
            raise ValueError(f"they unpack to more than {_MOST_UNPACKED >> 20} MiB") from None
        value = load_plain(data)
        return read_json(value) if isinstance(value, str) else value


def run_tests(code: str, tests: ProblemTests, timeout_s: float) -> list[TestResult]:
    """Run a program in the sandbox; return the results of its tests up to the first that does not pass.

    Args:
        timeout_s: the limit for each test.

    Raises: SandboxError if there is no sandbox.
    """
    task = {"source": code, "function": tests.function, "inputs": list(tests.inputs), "timeout_s": timeout_s}
    wall_s = timeout_s * max(1, len(tests.inputs))
    outcome = run_harness(_PACKAGE, "code_harness_livecodebench.py", task, wall_s, output_bytes=_MOST_OUTPUT)
    if outcome.status != "ok":
        return [TOO_SLOW if outcome.status == "timeout" else FAILED]
    results: list[TestResult] = []
    for record, expected in zip(_records(outcome.stdout), tests.outputs, strict=False):
        if "output" in record:
            is_same = is_same_output if tests.function is None else is_same_value
            wrong: TestResult = WRONG_ANSWER if tests.function is None else False
            results.append(True if is_same(str(record["output"]), expected) else wrong)
        else:
            results.append(TOO_SLOW if record.get("error") == "time" else FAILED)
        if results[-1] is not True:
            return results
    return results if len(results) == len(tests.outputs) else [*results, FAILED]


def _records(stdout: bytes) -> list[dict[str, Any]]:
    try:
        *records, last = [json.loads(line) for line in stdout.splitlines()] or [None]
    except (ValueError, RecursionError):
        return []
    return records if last == "done" and all(isinstance(record, dict) for record in records) else []


def is_same_output(printed: str, expected: str) -> bool:
    """Return whether printed text has the same lines, apart from white space around them, or equal decimal numbers in them."""
    got, wanted = _lines(printed), _lines(expected)
    if len(got) != len(wanted):
        return False
    return all(one == other or _are_equal_numbers(one, other) for one, other in zip(got, wanted, strict=True))


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _are_equal_numbers(one: str, other: str) -> bool:
    try:
        return [Decimal(word) for word in one.split()] == [Decimal(word) for word in other.split()]
    except InvalidOperation:
        return False


def is_same_value(value: str, expected: str) -> bool:
    """Return whether the value of a function, as a Python literal, is that in JSON; an outer tuple counts as a list."""
    try:
        got, wanted = ast.literal_eval(value), read_json(expected)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return bool((list(got) if isinstance(got, tuple) else got) == wanted)
