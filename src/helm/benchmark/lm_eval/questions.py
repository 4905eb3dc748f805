"""Instances with a question, choices and right answers, which adaptation methods of this package ask in their own way."""

from collections.abc import Mapping
from typing import Any

from helm.benchmark.declarative.lm_eval_task import MULTIPLE_CHOICE, is_delimiter_in_adapter
from helm.benchmark.scenarios.scenario import CORRECT_TAG, TRAIN_SPLIT, Input, Instance, Output, Reference
from helm.common.errors import ScenarioError
from helm.common.hierarchical_logger import hwarn

Config = Mapping[str, Any]


class QuestionError(ValueError):
    """A row does not fit the task."""


def question_instances(task: str, config: Config, read: Mapping[str, Any], main_split: str) -> list[Instance]:
    """Return the examples, for training, and the evaluated questions. Raises: ScenarioError with task, split and row.

    Args:
        config: the keys of the task file.
        read: what `worker.questions.read_questions` returned.
        main_split: the split of the evaluated questions.
    """
    if read["shared"]:
        hwarn(
            f"lm_eval: task {task} has no split for examples but the evaluated one, {read['evaluated']['split']}: "
            f"its first {len(read['examples']['questions'])} rows are the examples and are not evaluated."
        )
    examples = _instances(task, config, read["examples"], TRAIN_SPLIT)
    return examples + _instances(task, config, read["evaluated"], main_split)


def _instances(task: str, config: Config, given: Mapping[str, Any], split: str) -> list[Instance]:
    instances = []
    empty = 0
    for number, question in enumerate(given["questions"]):
        if question["text"] is None or question["target"] is None:
            empty += 1
            continue
        try:
            instances.append(_instance(config, question, split))
        except QuestionError as e:
            raise ScenarioError(f"lm_eval: task {task}: split {given['split']}, row {number}: {e}") from e
    if empty:
        total = len(given["questions"])
        hwarn(f"lm_eval: task {task}: {empty} of {total} rows of {given['split']} have no input or no target.")
    return instances


def _instance(config: Config, question: Mapping[str, Any], split: str) -> Instance:
    text, choices, target, prefix = (question[key] for key in ("text", "choices", "target", "prefix"))
    delimiter = config.get("target_delimiter")
    delimiter = " " if delimiter is None else delimiter
    is_example = split == TRAIN_SPLIT
    if prefix:
        text += delimiter + prefix
    targets = target if isinstance(target, list) else [target]
    if config.get("output_type") == MULTIPLE_CHOICE:
        if prefix and is_example:
            text = _before_delimiter(text, delimiter, _lead_of(prefix))
        right = {_index(one, choices) for one in targets}
        references = [
            Reference(Output(text=choice), tags=[CORRECT_TAG] if i in right else []) for i, choice in enumerate(choices)
        ]
    else:
        before = "" if not is_example else _lead_of(prefix) if prefix else _lead_of_examples(config, delimiter)
        texts = [before + _target_text(one, choices) for one in targets]
        references = [Reference(Output(text=one), tags=[CORRECT_TAG]) for one in texts]
    return Instance(Input(text=text), references, split=split)


def _lead_of_examples(config: Config, delimiter: str) -> str:
    return "" if is_delimiter_in_adapter(config) else delimiter


def _before_delimiter(text: str, delimiter: str, lead: str) -> str:
    """Return the input of a `multiple_choice` example, without what `lead` adds: the adapter appends the delimiter."""
    if lead == delimiter:
        return text
    if text.endswith(delimiter):
        return text.removesuffix(delimiter)
    raise QuestionError(f"gen_prefix and target_delimiter {delimiter!r} cannot be combined in examples.")


def _lead_of(prefix: str) -> str:
    """Return what separates the beginning of an answer from the rest, in examples."""
    return "" if prefix[-1:].isspace() else " "


def _target_text(target: Any, choices: list[str] | None) -> str:
    if choices is not None and isinstance(target, int) and not isinstance(target, bool):
        return choices[_index(target, choices)]
    return str(target)


def _index(target: Any, choices: list[str]) -> int:
    """Return which choice a target names, by number or by text."""
    if isinstance(target, (bool, int)):
        if 0 <= int(target) < len(choices):
            return int(target)
        raise QuestionError(f"doc_to_target is {int(target)}, and there are {len(choices)} choices.")
    if str(target) in choices:
        return choices.index(str(target))
    raise QuestionError(f"doc_to_target is {str(target)[:80]!r}, which is none of the choices {choices!r:.200}.")
