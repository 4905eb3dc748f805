"""BIG-bench: tasks defined by a JSON file."""

import os
from random import Random
from typing import Any

from helm.benchmark.scenarios.data_rows import correct_reference, numbered, read_json, reading
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
from helm.common.errors import ConfigError
from helm.common.general import ensure_file_downloaded

_URL = "https://raw.githubusercontent.com/google/BIG-bench/main/bigbench/benchmark_tasks/{task}/task.json"
_TEST_FRACTION = 0.2


class BIGBenchScenario(Scenario):
    """A task of BIG-bench, as defined by its `task.json`.

    Input text: the input of an example. References: all choices, those with the highest score correct, or else the
    targets. The examples are shuffled (seed 0): a fifth, but at least 16, is the test split, as many the valid split,
    the rest the train split. Source: Srivastava et al. (2022).

    Args:
        task: name of the task's folder.
        subtask: name of a subfolder; empty if there is none.
    """

    name = "big_bench"
    description = "Tasks of the Beyond the Imitation Game Benchmark"
    tags: list[str] = []
    TASK_FILE_NAME = "task.json"
    MIN_TEST_EXAMPLES = 16

    def __init__(self, task: str, subtask: str):
        super().__init__()
        self.task = task
        self.subtask = subtask

    @staticmethod
    def download_and_get_task(output_path: str, task: str, subtask: str) -> dict[str, Any]:
        """Return the content of the task's file, downloading it to `<output_path>/<task>/<subtask>` if necessary.

        Raises: ConfigError for an invalid name, ScenarioError for a file that is not a task.
        """
        for name in (task, subtask):
            if os.path.basename(name) != name or name in (".", ".."):
                raise ConfigError(f"big_bench: '{name}' is not the name of a task or subtask.")
        folder = os.path.join(output_path, task, subtask)
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, BIGBenchScenario.TASK_FILE_NAME)
        ensure_file_downloaded(_URL.format(task=f"{task}/{subtask}" if subtask else task), path)
        with reading(path):
            definition: dict[str, Any] = read_json(path)
            definition["examples"], definition["keywords"]
            return definition

    def get_instances(self, output_path: str) -> list[Instance]:
        definition = self.download_and_get_task(output_path, self.task, self.subtask)
        self.description = definition.get("description", self.description)
        self.tags = list(definition["keywords"])
        where = os.path.join(output_path, self.task, self.subtask, self.TASK_FILE_NAME)
        examples = list(numbered(where, definition["examples"], "example"))
        Random(0).shuffle(examples)
        num_test = max(int(len(examples) * _TEST_FRACTION), self.MIN_TEST_EXAMPLES)
        num_train = len(examples) - 2 * num_test
        instances = []
        for i, (where, example) in enumerate(examples):
            split = TRAIN_SPLIT if i < num_train else TEST_SPLIT if i < num_train + num_test else VALID_SPLIT
            with reading(where):
                instances.append(Instance(Input(text=example["input"]), _references(example), split=split))
        return instances


def _references(example: dict[str, Any]) -> list[Reference]:
    if "target_scores" in example:
        scores = example["target_scores"]
        best = max(scores.values())
        return [Reference(Output(text=text), tags=[CORRECT_TAG] * (score == best)) for text, score in scores.items()]
    if "target" not in example:
        raise KeyError("target_scores")
    targets = example["target"]
    return [correct_reference(text) for text in (targets if isinstance(targets, list) else [targets])]
