"""Steps of entries with pictures, and the operations on rows that bring lists of JSON files together."""

import pytest

from helm.benchmark.declarative.row_operations import collect, items_with_matches
from helm.benchmark.scenarios.vision_language.picture_rows import (
    options_in_lines,
    pictures_at_tags,
    rows_of_class,
    super_categories,
)
from helm.common.errors import ScenarioError


def test_items_get_the_matches_of_their_split_in_order():
    rows = [
        {"images": [{"id": 1}, {"id": 2}], "captions": [{"of": 2, "n": 1}, {"of": 2, "n": 2}], "_split": "train"},
        {"images": [{"id": 1}], "folder": "valid", "_split": "valid"},
        {"captions": [{"of": 1, "n": 3}], "_split": "valid"},
    ]
    matched = items_with_matches(rows, "images", "id", "captions", "of", "own")
    assert [(row["_split"], row["id"], row["_row"], [own["n"] for own in row["own"]]) for row in matched] == [
        ("train", 1, 0, []),
        ("train", 2, 1, [1, 2]),
        ("valid", 1, 0, [3]),
    ]
    assert matched[2]["folder"] == "valid" and "images" not in matched[2]
    with pytest.raises(ScenarioError, match="no captions of split valid"):
        items_with_matches(rows[:2], "images", "id", "captions", "of", "own")


def test_rows_that_agree_are_collected_in_order_of_the_first():
    rows = [{"video": "b", "text": "x"}, {"video": "a", "text": "y"}, {"video": "b", "text": "x"}]
    assert collect(rows, "video", "text", "texts") == [
        {"video": "b", "text": "x", "texts": ["x", "x"]},
        {"video": "a", "text": "y", "texts": ["y"]},
    ]


def test_super_categories_of_later_files_are_added_at_the_end():
    first = [{"id": 1, "supercategory": "plant"}, {"id": 2, "supercategory": "food"}]
    second = [{"id": 5, "supercategory": "sky"}, {"id": 6, "supercategory": "food"}]
    rows = [
        {"all": first, "own": [{"category_id": 2}]},
        {"all": first, "own": []},
        {"all": second, "own": [{"category_id": 5}, {"category_id": 6}]},
    ]
    tagged = [row["tagged"] for row in super_categories(rows, "all", "own", "tagged")]
    assert tagged[0] == [["plant", []], ["food", ["correct"]]]
    assert tagged[1] == [["plant", []], ["food", []]]
    assert tagged[2] == [["plant", []], ["food", ["correct"]], ["sky", ["correct"]]]
    with pytest.raises(ScenarioError, match="no category 9, which a region of a.jpg has"):
        super_categories([{"all": first, "own": [{"category_id": 9}], "file_name": "a.jpg"}], "all", "own", "tagged")


def test_pictures_stand_where_their_tags_are():
    def parts(text, first, second=None, options=()):
        row = {"q": text, "o": list(options), "first": first, "second": second}
        (made,) = pictures_at_tags([row], ["first", "second"], "q", "o")
        return made["q"], made["o"]

    assert parts("<image 1>", "P") == (["P"], [])
    assert parts("no tag", "P") == (["no tag"], [])
    assert parts("a <image 1> b <image 2>", "P", "Q", ["<image 2>", "<image 3>", 4]) == (
        ["a ", "P", " b ", "Q"],
        ["Q", "<image 3>", 4],
    )
    # In the order of numbers: the tag of the second picture stays when it comes before the first's.
    assert parts("<image 2> and <image 1>", "P", "Q") == (["<image 2> and ", "P"], [])
    assert parts("<image 1> <image 2>", None, "Q") == (["<image 1> <image 2>"], [])
    with pytest.raises(ScenarioError, match="row 7: the options are no list"):
        pictures_at_tags([{"q": "", "o": "abc", "first": None, "_row": 7}], ["first"], "q", "o")


LINES = "Which Panel?\nA) One\nB) Two\nC) Three\nD) Four"


@pytest.mark.parametrize(
    ("text", "answer", "options", "correct"),
    [
        (LINES + "\n(Please select one)", "B)", ["one", "two", "three", "four"], 1),
        (LINES + "\n(Please select one)", "Three", ["one", "two", "three", "four"], 2),
        (LINES + " (Please select one)", "b", ["one", "two", "three", "four "], 1),
        (LINES + " (Please select one)\n", "B", ["one", "two", "three"], 1),
        (LINES + "\nE) Five", "Five", ["one", "two", "three", "four", "five"], 4),
        ("Which?\nA) One", "A", [], None),
    ],
)
def test_options_in_the_lines_of_a_question(text, answer, options, correct):
    (row,) = options_in_lines([{"text": text, "answer": answer}], "text", "answer", "question", "tagged")
    assert row["question"] == text.partition("\n")[0].lower()
    assert row["tagged"] == [[option, ["correct"] if i == correct else []] for i, option in enumerate(options)]


def test_an_answer_that_no_line_has_is_an_error():
    with pytest.raises(ScenarioError, match="row 3: none of the options is the answer 'three'"):
        options_in_lines([{"text": LINES, "answer": "three", "_row": 3}], "text", "answer", "question", "tagged")


def test_rows_of_one_class():
    rows = [{"age": 0}, {"age": 1}, {"age": 1, "n": 2}]
    assert rows_of_class(rows, "age", ["young", "old"], "old") == rows[1:]
    with pytest.raises(ScenarioError, match="Did you mean 'young'"):
        rows_of_class(rows, "age", ["young", "old"], "yung")
