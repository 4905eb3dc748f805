"""CTI-to-MITRE: find the technique of the ATT&CK catalogue that a sentence of a threat report describes."""

import json
import os
import random
from typing import Any

from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
)
from helm.common.data.tables import read_table
from helm.common.errors import ScenarioError, suggest
from helm.common.general import ensure_file_downloaded
from helm.common.random_draws import pandas_sample


class CtiToMitreScenario(Scenario):
    """A sentence and `num_options` choices: its technique and random ones in random order, then `Others`.

    Args:
        num_options: total number of choices, from 2 to the number of techniques.
        seed: seed of the split (7 of 10 sentences are in-context examples) and of the choices.
    """

    name = "cti_to_mitre"
    description = "Name the attack technique that a sentence about a security incident describes."
    tags = ["classification", "cyber_security"]
    train_ratio = 0.7  # HELM's split of a data set that has none
    MAX_NUM_OPTIONS = 199
    OTHERS_OPTION = "Others"
    CTI_URL = (
        "https://github.com/dessertlab/cti-to-mitre-with-nlp/raw/"
        "a8cacf3185d098c686e0d88768a619a03a4d76d1/data/dataset.csv"
    )
    MITRE_URL = "https://github.com/mitre/cti/raw/refs/tags/ATT&CK-v10.1/enterprise-attack/enterprise-attack.json"

    def __init__(self, num_options: int = MAX_NUM_OPTIONS, seed: int = 42):
        super().__init__()
        self.num_options = int(num_options)
        self.seed = int(seed)

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = os.path.join(output_path, "data")
        os.makedirs(folder, exist_ok=True)
        sentences_path = os.path.join(folder, "dataset.csv")
        ensure_file_downloaded(self.CTI_URL, sentences_path)
        techniques_path = os.path.join(folder, "enterprise-attack.json")
        ensure_file_downloaded(self.MITRE_URL, techniques_path)
        with open(techniques_path, encoding="utf-8") as file:
            techniques = self.make_label_category_name_dict(json.load(file))
        if not 2 <= self.num_options <= len(techniques):
            raise ScenarioError(
                f"Scenario {self.name}: num_options must be from 2 to the number of techniques, {len(techniques)}, "
                f"not {self.num_options}."
            )
        rows = read_table(sentences_path, "csv")
        drawn = pandas_sample(len(rows), round(len(rows) * self.train_ratio), self.seed)
        rest = sorted(set(range(len(rows))) - set(drawn))
        order = pandas_sample(len(rest), len(rest), self.seed)
        generator = random.Random(self.seed)
        splits = [(i, TRAIN_SPLIT) for i in drawn] + [(rest[i], TEST_SPLIT) for i in order]
        return [self._instance(rows[i], split, techniques, generator) for i, split in splits]

    def _instance(
        self, row: dict[str, str], split: str, techniques: dict[str, str], generator: random.Random
    ) -> Instance:
        label = row["label_tec"]
        if label not in techniques:
            raise ScenarioError(
                f"Scenario {self.name}: there is no technique {label} (sentence {row['sentence']!r}) in ATT&CK."
                + suggest(label, techniques)
            )
        correct = techniques[label]
        wrong = [name for name in techniques.values() if name != correct]
        options = generator.sample(wrong, self.num_options - 2) + [correct]
        generator.shuffle(options)
        references = [
            Reference(Output(text=option), tags=[CORRECT_TAG] if option == correct else [])
            for option in [*options, self.OTHERS_OPTION]
        ]
        return Instance(Input(text=row["sentence"]), references, split=split)

    @staticmethod
    def make_label_category_name_dict(jdata: dict[str, Any]) -> dict[str, str]:
        """Map id to name for ATT&CK's techniques marked as not part of another one, in their order."""
        techniques = {}
        for item in jdata["objects"]:
            if item["type"] == "attack-pattern" and item.get("x_mitre_is_subtechnique") is False:
                for reference in item["external_references"]:
                    if reference["source_name"] == "mitre-attack":
                        techniques[reference["external_id"]] = item["name"]
        return techniques
