"""When word tokens need NLTK's sentence data, and when not."""

import random
import sys

import pytest

from helm.benchmark.metrics import calibration
from helm.benchmark.metrics.evaluate_reference_metrics import get_rouge_function, rouge_l
from helm.benchmark.metrics.word_tokenization import _depends_on_sentences, _load_word_tokenizer, word_tokenize
from helm.common.errors import HelmError, MetricError


@pytest.mark.parametrize(
    "text",
    ["Paris", "It is 3.5 km.", "(So it is.)", "What? No! Yes.", "Visit example.org now", "e.g. this", 'He said "no."'],
)
def test_one_sentence_or_harmless_splits(text: str) -> None:
    assert not _depends_on_sentences(text)


@pytest.mark.parametrize("text", ["It is. It was.", "Mr. Smith", "wait... what", 'What? "No."', "done.\nNext", "a.) b"])
def test_where_a_split_may_matter(text: str) -> None:
    assert _depends_on_sentences(text)


@pytest.mark.parametrize("seed", range(30))
def test_splits_behind_marks_change_no_token(seed: int) -> None:
    rng = random.Random(seed)
    pieces = ["Why", "not", "3.5", "(so)", "a,b", "$5", "--", "e.g", "gonna", "[x]", "a:b", "%"]
    sentences = [" ".join(rng.choices(pieces, k=rng.randrange(1, 6))) + rng.choice("?!") for _ in range(3)]
    tokenize = _load_word_tokenizer().tokenize
    assert tokenize(" ".join(sentences)) == [token for sentence in sentences for token in tokenize(sentence)]


def test_without_the_data_several_sentences_are_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    def missing(text: str) -> None:
        raise LookupError("Resource punkt_tab not found.")

    monkeypatch.setattr(nltk, "sent_tokenize", missing)
    with pytest.raises(MetricError, match="punkt_tab"):
        word_tokenize("It is. It was.")


def test_with_the_data_every_sentence_is_tokenized(monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk

    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: ["It is.", "It was."])
    assert word_tokenize("It is. It was.") == ["It", "is", ".", "It", "was", "."]


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rouge_score", None)
    get_rouge_function.cache_clear()
    with pytest.raises(HelmError, match="metrics"):
        rouge_l("a", "a")


@pytest.mark.parametrize("seed", range(12))
def test_platt_scaling_stops_where_that_of_scikit_learn_does(seed: int) -> None:
    """Also where confidences separate right from wrong answers, as in every fourth case, so that no coefficient is the best."""
    from sklearn.linear_model import LogisticRegression

    draw = random.Random(seed)
    probs = [draw.choice([draw.random(), 1.0, 1e-9]) for _ in range(draw.randrange(4, 60))]
    corrects = [int(prob > 0.5 if seed % 4 == 0 else draw.random() < prob) for prob in probs]
    corrects[probs.index(max(probs))], corrects[probs.index(min(probs))] = 1, 0
    logits = calibration._to_logits(probs)
    model = LogisticRegression(C=1e10, solver="lbfgs").fit(logits.reshape(-1, 1), corrects)
    expected = (model.coef_[0][0], model.intercept_[0])
    assert calibration._fit_logistic_regression(logits, corrects) == pytest.approx(expected, rel=1e-6, abs=1e-9)


def test_platt_stats_are_left_out_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    warnings = []
    monkeypatch.setattr(calibration, "hwarn", warnings.append)
    calibration._load_minimize.cache_clear()
    try:
        for _ in range(2):
            stats = calibration._compute_stats([0.2, 0.9], [0, 1])
        assert [stat.name.name for stat in stats] == [
            "ece_10_bin",
            "ece_1_bin",
            "selective_cov_acc_area",
            "selective_acc@10",
        ]
        assert len(warnings) == 1 and "helm-evals[metrics]" in warnings[0]
    finally:
        calibration._load_minimize.cache_clear()
