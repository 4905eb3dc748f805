"""OpinionsQA: whose opinions a model's answers to survey questions reflect."""

import ast
import os
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, option_references, read_records, reading, wrong_reference
from helm.benchmark.scenarios.scenario import (
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    PassageQuestionInput,
    Scenario,
)
from helm.common.general import ensure_file_downloaded

_URL = "https://worksheets.codalab.org/rest/bundles/{bundle}/contents/blob/model_input/{filename}"
_BUNDLE = "0xa6f81cc62d7d4ccb93031a72d2043669"
_FILE = "Pew_American_Trends_Panel_W{wave}.csv"
_WAVES = [26, 27, 29, 32, 34, 36, 41, 42, 43, 45, 49, 50, 54, 82, 92]
SURVEYS = (
    *(os.path.splitext(_FILE.format(wave=wave))[0] for wave in _WAVES),
    "Pew_American_Trends_Panel_disagreement_500",
)
CONTEXTS = ("default", "steer-qa", "steer-bio", "steer-portray")


class OpinionsQAScenario(Scenario):
    """Answer a multiple-choice question of a survey of public opinion.

    Input text: the question; with `steer-bio` and `steer-portray` one instance for every question and description of a
    person, the description first. References: the choices, none of them correct. With `steer-qa` the train split has
    questions with the answer of such a person. Source: Santurkar et al. (2023).

    Args:
        survey_type: one of `SURVEYS`.
        context: one of `CONTEXTS`: how the model is told whom to speak for.
    """

    name = "opinions_qa"
    description = "Subjective multiple-choice questions of public opinion surveys"
    tags = ["multiple_choice"]
    CODALAB_URI_TEMPLATE, CODALAB_BUNDLE = _URL, _BUNDLE
    FILE_NAME, PEW_SURVEY_WAVES = _FILE, _WAVES

    def __init__(self, survey_type: str, context: str):
        super().__init__()
        check_choice(self.name, "survey_type", survey_type, SURVEYS)
        check_choice(self.name, "context", context, CONTEXTS)
        self.survey_type = survey_type
        self.context = context

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        if self.context == "steer-qa":
            for where, row in read_records(_find(output_path, "steer-qa.csv"), "\t"):
                with reading(where):
                    references = option_references(_choices(row["options"]), row["correct"])
                    instances.append(Instance(Input(text=row["question"]), references, split=TRAIN_SPLIT))
        descriptions = None
        if self.context in ("steer-bio", "steer-portray"):
            path = _find(output_path, f"{self.context}.csv")
            descriptions = [row["question"] for _, row in read_records(path, "\t")]
        for where, row in read_records(_find(output_path, f"{self.survey_type}.csv"), "\t"):
            with reading(where):
                references = [wrong_reference(choice) for choice in _choices(row["options"])]
                question = row["question"]
                inputs: list[Input] = [Input(text=question)]
                if descriptions is not None:
                    inputs = [PassageQuestionInput(passage=text, question=f"{question}\n") for text in descriptions]
                instances.extend(Instance(input, list(references), split=TEST_SPLIT) for input in inputs)
        return instances


def _find(output_path: str, file: str) -> str:
    """Return the path of a file, downloaded into `data` unless it is there or, as HELM expects, one level above."""
    above = os.path.join(output_path, file)
    if os.path.exists(above):
        return above
    path = os.path.join(output_path, "data", file)
    ensure_file_downloaded(_URL.format(bundle=_BUNDLE, filename=file), path)
    return path


def _choices(literal: str) -> list[str]:
    """Parse a list of texts in Python's notation."""
    try:
        choices: Any = ast.literal_eval(literal)
    except (SyntaxError, MemoryError, RecursionError) as e:
        raise ValueError(f"the options {literal[:40]!r} are not a list") from e
    if not isinstance(choices, (list, tuple)):
        raise ValueError(f"the options {literal[:40]!r} are not a list")
    return [str(choice) for choice in choices]
