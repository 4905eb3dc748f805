"""The scenario of runs that were imported from the log of another program."""

from dataclasses import dataclass, field
from typing import Any

from helm.benchmark.scenarios.scenario import Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError

IMPORTED_SCENARIO = "helm.benchmark.scenarios.imported_scenario.ImportedScenario"
"""The class path in the run specs of imported runs."""


@dataclass
class ImportedScenario(Scenario):
    """Says where an imported run came from. Its instances are in the run's files and cannot be loaded again.

    Args:
        source: the program that made the log: `inspect_ai`, `lm_eval`, `openai_evals` or `every_eval_ever`.
        task: the name of the task there.
        main_metric: the score that represents the run; None if the log has none.
        details: further settings of the task that the log states, such as its arguments and version.
    """

    origin: dict[str, Any] = field(init=False)
    """What the log says about itself: identity, dates, versions, generation settings, and scores as stated there."""

    def __init__(self, source: str, task: str, main_metric: str | None = None, **details: Any):
        super().__init__()
        self.definition_path = __name__.replace(".", "/") + ".py"  # HELM has no such file
        self.name = task
        self.description = f"Imported from {source}"
        self.tags = ["imported"]
        self.origin = {}
        self._source, self._main_metric = source, main_metric

    def get_instances(self, output_path: str) -> list[Instance]:
        """Raise ScenarioError: an imported run cannot be run again."""
        raise ScenarioError(
            f"'{self.name}' was imported from a log of {self._source}, which does not say how to run it again. Run the task with "
            f"{self._source} and import the new log with helm-import, or choose a scenario of helm-run --list."
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(name=self.name, main_metric=self._main_metric or "", main_split="test")
