"""Reference programs with known verdicts, through the scorers of code; each is a process in the sandbox."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import frontier_answers as answers
from helm.benchmark.adaptation.request_state import new_request_state
from helm.benchmark.annotation.bigcodebench_annotator import BigCodeBenchAnnotator
from helm.benchmark.metrics.frontier.evalplus import run_calls
from helm.benchmark.metrics.frontier.exercises import ExerciseTests
from helm.benchmark.metrics.frontier.livecodebench import ProblemTests, run_tests
from helm.benchmark.metrics.multipl_e_metric import LANGUAGES, make_program, passes
from helm.benchmark.metrics.program_tests_metric import ProgramTestsMetric
from helm.benchmark.scenarios.scenario import Input, Instance
from helm.common.request import GeneratedOutput, Request, RequestResult

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]  # 190 processes

HEAD = "def largest(numbers):\n    "
INPUTS = [numbers for numbers, _ in answers.PROGRAM_CASES]
EXPECTED = [value for _, value in answers.PROGRAM_CASES]
ASSERTIONS = "".join(f"assert largest({numbers}) == {value}\n" for numbers, value in answers.PROGRAM_CASES)
UNIT_TESTS = (
    "import unittest\n\n\nclass TestCases(unittest.TestCase):\n    def test_largest(self):\n"
    f"        for numbers, value in {answers.PROGRAM_CASES}:\n            self.assertEqual(largest(numbers), value)\n"
)


def state_of(text, extra):
    state = new_request_state(Instance(Input("?"), [], id="id0", extra_data=extra), Request())
    result = RequestResult(success=True, embedding=[], completions=[GeneratedOutput(text, 0, [])], cached=False)
    return state.with_result(result)


def livecodebench(body):
    import json

    inputs, outputs = [json.dumps(numbers) for numbers in INPUTS], [json.dumps(value) for value in EXPECTED]
    found = run_tests(
        f"class Solution:\n    def largest(self, numbers):\n{indented(body)}",
        ProblemTests(inputs, outputs, "largest"),
        5,
    )
    return all(one is True for one in found)


def indented(body):
    return "\n".join("    " + line for line in f"    {body}".split("\n"))


def evalplus(body):
    return run_calls("humaneval", "largest", HEAD + body, [[one] for one in INPUTS], EXPECTED, 0.0).passed


def bigcodebench(body):
    state = state_of(f"Here it is:\n```python\n{HEAD}{body}\n```", {"test": UNIT_TESTS, "libs": "[]"})
    return BigCodeBenchAnnotator().annotate(state)["pass_at_one"]


def mbpp_plus(body):
    (_, value), *_ = ProgramTestsMetric(10).score_state(state_of(HEAD + body, {"test": ASSERTIONS}))
    return value == 1.0


def polyglot(body):
    test = UNIT_TESTS.replace("import unittest\n", "import unittest\n\nfrom largest import largest\n", 1)
    files = {"largest.py": HEAD + body + "\n", "largest_test.py": test}
    return ExerciseTests("python", timeout=20).run(files, ["largest_test.py"]).passed


def multipl_e(body):
    head = "#!/bin/bash\n# The largest of its arguments.\nlargest() {\n"
    lines = "".join(
        f'[ "$(largest {" ".join(map(str, numbers))})" = "{"" if value is None else value}" ] || exit 1\n'
        for numbers, value in answers.PROGRAM_CASES
    )
    return passes(LANGUAGES["sh"], make_program(head, f"{body}\n}}\n", lines, ["\n}\n\n"]), 10)


@pytest.mark.parametrize(
    "scorer, programs",
    [
        (livecodebench, answers.PROGRAMS),
        (evalplus, answers.PROGRAMS),
        (bigcodebench, answers.PROGRAMS),
        (mbpp_plus, answers.PROGRAMS),
        (polyglot, answers.PROGRAMS),
        (multipl_e, answers.SCRIPTS),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_verdicts(scorer, programs):
    with ThreadPoolExecutor(2) as threads:
        verdicts = list(threads.map(lambda one: scorer(one[0]), programs))
    assert len(programs) >= 30
    assert [body for (body, right), got in zip(programs, verdicts, strict=True) if bool(got) is not right] == []
