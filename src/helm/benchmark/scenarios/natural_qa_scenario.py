"""Questions typed into a search engine, with or without the Wikipedia page that answers them."""

import gzip
import html
import json
import os
import re
from collections.abc import Iterator
from random import Random
from typing import Any

from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, reading
from helm.benchmark.scenarios.scenario import (
    TRAIN_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    PassageQuestionInput,
    Scenario,
    ScenarioMetadata,
)
from helm.common.files import write_chunks_atomically
from helm.common.general import ensure_file_downloaded

_URL = "https://storage.googleapis.com/natural_questions/v1.0/dev/"
_FILES = [f"nq-dev-0{i}.jsonl.gz" for i in range(5)]
_TAG = re.compile("<([^>]*)>")

CLOSEDBOOK = "closedbook"
OPENBOOK_WIKI = "openbook_wiki"
OPENBOOK_LONGANS = "openbook_longans"
_DISPLAY_NAMES = {
    CLOSEDBOOK: "NaturalQuestions (closed-book)",
    OPENBOOK_WIKI: "NaturalQuestions (open-book Wiki)",
    OPENBOOK_LONGANS: "NaturalQuestions (open-book)",
}

SPLITS = {"train": TRAIN_SPLIT, "val": VALID_SPLIT}

Row = dict[str, Any]
"""title, document, question: texts; short_answers, long_answers: one text for each short answer."""


class NaturalQAScenario(Scenario):
    """Natural Questions with at least one short answer, from the five published files of the dev split.

    The 1st, 3rd, 5th ... rows of a file are for training, the others for validation. A training instance has one random
    short answer as its reference, the others have all distinct ones; all are correct. The cleaned rows are cached next to
    each file (`<file>-instances.jsonl`), as in HELM, because cleaning gigabytes of HTML takes minutes.

    Args:
        mode: what the input contains besides the question: `closedbook` nothing, `openbook_wiki` title and text of the
            page, `openbook_longans` the paragraph that contains the answer.

    Raises: ConfigError for an unknown mode; ScenarioError for an invalid line.

    Source: Kwiatkowski et al., "Natural Questions: A Benchmark for Question Answering Research" (2019).
    """

    name = "natural_qa"
    description = "Question answering from wikipedia."
    tags = ["question_answering"]

    def __init__(self, mode: str):
        super().__init__()
        check_choice(self.name, "mode", mode, _DISPLAY_NAMES)
        self.context_mode = mode

    def get_instances(self, output_path: str) -> list[Instance]:
        generator = Random(0)
        instances = []
        for name in _FILES:
            path = os.path.join(output_path, "data", name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            ensure_file_downloaded(source_url=_URL + name, target_path=path)
            for i, row in enumerate(_cleaned_rows(path)):
                drawn = generator.randint(0, len(row["short_answers"]) - 1)
                instances.append(self._instance(row, drawn, VALID_SPLIT if i % 2 else TRAIN_SPLIT))
        return instances

    def _instance(self, row: Row, drawn: int, split: str) -> Instance:
        question = row["question"].capitalize()
        if not question.endswith("?"):
            question += "?"
        if self.context_mode == CLOSEDBOOK:
            text = Input(text=question)
        elif self.context_mode == OPENBOOK_WIKI:
            passage = f"Title: {row['title']}\n\nPassage: {row['document']}"
            text = PassageQuestionInput(passage, question, separator="\n\n")
        else:
            passage = row["long_answers"][drawn]
            text = PassageQuestionInput(passage, question, passage_prefix="Passage: ", separator="\n\n")
        short = row["short_answers"]
        answers = [short[drawn]] if split == TRAIN_SPLIT else list(dict.fromkeys(short))
        references = [correct_reference(answer) for answer in answers]
        return Instance(text, references, split=split)

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=f"natural_qa_{self.context_mode}",
            main_metric="f1_score",
            main_split="valid",
            display_name=_DISPLAY_NAMES[self.context_mode],
            description="Questions that people asked a search engine, answered in a few words.",
            taxonomy=TaxonomyInfo(
                task="question answering",
                what="passages from Wikipedia, questions from search queries",
                when="2010s",
                who="web users",
                language="English",
            ),
        )


def _cleaned_rows(path: str) -> list[Row]:
    """Return the cleaned rows of a file, from the cached copy if that is newer; otherwise clean and cache them."""
    copy = f"{path}-instances.jsonl"
    if not os.path.exists(copy) or os.path.getmtime(copy) < os.path.getmtime(path):
        write_chunks_atomically(copy, (json.dumps(row) + "\n" for row in _clean_file(path)))
    with open(copy, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _clean_file(path: str) -> Iterator[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            with reading(f"natural_qa: {path}, line {number}"):
                row = _clean_row(json.loads(line))
            if row["short_answers"]:
                yield row


def _clean_row(raw: dict[str, Any]) -> Row:
    page = raw["document_html"].encode("utf-8")
    short, long = [], []
    for annotation in raw["annotations"]:
        for answer in annotation["short_answers"]:
            short.append(_text_of(page, answer))
            long.append(_text_of(page, annotation["long_answer"]))
    return {
        "title": raw["document_title"],
        "document": " ".join(_clean_token(token["token"]) for token in raw["document_tokens"]),
        "question": raw["question_text"],
        "long_answers": long,
        "short_answers": short,
    }


def _text_of(page: bytes, place: dict[str, int]) -> str:
    """Return the text between two byte offsets of a page. A character split by an offset becomes U+FFFD."""
    part = page[place["start_byte"] : place["end_byte"]].replace(b"\xc2\xa0", b" ")
    return _TAG.sub("", html.unescape(part.decode("utf-8", "replace")))


def _clean_token(token: str) -> str:
    return _TAG.sub("", html.unescape(token.replace(" ", "_")))
