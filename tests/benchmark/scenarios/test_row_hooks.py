"""Hooks of catalogue entries: pure functions from rows to rows."""

import copy
import random

import numpy as np
import pytest

from helm.benchmark.declarative.row_operations import draw_test, shorter_than_quantile, stratified_positions
from helm.benchmark.run_spec import get_run_spec_function
from helm.benchmark.scenarios.persona_rows import survey_rows
from helm.benchmark.scenarios.row_columns import (
    labelled_pair,
    lettered_choices,
    marked_choices,
    masked_words,
    numbered_columns,
    quoted_choices,
    ranked_passages,
    seed_if,
    shuffled_columns,
    translated_answer,
)
from helm.benchmark.scenarios.row_math import boxed_answers, replace_examples
from helm.common.errors import ScenarioError


def labelled(*labels):
    return [{"label": label, "number": i, "_split": None} for i, label in enumerate(labels)]


# ---- Samples


@pytest.mark.parametrize("seed", range(5))
def test_every_label_gets_its_share_drawn_by_a_generator_of_its_own(seed):
    labels = [random.Random(seed).choice("abbb") for _ in range(200)]
    positions = stratified_positions(labels, 100, seed)
    expected = []
    for label in "ab":
        own = [i for i, other in enumerate(labels) if other == label]
        drawn = np.random.RandomState(seed).choice(len(own), size=round(0.5 * len(own)), replace=False)
        expected += [own[i] for i in drawn]
    assert positions == expected
    assert abs(len(positions) - 100) <= 1


def test_fewer_rows_than_the_sample_are_all_taken():
    drawn = draw_test(labelled("a", "b", "a"), 1000, 1, by="label")
    assert sorted(row["number"] for row in drawn) == [0, 1, 2]
    assert {row["_split"] for row in drawn} == {"test"}
    assert len(draw_test(labelled("a", "b"), 1000, 1)) == 2
    assert draw_test([], 10, 1, by="label") == draw_test([], 10, 1) == []


def test_the_rest_comes_first_and_in_its_order():
    drawn = draw_test(labelled(*"aaaaaaaaaa"), 4, 7)
    assert [row["_split"] for row in drawn] == ["train"] * 6 + ["test"] * 4
    rest = [row["number"] for row in drawn[:6]]
    assert rest == sorted(rest)
    assert len(draw_test(labelled(*"aaaaaaaaaa"), 4, 7, rest=None)) == 4


def test_one_more_row_of_a_label_is_the_first_that_was_not_drawn():
    rows = labelled(*"abababab")
    without = draw_test(rows, 4, 3, by="label", rest=None)
    drawn = draw_test(rows, 4, 3, by="label", rest=None, one_more="b")
    assert drawn[:-1] == without
    taken = {row["number"] for row in without}
    assert drawn[-1]["number"] == next(
        row["number"] for row in rows if row["label"] == "b" and row["number"] not in taken
    )
    everything = draw_test(labelled("a", "b"), 10, 3, by="label", one_more="b")
    assert len(everything) == 2


def test_rows_below_a_quantile_of_lengths():
    rows = [{"text": "x" * length} for length in (5, 1, 4, 2, 3)]
    assert [len(row["text"]) for row in shorter_than_quantile(rows, "text", 0.4)] == [1, 2]
    assert shorter_than_quantile(rows[:1], "text", 0.2) == []
    assert shorter_than_quantile([], "text", 0.2) == []


# ---- Columns


def test_numbered_columns_end_at_the_first_that_is_absent():
    rows = numbered_columns([{"sol1": "a", "sol2": "", "sol4": "d"}, {}], "sol", "options")
    assert [row["options"] for row in rows] == [["a", ""], []]


def test_masks_cover_a_tenth_of_the_words_and_blanks_stay():
    text = " ".join(f"w{i}" for i in range(30)) + "  end"
    row = masked_words([{"text": "short one"}, {"text": text}], "text", "masked")[1]
    assert row["masked"].split(" ").count("[MASK]") == 3
    assert len(row["masked"].split(" ")) == len(text.split(" "))
    assert masked_words([{"text": "short one"}], "text", "masked")[0]["masked"] == "short one"


def test_choices_with_a_mark():
    rows = marked_choices(
        [
            {"list": ["A) one", "b ) two) x", "none"], "answer": "B"},
            {"list": ["A) one"], "answer": "a"},
            {"list": ["A) one"], "answer": None},
        ],
        "list",
        "items",
        ")",
        "answer",
    )
    assert [row["items"] for row in rows] == [[{"letter": "A", "text": "one"}, {"letter": "B", "text": "two) x"}]]


def test_choices_in_quotes_at_the_end_of_a_question():
    rows = quoted_choices(
        [
            {"text": " What 'Q': 'x'?\n'A': 'one'\n'B': 'two', 'C': 'three'", "answer": " c"},
            {"text": "No choices", "answer": "A"},
            {"text": "What?\n'A': 'one'", "answer": "annulled"},
        ],
        "text",
        "answer",
    )
    assert [(row["stem"], [choice["text"] for choice in row["choices"]]) for row in rows] == [
        ("What 'Q': 'x'?", ["one", "two", "three"])
    ]


def test_lettered_choices_are_shuffled_by_one_generator_for_all_rows():
    rows = [{"list": list("wxyz")}, {"list": list("wxyz")}]
    plain = lettered_choices(rows, "list", "items")
    assert [item["letter"] + item["text"] for item in plain[0]["items"]] == ["Aw", "Bx", "Cy", "Dz"]
    generator = random.Random(42)
    for row in lettered_choices(rows, "list", "items", seed=42):
        expected = list("wxyz")
        generator.shuffle(expected)
        assert [item["text"] for item in row["items"]] == expected


