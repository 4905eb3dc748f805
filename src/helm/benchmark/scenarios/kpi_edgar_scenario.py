"""KPI-EDGAR: key performance indicators in sentences of financial reports."""

import json
import os
from collections.abc import Iterator
from typing import Any

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

_CATEGORIES = {
    "kpi": "Key Performance Indicators expressible in numerical and monetary value",
    "cy": "Current Year monetary value",
    "py": "Prior Year monetary value",
    "py1": "Two Year Past Value",
}
_TASK = (
    "Task: Extract key performance indicators (KPIs) and values from the above text. Also, specify one of the following "
    "categories to each of the extracted KPIs and values in brackets.\n"
)


class KPIEDGARScenario(Scenario):
    """A sentence of a report; the answer lists its entities in annotation order: `Net income [kpi], 5 [cy]`.

    Entities of other categories are left out, and so are sentences without entities of these four. Brackets in the
    sentence become parentheses.
    """

    name = "kpi_edgar"
    description = "Find the key performance indicators and their values in a sentence of a financial report."
    tags = ["named_entity_recognition", "finance"]
    TAG_DICT = _CATEGORIES
    TAG_DESCRIPTIONS = ", ".join(f"{name}: {meaning}" for name, meaning in _CATEGORIES.items()) + "."
    TAG_PAREN, TAG_PAREN_ESC = ("[", "]"), ("(", ")")
    TAG_PAREN_RE = (r"\[", r"\]")
    DATASET_SPLIT_TO_HELM_SPLIT = {"train": TRAIN_SPLIT, "valid": VALID_SPLIT, "test": TEST_SPLIT}
    JSON_URL = (
        "https://raw.githubusercontent.com/tobideusser/kpi-edgar/2ec7084dcd55b4979bbe288d4aa1e962c685c9ab/"
        "data/kpi_edgar.json"
    )
    JSON_FILENAME = "kpi_edgar.json"

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, "data", self.JSON_FILENAME)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        ensure_file_downloaded(self.JSON_URL, path)
        with open(path, encoding="utf-8") as file:
            documents = json.load(file)
        instances = []
        for where, sentence in _sentences(documents):
            try:
                instances.extend(self.sentences_to_instances([sentence]))
            except (KeyError, TypeError) as e:
                raise ScenarioError(f"Scenario {self.name}: {path}, {where}: {type(e).__name__}: {e}") from e
        return instances

    @staticmethod
    def get_sentences(dataset: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return the sentences of all documents, in order."""
        return [sentence for _, sentence in _sentences(dataset)]

    @classmethod
    def escape_parenthesis(cls, text: str) -> str:
        """Replace brackets, which mark categories in the answer, with parentheses."""
        for bracket, parenthesis in zip(cls.TAG_PAREN, cls.TAG_PAREN_ESC, strict=True):
            text = text.replace(bracket, parenthesis)
        return text

    @classmethod
    def get_output_text(cls, words: list[str], annotations: list[dict[str, Any]]) -> str:
        """Return the answer for annotations with `start` and `end` among the words, and `type_`."""
        entities = [(cls.escape_parenthesis(" ".join(words[e["start"] : e["end"]])), e["type_"]) for e in annotations]
        return ", ".join(f"{text} [{kind}]" for text, kind in entities)

    @classmethod
    def sentences_to_instances(cls, sentences: list[dict[str, Any]]) -> list[Instance]:
        """Return the instances of the sentences with entities. Raises: KeyError or TypeError for one that lacks a part."""
        instances = []
        for sentence in sentences:
            entities = [entity for entity in sentence["entities_anno"] or [] if entity["type_"] in _CATEGORIES]
            split = cls.DATASET_SPLIT_TO_HELM_SPLIT.get(sentence["split_type"])
            if entities and split:
                words = [word["value"] for word in sentence["words"]]
                text = f"Context: {cls.escape_parenthesis(' '.join(words))}\n{_TASK}{cls.TAG_DESCRIPTIONS}"
                reference = Reference(Output(text=cls.get_output_text(words, entities)), tags=[CORRECT_TAG])
                instances.append(Instance(Input(text=text), [reference], split=split))
        return instances


def _sentences(documents: list[dict[str, Any]]) -> Iterator[Any]:
    """Yield the location of each sentence, and the sentence; segments may have none."""
    for i, document in enumerate(documents):
        for j, segment in enumerate(document["segments"] or []):
            for k, sentence in enumerate(segment["sentences"] or []):
                yield f"document {i}, segment {j}, sentence {k}", sentence
