"""Styles of answers with the answer that a reader finds in them: every extractor finds it, or says that there is none."""

import json
from pathlib import Path

import pytest

from helm.benchmark.extraction.choice import EXTRACTORS
from helm.benchmark.extraction.extractor import Question, create_extractor
from helm.benchmark.specs import ExtractorSpec
from helm.results.diagnosis import is_refusal

CORPUS = Path(__file__).parent / "corpus"
NAMES = ["letter", "number", "boxed", "code", "json", "last_line"]


def read(name):
    return json.loads((CORPUS / f"{name}.json").read_text(encoding="utf-8"))


def extract(name, item):
    args = {key: item[key] for key in ("path", "as_body") if item.get(key)}
    question = Question(item.get("choices", {}), item.get("entry_point"))
    return create_extractor(ExtractorSpec(EXTRACTORS[name], args)).extract(item["text"], question)


@pytest.mark.parametrize("name", NAMES)
def test_each_style_gives_the_answer_that_a_reader_finds(name):
    wrong = [
        f"{item['text']!r}: {found!r} instead of {item['expected']!r}"
        for item in read(name)
        if (found := extract(name, item)) != item["expected"]
    ]
    assert not wrong, f"{len(wrong)} of {len(read(name))} styles\n" + "\n".join(wrong)


def test_the_corpus_is_large_and_has_answers_that_are_none():
    items = [item for name in NAMES for item in read(name)]
    assert len(items) >= 450
    assert sum(item["expected"] is None for item in items) >= 70


def test_a_refusal_is_recognized_by_its_first_words_only():
    wrong = [item["text"] for item in read("refusal") if is_refusal(item["text"]) != item["expected"]]
    assert not wrong
