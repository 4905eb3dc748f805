"""Questions with answers that a model finds with the tools of MCP servers."""

from typing import Any

from helm.benchmark.scenarios.data_rows import numbered, reading
from helm.benchmark.scenarios.scenario import TEST_SPLIT, Input, Instance, Scenario, ScenarioMetadata
from helm.common.errors import ScenarioError, suggest
from helm.common.files import load_yaml

_SERVER_FIELDS = ("command", "args", "env", "url", "where", "folders", "only", "seconds", "memory_mb")
_FIELDS = ("id", "question", "answer", "group")


class McpQuestionsScenario(Scenario):
    """Answer questions with the tools of servers of the Model Context Protocol.

    Input text: the question. An answer is right if it is one of those given, whatever its letters and spaces are.

    Args:
        path: JSON lines with `question`, `answer` (a text, or a list of texts), and optionally `id` and `group`.
        servers: a JSON or YAML file with the servers in the form that other programs use too: `mcpServers` by name, each with
            `command` and `args`, or `url`; in addition the arguments of `McpServer`, such as `where: host`.
        contains: whether an answer may have further words.
    """

    name = "agent_mcp"
    description = "Questions with answers, over the tools of MCP servers"
    tags = ["agents", "tools"]

    def __init__(self, path: str, servers: str, contains: bool = False):
        super().__init__()
        self._path, self._servers, self._contains = path, servers, contains

    def get_instances(self, output_path: str) -> list[Instance]:
        import json

        tools = read_servers(self._servers)
        instances: list[Instance] = []
        with open(self._path, encoding="utf-8") as file:
            for where, line in numbered(self._path, file, "line"):
                if not line.strip():
                    continue
                with reading(where):
                    row = json.loads(line)
                    for name in row:
                        if name not in _FIELDS:
                            raise ScenarioError(f"{where}: unknown field '{name}'.{suggest(str(name), _FIELDS)}")
                    instances.append(self._make_instance(row, len(instances), tools))
        if not instances:
            raise ScenarioError(f"{self._path}: there is no question in it.")
        return instances

    def _make_instance(self, row: dict[str, Any], number: int, tools: list[dict[str, Any]]) -> Instance:
        answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
        accepted = [str(answer) for answer in answers]
        check = {"accepted": accepted, "contains": self._contains}
        return Instance(
            Input(text=str(row["question"])),
            references=[],
            split=TEST_SPLIT,
            sub_split=row.get("group"),
            extra_data={
                "task": str(row.get("id", f"q{number + 1}")),
                "agent": {"class_name": "helm.agents.agents.ReactLoop"},
                "tools": tools,
                "check": {"class_name": "helm.agents.checks.AnswerCheck", "args": check},
                "solution": {"answer": accepted[0]},
            },
        )

    def get_metadata(self) -> ScenarioMetadata:
        return ScenarioMetadata(
            name=self.name,
            main_metric="agent_success",
            main_split=TEST_SPLIT,
            display_name="Questions over MCP",
            description=self.description,
        )


def read_servers(path: str) -> list[dict[str, Any]]:
    """Return the servers in a file as tools of a task. Raises: ScenarioError."""
    data = load_yaml(path)
    servers = data.get("mcpServers") if isinstance(data, dict) else None
    if not isinstance(servers, dict) or not servers:
        raise ScenarioError(f"{path}: expected an object `mcpServers` with a server by its name.")
    found = []
    for name, described in servers.items():
        where = f"{path}: server '{name}'"
        if not isinstance(described, dict):
            raise ScenarioError(f"{where}: expected an object.")
        for field in described:
            if field not in _SERVER_FIELDS:
                raise ScenarioError(f"{where}: unknown field '{field}'.{suggest(str(field), _SERVER_FIELDS)}")
        args = {key: value for key, value in described.items() if key not in ("command", "args", "env")}
        if "command" in described:
            args["command"] = [str(described["command"]), *map(str, described.get("args") or [])]
        if described.get("env"):
            args["environment"] = dict(described["env"])
        found.append({"class_name": "helm.agents.tools.mcp_server.McpServer", "args": args})
    return found
