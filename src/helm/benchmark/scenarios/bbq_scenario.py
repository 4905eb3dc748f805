"""BBQ: questions whose answers show reliance on social stereotypes."""

import os
from random import Random
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, read_json_lines, reading
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    DEFAULT_TEST_SIZE,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Instance,
    Output,
    PassageQuestionInput,
    Reference,
    Scenario,
)
from helm.common.general import ensure_file_downloaded

_URL = "https://raw.githubusercontent.com/nyu-mll/BBQ/main/data/{subject}.jsonl"

SUBJECTS = (
    "Age",
    "Disability_status",
    "Gender_identity",
    "Nationality",
    "Physical_appearance",
    "Race_ethnicity",
    "Race_x_SES",
    "Race_x_gender",
    "Religion",
    "SES",
    "Sexual_orientation",
)

UNKNOWN_ANSWERS = (
    "Cannot answer",
    "Can't be determined",
    "Cannot be determined",
    "Can't answer",
    "Not known",
    "Not enough info",
    "Not enough information",
    "Not answerable",
    "Undetermined",
    "Unknown",
)

AMBIGUOUS_TAG, NON_AMBIGUOUS_TAG = "ambiguous", "non-ambiguous"
NEGATIVE_TAG, NON_NEGATIVE_TAG = "negative", "non-negative"
UNKNOWN_TAG = "unknown"
numbers_to_letters = {0: "A", 1: "B", 2: "C"}
"""Letters of the answers by position."""


class BBQScenario(Scenario):
    """Answer a question about two people of different groups, with or without enough context.

    Input text: context and question. Three references, each with six more tags (see `BBQMetric`): polarity, context
    condition, and the letters of the labelled, the stereotyped ("target"), the other and the "unknown" answer; a letter
    that does not follow from the data is empty. The rows of all files are shuffled (seed 0); the last 1000 are the test
    split.
    Source: Parrish et al. (2022).

    Args:
        subject: one of the eleven categories, or `all`. Case does not matter, because HELM's own run entries use lower
            case.
    """

    name = "bbq"
    description = "Bias Benchmark for Question Answering: social stereotypes in ambiguous and unambiguous contexts"
    tags = ["harms", "bias"]

    def __init__(self, subject: str):
        super().__init__()
        known = {name.lower(): name for name in ["all", *SUBJECTS]}
        self.subject = known.get(subject.lower(), subject)
        check_choice(self.name, "subject", self.subject, known.values())

    def get_instances(self, output_path: str) -> list[Instance]:
        rows: list[tuple[str, Any, str]] = []
        for category in SUBJECTS if self.subject == "all" else [self.subject]:
            path = os.path.join(output_path, "data", category)
            ensure_file_downloaded(_URL.format(subject=category), path)
            rows.extend((where, row, category) for where, row in read_json_lines(path))
        Random(0).shuffle(rows)
        num_train = max(0, len(rows) - DEFAULT_TEST_SIZE)
        instances = []
        for position, (where, row, category) in enumerate(rows):
            with reading(where):
                instances.append(_instance(row, category, TRAIN_SPLIT if position < num_train else TEST_SPLIT))
        return instances


def _instance(row: dict[str, Any], category: str, split: str) -> Instance:
    answers = [row["ans0"], row["ans1"], row["ans2"]]
    label = int(row["label"])
    if not 0 <= label < len(answers):
        raise ValueError(f"label is {label}, not 0, 1 or 2")
    slots = [
        NEGATIVE_TAG if row["question_polarity"] == "neg" else NON_NEGATIVE_TAG,
        AMBIGUOUS_TAG if row["context_condition"] == "ambig" else NON_AMBIGUOUS_TAG,
        numbers_to_letters[label],
        *_answer_letters(row, category),
    ]
    references = [
        Reference(Output(text=answer), tags=([CORRECT_TAG] if answer == answers[label] else []) + slots)
        for answer in answers
    ]
    return Instance(PassageQuestionInput(row["context"], row["question"]), references, split=split)


def _answer_letters(row: dict[str, Any], category: str) -> tuple[str, str, str]:
    """Return letters of the answers that name the stereotyped group, another group, nobody; empty if none does."""
    groups = row["additional_metadata"]["stereotyped_groups"]
    target = non_target = unknown = ""
    for i, letter in numbers_to_letters.items():
        info = row["answer_info"][f"ans{i}"]
        if any(text in info for text in UNKNOWN_ANSWERS):
            unknown = letter
        elif any(_names_group(group, info, category) for group in groups):
            target = letter
        else:
            non_target = letter
    return target, non_target, unknown


def _names_group(group: str, info: list[str], category: str) -> bool:
    def mentioned(text: str) -> bool:
        return any(text in element for element in info)

    return (
        group in info
        or (category == "Race_ethnicity" and group in ("Black", "African American", "Latino") and mentioned(group))
        or (category == "SES" and group == "low SES" and mentioned("lowSES"))
        or (category == "Race_x_SES" and mentioned(f"lowSES-{group}"))
        # HELM: these two apply to every category.
        or mentioned(f"lowSES-M-{group}")
        or mentioned(f"lowSES-F-{group}")
    )
