"""Measures that task code loads by name."""

import math

import pytest

from helm.benchmark.lm_eval.worker import evaluate_names
from helm.benchmark.lm_eval.worker.evaluate_names import bleu, load

sacrebleu = pytest.importorskip("sacrebleu")

PAIRS = [
    ("the cat is on the mat", "there is a cat on the mat"),
    ("The owl, an elk and (1,200) oaks.", "The owl, the elk and (1,200) oaks!"),
    ("a b c d e f g", "a b c d e f g h i"),
    ("x y z w v", "x y z w"),
]


def test_bleu_of_single_references_is_that_of_sacrebleu_without_smoothing():
    said, wanted = [one for one, _ in PAIRS], [[other] for _, other in PAIRS]
    expected = sacrebleu.corpus_bleu(said, [[other for _, other in PAIRS]], smooth_method="none")
    found = load("bleu").compute(predictions=said, references=wanted)
    assert found["bleu"] == pytest.approx(expected.score / 100, rel=1e-9)
    assert found["precisions"] == pytest.approx([value / 100 for value in expected.precisions])
    assert found["brevity_penalty"] == pytest.approx(expected.bp)
    assert (found["translation_length"], found["reference_length"]) == (expected.sys_len, expected.ref_len)


def test_bleu_by_hand():
    # 3 of 4 words, 2 of 3 pairs, 1 of 2 triples, 0 of 1 quadruple
    found = bleu(["a b c x"], [["a b c d"]])
    assert found["precisions"] == [3 / 4, 2 / 3, 1 / 2, 0.0] and found["bleu"] == 0.0
    found = bleu(["a b c x"], [["a b c d"]], smooth=True)
    assert found["bleu"] == pytest.approx(math.exp(sum(map(math.log, [4 / 5, 3 / 4, 2 / 3, 1 / 2])) / 4))
    # the shortest reference counts for the length, and each ngram as often as in the reference that has it most often
    found = bleu(["a a b"], [["a b", "a a c c c"]], max_order=1)
    assert found["reference_length"] == 2 and found["brevity_penalty"] == 1.0 and found["bleu"] == 1.0
    found = bleu(["a b"], [["a b c d"]], max_order=1)
    assert found["bleu"] == pytest.approx(math.exp(1 - 2))
    assert bleu([""], [["a"]])["bleu"] == 0.0


def test_a_missing_package_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "sacrebleu.tokenizers.tokenizer_13a", None)
    with pytest.raises(evaluate_names.TaskFailure, match="needs the package sacrebleu"):
        bleu(["a"], ["a"])
