"""QuAC: the next question of a dialogue about a passage."""

import os
from random import Random
from typing import Any

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, reading
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Scenario
from helm.common.general import ensure_file_downloaded

_URL = "https://s3.amazonaws.com/my89public/quac/{file}"
_FILES = (("train.json", "train_v0.2.json", TRAIN_SPLIT), ("val.json", "val_v0.2.json", VALID_SPLIT))
# One to show, one to leave out (see below), and one to ask.
_MIN_QUESTIONS = 3

_NO_ANSWER = "CANNOTANSWER"
_NO_ANSWER_SYNONYMS = ("Not enough information", "Cannot answer", "Do not know")


class QuACScenario(Scenario):
    """Answer a student's question about a section of a Wikipedia page, given the dialogue so far.

    Input text: title, background, section, passage, earlier questions with answers, and the question. References: the
    distinct answers of all annotators, all correct. Each dialogue is cut once, at a random position (seed 0); the
    question just before it is left out, as in HELM. Source: Choi et al. (2018).
    """

    name = "quac"
    description = "Question answering in the context of a dialogue"
    tags = ["question_answering"]

    def get_instances(self, output_path: str) -> list[Instance]:
        generator = Random(0)
        instances = []
        for file, source, split in _FILES:
            path = os.path.join(output_path, "data", file)
            ensure_file_downloaded(_URL.format(file=source), path)
            with reading(path):
                samples = read_json(path)["data"]
            for where, sample in numbered(path, samples, "sample"):
                with reading(where):
                    instances.append(_instance(sample, generator, split))
        return instances


def _instance(sample: dict[str, Any], generator: Random, split: str) -> Instance:
    paragraph = sample["paragraphs"][0]
    context, questions = paragraph["context"], paragraph["qas"]
    if not context.endswith(f" {_NO_ANSWER}"):
        raise ValueError(f"its context does not end with ' {_NO_ANSWER}'")
    if len(questions) < _MIN_QUESTIONS:
        raise ValueError(f"its dialogue has {len(questions)} questions, at least {_MIN_QUESTIONS} are needed")
    last = generator.randint(_MIN_QUESTIONS, len(questions)) - 1
    dialogue = "".join(
        # HELM: the question before the last is not shown.
        f"Question: {earlier['question']}\nAnswer: {earlier['orig_answer']['text']}\n\n"
        for earlier in questions[: last - 1]
    )
    text = (
        f"Title: {sample['title']}\n\nBackground: {sample['background']}\n\nSection: {sample['section_title']}\n"
        f"Passage: {context[: -len(_NO_ANSWER) - 1]}\n\n{dialogue}Question: {questions[last]['question']}"
    )
    answers = list(dict.fromkeys(answer["text"] for answer in questions[last]["answers"]))
    if answers == [_NO_ANSWER]:
        answers.extend(_NO_ANSWER_SYNONYMS)
    return Instance(
        Input(text=text),
        [correct_reference(answer) for answer in answers],
        split=split,
    )
