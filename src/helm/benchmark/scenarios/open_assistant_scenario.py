"""The first messages of conversations written by volunteers, with the replies to them."""

from typing import Any

from helm.benchmark.scenarios.data_rows import correct_reference, reading
from helm.benchmark.scenarios.scenario import TRAIN_SPLIT, VALID_SPLIT, Input, Instance, Reference, Scenario
from helm.common.data.hub_datasets import load_hub_split
from helm.common.errors import ScenarioError, suggest

_PATH = "OpenAssistant/oasst1"
_REVISION = "fdf72ae0827c1cda404aff25b6603abec9e3399b"
_HUB_SPLITS = {"train": TRAIN_SPLIT, "validation": VALID_SPLIT}


class OpenAssistantScenario(Scenario):
    """Open Assistant (OASST1): the first message of each conversation, for open-ended instruction following.

    References: the assistants' replies in that language, in the order of the file, all correct; possibly none.

    Args:
        language: a language code of the data set such as `en`, or `all`.

    Raises: ScenarioError for a message written by a model, and for a language without conversations.

    Source: Köpf et al., "OpenAssistant Conversations - Democratizing Large Language Model Alignment" (2023).
    """

    name = "open_assistant"
    description = "The conversation dataset released by LAION's Open Assistant project."
    tags = ["instructions"]

    def __init__(self, language: str):
        super().__init__()
        self.language = language

    def get_instances(self, output_path: str) -> list[Instance]:
        instances: list[Instance] = []
        languages: set[str] = set()
        for hub_split, split in _HUB_SPLITS.items():
            rows = load_hub_split(_PATH, hub_split, revision=_REVISION, cache_dir=output_path).rows
            with reading(f"open_assistant: {_PATH}, split {hub_split}"):
                languages.update(row["lang"] for row in rows)
                instances += self._conversations([row for row in rows if self.language in ("all", row["lang"])], split)
        if not instances:
            known = ", ".join(sorted(languages))
            raise ScenarioError(
                f"open_assistant: no conversation is in the language '{self.language}'. There are: {known}, "
                f"and all.{suggest(self.language, languages)}"
            )
        return instances

    @staticmethod
    def _conversations(rows: list[dict[str, Any]], split: str) -> list[Instance]:
        replies: dict[str, list[Reference]] = {row["message_id"]: [] for row in rows if row["parent_id"] is None}
        for row in rows:
            if row["model_name"] is not None:
                raise ScenarioError(
                    f"open_assistant: message {row['message_id']} was written by the model {row['model_name']}; "
                    "people's messages were expected."
                )
            if row["role"] == "assistant" and row["parent_id"] in replies:
                replies[row["parent_id"]].append(correct_reference(row["text"]))
        return [
            Instance(Input(text=row["text"]), replies[row["message_id"]], split=split)
            for row in rows
            if row["message_id"] in replies
        ]
