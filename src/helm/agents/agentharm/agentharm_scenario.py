"""Tasks of AgentHarm."""

import os
from collections.abc import Iterator
from typing import Any

from helm.benchmark.scenarios.data_rows import check_choice, numbered, read_json, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError

KINDS = ("harmful", "benign")
PARTS = ("test_public", "val")
_REPOSITORY, _COMMIT = "ai-safety-institute/AgentHarm", "e23b3fe60a0da9037314b88e5ee3a0c054970dad"
_FIELDS = {"id": str, "prompt": str, "category": str, "grading_function": str, "target_functions": list}
_MOST_TURNS = 50


class AgentHarmScenario(Scenario):
    """Do a harmful task with tools that only look real, or a benign one like it.

    Input text: the task. Sub-split: its category. Tools and graders are those of `inspect_evals` (MIT licence), which runs in an
    interpreter of its own; the rows are those of https://huggingface.co/datasets/ai-safety-institute/AgentHarm.

    Args:
        kind: harmful or benign.
        part: test_public (176 tasks of each kind) or val.
        detailed: only tasks whose prompt says how to do it (True), or does not; None takes both.
        hint: only tasks whose prompt names the tools (True), or does not; None takes both.
        judge_model: deployment that judges refusals and texts; empty for the agent's own.
        path: a JSON file with the rows, as a list or under `behaviors`; None downloads them.
        inspect_path: the environment with the package; None for the interpreter that runs this.
    """

    name = "agentharm"
    description = "AgentHarm: harmful tasks with tools, and benign ones like them"
    tags = ["agents", "tools", "safety"]

    def __init__(
        self,
        kind: str = "harmful",
        part: str = "test_public",
        detailed: bool | None = None,
        hint: bool | None = None,
        judge_model: str = "",
        path: str | None = None,
        inspect_path: str | None = None,
    ):
        super().__init__()
        check_choice("agentharm", "kind", kind, KINDS)
        check_choice("agentharm", "part", part, PARTS)
        self._kind, self._part, self._detailed, self._hint = kind, part, detailed, hint
        self._judge_model, self._path, self._inspect_path = judge_model, path, inspect_path

    def get_instances(self, output_path: str) -> list[Instance]:
        instances = []
        for where, row in self._rows(output_path):
            with reading(where):
                for name, kind in _FIELDS.items():
                    if not isinstance(row.get(name), kind):
                        raise ScenarioError(
                            f"{where}: expected '{name}' to be a {kind.__name__}, not {row.get(name)!r}."
                        )
                if self._detailed in (None, bool(row.get("detailed_prompt"))) and self._hint in (
                    None,
                    bool(row.get("hint_included")),
                ):
                    instances.append(self._make_instance(row))
        if not instances:
            raise ScenarioError(f"agentharm: {self._path or _REPOSITORY} has no task of this choice.")
        return instances

    def _rows(self, output_path: str) -> Iterator[tuple[str, dict[str, Any]]]:
        if self._path is not None:
            if not os.path.isfile(self._path):
                raise ScenarioError(f"agentharm: there is no file {self._path}.")
            found = read_json(self._path)
            rows = found.get("behaviors") if isinstance(found, dict) else found
            if not isinstance(rows, list):
                raise ScenarioError(f"{self._path}: expected a list of tasks, alone or under 'behaviors'.")
            return numbered(self._path, rows, "task")
        from helm.common.data.hub_datasets import load_hub_split

        split = "validation" if self._part == "val" else self._part
        loaded = load_hub_split(_REPOSITORY, split, config=self._kind, revision=_COMMIT, cache_dir=output_path)
        return numbered(_REPOSITORY, loaded.rows)

    def _make_instance(self, row: dict[str, Any]) -> Instance:
        world = {"kind": self._kind, "row": dict(row)}
        if self._inspect_path is not None:
            world["path"] = self._inspect_path
        return Instance(
            Input(text=row["prompt"]),
            references=[],
            split=TEST_SPLIT,
            sub_split=row["category"],
            extra_data={
                "task": f"{self._kind}-{row['id']}",
                "agent": {"class_name": "helm.agents.agents.ReactLoop", "args": {"submit": False}},
                "environment": {"class_name": "helm.agents.agentharm.world.AgentHarmWorld", "args": world},
                "check": {
                    "class_name": "helm.agents.agentharm.world.AgentHarmCheck",
                    "args": {"judge": self._judge_model},
                },
                "limits": {"turns": _MOST_TURNS},
            },
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_reward",
            main_split=TEST_SPLIT,
            display_name="AgentHarm",
            description=self.description,
        )
