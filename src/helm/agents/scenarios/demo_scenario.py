"""The tasks of the offline demo: in a sandbox where there is one, and in this process."""

from collections.abc import Sequence
from importlib import resources

from helm.agents.scenarios.harbor_scenario import HarborScenario
from helm.agents.scenarios.task_file_scenario import TaskFileScenario
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError, suggest
from helm.common.hierarchical_logger import hwarn


class AgentDemoScenario(Scenario):
    """Nine small tasks in a terminal, and two with a Python object. Without bubblewrap there are only those two, and it is said.

    Args:
        tasks: names of tasks; empty takes all.
    """

    name = "agent_demo"
    description = "Small tasks for agents that come with this package and need no network."
    tags = ["agents"]

    def __init__(self, tasks: Sequence[str] = ()):
        super().__init__()
        self._tasks = list(tasks)

    def get_instances(self, output_path: str) -> list[Instance]:
        from helm.common.sandbox.session import is_available

        terminal = HarborScenario("demo").get_instances(output_path)
        path = str(resources.files("helm.agents").joinpath("demo_library_tasks.yaml"))
        found = {str((instance.extra_data or {})["task"]): instance for instance in terminal}
        is_safe = is_available()
        for instance in TaskFileScenario(path).get_instances(output_path):
            found[str((instance.extra_data or {})["task"])] = instance
        for name in self._tasks:
            if name not in found:
                raise ScenarioError(f"agent_demo has no task '{name}'.{suggest(name, found)}")
        names = self._tasks or list(found)
        in_terminal = {str((instance.extra_data or {})["task"]) for instance in terminal}
        if not is_safe:
            left_out = [name for name in names if name in in_terminal]
            names = [name for name in names if name not in in_terminal]
            words = f"{len(left_out)} tasks of agent_demo need bubblewrap, which does not work here"
            if not names:
                raise ScenarioError(f"{words}: see python -m helm.common.sandbox.")
            hwarn(f"{words}; they are left out. See python -m helm.common.sandbox.")
        return [found[name] for name in names]

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="Agent demo",
            description=self.description,
        )
