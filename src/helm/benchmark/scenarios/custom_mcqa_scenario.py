"""Custom multiple-choice questions from a JSON Lines file."""

import os

from helm.benchmark.scenarios.scenario import ALL_SPLITS, Instance, Scenario
from helm.common.errors import ScenarioError


class CustomMCQAScenario(Scenario):
    """Questions from a JSON Lines file with one serialized `Instance` per line.

    A line: `{"input": {"text": "2 + 2?"}, "references": [{"output": {"text": "4"}, "tags": ["correct"]}, ...], "split":
    "test"}`. `split` is train, valid or test; `id` and `sub_split` are optional. Empty lines are skipped.

    Args:
        path: the file; a relative path is looked up in the folder `scenarios/custom_mcqa` of the output folder.
        num_train_instances: number of in-context examples; sets the adapter's shots, not what is read.

    Raises: ScenarioError with file and line.
    """

    name = "custom_mcqa"
    description = "A generic multiple choice question answering scenario that a user "  # HELM: truncated like this
    tags = ["multiple_choice"]

    def __init__(self, path: str, num_train_instances: int = 0):
        super().__init__()
        self.path = path
        self.num_train_instances = num_train_instances

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(output_path, self.path)
        if not os.path.isfile(path):
            raise ScenarioError(
                f"custom_mcqa: there is no file {path}. "
                f"Put the questions there or give an absolute path: path=/.../{self.path}"
            )
        return self.process_jsonl(path)

    def process_jsonl(self, jsonl_path: str) -> list[Instance]:
        """Return the instances of a file. Raises: ScenarioError with file and line."""
        with open(jsonl_path, encoding="utf-8") as file:
            lines = [(number, line) for number, line in enumerate(file, 1) if line.strip()]
        return [self._instance(line, f"{jsonl_path}, line {number}") for number, line in lines]

    @staticmethod
    def _instance(line: str, where: str) -> Instance:
        from helm.common.codec import from_json

        try:
            instance = from_json(line, Instance)
        except (ValueError, TypeError, LookupError) as e:
            raise ScenarioError(
                f'custom_mcqa: {where} is not a question: {e}. Expected {{"input": {{"text": ...}}, "references": '
                '[{"output": {"text": ...}, "tags": ["correct"]}, ...], "split": "test"}'
            ) from e
        if instance.split not in ALL_SPLITS:
            splits = ", ".join(ALL_SPLITS)
            raise ScenarioError(f"custom_mcqa: {where}: split must be one of {splits}, not {instance.split!r}.")
        if not instance.references:
            raise ScenarioError(f"custom_mcqa: {where}: the question has no references.")
        return instance
