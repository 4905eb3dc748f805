"""HEIM's ratings by people: questions about pictures that models had made, with the answers that people gave."""

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, read_json, read_json_lines, reading
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    VALID_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.data.media_store import safe_path
from helm.common.general import ensure_file_downloaded
from helm.common.media_object import MediaObject, MultimediaObject

_URL = "https://worksheets.codalab.org/rest/bundles/0x502d646c366c4f1d8c4a2ccf163b958f/contents/blob/"

QUESTION_TYPES = ("aesthetics", "alignment", "clear_subject", "originality", "photorealism")


@dataclass(frozen=True)
class HEIMHumanEvalReference(Reference):
    """A choice, with the number of people who took it."""

    num_human_answered: int


class HEIMHumanEvalScenario(Scenario):
    """Rate a picture that a model made, as people did: its beauty, photorealism, originality, subject or alignment.

    Input: the picture, `Description: ...` where there is one, and the question. References: the choices; those that most
    people took are correct (an answer that is none of the choices counts, too, so that none may be correct).

    Args:
        question_type: `aesthetics`, `alignment`, `clear_subject`, `originality` or `photorealism`.
    """

    name = "heim_human_eval"
    description = "How people rated pictures that models had made from descriptions."
    tags = ["vision-language", "visual question answering", "image evaluation"]

    def __init__(self, question_type: str):
        super().__init__()
        check_choice(self.name, "question_type", question_type, QUESTION_TYPES)
        self._question_type = question_type

    def get_instances(self, output_path: str) -> list[Instance]:
        """Return the instances of all splits. Raises: ScenarioError; DownloadError."""
        folder = os.path.join(output_path, "dataset")
        ensure_file_downloaded(_URL, folder, unpack=True, unpack_type="untar")
        path = os.path.join(folder, "questions.json")
        questions = read_json(path)
        with reading(path):
            question = questions[self._question_type]
            asked, choices = question["question"], dict(question["choices"])
        instances = []
        for split in (TRAIN_SPLIT, VALID_SPLIT, TEST_SPLIT):
            path = os.path.join(folder, f"{self._question_type}_{split}.jsonl")
            for where, row in read_json_lines(path):
                with reading(where):
                    instances.append(_instance(row, folder, asked, choices, split))
        return instances


def _instance(row: Mapping[str, Any], folder: str, question: str, choices: Mapping[str, str], split: str) -> Instance:
    parts = [MediaObject("image/png", location=safe_path(folder, row["image_path"]))]
    if row.get("prompt"):
        parts.append(MediaObject("text/plain", text=f"Description: {row['prompt']}"))
    parts.append(MediaObject("text/plain", text=question))
    counts = Counter(str(answer) for answer in row["human_annotations"])
    most = max(counts.values(), default=0)
    references: list[Reference] = [
        HEIMHumanEvalReference(
            Output(text=text),
            tags=[CORRECT_TAG] if most and counts[value] == most else [],
            num_human_answered=counts[value],
        )
        for value, text in choices.items()
    ]
    return Instance(Input(multimedia_content=MultimediaObject(parts)), references, split=split)
