"""Numbers of worked examples, which no change of the code may move.

That the formulas are right is for the other tests here to show: they compare with other programs, and count how often intervals
cover. `python tests/results/statistics/test_worked_examples.py` writes the numbers anew.
"""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helm.results.statistics.intervals import (
    Estimate,
    MeanFacts,
    combine_means,
    drawing_error,
    effective_size,
    estimate_geometric_mean,
    estimate_mean,
    estimate_median,
    exact_interval,
    gather_mean,
    is_told_apart,
    one_sided_p_values,
    share_interval,
    wilson_interval,
)
from helm.results.statistics.paired import (
    adjust_p_values,
    compare_paired,
    fewest_pairs,
    gather_difference,
    is_too_few,
    smallest_p_value,
    two_sided_p_value,
)
from lazy_support import import_when_used

import_when_used("scipy.stats")  # Wilcoxon's test is among the numbers

NUMBERS = Path(__file__).with_name("worked_examples.json")

SKEWED = [0.1, 0.5, 2.5, 0.3, 9.0, 1.0, 0.7, 0.2, 1.5, 0.4]
OTHER = [0.3, 0.4, 2.0, 0.1, 4.0, 1.5, 0.6, 0.1, 1.0, 0.2]
TIES = [0.1, 0.5, 2.0, 0.3, 4.5, 1.5, 0.7, 0.1, 1.5, 0.3]
PLAIN = [1.0, 2.0, 4.0, 3.0, 2.5, 1.5, 3.5, 2.0, 3.0, 2.5]
RIGHT = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0]
WRONG = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]
FEW = [0.0] * 8 + [1.0] * 2
PAIRS = [i // 2 for i in range(10)]
UNEQUAL = [0, 0, 0, 0, 1, 1, 1, 2, 2, 3]
TWO_SIZES = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2]
SOURCES = {
    "alone": None,
    "two sizes": TWO_SIZES,
    "pairs": PAIRS,
    "unequal": UNEQUAL,
    "one": [0] * 10,
    "single": list(range(10)),
}
VALUES = {"skewed": SKEWED, "negative": [-value for value in SKEWED], "plain": PLAIN, "right": RIGHT, "few": FEW,
          "ones": [1.0] * 10, "fixed": [2.5] * 10, "nearly": [1.0] * 9 + [0.999]}  # fmt: skip

Example = Callable[[], Any]


def gathered(name: str, sources: str = "alone") -> MeanFacts:
    found = gather_mean(VALUES[name], SOURCES[sources])
    assert found is not None
    return found


def means() -> dict[str, Example]:
    examples: dict[str, Example] = {}
    for name in VALUES:
        for sources in SOURCES:
            facts = gathered(name, sources)
            examples[f"{name}, {sources}: facts"] = lambda facts=facts: [
                facts, facts.effective_clusters, facts.corrected_variance, effective_size(facts), drawing_error(facts)
            ]  # fmt: skip
            examples[f"{name}, {sources}: p"] = lambda facts=facts: [
                one_sided_p_values(facts, null) for null in (0.0, 0.5, 1.0, 2.5, -3.0)
            ]
            methods = ("wilson", "exact", "t") if facts.is_share else ("t",)
            for method in methods:
                examples[f"{name}, {sources}: {method}"] = lambda name=name, sources=sources, method=method: [
                    estimate_mean(VALUES[name], SOURCES[sources], confidence, method) for confidence in (0.95, 0.8)
                ]
    for count in (0, 1, 3, 4):
        examples[f"{count} values"] = lambda count=count: [estimate_mean(SKEWED[:count]), estimate_mean(RIGHT[:count])]
    return examples


