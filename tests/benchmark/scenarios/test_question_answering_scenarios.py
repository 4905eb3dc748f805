"""Loaders of questions with logic of their own, on rows that the vectors do not have."""

import csv
import gzip
import json
import os

import pytest

from helm.benchmark.scenarios.narrativeqa_scenario import NarrativeQAScenario
from helm.benchmark.scenarios.natural_qa_scenario import NaturalQAScenario
from helm.common.errors import ConfigError, ScenarioError


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def narrative(tmp_path, questions):
    folder = tmp_path / "data" / "narrativeqa-master"
    summaries = [
        {"document_id": "d2", "set": "train", "summary": " Two. "},
        {"document_id": "d1", "set": "train", "summary": "One,\nin two lines"},
        {"document_id": "d3", "set": "test", "summary": "Three"},
    ]
    write_csv(folder / "third_party" / "wikipedia" / "summaries.csv", summaries)
    write_csv(folder / "qaps.csv", questions)
    return NarrativeQAScenario().get_instances(str(tmp_path))


def question(document, split, text, answers=("a", "b")):
    return {"document_id": document, "set": split, "question": text, "answer1": answers[0], "answer2": answers[1]}


def test_documents_are_in_the_order_of_their_first_question(tmp_path):
    instances = narrative(
        tmp_path,
        [
            question("d3", "test", " Three ?"),
            question("d1", "train", "One"),
            question("d2", "train", "Two", ("x", "x")),
        ],
    )
    assert [(one.split, one.input.text) for one in instances] == [
        ("train", "One,\nin two lines\nQuestion: One?"),
        ("train", "Two.\nQuestion: Two?"),
        ("test", "Three\nQuestion: Three ?"),
    ]
    assert [reference.output.text for reference in instances[1].references] == ["x", "x"]


def test_question_about_a_document_without_summary_is_an_error(tmp_path):
    with pytest.raises(ScenarioError, match="document d9"):
        narrative(tmp_path, [question("d9", "train", "Nine?")])


PAGE = "<p>Grüße &amp;\u00a0more</p>"


def page_row(**changes):
    row = {
        "document_title": "Title",
        "document_html": PAGE,
        "document_tokens": [{"token": "<P>"}, {"token": "two words"}, {"token": "&lt;b&gt;x"}],
        "question_text": "who IS it",
        "annotations": [
            {
                "long_answer": {"start_byte": 0, "end_byte": len(PAGE.encode())},
                "short_answers": [{"start_byte": 3, "end_byte": 10}, {"start_byte": 3, "end_byte": 10}],
            }
        ],
    }
    return {**row, **changes}


def write_pages(tmp_path, lines):
    (tmp_path / "data").mkdir(exist_ok=True)
    for i in range(5):
        with gzip.open(tmp_path / "data" / f"nq-dev-0{i}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in (lines if i == 0 else [])))


def natural(tmp_path, mode="openbook_wiki"):
    return NaturalQAScenario(mode).get_instances(str(tmp_path))


def test_pages_are_cleaned_by_bytes_and_tokens(tmp_path):
    write_pages(tmp_path, [json.dumps(page_row()) for _ in range(2)])
    train, valid = natural(tmp_path)
    assert train.input.text == "Title: Title\n\nPassage:  two_words x\n\nQuestion: Who is it?"
    assert [reference.output.text for reference in train.references] == ["Grüße"]
    assert [reference.output.text for reference in valid.references] == ["Grüße"]
    assert natural(tmp_path, "openbook_longans")[0].input.text == "Passage: Grüße & more\n\nQuestion: Who is it?"


def test_cleaned_rows_are_kept_until_the_file_is_newer(tmp_path):
    write_pages(tmp_path, [json.dumps(page_row())])
    assert len(natural(tmp_path)) == 1
    source, copy = tmp_path / "data" / "nq-dev-00.jsonl.gz", tmp_path / "data" / "nq-dev-00.jsonl.gz-instances.jsonl"
    row = json.loads(copy.read_text(encoding="utf-8"))
    copy.write_text(json.dumps({**row, "question": "from the copy"}) + "\n", encoding="utf-8")
    assert natural(tmp_path, "closedbook")[0].input.text == "From the copy?"
    later = os.path.getmtime(copy) + 10
    os.utime(source, (later, later))
    assert natural(tmp_path, "closedbook")[0].input.text == "Who is it?"


@pytest.mark.parametrize("line", ["{", "[]", "null", json.dumps(page_row(annotations=None)), json.dumps({"a": 1})])
def test_bad_row_names_file_and_line_and_leaves_no_copy(tmp_path, line):
    write_pages(tmp_path, [json.dumps(page_row()), line])
    with pytest.raises(ScenarioError, match=r"nq-dev-00.jsonl.gz, line 2: "):
        natural(tmp_path)
    assert not [name for name in os.listdir(tmp_path / "data") if "instances" in name]


def test_unknown_mode_names_the_nearest():
    with pytest.raises(ConfigError, match="Did you mean 'closedbook'"):
        NaturalQAScenario("closed_book")
