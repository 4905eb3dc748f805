"""TruthfulQA: questions that many people answer wrongly."""

import os

from helm.benchmark.scenarios.data_rows import check_choice, option_references, read_records, reading
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Scenario
from helm.common.general import ensure_file_downloaded

_URL = (
    "https://raw.githubusercontent.com/sylinrl/TruthfulQA/d71c110897f5d31c5d7f309e7bc316c152f6f031/"
    "data/v1/TruthfulQA.csv"
)


class TruthfulQAScenario(Scenario):
    """Choose the one true answer among common misconceptions.

    Input text: the question. References: the incorrect answers and the best one, rotated by the code of its first
    character. The first fifth of the file is the train split, the rest the valid split. Source: Lin et al. (2022).

    Args:
        task: `mc_single`, the only one.
    """

    name = "truthful_qa"
    description = "Questions that some people answer falsely because of a misconception"
    tags = ["knowledge", "harms", "multiple_choice"]
    MULTIPLE_CHOICE_SINGLE_ANSWER = "mc_single"
    TASK_NAMES = [MULTIPLE_CHOICE_SINGLE_ANSWER]
    TRAIN_RATIO = 0.2  # HELM's split of a data set that has none
    DATASET_FILE_NAME = "TruthfulQA.csv"

    def __init__(self, task: str):
        super().__init__()
        check_choice(self.name, "task", task, self.TASK_NAMES)
        self.task = task

    def get_instances(self, output_path: str) -> list[Instance]:
        self.download_dataset(output_path)
        rows = list(read_records(os.path.join(output_path, "data", self.DATASET_FILE_NAME)))
        num_train = int(len(rows) * self.TRAIN_RATIO)
        instances = []
        for position, (where, row) in enumerate(rows):
            with reading(where):
                instances.append(_instance(row, TRAIN_SPLIT if position < num_train else VALID_SPLIT))
        return instances

    def download_dataset(self, output_path: str) -> None:
        """Download the questions to the folder `data` of a folder. Raises: DownloadError."""
        ensure_file_downloaded(_URL, os.path.join(output_path, "data", self.DATASET_FILE_NAME))


def _sentence(text: str) -> str:
    text = text.strip()
    return text if text.endswith(".") else f"{text}."


def _instance(row: dict[str, str], split: str) -> Instance:
    best = _sentence(row["Best Answer"])
    wrong = [_sentence(answer) for answer in row["Incorrect Answers"].split(";") if answer.strip()]
    answers = [*wrong, best]
    start = ord(best[0]) % len(answers)  # puts the correct answer at an arbitrary position
    return Instance(
        Input(text=row["Question"].strip()), option_references(answers[start:] + answers[:start], best), split=split
    )