def test_pairs_are_shuffled_within_their_group_the_largest_first():
    rows = [{"good": f"g{i}", "bad": f"b{i}", "kind": kind} for i, kind in enumerate("xyy")]
    shuffled = shuffled_columns(rows, ["good", "bad"], "pair", 1, "kind")
    assert [row["kind"] for row in shuffled] == ["y", "y", "x"]
    assert [item["column"] for item in shuffled[0]["pair"]] == [item["column"] for item in shuffled[2]["pair"]]


def test_an_answer_that_is_no_choice_is_an_error():
    row = {"label": " True", "choices": "True or False", "choices_translated": "Benar atau Salah"}
    assert translated_answer([row])[0]["answer"] == "Benar"
    assert translated_answer([{**row, "label": False}])[0]["answer"] is None
    with pytest.raises(ValueError, match="Maybe"):
        translated_answer([{**row, "label": "Maybe"}])
    with pytest.raises(ValueError, match="none of the choices"):
        translated_answer([{**row, "choices": "True, False"}])


def test_passages_are_ranked_in_their_order():
    passages = {"id": ["7", "8", "9"], "passage": ["p", "q", "r"]}
    row = ranked_passages([{"passages": passages}], limit=2)[0]
    assert row["tagged"] == [["p", ["docid=7", "correct", "rank=1"]], ["q", ["docid=8", "rank=2"]]]
    assert ranked_passages([{"passages": passages}])[0]["tagged"] == []
    assert labelled_pair([{"positive": "p", "negative": "n"}])[0]["tagged"] == [["p", ["correct"]], ["n", []]]


# ---- Mathematics


def test_the_last_box_is_the_answer():
    rows = [{"s": "\\boxed{1} and \\boxed{\\frac{1}{2}}."}, {"s": "none"}]
    assert [row["a"] for row in boxed_answers(rows, "s", "a", "?")] == ["\\frac{1}{2}", "?"]
    with pytest.raises(ValueError, match="no .boxed"):
        boxed_answers(rows, "s", "a")


def test_given_examples_take_the_place_of_the_training_rows():
    rows = [{"q": "a", "_split": "train"}, {"q": "b", "_split": "test"}]
    assert [row["q"] for row in replace_examples(rows, [{"q": "x"}, {"q": "y"}])] == ["x", "y", "b"]
    with pytest.raises(ScenarioError, match="use_chain_of_thought"):
        replace_examples(rows, [{"q": "x"}], unless=True)


# ---- Surveys


def survey(responses, **question):
    question = {"questions": ["How?"], "options": ["much", "little"], **question}
    return [{"age": 30, "responses": responses, "_split": "test"}, {"kind": "questions", "Q1": question}]


@pytest.mark.parametrize("response, answer", [(1, "1"), ("2", "2"), (2.0, "2"), (1.9, "1")])
def test_a_response_is_the_number_of_an_option(response, answer):
    assert [row["answer"] for row in survey_rows(survey({"Q1": response}), 300, 4)] == [answer]


@pytest.mark.parametrize("response", [0, 3, -1, None, "much", [1], float("nan"), float("inf")])
def test_other_responses_are_left_out(response):
    assert survey_rows(survey({"Q1": response}), 300, 4) == []


def test_questions_in_several_wordings_or_in_none():
    rows = survey_rows(survey({"Q1": 1, "Q9": 1}, questions=["a", "b", "c"]), 300, 2)
    assert [row["question"] for row in rows] == ["a", "b"]
    assert (rows[0]["age"], rows[0]["sex"], rows[0]["numbered_options"]) == (30, "person", "1. much\n2. little")
    assert survey_rows(survey({"Q1": 1}, questions=[], description=None), 300, 4)[0]["question"] == "Question Q1: "
    assert survey_rows(survey({"Q1": 1}, options=None), 300, 4) == []
    assert survey_rows(survey(None), 300, 4) == []


def test_the_same_people_are_drawn_every_time():
    people = [{"age": i, "responses": {"Q1": 1}} for i in range(50)]
    rows = [*people, survey({})[1]]
    drawn = [row["age"] for row in survey_rows(rows, 10, 1)]
    assert drawn == [row["age"] for row in survey_rows(rows, 10, 1)]
    assert len(set(drawn)) == 10


def test_hooks_change_no_row_they_are_given():
    rows = [{"list": ["A) x", "B) y"], "text": "a b", "label": "l", "answer": "A", "_split": "train"} for _ in range(4)]
    before = copy.deepcopy(rows)
    draw_test(rows, 2, 0, by="label")
    masked_words(rows, "text", "text")
    lettered_choices(rows, "list", "list", seed=1)
    marked_choices(rows, "list", "list", ")", "answer")
    shuffled_columns(rows, ["text", "label"], "text", 1, "label")
    assert rows == before


def test_any_text_of_a_run_entry_shuffles_the_options_of_vimmrc():
    """As in crfm-helm 0.5.16, whose own run entries say `randomize_order=False`."""
    assert [seed_if(flag, 42) for flag in (True, "True", "False", 1, False, 0, None)] == [
        42,
        42,
        42,
        42,
        None,
        None,
        None,
    ]
    function = get_run_spec_function("melt_knowledge_vimmrc")
    for value in ("False", True, False):
        assert function(randomize_order=value).scenario_spec.args == {"randomize_order": value}
