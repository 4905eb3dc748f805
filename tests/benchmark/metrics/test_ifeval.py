"""IFEval: every instruction against the original; what is drawn, and what is said when something is missing."""

import pytest

from helm.benchmark.metrics.ifeval_metrics import IFEvalMetric
from judge_support import check_outcome, compute_stats, make_state
from vectors_support import vector_cases

pytest.importorskip("langdetect")


def score(response, *instructions, instance_id="id0"):
    extra_data = {
        "instruction_ids": [name for name, _ in instructions],
        "instruction_kwargs": [arguments for _, arguments in instructions],
    }
    ((name, value, _),) = compute_stats(
        IFEvalMetric(), make_state(response, extra_data=extra_data, instance_id=instance_id)
    )
    assert name == "ifeval_strict_accuracy"
    return value


def test_ifeval_vectors():
    for case in vector_cases("helm-metrics/ifeval.json"):
        check_outcome(lambda case=case: score(case["response"], *case["instructions"]), case["score"], case)


WORDS = "length_constraints:number_words"


@pytest.mark.parametrize(
    "instruction, error, message",
    [
        (("length_constraints:number_word", {}), KeyError, f"Did you mean '{WORDS}'"),
        ((WORDS, {"num_words": 3, "relation": "at most"}), ValueError, "less than, at least"),
        ((WORDS, {"num_words": "3"}), TypeError, WORDS),
        ((WORDS, {"numwords": 3}), TypeError, "Did you mean 'num_words'"),
        (("combination:repeat_prompt", {}), ValueError, "prompt_to_repeat must be set"),
    ],
)
def test_an_instruction_that_makes_no_sense_is_an_error(instruction, error, message):
    with pytest.raises(error, match=message):
        score("some words", instruction)


def test_lists_of_different_length_are_an_error():
    extra_data = {"instruction_ids": ["punctuation:no_comma"], "instruction_kwargs": []}
    with pytest.raises(AssertionError, match="1 instruction_ids, but 0 instruction_kwargs"):
        compute_stats(IFEvalMetric(), make_state("x", extra_data=extra_data))


def test_arguments_that_are_none_are_left_out():
    assert score("x", ("punctuation:no_comma", {"num_words": None})) == 1
    assert score("x", ("punctuation:no_comma", None)) == 1


@pytest.mark.parametrize(
    "instruction, response",
    [
        (("keywords:letter_frequency", {"let_frequency": 1, "let_relation": "at least"}), "a b c d e f g h"),
        (("keywords:letter_frequency", {"letter": "#", "let_frequency": 1, "let_relation": "at least"}), "a b c d e"),
        (("length_constraints:number_paragraphs", {"num_paragraphs": -1}), "a *** b"),
        (("keywords:existence", {"keywords": []}), "a river in summer"),
    ],
)
def test_what_is_missing_is_drawn_anew_for_every_instance_and_the_same_every_time(instruction, response):
    scores = [score(response, instruction, instance_id=f"id{i}") for i in range(60)]
    assert scores == [score(response, instruction, instance_id=f"id{i}") for i in range(60)]
    assert len(set(scores)) == 2 or instruction[0] == "keywords:existence"


def test_the_language_of_an_ambiguous_text_does_not_change():
    instruction = ("language:response_language", {"language": "en"})
    assert len({score("hotel taxi", instruction) for _ in range(20)}) == 1


def test_only_counting_sentences_needs_data(monkeypatch):
    import nltk

    def fail(text):
        raise LookupError("punkt_tab")

    monkeypatch.setattr(nltk, "sent_tokenize", fail)
    capitals = ("change_case:capital_word_frequency", {"capital_frequency": 2, "capital_relation": "at least"})
    assert score("In the USA. And in the EU.", capitals) == 1
    with pytest.raises(Exception, match="python -m nltk.downloader punkt_tab"):
        score("One. Two.", ("length_constraints:number_sentences", {"num_sentences": 2, "relation": "at least"}))
    monkeypatch.setattr(nltk, "sent_tokenize", lambda text: text.split(". "))
    sentences = ("length_constraints:number_sentences", {"num_sentences": 2, "relation": "at least"})
    assert (score("One. Two.", sentences), score("One.", sentences)) == (1, 0)
