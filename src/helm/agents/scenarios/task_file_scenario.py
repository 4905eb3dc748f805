"""Tasks for agents in a YAML file of one's own."""

import os
from collections import Counter
from typing import Any

from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError, suggest
from helm.common.formats.yaml_items import YamlItems

_FIELDS = (
    "id", "instruction", "system", "environment", "tools", "user", "check", "answer", "limits", "agent", "solution", "group",
    "attack",
)  # fmt: skip


class TaskFileScenario(Scenario):
    """Tasks that a YAML file describes.

    The file has a list `tasks`, and optionally `defaults` with the same fields for all of them: `id`; `instruction`, what the
    agent is told; `system`, a system message; `environment`, `tools`, `user`, `check`, `agent`: objects with `class_name` and
    `args`; `answer`: accepted answers, instead of `check`; `limits`; `solution`: arguments of the oracle; `group`: tasks with
    results of their own; `attack`: what is put where the agent reads (`helm.agents.attacks`). With a list `attacks` (each with
    `name`, `class_name` and `args`), each task is done alone, and once under each attack, as `TASK+NAME`. It names classes, so
    it is code: run only files that you trust.

    Args:
        path: the file.
    Raises: ScenarioError, which names the task and the field.
    """

    name = "agent_tasks"
    description = "Tasks for agents, from a file."
    tags = ["agents"]

    def __init__(self, path: str):
        super().__init__()
        self._path = path

    def get_instances(self, output_path: str) -> list[Instance]:
        tasks = YamlItems(self._path, "tasks")
        data = tasks.read_rest()
        if not isinstance(data, dict) or not isinstance(data.get("tasks"), list):
            raise ScenarioError(f"{self._path}: expected an object with a list `tasks`.")
        defaults = data.get("defaults") or {}
        attacks = self._read_attacks(data.get("attacks") or [])
        instances: list[Instance] = []
        for number, task in enumerate(tasks, 1):
            whole = {**defaults, **task} if isinstance(task, dict) else task
            instances.append(self._make_instance(whole, number, f"id{len(instances)}"))
            for name, attack in attacks.items():
                attacked = {**whole, "id": f"{whole.get('id', number)}+{name}", "attack": attack}
                instances.append(self._make_instance(attacked, number, f"id{len(instances)}"))
        ids = Counter(instance.extra_data["task"] for instance in instances if instance.extra_data)
        for task_id, number in ids.items():
            if number > 1:
                raise ScenarioError(f"{self._path}: there are {number} tasks with the id '{task_id}'.")
        return instances

    def _read_attacks(self, given: Any) -> dict[str, dict[str, Any]]:
        """Return the attacks of the file by name. Raises: ScenarioError."""
        found: dict[str, dict[str, Any]] = {}
        for number, attack in enumerate(given if isinstance(given, list) else [given], 1):
            if not isinstance(attack, dict) or not attack.get("name") or not attack.get("class_name"):
                raise ScenarioError(
                    f"{self._path}: attack {number}: expected an object with name, class_name and args."
                )
            if str(attack["name"]) in found:
                raise ScenarioError(f"{self._path}: there are two attacks with the name '{attack['name']}'.")
            found[str(attack["name"])] = {"class_name": attack["class_name"], "args": attack.get("args") or {}}
        return found

    def _make_instance(self, task: Any, number: int, instance_id: str) -> Instance:
        where = f"{self._path}: task {number}"
        if not isinstance(task, dict):
            raise ScenarioError(f"{where}: expected an object, not {task!r:.80}.")
        where = f"{self._path}: task '{task.get('id', number)}'"
        for name in task:
            if name not in _FIELDS:
                raise ScenarioError(f"{where} has an unknown field '{name}'.{suggest(str(name), _FIELDS)}")
        if not isinstance(task.get("instruction"), str) or not task["instruction"].strip():
            raise ScenarioError(f"{where} lacks an `instruction`: what the agent is told.")
        check = task.get("check")
        if task.get("answer") is not None:
            if check is not None:
                raise ScenarioError(f"{where} has both `answer` and `check`.")
            answers = task["answer"] if isinstance(task["answer"], list) else [task["answer"]]
            check = {"class_name": "helm.agents.checks.AnswerCheck", "args": {"accepted": [str(a) for a in answers]}}
        messages = [{"role": "user", "content": task["instruction"].strip()}]
        if task.get("system"):
            messages.insert(0, {"role": "system", "content": task["system"].strip()})
        fields = {
            name: task[name]
            for name in ("environment", "tools", "user", "limits", "agent", "solution", "attack")
            if name in task
        }
        extra_data = {"task": str(task.get("id", number)), "messages": messages, **fields}
        if check is not None:
            extra_data["check"] = check
        return Instance(
            Input(text=task["instruction"].strip()),
            references=[],
            split=TEST_SPLIT,
            sub_split=task.get("group"),
            id=instance_id,  # as the runner would number it, for which it would copy each
            extra_data=extra_data,
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name=os.path.splitext(os.path.basename(self._path))[0],
            description=self.description,
        )
