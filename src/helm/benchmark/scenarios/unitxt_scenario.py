"""Data sets that the library Unitxt prepares."""

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
from helm.common.optional_dependencies import needs_extra


class UnitxtScenario(Scenario):
    """A card and a template of Unitxt, or a whole recipe.

    The arguments are those of a Unitxt recipe (`card`, `template`, `num_demos`, ...), or `recipe` alone. Input: the
    text, or the messages, that Unitxt prepared for a model. Every text of `references` is correct. The id is Unitxt's
    split and the row, such as `test12`; `UnitxtMetric` uses it to find the row. Other splits are left out.

    Needs the extra `unitxt`. Unitxt downloads the data itself, and its cards may execute code: use only those you
    trust.
    Raises: ScenarioError for a recipe without rows, or a row without `source` and `references`.
    """

    name = "unitxt"
    description = "Tasks of the library Unitxt, given by a card and a template or by a recipe."
    tags = ["unitxt"]
    UNITXT_SPLIT_NAME_TO_HELM_SPLIT_NAME = {"train": TRAIN_SPLIT, "test": TEST_SPLIT, "validation": VALID_SPLIT}
    """Maps Unitxt's split to the instances' split, in the order of the instances."""

    def __init__(self, **kwargs: Any):
        super().__init__()
        if not kwargs:
            raise ScenarioError("unitxt: name a recipe, or a card and a template.")
        self.kwargs = kwargs

    def get_instances(self, output_path: str) -> list[Instance]:
        with needs_extra("unitxt"):
            from unitxt import load_dataset
        recipe = self.kwargs.get("recipe") if len(self.kwargs) == 1 else None
        dataset = load_dataset(recipe) if recipe is not None else load_dataset(**self.kwargs)
        instances = [
            self._instance(row, number, name, split)
            for name, split in self.UNITXT_SPLIT_NAME_TO_HELM_SPLIT_NAME.items()
            if name in dataset
            for number, row in enumerate(dataset[name])
        ]
        if not instances:
            raise ScenarioError(
                f"unitxt: {self.kwargs} has no rows in the splits {', '.join(self.UNITXT_SPLIT_NAME_TO_HELM_SPLIT_NAME)}."
            )
        return instances

    def _instance(self, row: dict[str, Any], number: int, name: str, split: str) -> Instance:
        missing = [key for key in ("source", "references") if key not in row]
        if missing:
            raise ScenarioError(
                f"unitxt: row {number} of split {name} of {self.kwargs} has no {' and no '.join(missing)}."
            )
        source = row["source"]
        references = [Reference(Output(text=str(text)), tags=[CORRECT_TAG]) for text in row["references"]]
        return Instance(
            Input(text=source) if isinstance(source, str) else Input(messages=list(source)),
            references,
            split=split,
            id=f"{name}{number}",
        )
