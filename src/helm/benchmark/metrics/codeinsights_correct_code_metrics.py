"""CodeInsights: measures whether C++ code that a model wrote for a student passes the question's unit tests."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.answer_metric import StateMetric
from helm.benchmark.metrics.code_metrics import mark_unprotected
from helm.benchmark.metrics.metric import MetricMetadata
from helm.benchmark.metrics.trial_stats import NamedValues
from helm.common.errors import MetricError
from helm.common.hierarchical_logger import hwarn
from helm.common.request import RequestResult
from helm.common.sandbox import get_sandbox
from helm.common.sandbox.harness import run_harness

# HELM: only these two openings of a code block are recognized; a `cpp` tag stays in the code, which then fails.
_FENCED = re.compile(r"```(?:c\+\+)?\n(.*?)```", re.DOTALL)
_INCLUDE = re.compile(r"^\s*#include.*$", re.MULTILINE)
_USING_STD = re.compile(r"^\s*using\s+namespace\s+std\s*;", re.MULTILINE)
_MAIN = re.compile(r"int\s+main.*", re.DOTALL)
_TEST_LOOP = re.compile(r"{%\s*for TEST in TESTCASES\s*%}.*?{%\s*endfor\s*%}", re.DOTALL)
_ANSWER_SLOT = "{{ STUDENT_ANSWER }}"


def extract_student_code(text: str) -> str:
    """Return the code in an answer: from its code block, without parts of the question's template (includes, main)."""
    block = _FENCED.search(text)
    code = block.group(1) if block else text
    code = _USING_STD.sub("", _INCLUDE.sub("", code.strip()))
    return _MAIN.sub("", code).strip()


@dataclass(frozen=True)
class TestOutcome:
    """The result of one unit test."""

    passed: bool

    runtime_s: float | None
    """Mean over the runs. None if the program did not compile."""


class CPPEvaluator:
    """Puts code into a question's template, once per unit test, and compiles and runs it in a sandbox.

    Args:
        template: C++ with a slot `{{ STUDENT_ANSWER }}` and a loop over the tests, which is replaced by one test.
        testcases: tests with `input` (C++ statements), `output` (expected), and optionally `std_in`.
        timeout: limit in seconds for each compilation and each run.
        max_workers: for compatibility; a sandbox compiles and runs sequentially.
    """

    def __init__(
        self, template: str, testcases: Sequence[Mapping[str, Any]], timeout: float = 10, max_workers: int = 8
    ):
        self.template, self.testcases, self.timeout = template, list(testcases), timeout

    def generate_code(self, student_answer: str) -> list[str]:
        """Return one program per test."""
        with_answer = self.template.replace(_ANSWER_SLOT, student_answer)
        parts = _TEST_LOOP.split(with_answer)
        return [str(test["input"]).join(parts) for test in self.testcases]

    def run_tests(self, student_answer: str, num_runs: int = 1) -> list[TestOutcome]:
        """Run the tests. Raises: MetricError if there is no compiler in the sandbox."""
        num_tests = len(self.testcases)
        task = {
            "sources": self.generate_code(student_answer),
            "inputs": [str(test.get("std_in") or "") for test in self.testcases],
            "timeout_s": self.timeout,
            "num_runs": num_runs,
        }
        wall_s = self.timeout * num_tests * (num_runs + 1)
        package = "helm.benchmark.metrics"
        outcome = run_harness(package, "code_harness_cpp.py", task, wall_s, output_bytes=64 << 20)
        try:
            results = json.loads(outcome.stdout)
        except (ValueError, RecursionError):  # terminated from outside, or by the programs
            results = None
        if results == "no compiler":
            raise MetricError("There is no g++ in the sandbox. Install it with: apt install g++")
        if not isinstance(results, list) or len(results) != num_tests:
            return [TestOutcome(False, None)] * num_tests
        return [_read_outcome(test, result) for test, result in zip(self.testcases, results, strict=True)]

    def evaluate(self, student_answer: str) -> dict[str, Any]:
        """Return `score`, the fraction of passed tests, and `testcases`, 1 or 0 for each."""
        passed = [int(outcome.passed) for outcome in self.run_tests(student_answer)]
        return {"score": sum(passed) / len(passed) if passed else 0.0, "testcases": passed}


