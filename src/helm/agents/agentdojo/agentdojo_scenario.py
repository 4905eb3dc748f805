"""Tasks of AgentDojo, alone and attacked."""

from collections.abc import Sequence
from typing import Any

from helm.agents.agentdojo.suites import EXTRA, NO_ATTACK, Injections, choose, get_suite
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ConfigError
from helm.common.optional_dependencies import needs_extra

ALONE, ATTACKED = "alone", "attacked"
_MOST_TURNS = 16  # the first answer, and 15 after results of tools, as in the package


class AgentDojoScenario(Scenario):
    """Do a user's task with tools whose results may contain instructions of somebody else.

    Input text: the task. Each user task is done alone (sub-split `alone`), and once for each injection task (`attacked`), whose
    goal stands in the places that the user task reads. Data, tools, attacks and checks are those of the package `agentdojo`
    (https://github.com/ethz-spylab/agentdojo, MIT licence).

    Args:
        suite: workspace, travel, banking or slack.
        version: of the suites.
        attack: one of the package's attacks; `none` for the tasks alone.
        addressed_as: what the attack calls the model.
        user_tasks: ids; None for all.
        injection_tasks: ids; None for all.
    """

    name = "agentdojo"
    description = "AgentDojo: tasks with tools, alone and under attack"
    tags = ["agents", "tools", "safety"]

    def __init__(
        self,
        suite: str = "workspace",
        version: str = "v1.2.2",
        attack: str = "important_instructions",
        addressed_as: str = "AI assistant",
        user_tasks: Sequence[str] | None = None,
        injection_tasks: Sequence[str] | None = None,
    ):
        super().__init__()
        if attack == NO_ATTACK and injection_tasks is not None:
            raise ConfigError("agentdojo: injection_tasks needs an attack.")
        self._suite, self._version = suite, version
        self._attack, self._addressed_as = attack, addressed_as
        self._user_tasks, self._injection_tasks = user_tasks, injection_tasks

    def get_instances(self, output_path: str) -> list[Instance]:
        suite = get_suite(self._suite, self._version)
        user_tasks = choose(suite.user_tasks, self._user_tasks, "user task")
        injection_tasks, injections = {}, None
        if self._attack != NO_ATTACK:
            injection_tasks = choose(suite.injection_tasks, self._injection_tasks, "injection task")
            injections = Injections(suite, self._attack, self._addressed_as)
        with needs_extra(EXTRA):
            from agentdojo.agent_pipeline.agent_pipeline import load_system_message
        system = load_system_message(None)
        instances = []
        for task_id, task in user_tasks.items():
            fields = {
                "messages": [{"role": "system", "content": system}, {"role": "user", "content": task.PROMPT}],
                "agent": {"class_name": "helm.agents.agents.ReactLoop", "args": {"submit": False}},
                "check": {"class_name": "helm.agents.agentdojo.world.AgentDojoCheck"},
                "limits": {"turns": _MOST_TURNS},
            }
            instances.append(self._make_instance(task_id, task, fields))
            for goal_id, goal in injection_tasks.items():
                assert injections is not None
                instances.append(self._make_instance(task_id, task, fields, goal_id, injections.of(task, goal)))
        return instances

    def _make_instance(
        self,
        task_id: str,
        task: Any,
        fields: dict[str, Any],
        goal_id: str | None = None,
        injections: dict[str, str] | None = None,
    ) -> Instance:
        world = {"suite": self._suite, "version": self._version, "user_task": task_id}
        attack = {"injection_task": goal_id, "name": self._attack}
        of_attack = {} if goal_id is None else {"injections": injections}
        extra_data = {
            "task": f"{self._suite}-{task_id}" + (f"+{goal_id}" if goal_id is not None else ""),
            **fields,
            "environment": {
                "class_name": "helm.agents.agentdojo.world.AgentDojoWorld",
                "args": {**world, **of_attack},
            },
        }
        if goal_id is not None:
            extra_data["attack"] = {"class_name": "helm.agents.agentdojo.world.AgentDojoAttack", "args": attack}
        return Instance(
            Input(text=task.PROMPT),
            references=[],
            split=TEST_SPLIT,
            sub_split=ALONE if goal_id is None else ATTACKED,
            extra_data=extra_data,
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="AgentDojo",
            description=self.description,
        )
