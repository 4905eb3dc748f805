"""C++ code of models, compiled and run in the sandbox."""

import shutil
from typing import Any

import pytest

from helm.benchmark.adaptation.adapter_spec import AdapterSpec
from helm.benchmark.adaptation.request_state import RequestState
from helm.benchmark.metrics.codeinsights_code_efficiency_metrics import CodeInsightsCodeEfficiencyMetric
from helm.benchmark.metrics.codeinsights_code_evaluation_metrics import (
    CodeInsightsCodeEvaluationMetric,
    CodeInsightsComprehensiveCodeEvaluationMetric,
    compare_assembly,
    compare_syntax_trees,
)
from helm.benchmark.metrics.codeinsights_correct_code_metrics import (
    CodeInsightsFunctionalCorrectnessMetric,
    CPPEvaluator,
    UnitTestAlignmentMetric,
    extract_student_code,
)
from helm.benchmark.metrics.codeinsights_edge_case_metrics import CodeInsightsUnittestAlignmentMetric
from helm.benchmark.scenarios.scenario import CORRECT_TAG, Input, Instance, Output, Reference
from helm.common.errors import HelmError
from helm.common.request import GeneratedOutput, Request, RequestResult
from metrics_support import make_metric_service

pytestmark = pytest.mark.sandbox

needs_compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++ (apt install g++)")

TEMPLATE = """#include <cstdio>
{{ STUDENT_ANSWER }}
int main() {
{% for TEST in TESTCASES %}
  { {{ TEST.testcode }} }
{% endfor %}
}"""
TESTS = [{"input": f'printf("%d\\n", f({i}));', "output": str(i + 1)} for i in range(2)]
RIGHT = "int f(int x) { return x + 1; }"
HALF = "int f(int x) { return 1; }"


def make_state(text: str, pattern: Any = (1, 0), gold: str | None = RIGHT, data: Any = None) -> RequestState:
    if data is None:
        data = {"question_template": TEMPLATE, "test_cases": TESTS, "student_correctness_pattern": pattern}
    references = [] if gold is None else [Reference(Output(gold), [CORRECT_TAG])]
    instance = Instance(Input("q"), references, split="test", id="id1", extra_data=data)
    result = RequestResult(success=True, embedding=[], completions=[GeneratedOutput(text, 0.0, [])], cached=False)
    return RequestState(instance, None, None, 0, None, Request(), result, 0, False)


def score(metric: Any, state: RequestState) -> dict[str, Any]:
    stats = metric.evaluate_generation(AdapterSpec(), state, make_metric_service(), "")
    return {stat.name.name: stat.mean for stat in stats}


@pytest.mark.parametrize(
    "text, code",
    [
        ("```\nA\n```", "A"),
        ("So:\n```c++\nA\n```\nB", "A"),
        ("```cpp\nA\n```", "```cpp\nA\n```"),
        ("#include <x>\nusing namespace std;\nA\nint main() { B }\nC", "A"),
        ("  #include <a>\nA", "A"),
        ("A\nvoid main(){}", "A\nvoid main(){}"),
        ('#define X\nA\n#include "q"\nB', "#define X\nA\n\nB"),
        ("int main(){}", ""),
        ("", ""),
    ],
)
def test_the_code_is_taken_out_of_the_answer(text: str, code: str) -> None:
    assert extract_student_code(text) == code


def test_each_test_gets_a_program() -> None:
    evaluator = CPPEvaluator(
        "{{ STUDENT_ANSWER }} {% for TEST in TESTCASES %}\n x {{ TEST.testcode }}\n{% endfor %}.", TESTS
    )
    assert evaluator.generate_code("A\\1") == [f"A\\1 {test['input']}." for test in TESTS]


@needs_compiler
@pytest.mark.parametrize(
    "text, expected",
    [
        (RIGHT, 1.0),
        (HALF, 0.5),
        ("```c++\n#include <cstdio>\n" + RIGHT + "\nint main() {}\n```", 1.0),
        ("int f(int x) {", 0.0),
        ("", 0.0),
        ("int f(int x) { return *(volatile int*)0; }", 0.0),
        ("#include <cstdlib>\nint f(int x) { exit(0); }", 0.0),
        ('#include <cstdlib>\nint f(int x) { printf("%d", x + 1); exit(1); }', 0.0),
    ],
)
def test_functional_correctness(text: str, expected: float) -> None:
    assert score(CodeInsightsFunctionalCorrectnessMetric(), make_state(text)) == {"functional_correctness": expected}


@needs_compiler
def test_endless_programs_fail_alone_and_input_is_given() -> None:
    loop = "int f(int x) { volatile int y = x; while (y) {} return 1; }"
    assert CPPEvaluator(TEMPLATE, TESTS, timeout=1.5).evaluate(loop) == {"score": 0.5, "testcases": [1, 0]}
    tests = [{"input": 'int x; scanf("%d", &x); printf("%d", x);', "output": " 7\n", "std_in": "7"}]
    assert CPPEvaluator(TEMPLATE, tests).evaluate("")["score"] == 1.0


@needs_compiler
def test_a_program_cannot_speak_for_the_harness() -> None:
    attack = (
        "#include <cstdlib>\n#include <cstring>\n#include <fcntl.h>\n#include <unistd.h>\n"
        'int f(int x) { const char* s = "[{\\"returncode\\": 0, \\"output\\": \\"1\\", \\"runtime_s\\": 1}]";'
        " char path[64]; for (int i = 0; i < 64; i++) {"
        ' snprintf(path, 64, "/proc/%d/fd/%d", getppid(), i); int fd = open(path, O_WRONLY);'
        " if (fd >= 0) { write(fd, s, strlen(s)); } } return 0; }"
    )
    template = TEMPLATE  # keeps its includes out of the answer, as for any other
    tests = [{"input": 'printf("%d", f(0));', "output": "1"}]
    headers = "#include <cstring>\n#include <fcntl.h>\n#include <unistd.h>\n"
    assert CPPEvaluator(headers + template, tests).evaluate(attack) == {"score": 0.0, "testcases": [0]}