def combinations() -> dict[str, Example]:
    one, none = MeanFacts(0.5, None, 1, 1, True), MeanFacts(2.0, None, 3, 1, False)
    parts: dict[str, list[tuple[float, MeanFacts]]] = {
        "no parts": [],
        "no weight": [(0.0, gathered("plain"))],
        "one part": [(3.0, gathered("plain"))],
        "numbers": [(1.0, gathered("skewed")), (2.0, gathered("plain"))],
        "numbers of small weights": [(0.25, gathered("skewed")), (0.5, gathered("plain"))],
        "numbers of sources": [(1.0, gathered("skewed", "unequal")), (3.0, gathered("plain", "pairs"))],
        "numbers and shares": [(1.0, gathered("skewed")), (1.0, gathered("right"))],
        "shares": [(1.0, gathered("right")), (2.0, gathered("few"))],
        "shares of very different weights": [(1.0, gathered("right")), (9.0, gathered("few"))],
        "shares of sources": [(1.0, gathered("right", "unequal")), (2.0, gathered("few", "pairs"))],
        "single ones": [(1.0, one), (1.0, MeanFacts(1.0, None, 1, 1, True)), (1.0, MeanFacts(0.0, None, 1, 1, True))],
        "single numbers": [(1.0, none), (1.0, MeanFacts(5.0, None, 3, 1, False)), (1.0, one)],
        "single ones of two weights": [(1.0, one), (2.0, one)],
        "unknown": [(1.0, none), (1.0, gathered("plain"))],
        "fixed": [(1.0, gathered("fixed")), (2.0, gathered("fixed"))],
        "fixed shares": [(1.0, gathered("ones")), (2.0, gathered("ones"))],
        "fixed and others": [(1.0, gathered("fixed")), (2.0, gathered("plain"))],
    }

    def combined(name: str) -> Any:
        found = combine_means(parts[name])
        return [found] if found is None else [found, effective_size(found), found.corrected_variance]

    return {f"combined: {name}": lambda name=name: combined(name) for name in parts}


def shares() -> dict[str, Example]:
    numbers = [(0, 5), (1, 5), (2, 4), (3, 10), (3.5, 10), (4, 10), (7, 10), (6.5, 10), (9, 10), (10, 10), (50, 100)]
    intervals = (wilson_interval, share_interval, exact_interval)
    return {
        f"{successes} of {trials}": lambda successes=successes, trials=trials: [
            [interval(successes, trials), interval(successes, trials, 0.8)] for interval in intervals
        ]
        for successes, trials in numbers
    }


def medians() -> dict[str, Example]:
    many = [*SKEWED, *PLAIN, *OTHER]
    examples: dict[str, Example] = {
        f"median of {count}": lambda count=count: [estimate_median(many[:count], c) for c in (0.95, 0.8, 0.5)]
        for count in (0, 1, 2, 3, 5, 6, 7, 9, 10, 20, 29)
    }
    for sources in SOURCES:
        examples[f"geometric mean, {sources}"] = lambda sources=sources: [
            estimate_geometric_mean(SKEWED, SOURCES[sources], confidence) for confidence in (0.95, 0.8)
        ]
    return examples


def told_apart_from(facts: MeanFacts, first: MeanFacts, confidence: float) -> float:
    """The smallest shift by which the means are told apart."""
    low, high = 0.0, 1e4
    for _ in range(80):
        middle = (low + high) / 2
        shifted = MeanFacts(**{**asdict(facts), "mean": first.mean + middle})
        low, high = (low, middle) if is_told_apart(first, shifted, confidence) else (middle, high)
    return high


def differences() -> dict[str, Example]:
    names = [("skewed", "alone"), ("plain", "unequal"), ("right", "alone"), ("ones", "alone"), ("fixed", "pairs")]
    return {
        f"told apart: {one} and {other}": lambda one=one, other=other: [
            told_apart_from(gathered(*one), gathered(*other), confidence) for confidence in (0.95, 0.8)
        ]
        for one in names
        for other in names
        if one[0] != "ones" and {one[0], other[0]} != {"fixed"}
    }


