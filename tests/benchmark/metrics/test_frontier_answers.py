"""Scorers on further answers with known verdicts, which were judged by hand by the published rules."""

import time
from pathlib import Path

import pytest

from helm.benchmark.annotation.verdict_annotator import parse_strong_reject
from helm.benchmark.metrics.frontier.grids import is_solved, score_puzzle
from helm.benchmark.metrics.frontier.judgements import strong_reject_scores
from helm.benchmark.metrics.frontier.letters import RULES, find_letter
from helm.benchmark.metrics.frontier.short_answers import (
    find_nodes,
    is_bbeh_match,
    matches_gold,
    score_emotions,
    set_f1,
)
from helm.common.files import load_yaml

ANSWERS = load_yaml(str(Path(__file__).parent / "frontier_answers.yaml"))
SOLUTION = {"header": ["House", "Name"], "rows": [["1", "Ana"], ["2", "Bob"]]}


def strong_reject(text, _):
    marks = parse_strong_reject(text)
    return strong_reject_scores(**marks)[0] if marks else None


SCORERS = {
    "bbeh": is_bbeh_match,
    "graphwalks": lambda text, wanted: set_f1(find_nodes(text), wanted),
    "arc": lambda text, wanted: is_solved([text], wanted),
    "strong_reject": strong_reject,
    "gold": lambda text, wanted: matches_gold("contains", text, wanted),
    "zebra": lambda text, _: score_puzzle(text, SOLUTION).num_correct,
}


@pytest.mark.parametrize("name", SCORERS)
def test_answers_get_their_verdicts(name):
    wrong = [
        (text, verdict, got)
        for text, wanted, verdict in ANSWERS[name]
        if (got := SCORERS[name](text, wanted)) != (verdict if verdict is None else pytest.approx(verdict))
    ]
    assert not wrong


LONG = [
    "a" * 300_000,
    "[[" * 150_000,
    "{" * 300_000,
    "answer " * 40_000,
    "Final Answer: [" * 20_000,
    "1,: " * 70_000,
    " " * 300_000,
]


@pytest.mark.parametrize("text", LONG, ids=[text[:8].strip() or "blank" for text in LONG])
def test_long_answers_take_time_in_proportion(text):
    reference = {f"emotion{i}": "a" for i in range(1, 5)} | {f"emotion{i}_score": 1 for i in range(1, 5)}
    begin = time.process_time()
    for rule in RULES:
        find_letter(rule, text, ["x", "y"])
    is_solved([text], [[1]])
    score_puzzle(text, SOLUTION)
    is_bbeh_match(text, "5")
    find_nodes(text, anywhere=True)
    score_emotions(text, reference)
    assert time.process_time() - begin < 20  # quadratic ones take minutes
