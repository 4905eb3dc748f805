"""BoolQ: yes or no questions about passages, with contrast sets."""

import os
from typing import Any

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, read_json_lines, reading
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, VALID_SPLIT, Input, Instance, PassageQuestionInput, Scenario
from helm.common.general import ensure_file_downloaded

_URL = "https://huggingface.co/datasets/stanford-crfm/helm-scenarios/resolve/main/boolq/{file}.jsonl"
_CONTRAST_URL = "https://raw.githubusercontent.com/allenai/contrast-sets/main/BoolQ/boolq_perturbed.json"
_SPLITS = {"train": TRAIN_SPLIT, "dev": VALID_SPLIT}


class BoolQScenario(Scenario):
    """Answer a web user's question about a Wikipedia passage with Yes or No.

    Input text: passage and question. One reference. Instances of the valid split may include hand-written questions
    about the same passage with the opposite answer (contrast sets, Gardner et al. 2020). Source: Clark et al. (2019).

    Args:
        only_contrast: keep only those instances of the valid split that have contrast questions.
    """

    name = "boolq"
    description = "Naturally occurring yes or no questions about passages"
    tags = ["question_answering"]

    def __init__(self, only_contrast: bool = False):
        super().__init__()
        self.only_contrast = only_contrast

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        contrast_path = os.path.join(folder, "boolq_perturbed.jsonl")
        ensure_file_downloaded(_CONTRAST_URL, contrast_path)
        contrasts: dict[str, list[tuple[str, str]]] = _read_contrasts(contrast_path)
        instances = []
        for file, split in _SPLITS.items():
            path = os.path.join(folder, file)
            ensure_file_downloaded(_URL.format(file=file), path)
            for where, row in read_json_lines(path):
                with reading(where):
                    contrast = contrasts.get(row["question"], []) if split == VALID_SPLIT else []
                    if contrast or split == TRAIN_SPLIT or not self.only_contrast:
                        instances.append(_instance(row, contrast, split))
        return instances

    @staticmethod
    def get_context(passage: str, question: str) -> Input:
        """Return the input: the passage, and the question with a capital letter and a question mark."""
        return PassageQuestionInput(passage=passage, question=f"{question.strip().capitalize()}?")


def _read_contrasts(path: str) -> dict[str, list[tuple[str, str]]]:
    """Map each question to other questions about its passage, with their (opposite) answers; no empty lists."""
    contrasts = {}
    with reading(path):
        entries = read_json(path)["data"][1:]  # the first describes the columns
    for where, entry in numbered(path, entries, "entry"):
        with reading(where):
            others = [
                (other["perturbed_q"], _yes_or_no(other["answer"]))
                for other in entry["perturbed_questions"]
                if other["perturbed_q"] and other["answer"] != entry["answer"]
            ]
            if others:
                contrasts[entry["question"]] = others
    return contrasts


def _yes_or_no(answer: Any) -> str:
    if answer in (True, "TRUE"):
        return "Yes"
    if answer in (False, "FALSE"):
        return "No"
    raise ValueError(f"the answer {answer!r} is neither TRUE nor FALSE")


def _instance(row: dict[str, Any], contrast: list[tuple[str, str]], split: str) -> Instance:
    passage = row["passage"]
    return Instance(
        BoolQScenario.get_context(passage, row["question"]),
        [correct_reference(_yes_or_no(row["answer"]))],
        split=split,
        contrast_inputs=[BoolQScenario.get_context(passage, question) for question, _ in contrast] or None,
        contrast_references=[[correct_reference(answer)] for _, answer in contrast] or None,
    )