def comparisons() -> dict[str, Example]:
    arguments: dict[str, dict[str, Any]] = {
        "numbers": {"first": SKEWED, "second": OTHER},
        "ties": {"first": SKEWED, "second": TIES},
        "sources": {"first": SKEWED, "second": OTHER, "clusters": UNEQUAL},
        "pairs": {"first": SKEWED, "second": OTHER, "clusters": PAIRS},
        "one source": {"first": SKEWED, "second": OTHER, "clusters": [0] * 10},
        "lower": {"first": SKEWED, "second": OTHER, "lower_is_better": True},
        "ratios": {"first": SKEWED, "second": OTHER, "is_ratio": True},
        "right": {"first": RIGHT, "second": WRONG},
        "right of sources": {"first": RIGHT, "second": WRONG, "clusters": PAIRS},
        "all right": {"first": [1.0] * 10, "second": [0.0] * 10},
        "all wrong": {"first": [0.0] * 10, "second": [1.0] * 10},
        "all right is bad": {"first": [1.0] * 10, "second": [0.0] * 10, "lower_is_better": True},
        "three wrong": {"first": [0.0] * 10, "second": [1.0] * 3 + [0.0] * 7},
        "always worse": {"first": PLAIN, "second": [value + 1 for value in PLAIN]},
        "one more right": {"first": [1.0] * 10, "second": [1.0] * 9 + [0.0]},
        "equal": {"first": SKEWED, "second": SKEWED},
        "equal shares": {"first": RIGHT, "second": RIGHT},
        "equal ratios": {"first": SKEWED, "second": SKEWED, "is_ratio": True},
        "one": {"first": [1.0], "second": [0.5]},
        "one equal": {"first": [1.0], "second": [1.0]},
        "one ratio": {"first": [1.0], "second": [0.5], "is_ratio": True},
        "always better": {"first": [value + 1 for value in PLAIN], "second": PLAIN},
        "whole and broken": {"first": [1.0, 0.0, 1.0, 0.5], "second": [0.0, 0.0, 1.0, 1.0]},
    }
    examples: dict[str, Example] = {}
    for name, given in arguments.items():
        for margin in (None, 0.0, 0.3):
            for confidence in (0.95, 0.8) if margin is None else (0.95,):
                more = {**given, "margin": margin, "confidence": confidence}
                key = f"compared: {name}, margin {margin}, confidence {confidence}"
                examples[key] = lambda more=more: [compare_paired(**more)]
        if len(given["first"]) > 1:
            found = np.subtract(given["first"], given["second"])
            facts = gather_difference(found, given.get("clusters"))
            examples[f"difference: {name}"] = lambda facts=facts: [
                facts, two_sided_p_value(facts), two_sided_p_value(facts, 3), two_sided_p_value(facts, 0)
            ]  # fmt: skip
    examples["few pairs"] = lambda: [
        [smallest_p_value(pairs) for pairs in (-1, 0, 1, 2, 6)],
        [is_too_few(pairs, alpha) for pairs, alpha in [(5, 0.05), (6, 0.05), (5, 0.0625), (5, 0.0626), (0, 0.5)]],
        [fewest_pairs(alpha) for alpha in (0.05, 0.01, 0.5, 0.9, 1.5)],
    ]
    examples["corrected"] = lambda: adjust_p_values([0.5, 0.01, 0.02, 0.9, 0.02])
    return examples


def defaults() -> dict[str, Example]:
    ends = [(None, None), (0.25, None), (None, 0.75), (0.25, 0.625), (0.375, 0.75)]
    return {
        "an estimate of nothing but a value": lambda: [Estimate(0.5), MeanFacts(0.5, None, 3, 2, False)],
        "not told apart": lambda: [
            is_told_apart(MeanFacts(0.5, variance, 3, 3, False), MeanFacts(9.5, 0.01, 3, 3, False))
            for variance in (None, 1e200, 1.0)
        ],
        "reach": lambda: [Estimate(0.5, low=low, high=high).reach for low, high in ends],
    }


GROUPS = (means, combinations, shares, medians, differences, comparisons, defaults)


def plain(value: Any) -> Any:
    """As JSON has it, to ten digits; whole numbers and truth stay what they are."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: plain(item) for name, item in asdict(value).items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(f"{value:.10g}") if math.isfinite(value) else str(value)
    return value


def check(where: str, found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for name, item in expected.items():
            check(f"{where}: {name}", found[name], item)
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for number, item in enumerate(expected):
            check(f"{where}: {number}", found[number], item)
    elif isinstance(expected, float):
        assert math.isclose(found, expected, rel_tol=1e-7, abs_tol=1e-12), (where, found, expected)
    else:
        assert found == expected and type(found) is type(expected), (where, found, expected)


KNOWN = json.loads(NUMBERS.read_text()) if NUMBERS.exists() else {}


def test_every_example_has_its_numbers() -> None:
    assert list(KNOWN) == [name for group in GROUPS for name in group()]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.__name__)
def test_the_numbers_of_worked_examples(group: Callable[[], dict[str, Example]]) -> None:
    for name, example in group().items():
        check(name, plain(example()), KNOWN[name])


if __name__ == "__main__":
    lines = (
        f"{json.dumps(name)}: {json.dumps(plain(example()))}" for group in GROUPS for name, example in group().items()
    )
    NUMBERS.write_text("{\n" + ",\n".join(lines) + "\n}\n")
