"""Answers of mathematics, compared by math-verify in a process of its own."""

import pytest

from helm.benchmark.metrics.frontier import math_worker
from helm.benchmark.metrics.math_equivalence import is_equiv
from helm.benchmark.metrics.math_verify_metric import MathVerifier, MathVerifyMetric
from helm.common.optional_dependencies import OptionalDependencyNotInstalled
from vectors_support import vector_cases

MATH = vector_cases("frontier/math_verify.json")


@pytest.fixture(scope="module")
def verifier():
    pytest.importorskip("math_verify")
    verifier = MathVerifier()
    yield verifier
    verifier.close()


def test_vector_math_verify(verifier):
    wrong = [case for case in MATH if verifier.verify(case["gold"], case["prediction"]) is not case["correct"]]
    assert not wrong


def test_gold_needs_no_dollar_signs(verifier):
    assert verifier.verify("\\frac{1}{2}", "So \\boxed{0.5}") is True


@pytest.mark.slow
def test_an_answer_without_an_end_is_undecided_and_the_next_one_is_not(verifier):
    quick = MathVerifier(timeout_s=3)
    assert quick.verify("1", "\\boxed{1}") is True
    assert quick.verify("1", "\\boxed{9^{9^{9^{9^{9}}}}!}") in (None, False)
    assert quick.verify("1", "\\boxed{1}") is True
    quick.close()


def test_a_missing_package_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(OptionalDependencyNotInstalled, match="math"):
        MathVerifyMetric()


def test_importing_the_worker_does_not_import_the_package():
    assert not hasattr(math_worker, "math_verify")


STRINGS = [case for case in vector_cases("frontier/math_string.json") if case["kind"] == "is_equiv"]


@pytest.mark.parametrize("case", STRINGS, ids=[case["id"] for case in STRINGS])
def test_vector_math_string(case):
    assert bool(is_equiv(case["gold"], case["prediction"])) is case["correct"]
