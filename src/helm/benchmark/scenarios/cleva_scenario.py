"""CLEVA: tasks in Chinese, from translation to reasoning, whose prompts are part of the data."""

import os
from typing import Any

from helm.benchmark.presentation.taxonomy_info import TaxonomyInfo
from helm.benchmark.scenarios.code_scenario import CodeInstance, CodeReference
from helm.benchmark.scenarios.scenario import (
    CORRECT_TAG,
    TEST_SPLIT,
    TRAIN_SPLIT,
    Input,
    Instance,
    Output,
    Reference,
    Scenario,
    ScenarioMetadata,
)
from helm.common.data.cleva_prompts import (
    ClevaError,
    fill,
    label_text,
    prompt_of,
    read_rows,
    read_tasks,
    read_template,
    task_folder,
    verbalized,
)

_ANSWERING_ROLE = "sys"
"""The speaker whose turns in a dialogue are to be continued."""


class CLEVAScenario(Scenario):
    """A task of CLEVA; each has a subclass with a name such as `CLEVASentimentAnalysisScenario`.

    The input is a row inserted into the prompt. References: with `choices` all of them, those at the positions of
    `label` correct; else every text of `label`, correct. Raises: ClevaError for data in another format.

    Args:
        version: version of the data, such as `v1`.
        subtask: for tasks that have subtasks.
        prompt_id: which of the prompts in the data to use.
    """

    name = "cleva"
    description = "CLEVA: a task in Chinese."
    tags: list[str] = []
    task = ""

    def __init__(self, version: str, subtask: str | None = None, prompt_id: int = 0):
        super().__init__()
        self.version, self.subtask, self.prompt_id = version, subtask, int(prompt_id)

    def get_instances(self, output_path: str) -> list[Instance]:
        folder = task_folder(output_path, self.version, self.task, self.subtask)
        template = read_template(folder, self.prompt_id)
        instances = []
        for split in (TRAIN_SPLIT, TEST_SPLIT):
            for number, row in enumerate(read_rows(folder, split), 1):
                try:
                    instances += self.make_instances(row, template, split)
                except (ClevaError, KeyError, TypeError) as e:
                    where = os.path.join(folder, f"{split}.jsonl")
                    what = f"there is no column {e}." if isinstance(e, KeyError) else str(e)
                    raise ClevaError(f"{where}, row {number}: {what}") from e
        return instances

    def make_instances(self, row: dict[str, Any], template: dict[str, Any], split: str) -> list[Instance]:
        """Return the instances of one row: one for most tasks."""
        row = verbalized(row, template)
        return [Instance(Input(text=prompt_of(row, template)), _references(row, template), split=split)]

    def get_metadata(self) -> ScenarioMetadata:
        """Return the metadata. Raises: NotImplementedError for a task without any."""
        values = {key: value for key, value in read_tasks()[self.task].items() if key != "tags"}
        if not values:
            return super().get_metadata()
        taxonomy = TaxonomyInfo(**values.pop("taxonomy"))
        return ScenarioMetadata(name=f"cleva_{self.task}", description=self.description, taxonomy=taxonomy, **values)


def _references(row: dict[str, Any], template: dict[str, Any]) -> list[Reference]:
    labels = row["label"]
    if not isinstance(labels, list):
        raise ClevaError(f"'label' is not a list, but {labels!r}.")
    if "choices" not in row:
        return [_correct(label_text(label, template)) for label in labels]
    positions = range(len(row["choices"]))
    wrong = [label for label in labels if label not in positions]
    if wrong:
        raise ClevaError(f"the label {wrong[0]!r} is not the position of one of the {len(positions)} choices.")
    return [
        Reference(Output(text=label_text(choice, template)), tags=[CORRECT_TAG] if i in labels else [])
        for i, choice in enumerate(row["choices"])
    ]


def _correct(text: str) -> Reference:
    return Reference(Output(text=text), tags=[CORRECT_TAG])


class _Paraphrases(CLEVAScenario):
    def make_instances(self, row: dict[str, Any], template: dict[str, Any], split: str) -> list[Instance]:
        """Return the sentence itself; the adapter adds the prompt."""
        return [Instance(Input(text=row["sentence"]), [_correct(label) for label in row["label"]], split=split)]


class _MathematicalReasoning(CLEVAScenario):
    def make_instances(self, row: dict[str, Any], template: dict[str, Any], split: str) -> list[Instance]:
        """Return instances whose examples show how to derive the answer, as the template says; answers of the test are bare."""
        (instance,) = super().make_instances(row, template, split)
        if split == TRAIN_SPLIT:
            return [instance]
        return [Instance(instance.input, [_correct(str(label)) for label in row["label"]], split=split)]


class _Dialogues(CLEVAScenario):
    def make_instances(self, row: dict[str, Any], template: dict[str, Any], split: str) -> list[Instance]:
        """Return one instance for each turn of the assistant, with the turns before it as `history`."""
        instances: list[Instance] = []
        history: list[dict[str, str]] = []
        for turn in row["dialogue"]:
            if turn["role"] == _ANSWERING_ROLE:
                known = {"history": list(history), "role": turn["role"], "label": [turn["content"]]}
                instances += super().make_instances(known, template, split)
            history.append({"utterance": turn["content"], "role": turn["role"]})
        return instances


class _Code(CLEVAScenario):
    def make_instances(self, row: dict[str, Any], template: dict[str, Any], split: str) -> list[Instance]:
        """Return an instance whose reference contains the tests that a program must pass."""
        reference = CodeReference(Output(text=row["canonical_solution"]), [CORRECT_TAG], test_cases=dict(row))
        return [CodeInstance(Input(text=fill(template["input"], row)), [reference], split=split)]


class _LanguageModeling(CLEVAScenario):
    def make_instances(self, row: dict[str, Any], template: dict[str, Any], split: str) -> list[Instance]:
        """Return the text itself."""
        if len(row["choices"]) != 1:
            raise ClevaError(f"'choices' must hold one text, not {len(row['choices'])}.")
        return [Instance(Input(text=row["choices"][0]), [], split=split)]


_KINDS: dict[str, type] = {
    "paraphrase_generation": _Paraphrases,
    "mathematical_reasoning": _MathematicalReasoning,
    "dialogue_generation": _Dialogues,
    "code_synthesis": _Code,
    "language_modeling": _LanguageModeling,
}
"""Tasks whose rows become instances in a special way."""


def class_name(task: str) -> str:
    return f"CLEVA{''.join(word.capitalize() for word in task.split('_'))}Scenario"


def __getattr__(name: str) -> type:
    """Return the class of a task, created on first use."""
    if name.startswith("CLEVA"):
        for task, values in read_tasks().items():
            if class_name(task) == name:
                shown = values.get("display_name", task.replace("_", " "))
                members = {
                    "__module__": __name__,
                    "__doc__": CLEVAScenario.__doc__,
                    "task": task,
                    "tags": list(values["tags"]),
                    "description": f"{shown}, a task in Chinese from CLEVA.",
                }
                made = type(name, (_KINDS.get(task, CLEVAScenario),), members)
                globals()[name] = made
                return made
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
