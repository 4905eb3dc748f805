"""ConvFinQA: numerical questions in conversations about financial reports."""

import json
import os
from typing import Any

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
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

_FILES = {"train_turn.json": TRAIN_SPLIT, "dev_turn.json": VALID_SPLIT}


class ConvFinQACalcScenario(Scenario):
    """A table, the relevant sentences of the report, and a conversation up to a question whose answer is a number.

    Earlier questions include their answers. The answer is the result of the annotated program.
    """

    name = "conv_fin_qa_calc"
    description = "Compute the answer to the last question of a conversation about a financial report."
    tags = ["question_answering", "finance"]
    DATASET_DOWNLOAD_URL = "https://github.com/czyssrs/ConvFinQA/raw/cf3eed2d5984960bf06bb8145bcea5e80b0222a6/data.zip"

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        ensure_file_downloaded(self.DATASET_DOWNLOAD_URL, folder, unpack=True, unpack_type="unzip")
        instances = []
        for name, split in _FILES.items():
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                rows = json.load(file)
            for i, row in enumerate(rows):
                try:
                    instances.append(self.convert_to_instance(row, split))
                except (KeyError, TypeError, ValueError) as e:
                    raise ScenarioError(f"Scenario {self.name}: {path}, item {i}: {type(e).__name__}: {e}") from e
        return instances

    def make_pseudo_markdown_table(self, table: list[list[Any]], sep: str = "\n") -> str:
        """Return the rows of a table in the form `| a | b |`, joined with `sep`."""
        return sep.join(f"| {' | '.join(map(str, cells))} |" for cells in table)

    def convert_to_instance(self, dic: dict[str, Any], split: str, sep: str = "\n") -> Instance:
        """Return the instance of an item of the file. Raises: KeyError, TypeError or ValueError if it lacks something."""
        return _instance(dic, self.make_pseudo_markdown_table(dic["table"]), split, sep)


def _instance(row: dict[str, Any], table: str, split: str, sep: str) -> Instance:
    annotation = row["annotation"]
    evidence = annotation.get("gold_ind") or annotation.get("gold_inds") or {}
    # HELM: sentences are joined without a space.
    sentences = "".join(text for place, text in evidence.items() if place.startswith("text_"))
    questions, answers = annotation["cur_dial"], annotation["exe_ans_list"]
    asked = zip(questions[:-1], answers[: len(questions) - 1], strict=True)
    earlier = "".join(f"Question: {question}{sep}Answer: {answer}{sep}" for question, answer in asked)
    text = f"Table: {sep}{table}{sep}{sep}"
    if sentences:
        text += f"Text: {sep}{sentences}{sep}{sep}"
    text += f"{earlier}Question: {questions[-1]}"
    return Instance(Input(text=text), [Reference(Output(text=str(annotation["exe_ans"])), [CORRECT_TAG])], split=split)
