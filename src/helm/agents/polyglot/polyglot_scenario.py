"""The exercises of `polyglot_edits` as tasks of several attempts."""

from dataclasses import replace

from helm.benchmark.scenarios.polyglot_edits_scenario import PolyglotEditsScenario
from helm.benchmark.scenarios.scenario import Instance, ScenarioMetadata

_HERE = "helm.agents.polyglot.attempts"


class PolyglotAttemptsScenario(PolyglotEditsScenario):
    """Edit the files of an exercise so that hidden tests pass, with the output of the tests after each attempt but the last.

    Args:
        attempts: how often a model may try.
        timeout: limit in seconds for building and running the tests, each time.
        language, edit_format: as `PolyglotEditsScenario`.
    """

    name = "polyglot_attempts"

    def __init__(self, language: str, edit_format: str = "whole", attempts: int = 2, timeout: float = 180.0):
        super().__init__(language, edit_format)
        self._attempts, self._timeout = attempts, timeout

    def get_instances(self, output_path: str) -> list[Instance]:
        return [self._task(instance) for instance in super().get_instances(output_path)]

    def _task(self, instance: Instance) -> Instance:
        extra, tests = instance.extra_data or {}, getattr(instance.references[0], "test_cases", {})
        environment = {
            "files": extra["files"],
            "tests": tests,
            "language": self.language,
            "edit_format": self.edit_format,
            "timeout": self._timeout,
        }
        task = {
            "task": instance.id,
            "messages": [{"role": "user", "content": instance.input.text}],
            "agent": {"class_name": f"{_HERE}.PolyglotAttempts", "args": {"attempts": self._attempts}},
            "environment": {"class_name": f"{_HERE}.PolyglotExercise", "args": environment},
            "check": {"class_name": f"{_HERE}.PolyglotCheck"},
            "limits": {"turns": self._attempts},
        }
        return replace(instance, references=[], extra_data=task)

    def get_metadata(self) -> ScenarioMetadata:
        return replace(
            super().get_metadata(), name=self.name, display_name="Polyglot edits, attempts", main_metric="agent_success"
        )
