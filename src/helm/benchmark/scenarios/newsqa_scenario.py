"""NewsQA: questions about CNN articles, which may not be redistributed."""

import os
from random import Random
from typing import Any

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, reading
from helm.benchmark.scenarios.scenario import (
    TRAIN_SPLIT,
    VALID_SPLIT,
    Instance,
    PassageQuestionInput,
    Scenario,
    get_restricted_data_path,
)
from helm.common.hierarchical_logger import hwarn

_FILE = "combined-newsqa-data-v1.json"
_HOW_TO_GET = "Build it with https://github.com/Maluuba/newsqa from the CNN stories and the questions."
_NO_ANSWER = "No Answer"


class NewsQAScenario(Scenario):
    """Answer a question about a news article with a span of it.

    Input text: the article and one of its questions, drawn per article (seed 0) from those that annotators approved.
    References: the agreed span, then the first span of each annotator; `No Answer` if they found none. Reads
    `restricted/newsqa/combined-newsqa-data-v1.json` of the working directory. Source: Trischler et al. (2017).
    """

    name = "newsqa"  # HELM: differs from the name of the run spec, news_qa
    description = "Question answering about news articles"
    tags = ["question_answering"]

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = get_restricted_data_path(self.name, _FILE, how_to_get=_HOW_TO_GET)
        path = os.path.join(folder, _FILE)
        with reading(path):
            stories = read_json(path)["data"]
        generator = Random(0)
        instances, without_questions = [], 0
        for where, story in numbered(path, stories, "story"):
            with reading(where):
                questions = _good_questions(story)
                if questions:
                    instances.append(_instance(story, generator.sample(questions, 1)[0]))
                else:
                    without_questions += 1
        if without_questions:
            hwarn(f"newsqa: {without_questions} stories without a good question are left out.")
        return instances

    def cleaned_samples(self, samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the stories that have a question which annotators approved, without their other questions."""
        cleaned = [{**sample, "questions": _good_questions(sample)} for sample in samples]
        return [sample for sample in cleaned if sample["questions"]]


def _good_questions(story: dict[str, Any]) -> list[dict[str, Any]]:
    return [question for question in story["questions"] if _is_good(question)]


def _is_good(question: dict[str, Any]) -> bool:
    return question.get("isQuestionBad", 0.0) == 0.0 and not question["consensus"].get("badQuestion", False)


def _answer(text: str, where: dict[str, Any]) -> str | None:
    """Return the span of an annotation, or None."""
    if "s" in where and "e" in where:
        return text[where["s"] : where["e"]]
    return _NO_ANSWER if "noAnswer" in where else None


def _instance(story: dict[str, Any], question: dict[str, Any]) -> Instance:
    text = story["text"]
    annotations = [question["consensus"], *(answer["sourcerAnswers"][0] for answer in question["answers"])]
    answers = dict.fromkeys(answer for answer in (_answer(text, where) for where in annotations) if answer is not None)
    return Instance(
        PassageQuestionInput(passage=text, question=question["q"], separator="\n\n"),
        [correct_reference(answer) for answer in answers],
        split=TRAIN_SPLIT if story["type"] == "train" else VALID_SPLIT,
    )
