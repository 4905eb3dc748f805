"""Scorers on further answers with known verdicts, which were judged by hand by the published rules."""

from pathlib import Path

import pytest

from helm.benchmark.annotation.verdict_annotator import parse_strong_reject
from helm.benchmark.metrics.frontier.grids import is_solved, score_puzzle
from helm.benchmark.metrics.frontier.judgements import strong_reject_scores
from helm.benchmark.metrics.frontier.short_answers import find_nodes, is_bbeh_match, matches_gold, set_f1
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
