"""`helm.gradbench.tool`: what an author declares is served, timed and guarded."""

import json
import subprocess
import sys

import pytest

from helm.gradbench.tool import Tool, ToolError
from helm.gradbench.tools import server

PROGRAM = """
import os
from helm.gradbench.tool import Tool, ToolError

tool = Tool("mytool")

@tool.function("hello")
def square(x):
    print("noise")
    return x * x

@tool.function("hello", name="double", compile=lambda x: lambda x: 2 * x, has_first_run=True)
def _(x):
    raise AssertionError("compiled away")

@tool.function("hello", prepare=lambda value: value["x"], finish=lambda y: [y])
def threads(x):
    return [os.environ.get("OMP_NUM_THREADS", "many")] * x

@tool.function("hello")
def refuse(x):
    raise ToolError("not today")

@tool.function("hello")
def crash(x):
    return x[0]

@tool.function("hello")
def infinite(x):
    return float("inf")

if __name__ == "__main__":
    tool.run()
"""


def ask(path, messages, *flags):
    text = "".join(json.dumps(message) + "\n" for message in messages)
    process = subprocess.run(
        [sys.executable, str(path), *flags], input=text, capture_output=True, text=True, timeout=60, env={"PATH": ""}
    )
    assert process.returncode == 0, process.stderr
    return [json.loads(line) for line in process.stdout.splitlines()]


def evaluate(function, value, message_id=0):
    return {"id": message_id, "kind": "evaluate", "module": "hello", "function": function, "input": value}


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "mytool.py"
    path.write_text(PROGRAM)
    return path


def test_a_declared_tool_answers_every_kind_of_message(program):
    start, known, unknown, analysis = ask(
        program,
        [
            {"id": 0, "kind": "start", "eval": "hello"},
            {"id": 1, "kind": "define", "module": "hello"},
            {"id": 2, "kind": "define", "module": "other"},
            {"id": 3, "kind": "analysis", "of": 0, "valid": True},
        ],
    )
    assert (start["id"], start["tool"], start["machine"]["threads"]) == (0, "mytool", "1")
    assert known == {"id": 1, "success": True}
    assert (unknown["success"], "no module 'other'" in unknown["error"]) == (False, True)
    assert analysis == {"id": 3}


def test_what_functions_print_stays_out_of_the_answers(program):
    (answer,) = ask(program, [evaluate("square", 3.0)])
    assert answer["output"] == 9.0
    assert [timing["name"] for timing in answer["timings"]] == ["evaluate"]


def test_compilation_and_the_first_run_have_names_of_their_own(program):
    (answer,) = ask(program, [evaluate("double", 3.0)])
    assert answer["output"] == 6.0
    assert [timing["name"] for timing in answer["timings"]] == ["compile", "first_run", "evaluate"]


@pytest.mark.parametrize(
    ("function", "text"),
    [("refuse", "not today"), ("crash", "TypeError"), ("infinite", "infinity"), ("missing", "no function 'missing'")],
)
def test_a_function_that_fails_is_answered_and_the_tool_goes_on(program, function, text):
    failed, fine = ask(program, [evaluate(function, 1.0, 0), evaluate("square", 2.0, 1)])
    assert (failed["id"], failed["success"]) == (0, False)
    assert text in failed["error"]
    assert fine["output"] == 4.0


@pytest.mark.parametrize(("flags", "threads"), [((), "1"), (("--multithreaded",), "many")])
def test_one_thread_unless_asked(program, flags, threads):
    (answer,) = ask(program, [evaluate("threads", {"x": 1, "min_runs": 3, "min_seconds": 0})], *flags)
    assert answer["output"] == [[threads]]
    assert len(answer["timings"]) == 3


def test_waiting_is_part_of_the_time():
    waited = []
    function = server.ToolFunction(lambda x: x, wait=lambda y: waited.append(y) or y)
    output, timings = server.evaluate(function, {"min_runs": 2})
    assert (output, len(waited)) == ({"min_runs": 2}, 2)
    assert [name for name, _ in timings] == ["evaluate", "evaluate"]


def test_a_function_is_declared_once():
    tool = Tool("t")
    tool.function("m", "f")(abs)
    with pytest.raises(ValueError, match="has a function 'f' already"):
        tool.function("m", "f")(abs)
    assert issubclass(ToolError, Exception)
