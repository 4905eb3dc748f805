"""Reducers: equal to the definitions by counting all subsets, and to those of inspect_ai."""

import json
from itertools import combinations, product
from pathlib import Path

import pytest

from helm.benchmark.running.epochs.reducers import count_votes, parse_reducer, reduce_values
from helm.common.errors import ConfigError

VECTORS = json.loads((Path(__file__).parents[2] / "vectors" / "epochs" / "reducers.json").read_text())


def reduced(name, values, answers=()):
    return reduce_values(parse_reducer(name), values, answers)


@pytest.mark.parametrize("count", range(1, 8))
def test_counting_reducers_equal_the_shares_of_all_subsets(count):
    for values in product((0, 1), repeat=count):
        for k in range(1, count + 1):
            subsets = list(combinations(values, k))
            assert reduced(f"pass@{k}", values) == pytest.approx(sum(map(any, subsets)) / len(subsets), abs=1e-15)
            assert reduced(f"pass^{k}", values) == pytest.approx(sum(map(all, subsets)) / len(subsets), abs=1e-15)
            assert reduced(f"at_least_{k}", values) == (sum(values) >= k)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: str(case["values"]))
def test_inspect_ai_gives_the_same_numbers(case):
    ours = {"mode": "majority"}
    values = case["values"]
    assert {name: reduced(ours.get(name, name), values) for name in case if name != "values"} == pytest.approx(
        {name: value for name, value in case.items() if name != "values"}, abs=1e-12
    )


def test_only_a_full_point_is_correct():
    assert reduced("pass@1", [0.99, 1, 0.5]) == pytest.approx(1 / 3)


def test_large_numbers_of_epochs_are_exact():
    assert reduced("pass@100", [1] * 500 + [0] * 500) == pytest.approx(1.0)
    assert 0 < reduced("pass^100", [1] * 500 + [0] * 500) < 1e-30


def test_too_few_values_have_no_reduction():
    assert reduced("pass@3", [1, 1]) is None
    assert reduced("mean", []) is None


def test_the_majority_votes_over_answers():
    assert reduced("majority", [0, 1, 1], ["4", "5", "5"]) == 1
    assert reduced("majority", [1, 0, 0, 0], ["5", None, None, "7"]) == 1  # a tie, and "5" came first
    assert reduced("majority", [0, 0, 1], [None, None, "5"]) == 1  # no answer is no vote
    assert reduced("majority", [0, 1, 0], [None, None, None]) == 0  # nothing to vote by: the most frequent score
    assert reduced("majority", [0, 1, 1], ["a", "a", "b"]) == 0.5  # a judge that changes its mind
    assert count_votes(["a", "b", "b", "a"]) == ("a", True)
    assert count_votes(["a", "b", "b"]) == ("b", False)
    assert count_votes([None]) == (None, False)


@pytest.mark.parametrize("name", ["median", "pass@", "pass@0", "pass^x", "at_least_0", "at_least", "pass@3 "])
def test_unknown_reducers_are_refused(name):
    with pytest.raises(ConfigError, match="reducer takes mean, max, majority, pass@K"):
        parse_reducer(name)