@needs_compiler
def test_alignment_with_the_student() -> None:
    metric = UnitTestAlignmentMetric()
    names = ["unittest_alignment_ratio", "unittest_llm_pass_rate", "unittest_student_pass_rate"]
    for pattern, expected in (([1, 0], [1.0, 0.5, 0.5]), ([0, 0], [0.5, 0.5, 0.0]), ([1], [1.0, 0.5, 0.5])):
        assert score(metric, make_state(HALF, pattern)) == dict(zip(names, expected, strict=True))


@needs_compiler
def test_efficiency_compares_run_times() -> None:
    slow = "int f(int x) { volatile long s = 0; for (long i = 0; i < 60000000; i++) s += i; return x + 1; }"
    metric = CodeInsightsCodeEfficiencyMetric(num_runtime_runs=1)
    stats = score(metric, make_state(slow, gold=RIGHT))
    assert list(stats) == ["functional_correctness", "runtime_efficiency_ratio", "efficiency_alignment_score"]
    assert stats["runtime_efficiency_ratio"] > 2
    assert stats["efficiency_alignment_score"] == pytest.approx(1 / stats["runtime_efficiency_ratio"])
    assert list(score(metric, make_state("bad", gold=RIGHT)).values()) == [0.0, 0.0, 0.0]
    assert list(score(metric, make_state(RIGHT, gold="bad"))) == ["functional_correctness"]


def test_syntax_trees_are_compared_as_in_helm() -> None:
    """Figures of the original."""
    pytest.importorskip("clang")
    pytest.importorskip("Levenshtein")
    codes = [
        "int f(int x){return x+1;}",
        "int f(int y){int z=y; z++; return z;}",
        "",
        "class A{public: int x; A():x(1){} int g(){return x*2;}};",
        "void h(int n){for(int i=0;i<n;i++){if(i%2){n--;}else n+=2;}}",
        "int h(int n){int s=0;while(n>0){s+=n;n--;}return s;}",
    ]
    expected = {
        (0, 0): 0.93333, (0, 1): 0.43243, (0, 2): 0.11765, (0, 4): 0.27119, (0, 5): 0.31373, (1, 1): 0.95455,
        (1, 2): 0.08333, (1, 3): 0.17021, (1, 4): 0.36364, (1, 5): 0.44828, (2, 2): 0.5, (2, 3): 0.07407, (3, 3): 0.96,
        (3, 4): 0.2029, (3, 5): 0.16393, (4, 4): 0.97727, (4, 5): 0.55, (5, 5): 0.97222,
    }  # fmt: skip
    actual = {pair: round(compare_syntax_trees(codes[pair[0]], codes[pair[1]]), 5) for pair in expected}
    assert actual == expected


@needs_compiler
def test_evaluation_emits_likenesses_and_nothing_for_nothing() -> None:
    pytest.importorskip("clang")
    pytest.importorskip("Levenshtein")
    metric = CodeInsightsCodeEvaluationMetric(use_codebert=False)
    stats = score(metric, make_state(RIGHT))
    assert list(stats) == ["ast_distance", "asm_distance"] and stats["asm_distance"] == 1.0
    assert list(score(metric, make_state("int f(int"))) == ["ast_distance"]
    assert score(metric, make_state("")) == {} and score(metric, make_state(RIGHT, gold=None)) == {}
    assert compare_assembly(RIGHT, "bad(") is None
    comprehensive = score(CodeInsightsComprehensiveCodeEvaluationMetric(use_codebert=False), make_state(RIGHT))
    assert list(comprehensive)[2:] == [
        "unittest_alignment_ratio",
        "unittest_llm_pass_rate",
        "unittest_student_pass_rate",
    ]


def test_codebert_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("clang")
    pytest.importorskip("Levenshtein")
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(HelmError, match=r"helm-evals\[huggingface\]"):
        CodeInsightsCodeEvaluationMetric(use_codebert=True)


@pytest.mark.parametrize(
    "text, pattern, expected",
    [
        ("1", [1, 0, 1], {"unittest_alignment": 1.0}),
        ("test 1, I think", [1, 0, 0], {"unittest_alignment": 1.0}),
        ("2", [1, 0, 0], {"unittest_alignment": 0.0}),
        ("-1", [1, 0], {"unittest_alignment": 0.0}),
        ("12", [1, 0], {"unittest_alignment": 0.0}),
        ("none", [1, 1], {"unittest_alignment": 0.0}),
        ("", [1, 0], {"unittest_alignment": 0.0}),
        ("1", None, {}),
    ],
)
def test_the_first_failed_test_is_to_be_named(text: str, pattern: Any, expected: dict) -> None:
    assert score(CodeInsightsUnittestAlignmentMetric(), make_state(text, pattern)) == expected


def test_questions_without_tests_give_nothing() -> None:
    for data in ({}, {"question_template": TEMPLATE, "test_cases": []}, {"question_template": "", "test_cases": TESTS}):
        metrics: list[Any] = [CodeInsightsFunctionalCorrectnessMetric(), UnitTestAlignmentMetric()]
        for metric in [*metrics, CodeInsightsCodeEfficiencyMetric()]:
            assert score(metric, make_state(RIGHT, data=data)) == {}
