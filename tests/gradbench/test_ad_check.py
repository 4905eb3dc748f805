"""`gradbench check`: derivatives are compared with differences of the tool's own functions."""

import json
import shlex
import sys

import pytest

from helm.gradbench import main as gradbench
from helm.gradbench.check import CHECKED_EVALS, eval_check, run_check
from helm.gradbench.protocol import Outcome
from helm.gradbench.tool_client import ToolClient

TOOL = """
from helm.gradbench.tool import Tool

tool = Tool("mine")

@tool.function("wave")
def height(value):
    (x, y), shift = value["at"], value["shift"]
    return [x * y + shift, x ** 3]

@tool.function("wave")
def slopes(value):
    (x, y), _ = value["at"], value["shift"]
    return [[y, x], [3 * x ** 2, 0.0]]

@tool.function("wave")
def wrong_slopes(value):
    (x, y), _ = value["at"], value["shift"]
    return [[y, x], [3 * x ** 2, 1e-4]]

@tool.function("wave")
def few_slopes(value):
    return [1.0]

@tool.function("wave")
def words(value):
    return "steep"

@tool.function("lse")
def primal(value):
    return sum(value["x"])

@tool.function("lse")
def gradient(value):
    return [0.0] * len(value["x"])

tool.run()
"""


@pytest.fixture(scope="module")
def numpy_tool():
    with ToolClient(builtin="numpy") as tool:
        yield tool


@pytest.mark.parametrize("name", CHECKED_EVALS)
def test_derivatives_by_hand_are_those_of_their_functions(numpy_tool, name):
    finding = run_check(numpy_tool, eval_check(name), 60)
    assert (finding.outcome, finding.error) == (Outcome.SUCCESS, None)
    assert finding.difference < (1e-7 if name == "kmeans" else 1e-10)


@pytest.fixture
def check(tmp_path, capsys):
    (tmp_path / "tool.py").write_text(TOOL)
    (tmp_path / "input.json").write_text(json.dumps({"at": [2.0, 3.0], "shift": 1.0}))

    def check_(*arguments):
        command = shlex.join([sys.executable, str(tmp_path / "tool.py")])
        with pytest.raises(SystemExit) as exit_:
            gradbench.main(["check", "--tool", command, *arguments])
        out, err = capsys.readouterr()
        return exit_.value.code, out, err

    return check_


def own(derivative, tmp_path, *more):
    return (
        "--module",
        "wave",
        "--primal",
        "height",
        "--derivative",
        derivative,
        "--input",
        str(tmp_path / "input.json"),
        *more,
    )


def test_a_function_of_no_eval_is_checked_at_a_given_input(check, tmp_path):
    code, out, _ = check(*own("slopes", tmp_path, "--by", "at"))
    assert code == 0 and out.startswith("wave::slopes         ✓ success largest difference ")


@pytest.mark.parametrize(
    ("derivative", "reason"),
    [
        ("wrong_slopes", "8.3e-06"),
        ("wrong_slopes", "1 of 4 numbers differ, most of all value 1 by at[1]: the tool says 0.0001, differences of"),
        ("few_slopes", "the derivative has 1 numbers"),
        ("words", "a number was expected"),
    ],
)
def test_a_derivative_of_something_else_is_invalid(check, tmp_path, derivative, reason):
    code, out, _ = check(*own(derivative, tmp_path, "--by", "at"))
    assert code == 4 and reason in out


def test_zeros_are_no_gradient_and_a_missing_module_is_undefined(check):
    code, out, _ = check("lse")
    assert code == 4 and "lse::gradient        ✗ invalid largest difference 1.0e+00" in out
    code, out, _ = check("lse", "gmm")
    assert code == 2 and "gmm::jacobian        ✗ undefined" in out


def test_what_cannot_be_checked_is_said(check, tmp_path):
    assert "Nothing to check for 'saddle'" in check("saddle")[2]
    assert "must be given together" in check("lse", "--module", "wave")[2]
    assert "has no field 'bt'" in check(*own("slopes", tmp_path, "--by", "bt"))[2]
    assert "is not JSON" in check("--module", "m", "--primal", "f", "--derivative", "g", "--input", __file__)[2]
