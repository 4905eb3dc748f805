"""IFBench: every instruction against the published checks."""

import pytest

from helm.benchmark.metrics.ifbench.following import follows, follows_loosely
from helm.benchmark.metrics.ifbench.registry import CHECKS
from helm.benchmark.metrics.ifeval.checks import INSTRUCTIONS, UnknownInstructionError
from vectors_support import vector_cases

pytest.importorskip("nltk")


def cases(name):
    found = vector_cases(f"frontier/{name}.json")
    return pytest.mark.parametrize("case", found, ids=[case["id"] for case in found])


def outcome(case, function):
    pairs = zip(case["instruction_id_list"], case["kwargs"], strict=True)
    return [function(name, arguments, case["response"], case["id"]) for name, arguments in pairs]


@cases("ifbench")
def test_vector_ifbench(case):
    assert outcome(case, follows) == case["strict"]
    assert outcome(case, follows_loosely) == case["loose"]


def test_there_are_58_instructions():
    assert len(CHECKS) == 58


def test_an_unknown_instruction_is_named_with_the_nearest():
    with pytest.raises(UnknownInstructionError, match="Did you mean 'words:vowel'"):
        follows("words:vowels", {}, "a", "0")


def test_a_mistake_in_a_row_is_not_a_wrong_answer():
    name = next(name for name in CHECKS if name not in INSTRUCTIONS)  # those of IFEval check their own
    with pytest.raises(TypeError):
        follows(name, {"no_such_argument": 1}, "An answer.", "seed")
