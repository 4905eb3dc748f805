"""Tasks in Harbor's folders: Terminal-Bench, and those of one's own."""

import os
from collections.abc import Sequence

from helm.agents.harbor.dockerfile import NotPlain
from helm.agents.harbor.task import DEMO_PREFIX, HarborTask, demo_task_names, find_tasks, read_task
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError, suggest
from helm.common.hierarchical_logger import hwarn

_MODULE = "helm.agents.harbor.box"


class HarborScenario(Scenario):
    """Tasks whose folders hold `task.toml`, `instruction.md`, `environment/`, `tests/` and `solution/`.

    A task runs in bubblewrap if its Dockerfile only copies files. Others need containers; they are refused, or left out, with
    `only_plain`. Solutions and tests are code that runs in the sandbox.

    Args:
        path: a task's folder, or a folder of such folders; `demo` names the tasks of this package.
        tasks: the names of the folders to take; empty takes all.
        only_plain: leave out tasks that need a container, and say so.
    Raises: ScenarioError, which names the task.
    """

    name = "terminal_tasks"
    description = "Tasks in a terminal, with files, scored by programs."
    tags = ["agents"]

    def __init__(self, path: str, tasks: Sequence[str] = (), only_plain: bool = False):
        super().__init__()
        self._path, self._tasks, self._only_plain = path, list(tasks), only_plain

    def get_instances(self, output_path: str) -> list[Instance]:
        is_demo = self._path.rstrip("/") == DEMO_PREFIX.rstrip("/")
        places = demo_task_names() if is_demo else find_tasks(self._path)
        names = {os.path.basename(os.path.normpath(place)): place for place in places}
        for name in self._tasks:
            if name not in names:
                raise ScenarioError(f"{self._path} has no task '{name}'.{suggest(name, names)}")
        instances, left_out = [], []
        for name in self._tasks or names:
            task = read_task(names[name])
            try:
                task.plain_image()
            except NotPlain as e:
                left_out.append(f"{name} ({e})")
                continue
            instances.append(_make_instance(name, names[name], task))
        if left_out:
            words = f"{len(left_out)} of {len(left_out) + len(instances)} tasks need a container: {', '.join(left_out[:10])}"
            if not self._only_plain or not instances:
                raise ScenarioError(f"{self._path}: {words}. With only_plain=true they are left out.")
            hwarn(f"{self._path}: {words}. They are left out.")
        return instances

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name=os.path.basename(os.path.normpath(self._path)),
            description=self.description,
        )


def _make_instance(name: str, place: str, task: HarborTask) -> Instance:
    instruction = task.steps[0].instruction
    extra_data = {
        "task": name,
        "messages": [{"role": "user", "content": instruction}],
        "environment": {"class_name": f"{_MODULE}.HarborBox", "args": {"task": place, "sha256": task.sha256}},
        "check": {"class_name": f"{_MODULE}.HarborCheck", "args": {}},
        "agent": {"class_name": "helm.agents.agents.ReactLoop", "args": {}},
    }
    timeouts = [step.config.get("agent", {}).get("timeout_sec") for step in task.steps]
    known = [seconds for seconds in timeouts if seconds is not None]
    if known:
        extra_data["limits"] = {"seconds": float(sum(known))}
    group = task.config.get("metadata", {}).get("category")
    return Instance(
        Input(text=instruction),
        references=[],
        split=TEST_SPLIT,
        sub_split=group if isinstance(group, str) else None,
        extra_data=extra_data,
        id=name,
    )
