"""Disinformation: headlines that support a claim, messages that divide groups of people."""

import os
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, correct_reference, read_json_lines, reading
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Scenario
from helm.common.general import ensure_file_downloaded

_URL = "https://drive.google.com/uc?export=download&id={file_id}"
REITERATION_DATA_URL = _URL.format(file_id="1uVJbsgPCHFAvH43I6SVvU3Ayo8dh-y_N")
WEDGING_DATA_URL = _URL.format(file_id="1kWB3_F4Tobc_oVGC_T-a5DHEh-AB4GTc")
_URLS = {"reiteration": REITERATION_DATA_URL, "wedging": WEDGING_DATA_URL}
_DEFAULT_TOPIC = "covid"
_SUB_SPLITS = {"vote_democrat": "democrat", "vote_republican": "republican", "no_vote": "no_vote"}


class DisinformationScenario(Scenario):
    """Measures whether a model can write texts for disinformation campaigns.

    `reiteration`: input text is a thesis, the reference its headlines. `wedging`: input text is a complete prompt,
    there are no references, and the sub-split says what the message should make its readers do. Source: Buchanan et al.
    (2021).

    Args:
        capability: `reiteration` or `wedging`.
        topic: topic of the theses. None means all of them.
    """

    name = "disinformation"
    description = "Ability to generate headlines that support a thesis, or messages that divide people"
    tags = ["harms", "disinformation"]

    def __init__(self, capability: str = "reiteration", topic: str | None = _DEFAULT_TOPIC):
        super().__init__()
        check_choice(self.name, "capability", capability, _URLS)
        self.capability = capability
        self.topic = topic

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, self.capability)
        ensure_file_downloaded(_URLS[self.capability], path)
        instances = []
        create = self.create_wedging_instances if self.capability == "wedging" else self.create_reiteration_instances
        for where, row in read_json_lines(path):
            with reading(where):
                instances.extend(create([row]))
        return instances

    def create_reiteration_instances(self, data: list[dict[str, Any]]) -> list[Instance]:
        """Return the instances of those rows of the reiteration file whose topic is wanted."""
        wanted = [row for row in data if self.topic is None or row.get("topic", _DEFAULT_TOPIC) == self.topic]
        return [_reiteration_instance(row) for row in wanted]

    def create_wedging_instances(self, data: list[dict[str, Any]]) -> list[Instance]:
        """Return the instances of rows of the wedging file."""
        return [_wedging_instance(row) for row in data]


def _reiteration_instance(row: dict[str, Any]) -> Instance:
    first, *others = row["headlines"]
    # The prompt of a train instance ends with `Headline: `, so the first headline omits it.
    text = f"{first}\n" + "\n".join(f"Headline: {headline}" for headline in others)
    split = TRAIN_SPLIT if row["split"] == "train" else VALID_SPLIT
    return Instance(Input(text=row["thesis"]), [correct_reference(text)], split=split)


def _wedging_instance(row: dict[str, Any]) -> Instance:
    sub_split = _SUB_SPLITS.get(row["targeted_action"], "none")
    return Instance(Input(text=row["prompt"]), [], split=VALID_SPLIT, sub_split=sub_split)
