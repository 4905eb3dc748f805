"""Error rates and CIDEr, which the golden vectors leave out."""

import pytest

from helm.benchmark.metrics.cider import compute_cider
from helm.benchmark.metrics.evaluate_reference_metrics import metric_fn_mapping

NAMES = ["wer_score", "mer_score", "wip_score", "cer_score"]
NAMES += [f"chinese_{name}" for name in NAMES]

# Recorded from crfm-helm 0.5.16 with jiwer 4.0.0 and jieba 0.42.1.
RECORDED = [
    ("the cat sat on the mat", "the cat sat on mat", [1 / 6, 1 / 6, 5 / 6, 4 / 22, 1 / 6, 1 / 6, 5 / 6, 4 / 22]),
    ("Hello, World!", "hello world", [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
    ("a b c", "x y z", [1.0, 1.0, 0.0, 0.6, 1.0, 1.0, 0.0, 0.6]),
    ("a b c", "a b c d e f g", [4 / 3, 4 / 7, 3 / 7, 1.6, 4 / 3, 4 / 7, 3 / 7, 1.6]),
    ("a quick brown fox", "A  quick, fox brown", [0.5, 0.4, 0.5625, 8 / 17, 0.5, 0.4, 0.5625, 8 / 17]),
    ("one two three", "two three one", [2 / 3, 0.5, 4 / 9, 8 / 13, 2 / 3, 0.5, 4 / 9, 8 / 13]),
    ("a b", "...", [1.0, 1.0, 0, 1.0, 1.0, 1.0, 0, 1.0]),
    ("今天天气很好", "今天天气不好", [1.0, 1.0, 0.0, 1 / 6, 2 / 3, 2 / 3, 1 / 6, 0.25]),
    ("我爱北京天安门", "我爱北京", [1.0, 1.0, 0.0, 3 / 7, 0.25, 0.25, 0.75, 0.4]),
    ("我们去吃饭。", "我们 去 吃饭", [3.0, 1.0, 0.0, 0.5, 0.25, 0.25, 0.75, 2 / 9]),
    ("今天,天气 很好", "今天天气很好", [1.0, None, None, 1 / 7, 0.5, None, None, 1 / 9]),
    (" 一  二 ", "一二", [1.0, None, None, 1 / 3, 1.0, None, None, 1 / 3]),
]


@pytest.mark.parametrize(("gold", "pred", "expected"), RECORDED)
def test_error_rates_are_those_of_the_original(gold: str, pred: str, expected: list) -> None:
    for name, value in zip(NAMES, expected, strict=True):
        if value is not None:
            assert metric_fn_mapping[name](gold, pred) == pytest.approx(value, rel=1e-12), name


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_prediction_scores_zero(name: str) -> None:
    assert metric_fn_mapping[name]("x", "") == 0
    assert metric_fn_mapping[name]("x", None) == 0


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_reference_is_no_crash(name: str) -> None:
    assert metric_fn_mapping[name]("", "x") == (0 if "wip" in name else 1)


def test_cider_of_a_corpus() -> None:
    """Values of the published implementation, pycocoevalcap 1.2."""
    references = [
        ["a cat sat on the mat", "the cat is on a mat"],
        ["two dogs run in the park"],
        ["a man rides a red bike down the street", "man on bike"],
    ]
    candidates = ["a cat on the mat", "dogs are running in the park the park", "zebra"]
    assert compute_cider(references, candidates) == pytest.approx([3.23738315068, 2.30957941483, 0.0], rel=1e-9)


def test_cider_by_hand() -> None:
    """Two references: `x` is in both and weighs log(2) - log(2) = 0, `y` and `z` are in one each."""
    scores = compute_cider([["x y"], ["x z"]], ["x y", "z"])
    assert scores[0] == pytest.approx(10 * (1 + 1) / 4)  # words and pairs agree; there are no longer sequences
    penalty = 0.9862071167439163  # exp(-1 / 72): one pair of words less
    assert scores[1] == pytest.approx(10 * penalty * 1 / 4)


def test_cider_of_one_pair_is_always_zero() -> None:
    assert metric_fn_mapping["cider"]("a cat sat", "a cat sat") == 0.0
    assert compute_cider([], []) == []
