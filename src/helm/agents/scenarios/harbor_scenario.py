"""Tasks in Harbor's folders: Terminal-Bench, and those of one's own."""

import os
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from helm.agents.harbor.dockerfile import NotPlain
from helm.agents.harbor.task import DEMO_PREFIX, HarborTask, demo_task_names, find_tasks, read_task
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError, suggest
from helm.common.hierarchical_logger import hwarn

_MODULE = "helm.agents.harbor.box"
AUTO, BUBBLEWRAP = "auto", "bubblewrap"
ENVIRONMENTS = (AUTO, BUBBLEWRAP, "docker", "podman")
"""Where tasks may run."""


class HarborScenario(Scenario):
    """Tasks whose folders hold `task.toml`, `instruction.md`, `environment/`, `tests/` and `solution/`.

    A task runs in bubblewrap if its Dockerfile only copies files. Others need containers of Docker or Podman. Solutions and tests
    are code that runs in the sandbox.

    Args:
        path: a task's folder, or a folder of such folders; `demo` names the tasks of this package. None with a registry.
        tasks: the names of the folders to take; empty takes all.
        only_plain: leave out tasks that cannot run as `environment` says, and say so.
        environment: `bubblewrap`, `docker`, `podman`, or `auto` for bubblewrap where that is enough, else a container.
        network: whether tasks in containers that ask for a network get one.
        pull: whether images may be fetched.
        dataset: `name@version` of a data set in a registry, in place of `path`.
        registry: path or https URL of the registry; see `helm.agents.harbor.registry`.
    Raises: ScenarioError, which names the task.
    """

    name = "terminal_tasks"
    description = "Tasks in a terminal, with files, scored by programs."
    tags = ["agents"]

    def __init__(
        self,
        path: str | None = None,
        tasks: Sequence[str] = (),
        only_plain: bool = False,
        environment: str = AUTO,
        network: bool = False,
        pull: bool = False,
        dataset: str | None = None,
        registry: str | None = None,
    ):
        super().__init__()
        if (path is None) == (dataset is None) or (dataset is None) != (registry is None):
            raise ScenarioError("terminal_tasks takes path, or dataset and registry.")
        if environment not in ENVIRONMENTS:
            raise ScenarioError(
                f"environment takes {', '.join(ENVIRONMENTS)}, not '{environment}'.{suggest(environment, ENVIRONMENTS)}"
            )
        self._path, self._tasks, self._only_plain = path, list(tasks), only_plain
        self._dataset, self._registry = dataset, registry
        self._source = path or dataset or ""
        self._environment, self._network, self._pull = environment, network, pull

    def get_instances(self, output_path: str) -> list[Instance]:
        names = self._places(output_path)
        for name in self._tasks:
            if name not in names:
                raise ScenarioError(f"{self._source} has no task '{name}'.{suggest(name, names)}")
        instances, left_out = [], []
        for name in self._tasks or names:
            task = read_task(names[name])
            found = self._choose_environment(names[name], task)
            if isinstance(found, str):
                left_out.append(f"{name} ({found})")
                continue
            instances.append(_make_instance(name, task, found))
        if left_out:
            words = (
                f"{len(left_out)} of {len(left_out) + len(instances)} tasks cannot run here: {', '.join(left_out[:10])}"
            )
            if not self._only_plain or not instances:
                raise ScenarioError(f"{self._source}: {words}. With only_plain=true they are left out.")
            hwarn(f"{self._source}: {words}. They are left out.")
        return instances

    def _places(self, output_path: str) -> dict[str, str]:
        """Return the folders of tasks by name."""
        if self._dataset is not None and self._registry is not None:
            from helm.agents.harbor.registry import fetch_tasks, find_data_set

            return fetch_tasks(find_data_set(self._registry, self._dataset, output_path), self._registry, output_path)
        is_demo = self._source.rstrip("/") == DEMO_PREFIX.rstrip("/")
        places = demo_task_names() if is_demo else find_tasks(self._source)
        return {os.path.basename(os.path.normpath(place)): place for place in places}

    def _choose_environment(self, place: str, task: HarborTask) -> dict[str, Any] | str:
        """Return the environment of a task as an object, or why there is none."""
        if task.unsupported is not None:
            return task.unsupported
        args: dict[str, Any] = {"task": place, "sha256": task.sha256}
        why = ""
        if self._environment in (AUTO, BUBBLEWRAP):
            try:
                task.plain_image()
                return {"class_name": f"{_MODULE}.HarborBox", "args": args}
            except NotPlain as e:
                why = f"{e}, so it needs a container"
            if self._environment == BUBBLEWRAP:
                return why
        from helm.agents.harbor.box import container_problem

        problem = container_problem(task, self._network)
        if problem is None and self._engine_problem is not None:
            problem = f"{why}: {self._engine_problem}" if why else self._engine_problem
        if problem is not None:
            return problem
        args["engine"] = self._environment
        args.update({name: True for name, value in (("network", self._network), ("pull", self._pull)) if value})
        return {"class_name": f"{_MODULE}.HarborContainer", "args": args}

    @cached_property
    def _engine_problem(self) -> str | None:
        """Why no container can be started on this machine; None if that works."""
        from helm.common.sandbox.container_engine import find_engine
        from helm.common.sandbox.contract import SandboxError

        try:
            find_engine(self._environment)
        except SandboxError as e:
            return str(e)
        return None

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name=self._dataset or os.path.basename(os.path.normpath(self._source)),
            description=self.description,
        )


def _make_instance(name: str, task: HarborTask, environment: dict[str, Any]) -> Instance:
    instruction = task.steps[0].instruction
    extra_data = {
        "task": name,
        "messages": [{"role": "user", "content": instruction}],
        "environment": environment,
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
