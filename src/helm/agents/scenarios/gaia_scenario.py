"""Questions of GAIA, some with a file, which an assistant answers with tools."""

import json
import os
from typing import Any

from helm.agents.scenarios.mcp_questions_scenario import read_servers
from helm.benchmark.scenarios.data_rows import numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ConfigError, ScenarioError

_LEVELS = (1, 2, 3)
_FORM = (
    "Submit the answer alone: a number without units and thousands separators unless they are asked for, as few words as "
    "possible, or a list separated by commas."
)


class GaiaScenario(Scenario):
    """Answer a question with the tools of a sandbox without a network, and those of MCP servers, such as one that searches.

    Input text: the question. A question's file is in the sandbox. An answer is right if it is the expected number, text or list.
    Source: the data set GAIA, whose files are gated: accept its conditions, and name the folder that you have downloaded.

    Args:
        path: the folder with `metadata.jsonl` and the files, such as `2023/validation`; or one with questions of your own.
        level: 1, 2 or 3; None for all.
        servers: a file with `mcpServers`; None without any.
    """

    name = "gaia"
    description = "Questions for assistants with tools"
    tags = ["agents", "tools"]

    def __init__(self, path: str, level: int | None = None, servers: str | None = None):
        super().__init__()
        if level is not None and level not in _LEVELS:
            raise ConfigError(f"gaia: level takes 1, 2 or 3, not {level}.")
        self._path, self._level, self._servers = path, level, servers

    def get_instances(self, output_path: str) -> list[Instance]:
        path = os.path.join(self._path, "metadata.jsonl")
        if not os.path.isfile(path):
            raise ScenarioError(
                f"There is no file {path}; `path` is a folder of the data set, such as 2023/validation."
            )
        tools = read_servers(self._servers) if self._servers is not None else []
        instances = []
        with open(path, encoding="utf-8") as file:
            for where, line in numbered(path, file, "line"):
                if line.strip():
                    with reading(where):
                        row = json.loads(line)
                        if self._level in (None, int(row["Level"])):
                            instances.append(self._make_instance(row, tools, where))
        if not instances:
            raise ScenarioError(f"{path}: there is no question of this level.")
        return instances

    def _make_instance(self, row: dict[str, Any], tools: list[dict[str, Any]], where: str) -> Instance:
        name, paths = str(row.get("file_name") or ""), {}
        question = str(row["Question"])
        if name:
            if os.path.basename(name) != name or name.startswith("."):
                raise ScenarioError(f"{where}: a file's name has no folder, not {name!r:.80}.")
            paths[f"/app/{name}"] = os.path.join(self._path, name)
            question += f"\n\nThe file of the question is /app/{name}."
        expected = str(row["Final answer"])
        return Instance(
            Input(text=question),
            references=[],
            split=TEST_SPLIT,
            sub_split=f"level_{row['Level']}",
            extra_data={
                "task": str(row["task_id"]),
                "messages": [{"role": "user", "content": f"{question}\n\n{_FORM}"}],
                "agent": {"class_name": "helm.agents.agents.ReactLoop"},
                "environment": {"class_name": "helm.agents.gaia.FilesBox", "args": {"paths": paths}},
                "tools": tools,
                "check": {"class_name": "helm.agents.gaia.QuestionCheck", "args": {"expected": expected}},
                "solution": {"answer": expected},
            },
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="GAIA",
            description=self.description,
        )