def _read_outcome(test: Mapping[str, Any], result: Any) -> TestOutcome:
    """Parse the harness's output for one test. None (does not compile) and invalid output are failures."""
    try:
        is_right = result["returncode"] == 0 and result["output"].strip() == str(test["output"]).strip()
        return TestOutcome(is_right, float(result["runtime_s"]))
    except (TypeError, KeyError, ValueError, AttributeError):
        return TestOutcome(False, None)


class CodeInsightsFunctionalCorrectnessMetric(StateMetric):
    """Emits `functional_correctness`, the fraction of unit tests that the code passes, from 0 to 1.

    The instance's extra data contain `question_template` and `test_cases`; without tests nothing is emitted except a
    warning.

    Args:
        timeout: limit in seconds for each compilation and each run.

    Raises: SandboxError if there is no sandbox in which to run programs.
    """

    waits_on_io = True

    def __init__(self, timeout: int = 10, max_workers: int = 8):
        get_sandbox()
        self.timeout, self.max_workers = timeout, max_workers

    def create_evaluator(self, request_state: RequestState) -> CPPEvaluator | None:
        """Create the evaluator for the instance's question; None if it has no tests."""
        instance = request_state.instance
        data = instance.extra_data or {}
        tests = [
            test
            for test in data.get("test_cases") or []
            if isinstance(test, Mapping) and {"input", "output"} <= test.keys()
        ]
        if not tests or not data.get("question_template"):
            hwarn(f"Instance {instance.id}: no unit tests in its extra data (question_template, test_cases).")
            return None
        return CPPEvaluator(data["question_template"], tests, self.timeout, self.max_workers)

    @staticmethod
    def get_student_code(request_state: RequestState) -> str:
        """Return the code of the first completion."""
        result = request_state.result
        assert isinstance(result, RequestResult)  # as declared by `request_type`
        return extract_student_code(result.completions[0].text) if result.completions else ""

    def score_state(self, request_state: RequestState) -> NamedValues:
        evaluator = self.create_evaluator(request_state)
        if evaluator is None:
            return []
        score = evaluator.evaluate(self.get_student_code(request_state))["score"]
        values: NamedValues = [("functional_correctness", score)]
        return values + mark_unprotected()

    def get_metadata(self) -> list[MetricMetadata]:
        description = "Share of the unit tests that the code passes."
        return [
            MetricMetadata("functional_correctness", "Functional correctness", None, description, False, "accuracy")
        ]


class UnitTestAlignmentMetric(CodeInsightsFunctionalCorrectnessMetric):
    """Measures whether the model's code fails where the student's failed.

    Emits, from 0 to 1: `unittest_alignment_ratio`, the fraction of tests with the same outcome;
    `unittest_llm_pass_rate` and `unittest_student_pass_rate`. The student's outcomes are `student_correctness_pattern`
    in the extra data; missing ones count as failed.
    """

    def score_state(self, request_state: RequestState) -> NamedValues:
        evaluator = self.create_evaluator(request_state)
        pattern = (request_state.instance.extra_data or {}).get("student_correctness_pattern")
        if evaluator is None or not isinstance(pattern, (list, tuple)):
            return []
        model: list[int] = evaluator.evaluate(self.get_student_code(request_state))["testcases"]
        student = [int(bool(value)) for value in pattern][: len(model)]
        student += [0] * (len(model) - len(student))
        num_equal = sum(a == b for a, b in zip(model, student, strict=True))
        values: NamedValues = [
            ("unittest_alignment_ratio", num_equal / len(model)),
            ("unittest_llm_pass_rate", sum(model) / len(model)),
            ("unittest_student_pass_rate", sum(student) / len(model)),
        ]
        return values + mark_unprotected()

    def get_metadata(self) -> list[MetricMetadata]:
        names = ("unittest_alignment_ratio", "unittest_llm_pass_rate", "unittest_student_pass_rate")
        return [MetricMetadata(name, name.replace("_", " ").capitalize(), lower_is_better=False) for name in names]
