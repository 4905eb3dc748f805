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

_URL = (
    "https://raw.githubusercontent.com/tobideusser/kpi-edgar/2ec7084dcd55b4979bbe288d4aa1e962c685c9ab/"
    "data/kpi_edgar.json"
)
_SPLITS = {"train": TRAIN_SPLIT, "valid": VALID_SPLIT, "test": TEST_SPLIT}
_CATEGORIES = {
    "kpi": "Key Performance Indicators expressible in numerical and monetary value",
    "cy": "Current Year monetary value",
    "py": "Prior Year monetary value",
    "py1": "Two Year Past Value",
}
_TASK = (
    "Task: Extract key performance indicators (KPIs) and values from the above text. Also, specify one of the following "
    "categories to each of the extracted KPIs and values in brackets.\n"
    + ", ".join(f"{name}: {meaning}" for name, meaning in _CATEGORIES.items())
    + "."
)


class KPIEDGARScenario(Scenario):
    """A sentence of a report; the answer lists its entities in annotation order: `Net income [kpi], 5 [cy]`.

    Entities of other categories are left out, and so are sentences without entities of these four.
    """

    name = "kpi_edgar"
    description = "Find the key performance indicators and their values in a sentence of a financial report."
    tags = ["named_entity_recognition", "finance"]

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, "data", "kpi_edgar.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        ensure_file_downloaded(_URL, path)
        with open(path, encoding="utf-8") as file:
            documents = json.load(file)
        instances = []
        for where, sentence in _sentences(documents):
            try:
                split = sentence["split_type"]
                if split in _SPLITS and (answer := _answer(sentence)) is not None:
                    text = f"Context: {_text(sentence)}\n{_TASK}"
                    reference = Reference(Output(text=answer), tags=[CORRECT_TAG])
                    instances.append(Instance(Input(text=text), [reference], split=_SPLITS[split]))
            except (KeyError, TypeError) as e:
                raise ScenarioError(f"Scenario {self.name}: {path}, {where}: {type(e).__name__}: {e}") from e
        return instances


def _sentences(documents: list[dict[str, Any]]) -> Iterator[Any]:
    """Yield the location of each sentence, and the sentence; segments may have none."""
    for i, document in enumerate(documents):
        for j, segment in enumerate(document["segments"] or []):
            for k, sentence in enumerate(segment["sentences"] or []):
                yield f"document {i}, segment {j}, sentence {k}", sentence


def _words(sentence: dict[str, Any]) -> list[str]:
    return [word["value"] for word in sentence["words"]]


def _text(sentence: dict[str, Any]) -> str:
    return " ".join(_words(sentence))


def _answer(sentence: dict[str, Any]) -> Any:
    words = _words(sentence)
    entities = [entity for entity in sentence["entities_anno"] or [] if entity["type_"] in _CATEGORIES]
    if not entities:
        return None
    return ", ".join(f"{' '.join(words[e['start'] : e['end']])} [{e['type_']}]" for e in entities)
