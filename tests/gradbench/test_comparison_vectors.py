"""Verdicts on outputs, against those of the original evals."""

import math
import subprocess
import sys

import numpy as np
import pytest

from helm.gradbench.comparison import Analysis, analyze, analyze_by_golden, compare
from helm.gradbench.evals.hello import HelloEval
from vectors_support import load_vectors, vector_cases

FILE = "gradbench/validator.json"


@pytest.mark.parametrize("case", vector_cases(FILE, "compare"), ids=lambda case: case["name"])
def test_vector_of_a_comparison(case):
    tolerance = load_vectors(FILE)["tolerance"]
    assert sorted(compare(case["expected"], case["actual"], tolerance).lines) == case["mismatches"]
    verdict = analyze(case["expected"], case["actual"])
    assert verdict.valid == case["valid"]
    assert verdict.num_mismatches == len(case["mismatches"])
    if "error" in case:
        assert verdict.error == case["error"]


@pytest.mark.parametrize("case", vector_cases(FILE, "mismatch_extra"))
def test_vector_of_a_verdict(case):
    if "golden_error" in case:

        def golden():
            raise ValueError(case["golden_error"])

        verdict = analyze_by_golden(golden, case["actual"])
    else:
        verdict = analyze(case["expected"], case["actual"], max_shown=case["max_mismatches"])
    assert (verdict.valid, verdict.error) == (case["valid"], case["error"])


@pytest.mark.parametrize("case", vector_cases(FILE, "hello"))
def test_vector_of_the_hello_check(case):
    verdict = HelloEval().analyze(case["function"], case["input"], case["output"])
    lines = (verdict.error or "").splitlines()
    assert verdict.valid == case["valid"]
    assert (lines[0] if lines else None) == case["error_first_line"]
    assert (lines[-1] if lines else None) == case["error_last_line"]


@pytest.mark.parametrize("factor", [1.0, 1 + 0.99e-5, 1 + 1.02e-5, 1 - 0.99e-5, 1 - 1.02e-5])
@pytest.mark.parametrize("x", [1.0, -3.0, 0.0, 1e-9, 1e6, 1e200])
def test_the_hello_check_is_as_close_as_numpy_asks(x, factor):
    for function, reference in (("square", x * x), ("double", 2 * x)):
        output = reference * factor
        assert HelloEval().analyze(function, x, output).valid == bool(np.isclose(output, reference))


def test_a_right_hello_is_judged_without_numpy():
    code = (
        "import sys\nfrom helm.gradbench.evals.hello import HelloEval\n"
        "assert HelloEval().analyze('double', 3.0, 6.0).valid\nassert 'numpy' not in sys.modules\n"
        "assert not HelloEval().analyze('double', 3.0, 6.1).valid"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("length", [5, 63, 64, 1000])
def test_long_lists_are_judged_like_short_ones(length):
    expected = [float(i) for i in range(length)]
    actual = [value + (0.5 if i in (3, length - 1) else 1e-6) for i, value in enumerate(expected)]
    lines = compare(expected, actual).lines
    assert lines == [f"[{i}]: {expected[i]} != {actual[i]}" for i in (3, length - 1)]


def test_many_mismatches_are_counted_and_ten_are_shown():
    verdict = analyze([[0.0] * 1000] * 3, [[1.0] * 1000] * 3)
    assert verdict.num_mismatches == 3000
    assert len(verdict.error.splitlines()) == 11


@pytest.mark.parametrize("other", [1, True, None, "x", [0.0], 10**400], ids=lambda value: str(value)[:5])
def test_a_long_list_with_one_other_value_in_it_is_compared_one_by_one(other):
    expected = [0.0] * 100
    actual = [*expected[:-1], other]
    verdict = analyze(expected, actual)
    assert (verdict.num_mismatches, verdict.valid) == (1, False)
    assert "[99]" in verdict.error


def test_nan_in_a_long_list_counts_as_equal_like_in_a_short_one():
    assert analyze([math.nan] * 100, [1.0] * 100) == Analysis(True)
