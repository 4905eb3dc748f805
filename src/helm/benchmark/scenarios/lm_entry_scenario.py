"""LMentry: language tasks that are trivial for people."""

import os
from collections.abc import Callable
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, option_references, read_json, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario
from helm.common.general import ensure_file_downloaded

_VARIANTS: dict[str, list[str]] = {
    "all_words_from_category": ["", "_0_distractors", "_1_distractors", "_2_distractors"],
    "any_words_from_category": ["", "_3_distractors", "_4_distractors", "_5_distractors"],
    "bigger_number": [""],
    "first_alphabetically": [
        "", "_consecutive_first_letter", "_different_first_letter", "_far_first_letter", "_same_first_letter"
    ],
    "first_letter": [""],
    "first_word": [""],
    "homophones": [""],
    "last_letter": [""],
    "last_word": [""],
    "least_associated_word": [""],
    "less_letters": ["", "_length_diff_1", "_length_diff_3plus"],
    "more_letters": ["", "_length_diff_1", "_length_diff_3plus"],
    "most_associated_word": [""],
    "rhyming_word": ["", "_orthographically_different", "_orthographically_similar"],
    "smaller_number": [""],
    "word_after": [""],
    "word_before": [""],
}  # fmt: skip
"""Maps task to suffixes of the names of its files."""

TASKS = tuple(_VARIANTS)

Options = tuple[list[str], str]
"""The options, and the correct one."""


def _yes_no(is_yes: bool) -> Options:
    return ["yes", "no"], "yes" if is_yes else "no"


def _two(first: str, second: str) -> Callable[[dict[str, Any]], Options]:
    return lambda data: ([str(data[first]), str(data[second])], str(data["answer"]))


def _answer_and(distractors: Callable[[dict[str, Any]], list[str]]) -> Callable[[dict[str, Any]], Options]:
    return lambda data: ([str(data["answer"]), *distractors(data)], str(data["answer"]))


_ONLY_ANSWER = _answer_and(lambda data: [])
_ONE_DISTRACTOR = _answer_and(lambda data: [data["distractor"]])
_DISTRACTORS = _answer_and(lambda data: data["distractors"])

_OPTIONS: dict[str, Callable[[dict[str, Any]], Options]] = {
    "all_words_from_category": lambda data: _yes_no(data["num_distractors"] == 0),
    "any_words_from_category": lambda data: _yes_no(len(data["category_words"]) > 0),
    "bigger_number": _two("n1", "n2"),
    "smaller_number": _two("n1", "n2"),
    "first_alphabetically": _two("word1", "word2"),
    "less_letters": _two("word1", "word2"),
    "more_letters": _two("word1", "word2"),
    "homophones": _ONE_DISTRACTOR,
    "rhyming_word": _ONE_DISTRACTOR,
    "least_associated_word": _DISTRACTORS,
    "most_associated_word": _DISTRACTORS,
}


class LMEntryScenario(Scenario):
    """Do something elementary with words or numbers: compare two, give the first letter, find a rhyme.

    Input text: the question. References: the correct answer, together with the others if there is a choice. All
    instances are in the test split. Source: Efrat et al. (2022).

    Args:
        task: one of `TASKS`; its variants are included.
    """

    name = "lm_entry"
    description = "Elementary language tasks"
    tags: list[str] = []
    url_template = "https://raw.githubusercontent.com/aviaefrat/lmentry/main/data/{subtask}.json"
    task_to_subtasks = {task: [f"{task}{variant}" for variant in variants] for task, variants in _VARIANTS.items()}

    def __init__(self, task: str):
        super().__init__()
        check_choice(self.name, "task", task, TASKS)
        self.task = task

    def get_instances(self, output_path: str) -> list[Instance]:
        options_of = _OPTIONS.get(self.task, _ONLY_ANSWER)
        instances = []
        for file in self.task_to_subtasks[self.task]:
            path = os.path.join(output_path, f"{file}.json")
            ensure_file_downloaded(self.url_template.format(subtask=file), path)
            with reading(path):
                examples = read_json(path)["examples"]
                for key, example in examples.items():
                    with reading(f"{path}, example {key}"):
                        options, answer = options_of(example["metadata"])
                        references = option_references(options, answer)
                        instances.append(
                            Instance(Input(text=_question(example["input"])), references, split=TEST_SPLIT)
                        )
        return instances


def _question(text: str) -> str:
    """Return the question without the surrounding markers, which the adapter adds."""
    text = text.removeprefix("Q: ")
    return text[:-1] if text.endswith("\n") else text.removesuffix("\nA:")
