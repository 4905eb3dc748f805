"""ECHR: predict whether a case before the European Court of Human Rights ended with a violation."""

import json
import os

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
from helm.common.errors import ScenarioError
from helm.common.general import ensure_file_downloaded

_URL = "https://archive.org/download/ECHR-ACL2019/ECHR_Dataset.zip"
_FOLDERS = {"EN_train": TRAIN_SPLIT, "EN_dev": VALID_SPLIT, "EN_test": TEST_SPLIT}


class EchrJudgeScenario(Scenario):
    """The facts of a case; the answer is `Yes` if the court found that an article was violated, else `No`.

    Cases are sorted by file name (in HELM, they come in the file system's order).

    Args:
        filter_max_length: leave out cases with more words. None keeps all.
    """

    name = "echr_judgment_classification"
    description = "Decide whether human rights were violated from the facts of a case."
    tags = ["classification", "judgement", "legal"]
    YES_ANSWER, NO_ANSWER = "Yes", "No"

    def __init__(self, filter_max_length: int | None = None):
        super().__init__()
        self.filter_max_length = filter_max_length

    def get_instances(self, output_path: str) -> list[Instance]:
        root = os.path.join(output_path, "data", "ECHR_Dataset")
        os.makedirs(os.path.dirname(root), exist_ok=True)
        ensure_file_downloaded(_URL, root, unpack=True, unpack_type="unzip")
        instances = []
        for folder, split in _FOLDERS.items():
            place = os.path.join(root, folder)
            if not os.path.isdir(place):
                raise ScenarioError(f"Scenario {self.name}: the archive {_URL} has no folder {folder}.")
            for name in sorted(name for name in os.listdir(place) if name.endswith(".json")):
                instance = self._read(os.path.join(place, name), split)
                if instance is not None:
                    instances.append(instance)
        return instances

    def count_words(self, text: str) -> int:
        """Return the number of words separated by white space."""
        return len(text.split())

    def _read(self, path: str, split: str) -> Instance | None:
        """Return the instance of a case; None if the case is too long."""
        with open(path, encoding="utf-8") as file:
            case = json.load(file)
        try:
            text, articles = " ".join(case["TEXT"]), case["VIOLATED_ARTICLES"]
        except (KeyError, TypeError) as e:
            raise ScenarioError(f"Scenario {self.name}: {path}: {type(e).__name__}: {e}") from e
        if self.filter_max_length is not None and self.count_words(text) > self.filter_max_length:
            return None
        reference = Reference(Output(text=self.YES_ANSWER if articles else self.NO_ANSWER), tags=[CORRECT_TAG])
        return Instance(Input(text=text), [reference], split=split)
