"""Programs are scored by what they do, not by what they say."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.adaptation.scenario_state import ScenarioState
from helm.benchmark.metrics.basic_metrics import BasicGenerationMetric
from helm.benchmark.metrics.code_metric_names import pass_at_k_estimator
from helm.benchmark.metrics.code_metrics import APPSMetric
from helm.benchmark.metrics.code_metrics_helper import (
    NO_PROGRAM,
    check_correctness,
    decode,
    is_same_text,
    is_same_value,
    run_test,
)
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.errors import HelmError
from helm.common.request import GeneratedOutput, Request, RequestResult
from helm.common.sandbox import SandboxError, selection
from helm.common.sandbox.unprotected import UnprotectedSandbox
from metrics_support import make_metric_service
from vectors_support import vector_cases

pytestmark = pytest.mark.sandbox

PROBLEM = {
    "task_id": "Test/0",
    "prompt": "def double(x):\n",
    "test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate('a') == 'aa'\n",
    "entry_point": "double",
}


@dataclass(frozen=True)
class ReferenceWithTests(Reference):
    test_cases: Any = None


def make_state(texts: list[str], references: list[Reference]) -> RequestState:
    instance = Instance(Input("q"), references, split="test", id="id1")
    request = Request(model="simple/model1", model_deployment="simple/model1", num_completions=len(texts))
    completions = [GeneratedOutput(text, 0.0, []) for text in texts]
    result = RequestResult(success=True, embedding=[], completions=completions, cached=False)
    return RequestState(instance, None, None, 0, None, request, result, 0, False)


def evaluate(metric: Any, texts: list[str], test_cases: Any, num_outputs: int = 1, parallelism: int = 1) -> dict:
    state = make_state(texts, [ReferenceWithTests(Output("x"), [CORRECT_TAG], test_cases)])
    spec = AdapterSpec(
        method="generation", model="simple/model1", model_deployment="simple/model1", num_outputs=num_outputs
    )
    result = metric.evaluate(ScenarioState(spec, [state]), make_metric_service(), "", parallelism)
    return {stat.name.name: stat.mean for stat in result.aggregated_stats if stat.name.perturbation is None}


def test_pass_at_k_vector() -> None:
    for case in vector_cases("helm-metrics/pass_at_k.json"):
        actual = pass_at_k_estimator(case["n"], case["c"], case["k"])
        assert actual == pytest.approx(case["value"], rel=1e-9, abs=1e-12), case


# --- HumanEval --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "completion, result",
    [
        ("    return x + x", "passed"),
        ("    return x + x\n\nprint('noise')", "passed"),
        ("    import numpy as np\n    return np.add(x, x) if x == 2 else x + x", "passed"),
        ("    return 2 * x\nif __name__ == '__main__':\n    1 / 0", "passed"),
        ("    return x", "failed: AssertionError: "),
        ("    return x +", "failed: SyntaxError: invalid syntax (<string>, line 2)"),
        ("    raise SystemExit(0)", "failed: SystemExit: 0"),
        ("    return input()", "failed: UnsupportedOperation: not readable"),
        (
            "    import subprocess; return subprocess.Popen(['true'])",
            "failed: TypeError: 'NoneType' object is not callable",
        ),
    ],
)
def test_a_program_passes_when_its_tests_do(completion: str, result: str) -> None:
    outcome = check_correctness(PROBLEM, completion, 3.0)
    assert outcome == {"task_id": "Test/0", "passed": result == "passed", "result": result, "completion_id": None}


@pytest.mark.parametrize(
    "completion",
    {
        "leaves": "    import os; os._exit(0)",
        "leaves before the tests": "    return 1\nimport os\nos._exit(0)",
        "says so": "    return 1\nprint('passed')\nimport os\nos._exit(0)",
        "says so everywhere": "    return 1\nimport os\nfor fd in range(3, 20):\n    try: os.write(fd, b'passed')\n"
        "    except OSError: pass\nos._exit(0)",
        "looks for the token in frames": "    return 1\nimport sys, os\nf = sys._getframe()\nfound = []\n"
        "while f:\n    found += [v for v in list(f.f_locals.values()) if isinstance(v, (str, bytes)) and len(v) == 64]\n"
        "    found += [v['token'] for v in list(f.f_locals.values()) if isinstance(v, dict) and 'token' in v]\n"
        "    f = f.f_back\nfor v in found:\n    for fd in range(3, 20):\n"
        "        try: os.write(fd, v if isinstance(v, bytes) else v.encode())\n        except OSError: pass\nos._exit(0)",
        "looks for the token among all objects": "    return 1\nimport gc, os\nfor o in gc.get_objects():\n"
        "    args = getattr(o, 'args', ())\n    for v in (args if isinstance(args, tuple) else ()):\n"
        "        if isinstance(v, bytes) and len(v) == 64:\n            os.write(args[0], v)\nos._exit(0)",
        "kills": "    return 1\nimport signal\nsignal.raise_signal(9)",
        "closes everything": "    return 1\nimport os\nos.closerange(0, 50)",
        "speaks for the harness": "    return 1\nimport os\nfor fd in range(3, 20):\n"
        "    try: os.write(fd, b'failed: passed')\n    except OSError: pass\nos._exit(0)",
    }.values(),
)
def test_tricks_are_no_passes(completion: str) -> None:
    outcome = check_correctness(PROBLEM, completion, 3.0)
    assert not outcome["passed"] and outcome["result"] != "passed", outcome


def test_endless_programs_time_out() -> None:
    for completion in (
        "    while True: pass",
        "    while True:\n        try:\n            while True: pass\n        except: pass",
    ):
        assert check_correctness(PROBLEM, completion, 0.5)["result"] == "timed out"


def test_code_eval_acc_and_pass_of_one_completion() -> None:
    metric = BasicGenerationMetric(["code_eval_acc", "pass"])
    stats = evaluate(metric, ["return x + x"], PROBLEM)
    assert (stats["code_eval_acc"], stats["pass"]) == (1.0, 1.0) and "pass@1" not in stats
    assert "code_ran_unprotected" not in stats
    stats = evaluate(metric, ["return x"], PROBLEM)
    assert (stats["code_eval_acc"], stats["pass"]) == (0.0, 0.0)
    assert evaluate(metric, [""], PROBLEM)["pass"] == 0.0


def test_pass_counts_all_completions_and_code_eval_acc_the_first() -> None:
    metric = BasicGenerationMetric(["code_eval_acc", "pass"])
    stats = evaluate(
        metric, ["return 1", "return x + x", "return 2 * x", "return 1"], PROBLEM, num_outputs=4, parallelism=2
    )
    assert (stats["code_eval_acc"], stats["code_eval_acc@4"], stats["pass"], stats["pass@4"]) == (0.0, 1.0, 0.5, 1.0)


def test_a_reference_without_tests_is_an_error_not_a_zero() -> None:
    with pytest.raises(HelmError, match="Instance id1: its reference has no test cases"):
        evaluate(BasicGenerationMetric(["pass"]), ["return 1"], None)
    with pytest.raises(HelmError, match="Instance id1: its reference has no test cases"):
        evaluate(APPSMetric(["test_avg"], 1), ["print(1)"], None)


def test_metrics_that_run_programs_refuse_to_start_without_a_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv(selection.VARIABLE, raising=False)
    selection._find_sandbox.cache_clear()
    try:
        with pytest.raises(SandboxError, match="apt install bubblewrap"):
            BasicGenerationMetric(["pass"])
        with pytest.raises(SandboxError, match="apt install bubblewrap"):
            APPSMetric(["test_avg"], 3)
        BasicGenerationMetric(["exact_match"])
    finally:
        selection._find_sandbox.cache_clear()


def test_a_run_without_a_sandbox_says_so_in_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "_find_sandbox", lambda name: UnprotectedSandbox())
    stats = evaluate(BasicGenerationMetric(["pass"]), ["return x + x"], PROBLEM)
    assert (stats["pass"], stats["code_ran_unprotected"]) == (1.0, 1.0)


# --- APPS -------------------------------------------------------------------------------------------------------------


def io_problem(*pairs: Any) -> dict[str, Any]:
    return {"inputs": [pair[0] for pair in pairs], "outputs": [pair[1] for pair in pairs]}


def call_problem(*pairs: Any) -> dict[str, Any]:
    return {**io_problem(*pairs), "fn_name": "f"}


@pytest.mark.parametrize(
    "program, problem, expected",
    [
        ("print(int(input()) + 1)", io_problem(["1\n", "2\n"], ["1", "3"]), [True, False]),
        ("def main():\n\tprint(input())\nmain()", io_problem(["a", "a"], ["a", "b"]), [True, False]),
        (
            "import sys\nfor line in sys.stdin:\n  print(line.strip())\nimport re",
            io_problem(["a\nb\n", "a\nb"]),
            [True],
        ),
        ("print(stdin.readline(), end='|'); print(stdin.readline(), end='|')", io_problem(["a\nb", "a|b|"]), [True]),
        ("print(open(0).read())", io_problem(["a\nb", "a\nb"]), [True]),
        ("print(1)\nexit()", io_problem(["", "1"]), [True]),
        ("1 / 0", io_problem(["", "1"], ["", "2"]), [-1, -1]),
        ("print(1", io_problem(["", "1"], ["", "2"]), [NO_PROGRAM]),
        ("import os\nos._exit(0)", io_problem(["", "1"]), []),
        ("def f(x): return x", call_problem([[1], 1], [[2], [2]], [[3], 4]), [True, True, False]),
        ("def f(x): return (x, 1)", call_problem([[1], [1, 1]], [[1], [[1, 1]]]), [True, True]),
        ("class Solution:\n  def f(self, x): return x", call_problem([[1], 1]), [True]),
        ("def f(x): return {k + 1: v for k, v in x.items()}", call_problem([[{"1": 2}], {"2": 2}]), [True]),
        ("n = 0\ndef f(x):\n  global n\n  n += 1\n  return n", call_problem([[1], 1], [[1], 2]), [True, True]),
        ("def f(x): return np.int64(x)", call_problem([[1], 1]), [False]),
        ("def f(x): return [np.int64(x)]", call_problem([[1], [1]]), [True]),
        ("def f(x): return 10 ** 9999", call_problem([[1], 10**9999 % 7]), [False]),
        ("def f(x): return {frozenset([1])}", call_problem([[1], 1]), [False]),
        ("def g(x): return x", call_problem([[1], 1]), [NO_PROGRAM]),
        ("def f(x): 1 / 0", call_problem([[1], 1], [[1], 2]), [-1, -1]),
    ],
)
def test_an_apps_program_is_compared_test_by_test(program: str, problem: dict, expected: list) -> None:
    assert run_test("", program, 3.0, problem) == expected


def test_the_problem_may_be_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "input_output.json").write_text(json.dumps(io_problem(["1", "1"])))
    assert run_test(str(tmp_path), "print(input())", 3.0) == [True]


def test_a_test_that_takes_too_long_fails_alone() -> None:
    program = "x = int(input())\nwhile x: pass\nprint(x)"
    assert run_test("", program, 0.5, io_problem(["0", "0"], ["1", "1"], ["0", "0"])) == [True, -1, True]


def test_all_tests_together_have_a_time() -> None:
    program = "while True: sum([1])"
    assert run_test("", program, 60, io_problem(["0", "0"]), total_s=0.5) == []


@pytest.mark.parametrize(
    "line",
    [
        '{"output": ["1"]}',
        '{"output": {"tuple": 5}}',
        '{"output": ' + "[" * 5000 + "]" * 5000 + "}",
        "[]",
        "\xff",
        "done",
    ],
    ids=["guess", "nonsense", "deep", "list", "bytes", "text"],
)
def test_a_program_that_speaks_for_the_harness_gains_nothing(line: str) -> None:
    program = f"import os\nfor fd in range(3, 10):\n  try: os.write(fd, {line!r}.encode() + b'\\n\"done\"\\n')\n" + (
        "  except OSError: pass\nos._exit(0)"
    )
    assert True not in run_test("", program, 3.0, io_problem(["0", "7"], ["0", "8"]))


@pytest.mark.parametrize(
    "lines, expected, same",
    [
        (["a", "b"], "a\nb\n", True),
        ([" a ", "b "], "a\nb", True),
        (["a", "", "b"], "a\nb", True),
        (["a b"], ["a b"], True),
        (["0.33333333"], "0.3333333", True),
        (["0.3333"], "0.33334", True),
        (["0.3333"], "0.3344", False),
        (["nan"], "1", False),
        (["inf"], "1e400", True),
        (["b a"], "a b", True),
        (["b", "a"], "a\nb", True),
        (["a", "a"], "a", True),
        (["a b"], "a\nb", False),
        (["1.0 2"], "1 2.0001", True),
        ([], "", True),
        ([], "a", False),
        (["A"], "a", False),
    ],
)
def test_printed_lines_are_compared_leniently(lines: list[str], expected: Any, same: bool) -> None:
    assert is_same_text(lines, expected) is same


def test_values_keep_their_kind_on_the_way() -> None:
    assert decode({"tuple": [1, {"set": [1, 2]}, {"dict": [[1, [2]]]}, {"int": "-0x10"}]}) == (1, {1, 2}, {1: [2]}, -16)
    assert not is_same_value(decode({"other": "range"}), [0, 1])
    assert not is_same_value((1, 2), [[1], [2]])


def test_apps_metric_takes_the_best_completion() -> None:
    problem = io_problem(["1", "1"], ["2", "2"], ["3", "3"], ["4", "5"])
    metric = APPSMetric(["test_avg", "strict_acc"], timeout=3)
    assert evaluate(metric, ["print(1)", "print(input())", "import os; os._exit(0)"], problem) == {
        "test_avg": 0.75,
        "strict_acc": 0.0,
    }
    assert evaluate(metric, ["n = input()\nprint(5 if n == '4' else n)"], problem) == {
        "test_avg": 1.0,
        "strict_acc": 1.0,
    }
    assert evaluate(metric, ["print("], problem) == {"test_avg": 0.0, "strict_acc": 0.0}
    assert evaluate(metric, [""], problem) == {"test_avg": 0.0, "strict_acc": 0.0}


def test_apps_metric_knows_its_names() -> None:
    with pytest.raises(ValueError, match="not 'test_average'. Did you mean 'test_avg'"):
        APPSMetric(["test_average"], 3)
    assert [row.name for row in APPSMetric(["test_avg", "strict_acc"], 3).get_metadata()] == ["test_avg", "strict_acc"]
